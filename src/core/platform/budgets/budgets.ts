// Budgets for what costs money, calls a provider or guesses at a secret: the functions that count against the table.
// rate-limits.ts does the counting, exact across all processes.
import type { TxOrDb } from "../../../../db/connect.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { limitedRequests } from "../metrics.ts";
import { networkOf } from "../networks.ts";
import { BUDGETS, type Budget } from "./budget-table.ts";
import * as rateLimits from "./rate-limits.ts";

export type BudgetName = keyof typeof BUDGETS;
type Subject = string | number;

const MINUTES = 60;
const HOUR = 3600;

/**
 * Counts one against the budget of `subject` (an account's id, a phone, an address …). Throws request.rate_limited with
 * `retryAfterSeconds` and the budget's name in `limit`. A transaction that rolls back has counted nothing.
 */
export async function spend(tx: TxOrDb, name: BudgetName, subject: Subject): Promise<void> {
  refuseBeyond(name, await rateLimits.take(tx, limitOf(name, subject)));
}

/** Like `spend`, for many units at once; throws and counts nothing when fewer are left, and says how many are. */
export async function reserve(tx: TxOrDb, name: BudgetName, subject: Subject, units: number): Promise<void> {
  refuseBeyond(name, await rateLimits.reserve(tx, limitOf(name, subject), units));
}

function refuseBeyond(
  name: BudgetName,
  { isWithin, waitSeconds, left = 0 }: { isWithin: boolean; waitSeconds: number; left?: number },
) {
  if (isWithin) return;
  limitedRequests.inc({ limit: name });
  const { message = "Too many attempts.", leftMessage }: Budget = BUDGETS[name];
  const isSomeLeft = leftMessage !== undefined && left > 0;
  throw rateLimited(name, isSomeLeft ? `${message} ${leftMessage(left)}` : message, waitSeconds);
}

/** Counts one; true while within the budget. For work that is dropped or answered differently beyond it. */
export async function trySpend(tx: TxOrDb, name: BudgetName, subject: Subject): Promise<boolean> {
  const { isWithin } = await rateLimits.take(tx, limitOf(name, subject));
  if (!isWithin) limitedRequests.inc({ limit: name });
  return isWithin;
}

/** Counts one for each of many accounts in one statement; returns those within their budget. */
export async function trySpendAll(tx: TxOrDb, name: BudgetName, userIds: number[]): Promise<Set<number>> {
  const limits = userIds.map((userId) => limitOf(name, userId));
  const within = await rateLimits.takeAll(tx, limits);
  const fit = new Set(userIds.filter((userId) => within.has(bucketOf(name, userId))));
  if (fit.size < userIds.length) limitedRequests.inc({ limit: name }, userIds.length - fit.size);
  return fit;
}

/** Counts some units for each of many accounts in one statement; returns how many of them fit, by account. */
export async function trySpendSome(
  tx: TxOrDb,
  name: BudgetName,
  unitsOf: ReadonlyMap<number, number>,
): Promise<Map<number, number>> {
  const wanted = [...unitsOf].map(([userId, units]) => ({ ...limitOf(name, userId), units }));
  const fitting = await rateLimits.takeSome(tx, wanted);
  const granted = new Map([...unitsOf.keys()].map((id) => [id, fitting.get(bucketOf(name, id)) ?? 0]));
  const dropped = [...unitsOf].reduce((sum, [id, units]) => sum + units - granted.get(id)!, 0);
  if (dropped > 0) limitedRequests.inc({ limit: name }, dropped);
  return granted;
}

/** Clears the count, after a success. */
export async function reset(db: TxOrDb, name: BudgetName, subject: Subject): Promise<void> {
  await rateLimits.clear(db, bucketOf(name, subject));
}

/** Takes units back that turned out not to count against the budget. */
export async function giveBack(db: TxOrDb, name: BudgetName, subject: Subject, units = 1): Promise<void> {
  await rateLimits.giveBack(db, bucketOf(name, subject), units);
}

/** The error for exceeding a limit: the reason, and when to try again. */
export function rateLimited(limit: string, message: string, waitSeconds: number): AppError {
  const details = { retryAfterSeconds: waitSeconds, limit };
  return new AppError("request.rate_limited", details, `${message} Try again ${waitText(waitSeconds)}.`);
}

/** "in 40 seconds", "in 12 minutes", "in 3 hours": rounded up, so that trying then succeeds. */
export function waitText(seconds: number): string {
  if (seconds < 2) return "in a second";
  if (seconds <= 90) return `in ${Math.ceil(seconds)} seconds`;
  if (seconds <= 90 * MINUTES) return `in ${Math.ceil(seconds / MINUTES)} minutes`;
  return `in ${Math.ceil(seconds / HOUR)} hours`;
}

/** The key under which a budget counts a subject. */
function bucketOf(name: BudgetName, subject: Subject): string {
  const key = BUDGETS[name].by === "address" ? networkOf(String(subject)) : String(subject).toLowerCase();
  return `${name}:${key}`;
}

function limitOf(name: BudgetName, subject: Subject): rateLimits.Limit {
  const { countMax, seconds: windowSeconds } = BUDGETS[name];
  return { bucket: bucketOf(name, subject), countMax, windowSeconds };
}
