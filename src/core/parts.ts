// Many rows in statements that Postgres can carry.

/** Far below the 65,535 parameters that a statement may have (https://www.postgresql.org/docs/18/limits.html). */
const ROWS = 1000;

/** Does the work part by part, in the rows' order. */
export async function inParts<Row>(
  rows: readonly Row[],
  work: (part: Row[]) => Promise<unknown>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += ROWS) await work(rows.slice(start, start + ROWS));
}
