// How often anybody may do what costs money, asks a provider, or guesses at a secret: the few functions that count against
// the table of budgets. rate-limits.ts does the counting, exactly and for all processes together.
import type { Tx } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { BUDGETS, type Budget } from "./budget-table.ts";
import { limited } from "./metrics.ts";
import { networkOf } from "./networks.ts";
import * as rateLimits from "./rate-limits.ts";

export type BudgetName = keyof typeof BUDGETS;
type Subject = string | number;

const MINUTES = 60;
const HOUR = 3600;

/**
 * Counts one against a budget of `subject` (an account's id, a phone, an address …). Throws request.rate_limited, with
 * `retryAfterSeconds` and the budget's name in `limit`. In a transaction that is undone, nothing was counted.
 */
export async function spend(tx: Tx, name: BudgetName, subject: Subject): Promise<void> {
  refuseBeyond(name, await rateLimits.take(tx, limitOf(name, subject)));
}

/** As `spend`, of many units at once; throws, and counts nothing, when so many are not left. */
export async function reserve(tx: Tx, name: BudgetName, subject: Subject, units: number): Promise<void> {
  refuseBeyond(name, await rateLimits.reserve(tx, limitOf(name, subject), units));
}

function refuseBeyond(
  name: BudgetName,
  { isWithin, waitSeconds }: { isWithin: boolean; waitSeconds: number },
) {
  if (isWithin) return;
  limited.inc({ limit: name });
  const { message = "Too many attempts." }: Budget = BUDGETS[name];
  throw refusalOf(name, message, waitSeconds);
}

/** Counts one, and says whether it is within the budget: for what is dropped or answered otherwise when it is over. */
export async function fits(tx: Tx, name: BudgetName, subject: Subject): Promise<boolean> {
  const { isWithin } = await rateLimits.take(tx, limitOf(name, subject));
  if (!isWithin) limited.inc({ limit: name });
  return isWithin;
}

/** Counts one for each of many accounts in one statement; gives those that are within the budget. */
export async function fitting(tx: Tx, name: BudgetName, userIds: number[]): Promise<Set<number>> {
  const limits = userIds.map((userId) => limitOf(name, userId));
  const within = await rateLimits.takeAll(tx, limits);
  const fit = new Set(userIds.filter((userId) => within.has(bucketOf(name, userId))));
  if (fit.size < userIds.length) limited.inc({ limit: name }, userIds.length - fit.size);
  return fit;
}

/** Forgets what was counted, after a success. */
export async function forgive(db: Tx, name: BudgetName, subject: Subject): Promise<void> {
  await rateLimits.clear(db, bucketOf(name, subject));
}

/** Takes some back: they were none of those that the budget is about. */
export async function giveBack(db: Tx, name: BudgetName, subject: Subject, units = 1): Promise<void> {
  await rateLimits.giveBack(db, bucketOf(name, subject), units);
}

/** The refusal of what is over its limit: why, and when to try again. */
export function refusalOf(limit: string, message: string, waitSeconds: number): AppError {
  const details = { retryAfterSeconds: waitSeconds, limit };
  return new AppError("request.rate_limited", details, `${message} Try again ${inWords(waitSeconds)}.`);
}

/** "in 40 seconds", "in 12 minutes", "in 3 hours": never less than it takes. */
export function inWords(seconds: number): string {
  if (seconds < 2) return "in a second";
  if (seconds <= 90) return `in ${Math.ceil(seconds)} seconds`;
  if (seconds <= 90 * MINUTES) return `in ${Math.ceil(seconds / MINUTES)} minutes`;
  return `in ${Math.ceil(seconds / HOUR)} hours`;
}

export function bucketOf(name: BudgetName, subject: Subject): string {
  const who = BUDGETS[name].by === "address" ? networkOf(String(subject)) : String(subject).toLowerCase();
  return `${name}:${who}`;
}

function limitOf(name: BudgetName, subject: Subject): rateLimits.Limit {
  const { most: countMax, seconds: windowSeconds } = BUDGETS[name];
  return { bucket: bucketOf(name, subject), countMax, windowSeconds };
}
