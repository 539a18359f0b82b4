// Many rows in statements that Postgres can carry.
import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../../../db/connect.ts";

/** Far below the 65,535 parameters that a statement may have (https://www.postgresql.org/docs/18/limits.html). */
const ROWS = 1000;

/** Does the work part by part, in the rows' order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await work(rows.slice(start, start + ROWS));
}

/** So many rows are deleted by one statement: far quicker than the time a statement may take. */
const DELETED_AT_ONCE = 2000;

/**
 * Deletes all rows that match, some at a time and each part in a commit of its own; returns how many. What somebody else
 * holds is left for the next time.
 */
export async function deleteInParts(db: Db, table: PgTable, condition: SQL): Promise<number> {
  for (let all = 0; ; ) {
    const gone = await db.execute(sql`
      delete from ${table} where ctid = any(array(
        select ctid from ${table} where ${condition} limit ${DELETED_AT_ONCE} for update skip locked))`);
    all += gone.count;
    if (gone.count < DELETED_AT_ONCE) return all;
  }
}
