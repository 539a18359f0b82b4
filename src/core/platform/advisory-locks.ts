// The advisory locks of the core, in one place, so that no two have the same number.
import { sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";

/**
 * By what each keeps to one at a time. 7_265_303 is that of costs, which the database's own `lock_costs()` takes. Its
 * `closed_switches()` shares that of switches.
 */
const NUMBERS = {
  folding: 7_265_301,
  settings: 7_265_302,
  profit: 7_265_304,
  tiers: 7_265_305,
  secondPerson: 7_265_306,
  salesReceipts: 7_265_307,
  waiting: 7_265_308,
  statement: 7_265_309,
  cash: 7_265_310,
  payouts: 7_265_311,
  announcing: 7_265_312,
  firstOwner: 7_265_313,
  switches: 7_265_331,
  views: 7_265_321,
  keptAnswers: 7_265_322,
};

type Lock = keyof typeof NUMBERS;

/** Waits for the lock, and holds it until the transaction ends. */
export async function lock(tx: Tx, name: Lock): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${NUMBERS[name]})`);
}

/** As `lock` without waiting; false while another transaction holds it. */
export async function tryLock(tx: Tx, name: Lock): Promise<boolean> {
  const [row] = await tx.execute<{ mine: boolean }>(sql`select pg_try_advisory_xact_lock(${NUMBERS[name]}) as mine`);
  return row!.mine;
}
