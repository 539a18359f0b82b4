// Purchases: batches concurrent purchases into one purchase statement, serialises requests under one key, and retries
// where the statement's verdict says so.
import { type Db, databaseError, isOutage } from "../../../db/connect.ts";
import { currentWait, inWait, type Wait, WaitOver } from "../../../db/waits.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { act, isInTime, isUndone, lockWaitMs } from "../platform/acts.ts";
import { batcher } from "../platform/batcher.ts";
import * as metrics from "../platform/metrics.ts";
import { traced } from "../platform/tracing.ts";
import type { PurchaseGroup, Verdict } from "./purchase-groups.ts";
import { place, placeLockedFirst } from "./purchase-statement.ts";

/** A verdict that a retry cannot change; `known` also when the same key was placed a moment ago. */
export type FinalVerdict = Exclude<Verdict, { kind: "again" | "stale" }>;

/**
 * Places one group, batched with concurrent purchases of this process, and retries where the verdict says so. Two
 * requests under one key never race: the second waits for the first. Throws service.busy when its wallet was not free
 * in time; it is not placed later either.
 */
export async function purchase(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const { channel } = group;
  const size = group.bulk ? "bulk" : "single";
  try {
    const verdict = await traced(
      "purchase",
      { channel, size },
      () => act(() => decideOncePerKey(db, group)),
      outcomeOf,
    );
    metrics.purchases.inc({ channel, size, ...outcomeOf(verdict) });
    if (verdict.kind === "placed") metrics.purchasedOrders.inc({ channel }, verdict.lines.length);
    return verdict;
  } catch (error) {
    metrics.purchases.inc({ channel, size, outcome: "failed" });
    throw error;
  }
}

function outcomeOf(verdict: FinalVerdict): { outcome: string } {
  return { outcome: verdict.kind === "refused" ? verdict.code : verdict.kind };
}

async function decideOncePerKey(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const { running } = batchersOf(db);
  if (!group.key) return decide(db, group);
  const id = `${group.userId} ${group.key.scope} ${group.key.key}`;
  for (let earlier = running.get(id); earlier; earlier = running.get(id)) {
    const first = await earlier.catch(() => null);
    if (first?.kind === "placed" || first?.kind === "known") return { kind: "known" };
  }
  const decision = decide(db, group);
  running.set(id, decision);
  return decision.finally(() => running.delete(id));
}

const ROUNDS_MAX = 100;

/** The rules that a request of the same moment can meet first. */
const WRITTEN_MEANWHILE = new Set(["idempotency_pkey", "orders_reference_once", "bulk_orders_reference_once"]);

async function decide(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const request = { group, wait: currentWait() };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const verdict = await submit(db, request).catch((error): Answer => {
      // The same key or reference was written, or a deadlock occurred, at this very moment.
      const fault = databaseError(error);
      if (WRITTEN_MEANWHILE.has(fault?.constraint ?? "") || fault?.code === "40P01") return { kind: "stale" };
      throw error;
    });
    if (verdict.kind === "late") throw new AppError("service.busy");
    if (verdict.kind !== "again" && verdict.kind !== "stale") return verdict;
  }
  throw new AppError("request.in_progress", { retryAfterSeconds: 1 });
}

/** A group, and the wait for its answer. */
type Request = { group: PurchaseGroup; wait: Wait | null };
/** `late`: not run, because too little time was left for an answer. */
type Answer = Verdict | { kind: "late" };

async function submit(db: Db, request: Request): Promise<Answer> {
  const { single, bulk, lockedSingle, lockedBulk } = batchersOf(db);
  const { bulk: isBulk, alongside } = request.group;
  const lockedFirst = isBulk ? lockedBulk : lockedSingle;
  if (alongside) return lockedFirst(request);
  const verdict = await (isBulk ? bulk : single)(request);
  return verdict.kind === "stale" ? lockedFirst(request) : verdict;
}

/**
 * The batchers of this process. Purchases of one buyer share a partition, so that they use no more than one connection
 * and only that buyer waits for the wallet.
 */
type Batchers = {
  /** Concurrent purchases, in one statement that skips locked wallets. */
  single: Submit;
  /** A bulk order, in a statement of its own. */
  bulk: Submit;
  /** Purchases of one buyer, after waiting for the wallet's lock. */
  lockedSingle: Submit;
  /** A buyer's bulk orders, one after the other. */
  lockedBulk: Submit;
  /** Decisions under way, by idempotency key. */
  running: Map<string, Promise<FinalVerdict>>;
};
type Submit = (request: Request) => Promise<Answer>;
const batchersByDb = new WeakMap<Db, Batchers>();

function batchersOf(db: Db): Batchers {
  let batchers = batchersByDb.get(db);
  if (!batchers) {
    const unlocked = inTime((requests) => placeUnlocked(db, requests));
    const locked = inTime((requests) => placeLocked(db, requests));
    const buyerOf = ({ group }: Request) => group.userId;
    // A retry would wait for the same wallet as long again.
    const isHeld = (error: unknown) => isOutage(error) || databaseError(error)?.code === "55P03";
    batchers = {
      single: batcher(unlocked, isOutage, { batchMax: 200, partitionOf: (request) => buyerOf(request) % 2 }),
      bulk: async (request) => (await unlocked([request]))[0]!,
      lockedSingle: batcher(locked, isHeld, { batchMax: 200, partitionOf: buyerOf }),
      lockedBulk: batcher(locked, isHeld, { batchMax: 1, partitionOf: buyerOf }),
      running: new Map(),
    };
    batchersByDb.set(db, batchers);
  }
  return batchers;
}

/** Skips requests that have too little time left. The work for a batch belongs to no single request's wait. */
function inTime(place: (requests: Request[]) => Promise<Verdict[]>): (requests: Request[]) => Promise<Answer[]> {
  return async (requests) => {
    const due = requests.filter(({ wait }) => isInTime(wait));
    const verdicts = due.length > 0 ? await inWait(null, () => place(due)) : [];
    const verdictOf = new Map(due.map((request, i) => [request, verdicts[i]!]));
    return requests.map((request) => verdictOf.get(request) ?? { kind: "late" });
  };
}

/** One statement that commits by itself: from here on a purchase is in doubt until its answer arrives. */
async function placeUnlocked(db: Db, requests: Request[]): Promise<Verdict[]> {
  for (const { wait } of requests) wait?.send();
  try {
    const verdicts = await placeTraced(db, groupsOf(requests));
    for (const [i, { wait }] of requests.entries()) if (verdicts[i]!.kind !== "placed") wait?.takeBack();
    return verdicts;
  } catch (error) {
    if (isUndone(error) || (databaseError(error) && !isOutage(error)))
      for (const { wait } of requests) wait?.takeBack();
    throw error;
  }
}

async function placeLocked(db: Db, requests: Request[]): Promise<Verdict[]> {
  const waits = requests.map(({ wait }) => wait);
  return placeLockedFirst(db, groupsOf(requests), lockWaitMs(waits), (verdicts) => {
    const placed = waits.filter((_, i) => verdicts[i]!.kind === "placed");
    if (placed.some((wait) => wait?.msLeft() === 0)) throw new WaitOver();
    for (const wait of placed) wait?.send();
  });
}

/** The span of a statement for many purchases belongs to the first one's trace. */
function placeTraced(db: Db, groups: PurchaseGroup[]): Promise<Verdict[]> {
  return traced("purchase statement", { groups: groups.length }, () => place(db, groups));
}

function groupsOf(requests: Request[]): PurchaseGroup[] {
  return requests.map(({ group }) => group);
}
