// The budget of refused bulk orders: so many lines an account may have refused, because looking at them costs everybody.
import type { Db } from "../../db/connect.ts";
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import { refusedBulkLines } from "./metrics.ts";
import * as rateLimits from "./rate-limits.ts";

/** What refused bulk orders may come to, in lines: ten of ten thousand in ten minutes. */
const REFUSED_LINES = { countMax: 10 * limits.bulkLines, windowSeconds: 600 };
/** Refusing fewer lines costs hardly more than refusing one. */
const FEW_LINES = 100;

/**
 * Does `work`, whose refusal is counted by lines: looking at ten thousand of them holds other people's purchases up. They
 * are taken out of the budget before, so that many at once are no way around it. Throws request.rate_limited.
 */
export async function withinBudget<T>(
  db: Db,
  userId: number,
  lines: number,
  work: () => Promise<T>,
): Promise<T> {
  if (lines < FEW_LINES) return work();
  const bucket = `refused bulk lines ${userId}`;
  await rateLimits.reserve(db, { bucket, ...REFUSED_LINES }, lines).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
    const words =
      "Too many of your bulk orders were refused. Check your balance and your list, then try again.";
    throw new AppError(error.code, error.details, words);
  });
  try {
    const done = await work();
    await rateLimits.giveBack(db, bucket, lines);
    return done;
  } catch (error) {
    if (!(error instanceof AppError)) await rateLimits.giveBack(db, bucket, lines).catch(() => {});
    else refusedBulkLines.inc(lines);
    throw error;
  }
}
