// Statements over many rows, split into parts that Postgres can handle.
import { getTableColumns, SQL, sql } from "drizzle-orm";
import { CasingCache } from "drizzle-orm/casing";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/connect.ts";

/** Far below the 65,535 parameters that a statement may have (https://www.postgresql.org/docs/18/limits.html). */
const ROWS = 1000;

/** Runs `work` on the rows part by part, in their order. */
export async function inParts<Row>(rows: readonly Row[], work: (part: Row[]) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await work(rows.slice(start, start + ROWS));
}

const casing = new CasingCache("snake_case");

type Row<Table extends PgTable> = Table["$inferInsert"];
type Shared<Table extends PgTable> = { [Key in keyof Row<Table>]?: Row<Table>[Key] | SQL };

/**
 * Inserts rows in their order; `shared` are values that all of them have, also as SQL. A column that any row names is
 * null in the others. Sent as JSON, because Drizzle takes a second of the event loop to write 4,500 rows as values.
 */
export async function insertRows<Table extends PgTable>(
  tx: Tx,
  table: Table,
  rows: readonly Row<Table>[],
  shared: Shared<Table> = {},
): Promise<void> {
  const named = new Set(
    rows.flatMap((row) => Object.entries(row).flatMap(([key, value]) => (value === undefined ? [] : key))),
  );
  const common = new Map(Object.entries(shared).filter(([, value]) => value !== undefined));
  const columns = Object.entries(getTableColumns(table));
  const own = columns.filter(([key]) => named.has(key) && !common.has(key));
  const same = columns.filter(([key]) => common.has(key));
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const targets = list([...own, ...same].map(([, it]) => sql.identifier(casing.getColumnCasing(it)).getSQL()));
  const keys = own.map(([key]) => sql.identifier(key).getSQL());
  const types = list(own.map(([, it], i) => sql`${keys[i]} ${sql.raw(it.getSQLType())}`));
  const values = list([...keys, ...same.map(([key, it]) => paramOf(common.get(key), it))]);
  await inParts(rows, (part) =>
    tx.execute(sql`
      insert into ${table} (${targets})
      select ${values} from json_to_recordset(${JSON.stringify(part, wellFormed)}::json) as r(${types})`),
  );
}

function paramOf(value: unknown, column: PgColumn): SQL {
  return value instanceof SQL ? value : sql`${sql.param(value, column)}`;
}

/** Postgres refuses half a character in JSON. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}

/** Rows deleted by one statement: far within the statement timeout. */
const DELETED_AT_ONCE = 2000;

/**
 * Deletes all matching rows, each part in a commit of its own; returns how many. Rows locked by others are left for the
 * next run.
 */
export async function deleteInParts(db: Db, table: PgTable, condition: SQL): Promise<number> {
  for (let deleted = 0; ; ) {
    const result = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${DELETED_AT_ONCE} for update skip locked))`);
    deleted += result.count;
    if (result.count < DELETED_AT_ONCE) return deleted;
  }
}
