// Results of the desk in tests: entered, and applied at once instead of after the seconds in which they can be undone.
import { sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import * as results from "../../src/core/fulfilment/desk/desk-results.ts";
import { count } from "./asking.ts";

type Report = Omit<Parameters<typeof results.report>[1], "key">;
type Rest = Omit<Parameters<typeof results.closeRest>[1], "key">;

/** The time to undo what waits is over, and a worker comes by: here, or one of the shop's that took it just before. */
export async function applyResults(db: Db): Promise<void> {
  const waiting = sql`kind = 'apply_desk_result' and dead_at is null`;
  await db.execute(sql`update jobs set run_at = now() - interval '1 minute' where ${waiting} and attempts = 0`);
  while ((await results.applyDue(db, 10)) > 0 || (await count(db, sql`from jobs where ${waiting}`)) > 0)
    await Bun.sleep(20);
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
