// The rate limit on an account's requests. It is kept in this process's memory, because a query for each request would
// cost more than most requests do; so with several servers an account has the full budget at each.
import { rateLimited } from "../core/platform/budgets.ts";
import { limitedRequests } from "../core/platform/metrics.ts";
import type { AppError } from "../shared/errors/app-error.ts";
import { type RateLimit, rateLimitFields } from "./rate-limit-fields.ts";

/** The sustained rate, and how many requests may come at once. */
export type RequestBudget = { perSecond: number; burst: number };

/** Enough for a program that buys for many customers. */
export const REQUEST_BUDGET: RequestBudget = { perSecond: 50, burst: 200 };

/** Beyond this many accounts, idle ones are forgotten. */
const ACCOUNTS_MAX = 10_000;

/** Counts the requests of identified callers, and has what their limits leave for the answers. */
export type RequestBudgets = {
  /** Throws request.rate_limited when a limit leaves nothing for the request. */
  count: (request: Request, userId: number) => void;
  /** The RateLimit fields of its answer, whatever that is; none before it was counted. */
  fieldsOf: (request: Request) => [name: string, value: string][];
};

/** The budgets of one process; null: unlimited. */
export function createRequestBudgets(budget?: RequestBudget | null): RequestBudgets {
  const countAccount = createRequestLimiter(budget);
  const limitsOf = new WeakMap<Request, RateLimit[]>();
  return {
    count: (request, userId) => {
      const counted = [countAccount(userId)].filter((one) => one !== null);
      limitsOf.set(
        request,
        counted.map(({ limit }) => limit),
      );
      for (const { refusal } of counted) if (refusal) throw refusal;
    },
    fieldsOf: (request) =>
      isForPrograms(request) ? Object.entries(rateLimitFields(limitsOf.get(request) ?? [])) : [],
  };
}

/** A page has nobody who reads the fields. */
const isForPrograms = ({ url }: Request) => new URL(url).pathname.startsWith("/api/");

/** A request as a limiter counted it: what it leaves of the limit, and the refusal if there was nothing left for it. */
type Counted = { limit: RateLimit; refusal: AppError | null };

/** Counts a request of an account, or of one of its keys; null where nothing is limited. */
export type RequestLimiter = (id: number) => Counted | null;

/**
 * Returns a limiter of accounts' requests, which refuses with request.rate_limited. It keeps one number for each
 * account: when its requests so far would all have been due at the sustained rate. A refused request is not counted.
 */
export function createRequestLimiter(
  budget: RequestBudget | null = REQUEST_BUDGET,
  now = () => performance.now(),
): RequestLimiter {
  if (!budget) return () => null;
  const paceMs = 1000 / budget.perSecond;
  const aheadMaxMs = paceMs * budget.burst;
  const dueAt = new Map<number, number>();
  const policy = {
    name: "requests",
    quota: budget.burst,
    windowSeconds: Math.max(1, Math.round(aheadMaxMs / 1000)),
  };
  return (userId) => {
    const at = now();
    const due = Math.max(at, dueAt.get(userId) ?? 0) + paceMs;
    const lateMs = due - at - aheadMaxMs;
    // Half an interval of tolerance, because the clock is not exact.
    if (lateMs > paceMs / 2) {
      limitedRequests.inc({ limit: "requests" });
      const waitSeconds = Math.ceil(lateMs / 1000);
      const refusal = rateLimited("requests", "Your programs send too many requests.", waitSeconds);
      return { limit: { ...policy, remaining: 0, resetSeconds: waitSeconds }, refusal };
    }
    if (dueAt.size >= ACCOUNTS_MAX && !dueAt.has(userId)) forgetIdle(dueAt, at);
    dueAt.set(userId, due);
    const remaining = Math.max(0, Math.floor((at + aheadMaxMs - due) / paceMs + 0.5));
    const nextMs = remaining > 0 ? paceMs : due + paceMs - at - aheadMaxMs;
    return { limit: { ...policy, remaining, resetSeconds: Math.ceil(nextMs / 1000) }, refusal: null };
  };
}

function forgetIdle(dueAt: Map<number, number>, at: number): void {
  for (const [userId, due] of dueAt) if (due <= at) dueAt.delete(userId);
}
