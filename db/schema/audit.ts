// Runs of the audit: asked for, worked off one at a time, and kept with what they found.
import { sql } from "drizzle-orm";
import { boolean, check, index, jsonb, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, identity, instant, oneOf } from "../columns.ts";

/** Everything there is, or what has come since the checkpoint of the run before. */
export const AUDIT_KINDS = ["full", "new"] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

export const auditRuns = pgTable(
  "audit_runs",
  {
    id: identity(),
    kind: text().$type<AuditKind>().notNull(),
    askedAt: instant().notNull().defaultNow(),
    /** Null: nobody asked, it was night. */
    askedByUserId: id(),
    /** How often a worker has begun it; one that was killed is followed by another. */
    begun: smallint().notNull().default(0),
    startedAt: instant(),
    leaseUntil: instant(),
    endedAt: instant(),
    /** Null while it runs, and for ever when it could not be carried out. */
    ok: boolean(),
    findings: jsonb(),
    checked: jsonb(),
    accounts: jsonb(),
    checkpoint: jsonb(),
    error: text(),
  },
  (t) => [
    uniqueIndex("audit_runs_one_open").on(sql`(${t.endedAt} is null)`).where(sql`${t.endedAt} is null`),
    index("audit_runs_results").on(t.id).where(sql`${t.ok} is not null`),
    check("audit_runs_kind_known", sql`${t.kind} in (${oneOf(AUDIT_KINDS)})`),
    check(
      "audit_runs_result_whole",
      sql`${t.ok} is null or (${t.endedAt} is not null and ${t.findings} is not null and ${t.checked} is not null
        and ${t.accounts} is not null and ${t.checkpoint} is not null and ${t.error} is null)`,
    ),
  ],
);
