// A query of any length as CSV, read part by part, so that neither memory nor a statement's time grows with it.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { toCsv } from "../../shared/lists/csv.ts";

export const ROWS_AT_ONCE = 1_000;

/**
 * The rows of a query as CSV under its columns' names, in the order of the column `key`, which no two rows share. A
 * query without rows yields its titles alone. One that is given as a function is called with the key of the last row so
 * far (null at first), and may leave out what comes before it, and what is more than ROWS_AT_ONCE after it.
 */
export async function* queryCsv<Key>(
  tx: Reads,
  rows: SQL | ((after: Key | null) => SQL),
  key: string,
): AsyncGenerator<string> {
  const column = sql.identifier(key);
  let after: Key | null = null;
  for (let isFirst = true; ; isFirst = false) {
    const found = await tx.execute<Record<string, unknown>>(sql`
      select * from (${typeof rows === "function" ? rows(after) : rows}) part
      where ${after === null ? sql`true` : sql`${column} > ${after}`} order by ${column} limit ${ROWS_AT_ONCE}`);
    const lines = found.map((row) => Object.values(row).map((value) => (value === null ? null : String(value))));
    const titles = isFirst ? [found.columns.map(({ name }) => name)] : [];
    if (titles.length + lines.length > 0) yield toCsv([...titles, ...lines]);
    if (found.length < ROWS_AT_ONCE) return;
    after = found.at(-1)![key] as Key;
  }
}

/** SQL for a moment as people in Ghana write it, in an order that sorts. */
export const at = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'Africa/Accra', 'YYYY-MM-DD HH24:MI:SS')`);
/** SQL for pesewas as GH₵ with two decimals. */
export const cedis = (column: string) => sql.raw(`(${column} / 100.0)::numeric(14, 2)::text`);
/** SQL for 233541234567 as 0541234567. */
export const localNumber = (column: string) => sql.raw(`'0' || substr(${column}, 4)`);
