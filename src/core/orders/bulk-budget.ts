// The budget of refused bulk orders: looking at many lines costs everybody, also when nothing is bought.
import type { Db } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets.ts";

/** Refusing fewer lines costs hardly more than refusing one. */
const FEW_LINES = 100;

/**
 * Does `work`, whose refusal is counted by lines. They are taken out of the budget before, so that many at once are no way
 * around it. Throws request.rate_limited.
 */
export async function withinBudget<T>(
  db: Db,
  userId: number,
  lines: number,
  work: () => Promise<T>,
): Promise<T> {
  if (lines < FEW_LINES) return work();
  await budgets.reserve(db, "bulk.refused", userId, lines);
  try {
    const done = await work();
    await budgets.giveBack(db, "bulk.refused", userId, lines);
    return done;
  } catch (error) {
    if (!(error instanceof AppError))
      await budgets.giveBack(db, "bulk.refused", userId, lines).catch(() => {});
    throw error;
  }
}
