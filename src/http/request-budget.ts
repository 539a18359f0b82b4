// How many requests an account may send: kept in the memory of this process, because asking the database about each would
// cost more than most requests do. With several servers an account has as much at each.
import { refusalOf } from "../core/platform/budgets.ts";
import { limited } from "../core/platform/metrics.ts";

/** So many a second in the long run, and so many at once. */
export type RequestBudget = { perSecond: number; burst: number };

/** Room for a program that buys for many customers. */
export const REQUEST_BUDGET: RequestBudget = { perSecond: 50, burst: 200 };

/** Accounts beyond so many are looked through for those that have been quiet. */
const ACCOUNTS_MAX = 10_000;

/**
 * Returns what counts a request of an account; it throws request.rate_limited. For each account it keeps one number: when
 * all that was sent would have been due, were it sent at the even pace.
 */
export function createRequestLimiter(
  budget: RequestBudget | null = REQUEST_BUDGET,
  now = () => performance.now(),
): (userId: number) => void {
  if (!budget) return () => {};
  const paceMs = 1000 / budget.perSecond;
  const aheadMaxMs = paceMs * budget.burst;
  const dueAt = new Map<number, number>();
  return (userId) => {
    const at = now();
    const due = Math.max(at, dueAt.get(userId) ?? 0) + paceMs;
    const lateMs = due - at - aheadMaxMs;
    // Half a step of tolerance: the clock is not exact.
    if (lateMs > paceMs / 2) {
      limited.inc({ limit: "requests" });
      throw refusalOf("requests", "Your programs send too many requests.", Math.ceil(lateMs / 1000));
    }
    if (dueAt.size >= ACCOUNTS_MAX && !dueAt.has(userId)) forgetIdle(dueAt, at);
    dueAt.set(userId, due);
  };
}

function forgetIdle(dueAt: Map<number, number>, at: number): void {
  for (const [userId, due] of dueAt) if (due <= at) dueAt.delete(userId);
}
