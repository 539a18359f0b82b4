// The rate limit on an account's requests. It is kept in this process's memory, because a query for each request would
// cost more than most requests do; so with several servers an account has the full budget at each.
import { rateLimited } from "../core/platform/budgets.ts";
import { limitedRequests } from "../core/platform/metrics.ts";

/** The sustained rate, and how many requests may come at once. */
export type RequestBudget = { perSecond: number; burst: number };

/** Enough for a program that buys for many customers. */
export const REQUEST_BUDGET: RequestBudget = { perSecond: 50, burst: 200 };

/** Beyond this many accounts, idle ones are forgotten. */
const ACCOUNTS_MAX = 10_000;

/**
 * Returns a function that counts a request of an account, and throws request.rate_limited. It keeps one number for each
 * account: when its requests so far would all have been due at the sustained rate.
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
    // Half an interval of tolerance, because the clock is not exact.
    if (lateMs > paceMs / 2) {
      limitedRequests.inc({ limit: "requests" });
      throw rateLimited("requests", "Your programs send too many requests.", Math.ceil(lateMs / 1000));
    }
    if (dueAt.size >= ACCOUNTS_MAX && !dueAt.has(userId)) forgetIdle(dueAt, at);
    dueAt.set(userId, due);
  };
}

function forgetIdle(dueAt: Map<number, number>, at: number): void {
  for (const [userId, due] of dueAt) if (due <= at) dueAt.delete(userId);
}
