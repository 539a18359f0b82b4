// The rate limits on requests: of an account and each of its API keys, of a network for whoever is no account, and of a
// phone for what gateways bring from it. They are kept in this process's memory, because a query for each request would
// cost more than most requests do; so with several servers everybody has the full budget at each.
import { rateLimited } from "../core/platform/budgets/budgets.ts";
import { limitedRequests } from "../core/platform/metrics.ts";
import { networkOf } from "../core/platform/networks.ts";
import type { AppError } from "../shared/errors/app-error.ts";
import { type RateLimit, rateLimitFields } from "./rate-limit-fields.ts";

/** The sustained rate, and how many requests may come at once. */
export type RequestBudget = { perSecond: number; burst: number };

/** Enough for a program that buys for many customers. */
export const REQUEST_BUDGET: RequestBudget = { perSecond: 50, burst: 200 };

/**
 * What one API key may use of its account's budget: a program that runs away does not stop the account's others, and
 * no person.
 */
const KEY_SHARE = 0.6;

/** What a network may send, as a multiple of an account's budget: a mobile operator has many visitors behind one. */
const NETWORK_SHARE = 4;

/** What a phone may send by USSD, and by SMS: more than any person types, with all that a gateway sends again. */
const PHONE_SHARE = 0.1;

/** Beyond this many accounts, keys, networks or phones, idle ones are forgotten. */
const SENDERS_MAX = 10_000;

/** Counts a request of an account, and of the API key that it came with. */
export type CountRequest = (request: Request, userId: number, keyId?: number) => void;

/** Counts requests, and has what the limits of identified callers leave for the answers. */
export type RequestBudgets = {
  /** Throws request.rate_limited when a limit leaves nothing for the request. */
  count: CountRequest;
  /** Counts a request that is no account's, once, by the network of its address. Throws as `count`. */
  countNetwork: (request: Request, address: string) => void;
  /** Counts what a phone sends, by USSD apart from SMS, whose senders can be forged. Throws as `count`. */
  countPhone: CountPhone;
  /** The RateLimit fields of its answer, whatever that is; none before it was counted. */
  fieldsOf: (request: Request) => [name: string, value: string][];
};

export type CountPhone = (channel: "ussd" | "sms", msisdn: string) => void;

/** The budgets of one process; null: unlimited. */
export function createRequestBudgets(
  budget: RequestBudget | null = REQUEST_BUDGET,
  now?: () => number,
): RequestBudgets {
  const countAccount = createRequestLimiter(budget, now);
  const countKey = createRequestLimiter(budget && shareOf(budget, KEY_SHARE), now, KEY);
  const ofNetwork = createRequestLimiter(budget && shareOf(budget, NETWORK_SHARE), now, NETWORK);
  const ofPhone = createRequestLimiter(budget && shareOf(budget, PHONE_SHARE), now, PHONE);
  const countedByNetwork = new WeakSet<Request>();
  const limitsOf = new WeakMap<Request, RateLimit[]>();
  return {
    count: (request, userId, keyId) => {
      // The key first: what it sends beyond its share does not use up the account's.
      const ofKey = keyId === undefined ? null : countKey(keyId);
      const ofAccount = ofKey?.refusal ? null : countAccount(userId);
      const counted = [ofKey, ofAccount].filter((one) => one !== null);
      limitsOf.set(
        request,
        counted.map(({ limit }) => limit),
      );
      for (const { refusal } of counted) if (refusal) throw refusal;
    },
    countNetwork: (request, address) => {
      if (countedByNetwork.has(request)) return;
      countedByNetwork.add(request);
      refuseIfOver(ofNetwork(networkOf(address)));
    },
    countPhone: (channel, msisdn) => refuseIfOver(ofPhone(`${channel} ${msisdn}`)),
    fieldsOf: (request) => (isForPrograms(request) ? Object.entries(rateLimitFields(limitsOf.get(request) ?? [])) : []),
  };
}

function shareOf({ perSecond, burst }: RequestBudget, share: number): RequestBudget {
  return { perSecond: perSecond * share, burst: Math.max(1, Math.floor(burst * share)) };
}

function refuseIfOver(counted: Counted | null): void {
  if (counted?.refusal) throw counted.refusal;
}

/** A page has nobody who reads the fields. */
const isForPrograms = ({ url }: Request) => new URL(url).pathname.startsWith("/api/");

type Sender = { limit: string; late: string };
const ACCOUNT: Sender = { limit: "requests", late: "Your programs send too many requests." };
const KEY: Sender = {
  limit: "requests.key",
  late: "The program with this API key sends too many requests.",
};
const NETWORK: Sender = {
  limit: "requests.network",
  late: "Too many requests come from your network.",
};
const PHONE: Sender = { limit: "requests.phone", late: "Too many requests come from this phone." };

/** A request as a limiter counted it: what it leaves of the limit, and the refusal if there was nothing left for it. */
type Counted = { limit: RateLimit; refusal: AppError | null };

/** Counts a request of a sender, such as an account; null where nothing is limited. */
export type RequestLimiter = (id: number | string) => Counted | null;

/**
 * Returns a limiter of the requests of accounts, or of other senders, which refuses with request.rate_limited. It keeps
 * one number for each: when its requests so far would all have been due at the sustained rate. A refused request is
 * not counted.
 */
export function createRequestLimiter(
  budget: RequestBudget | null = REQUEST_BUDGET,
  now = () => performance.now(),
  { limit: name, late }: Sender = ACCOUNT,
): RequestLimiter {
  if (!budget) return () => null;
  const paceMs = 1000 / budget.perSecond;
  const aheadMaxMs = paceMs * budget.burst;
  const dueAt = new Map<number | string, number>();
  const policy = {
    name,
    quota: budget.burst,
    windowSeconds: Math.max(1, Math.round(aheadMaxMs / 1000)),
  };
  return (id) => {
    const at = now();
    const due = Math.max(at, dueAt.get(id) ?? 0) + paceMs;
    const lateMs = due - at - aheadMaxMs;
    // Half an interval of tolerance, because the clock is not exact.
    if (lateMs > paceMs / 2) {
      limitedRequests.inc({ limit: name });
      const waitSeconds = Math.ceil(lateMs / 1000);
      const refusal = rateLimited(name, late, waitSeconds);
      return { limit: { ...policy, remaining: 0, resetSeconds: waitSeconds }, refusal };
    }
    if (dueAt.size >= SENDERS_MAX && !dueAt.has(id)) forgetIdle(dueAt, at);
    dueAt.set(id, due);
    const remaining = Math.max(0, Math.floor((at + aheadMaxMs - due) / paceMs + 0.5));
    const nextMs = remaining > 0 ? paceMs : due + paceMs - at - aheadMaxMs;
    return { limit: { ...policy, remaining, resetSeconds: Math.ceil(nextMs / 1000) }, refusal: null };
  };
}

function forgetIdle(dueAt: Map<number | string, number>, at: number): void {
  for (const [id, due] of dueAt) if (due <= at) dueAt.delete(id);
}
