// The rate limit on the requests of an account, and of each of its API keys. It is kept in this process's memory,
// because a query for each request would cost more than most requests do; so with several servers an account has the
// full budget at each.
import { rateLimited } from "../core/platform/budgets.ts";
import { limitedRequests } from "../core/platform/metrics.ts";

/** The sustained rate, and how many requests may come at once. */
export type RequestBudget = { perSecond: number; burst: number };

/** Enough for a program that buys for many customers. */
export const REQUEST_BUDGET: RequestBudget = { perSecond: 50, burst: 200 };

/**
 * What one API key may use of its account's budget: a program that runs away does not stop the account's others, and
 * no person.
 */
const KEY_SHARE = 0.6;

/** Beyond this many accounts or keys, idle ones are forgotten. */
const SENDERS_MAX = 10_000;

/** Counts a request of an account, and of the API key that it came with. */
export type CountRequest = (userId: number, keyId?: number) => void;

/** Returns a function that counts a request, and throws request.rate_limited; a refused one counts nothing. */
export function createRequestLimiter(
  budget: RequestBudget | null = REQUEST_BUDGET,
  now = () => performance.now(),
): CountRequest {
  if (!budget) return () => {};
  const ofAccount = createPace(budget);
  const { perSecond, burst } = budget;
  const ofKey = createPace({
    perSecond: perSecond * KEY_SHARE,
    burst: Math.max(1, Math.floor(burst * KEY_SHARE)),
  });
  return (userId, keyId) => {
    const at = now();
    if (keyId !== undefined) refuseLate(ofKey.lateMs(keyId, at), "requests.key", KEY_LATE);
    refuseLate(ofAccount.lateMs(userId, at), "requests", ACCOUNT_LATE);
    ofAccount.take(userId, at);
    if (keyId !== undefined) ofKey.take(keyId, at);
  };
}

const ACCOUNT_LATE = "Your programs send too many requests.";
const KEY_LATE = "The program with this API key sends too many requests.";

function refuseLate(lateMs: number, limit: string, message: string): void {
  if (lateMs <= 0) return;
  limitedRequests.inc({ limit });
  throw rateLimited(limit, message, Math.ceil(lateMs / 1000));
}

/** Keeps one number for each sender: when its requests so far would all have been due at the sustained rate. */
function createPace({ perSecond, burst }: RequestBudget) {
  const paceMs = 1000 / perSecond;
  const aheadMaxMs = paceMs * burst;
  const dueAt = new Map<number, number>();
  const nextDue = (id: number, at: number) => Math.max(at, dueAt.get(id) ?? 0) + paceMs;
  return {
    /** How long a request of now would have to wait; 0 when it is within the budget. */
    lateMs: (id: number, at: number): number => {
      const lateMs = nextDue(id, at) - at - aheadMaxMs;
      // Half an interval of tolerance, because the clock is not exact.
      return lateMs > paceMs / 2 ? lateMs : 0;
    },
    take: (id: number, at: number): void => {
      const due = nextDue(id, at);
      if (dueAt.size >= SENDERS_MAX && !dueAt.has(id)) forgetIdle(dueAt, at);
      dueAt.set(id, due);
    },
  };
}

function forgetIdle(dueAt: Map<number, number>, at: number): void {
  for (const [id, due] of dueAt) if (due <= at) dueAt.delete(id);
}
