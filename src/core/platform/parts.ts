// Statements over many rows, split into parts that Postgres can handle.
import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../../../db/connect.ts";

/** Far below the 65,535 parameters that a statement may have (https://www.postgresql.org/docs/18/limits.html). */
const ROWS = 1000;

/** Runs `work` on the rows part by part, in their order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await work(rows.slice(start, start + ROWS));
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
