// The budget of lines that are checked and not bought, which costs time for everybody: those of refused bulk orders and
// of previews.
import type { Db } from "../../../db/connect.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets/budgets.ts";

/** Lists below this are not counted: refusing them costs hardly more than refusing one line. */
export const COUNTED_LINES_MIN = 100;

/** The fewest bytes of a line in a body of JSON. */
const LINE_BYTES = 36;

/**
 * Counts the lines that a body of this size may have, before anybody parses it; returns how many were counted. Throws
 * request.rate_limited.
 */
export async function countBody(db: Db, userId: number, bytes: number): Promise<number> {
  return countChecked(db, userId, Math.min(limits.bulkLines, Math.floor(bytes / LINE_BYTES)));
}

/** Counts lines that are to be checked; returns how many were counted: none of a short list. Throws likewise. */
export async function countChecked(db: Db, userId: number, lines: number): Promise<number> {
  if (lines < COUNTED_LINES_MIN) return 0;
  await budgets.reserve(db, "bulk.refused", userId, lines);
  return lines;
}

/** Takes back what was counted for a body that turned out to be good, and whose lines are counted by themselves. */
export async function giveBackBody(db: Db, userId: number, lines: number): Promise<void> {
  if (lines > 0) await budgets.giveBack(db, "bulk.refused", userId, lines);
}

const running = new Map<number, Promise<unknown>>();

/** Runs one check of a long list after the other for an account: others get their turn in between. */
export async function oneByOne<T>(userId: number, lines: number, work: () => Promise<T>): Promise<T> {
  if (lines < COUNTED_LINES_MIN) return work();
  const before = running.get(userId) ?? Promise.resolve();
  const run = before.then(work, work);
  running.set(userId, run);
  try {
    return await run;
  } finally {
    if (running.get(userId) === run) running.delete(userId);
  }
}

/**
 * Runs `work`, and counts its lines against the budget when it is refused. They are reserved beforehand, so that
 * concurrent requests cannot get around the budget. Throws request.rate_limited.
 */
export async function withinBudget<T>(db: Db, userId: number, lines: number, work: () => Promise<T>): Promise<T> {
  if ((await countChecked(db, userId, lines)) === 0) return work();
  try {
    const result = await work();
    await budgets.giveBack(db, "bulk.refused", userId, lines);
    return result;
  } catch (error) {
    if (!(error instanceof AppError)) await budgets.giveBack(db, "bulk.refused", userId, lines).catch(() => {});
    throw error;
  }
}
