// The audit of a test's books: the rules of the ledger as one statement, which is planned once and not for each test.
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import postgres from "postgres";
import * as ledgerAudit from "../../src/core/ledger/audit.ts";

export type Books = { findings: () => Promise<ledgerAudit.AuditFinding[]>; close: () => Promise<void> };

/** A plan holds until the tables have grown by about this much: one for empty tables is slow on full ones. */
const GROWTH_BYTES = 256 * 1024;
/** From this size on, a table's statistics decide whether its plan takes a moment or a minute. */
const ANALYZED_BYTES = 64 * 1024;

/** Opens the books of a database, on a connection of their own; `findings` reports as `ledgerAudit.audit` does. */
export function openBooks(url: string): Books {
  const client = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { plan_cache_mode: "force_generic_plan", statement_timeout: 600_000 },
  });
  let plannedAt = 0;
  return {
    findings: async () => {
      const tables = await client<{ name: string; bytes: number }[]>`
        select relname as name, pg_relation_size(oid)::int as bytes
        from pg_class where relname = any(${TABLES}) and relkind = 'r' and relnamespace = 'public'::regnamespace`;
      const grown = Math.floor(tables.reduce((sum, { bytes }) => sum + bytes, 0) / GROWTH_BYTES);
      const large = tables.filter(({ bytes }) => bytes >= ANALYZED_BYTES);
      if (grown !== plannedAt && large.length > 0) await client`analyze ${client(large.map(({ name }) => name))}`;
      plannedAt = grown;
      const statement = `${EVERY_RULE.sql} -- ${grown}`;
      const rows = await client.unsafe(statement, EVERY_RULE.params as string[], { prepare: true });
      return rows.map((row) => ledgerAudit.findingOf(row.rule, { subject: row.subject, detail: row.detail }));
    },
    close: () => client.end({ timeout: 5 }),
  };
}

const EVERY_RULE = new PgDialect({ casing: "snake_case" }).sqlToQuery(
  sql.join(
    Object.entries(ledgerAudit.RULES).map(([rule, query]) => reportOf(rule, query)),
    sql` union all `,
  ),
);

/** What the rules read, among it the names of their subqueries. */
const NAMES = EVERY_RULE.sql.matchAll(/\b(?:from|join) "?(?:public"?\."?)?(\w+)/g);
const TABLES = [...new Set([...NAMES].map(([, name]) => name!))];

function reportOf(rule: string, query: SQL): SQL {
  return sql`
    (select ${sql.raw(`'${rule}'`)} as rule, found.subject::text, found.detail::text
     from (${query} limit 20) found)`;
}
