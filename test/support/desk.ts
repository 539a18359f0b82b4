// Results of the desk in tests: entered, and applied at once instead of after the seconds in which they can be undone.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import * as results from "../../src/core/fulfilment/desk-results.ts";

type Report = Omit<Parameters<typeof results.report>[1], "key">;
type Rest = Omit<Parameters<typeof results.closeRest>[1], "key">;

/** The time to undo what waits is over, and a worker comes by. */
export async function applyResults(db: Db): Promise<void> {
  await db.execute(
    sql`update jobs set run_at = now() - interval '1 minute' where kind = 'apply_desk_result' and dead_at is null`,
  );
  while ((await results.applyDue(db, 10)) > 0);
}

export async function reportNow(db: Db, command: Report) {
  const { answer } = await results.report(db, { key: null, ...command });
  await applyResults(db);
  return answer;
}

export async function closeRestNow(db: Db, command: Rest): Promise<number> {
  const { answer } = await results.closeRest(db, { key: null, ...command });
  await applyResults(db);
  return answer.count;
}
