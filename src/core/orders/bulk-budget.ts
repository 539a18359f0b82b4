// The budget of refused bulk orders: checking many lines costs time for everybody, even when nothing is bought.
import type { Db } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets.ts";

/** Lists below this are not counted: refusing them costs hardly more than refusing one line. */
export const COUNTED_LINES_MIN = 100;

/**
 * Runs `work`, and counts its lines against the budget when it is refused. They are reserved beforehand, so that
 * concurrent requests cannot get around the budget. Throws request.rate_limited.
 */
export async function withinBudget<T>(
  db: Db,
  userId: number,
  lines: number,
  work: () => Promise<T>,
): Promise<T> {
  if (lines < COUNTED_LINES_MIN) return work();
  await budgets.reserve(db, "bulk.refused", userId, lines);
  try {
    const result = await work();
    await budgets.giveBack(db, "bulk.refused", userId, lines);
    return result;
  } catch (error) {
    if (!(error instanceof AppError))
      await budgets.giveBack(db, "bulk.refused", userId, lines).catch(() => {});
    throw error;
  }
}
