// The counter: gathers purchases of the same moment into one purchase statement, lets requests under one key wait for
// each other, and asks again where the statement says so.
import { type Db, databaseError, isOutage } from "../../db/connect.ts";
import { AppError } from "../shared/errors.ts";
import { gather } from "./gather.ts";
import * as metrics from "./metrics.ts";
import { type PurchaseGroup, place, placeLockedFirst, type Verdict } from "./purchase-statement.ts";
import { traced } from "./traces.ts";

/** A verdict that asking again cannot change; `known` also when the same key was placed a moment ago. */
export type FinalVerdict = Exclude<Verdict, { kind: "again" | "stale" }>;

/**
 * Places one group together with whatever else this process is asked at the same moment, and asks again where the
 * statement says so. Two requests under one key never race: the second waits for the first.
 */
export async function purchase(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const { channel } = group;
  const size = group.bulk ? "bulk" : "single";
  try {
    const verdict = await traced("purchase", { channel, size }, () => answerOnce(db, group), outcomeOf);
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

async function answerOnce(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const counter = counterOf(db);
  if (!group.key) return decide(db, group);
  const id = `${group.userId} ${group.key.scope} ${group.key.key}`;
  for (let running = counter.underWay.get(id); running; running = counter.underWay.get(id)) {
    const first = await running.catch(() => null);
    if (first?.kind === "placed" || first?.kind === "known") return { kind: "known" };
  }
  const decision = decide(db, group);
  counter.underWay.set(id, decision);
  return decision.finally(() => counter.underWay.delete(id));
}

const ROUNDS_MAX = 100;

async function decide(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const verdict = await ask(db, group).catch((error): Verdict => {
      // Somebody else wrote the same key, or waits for us while we wait for them, at this very moment.
      const fault = databaseError(error);
      if (fault?.constraint === "idempotency_pkey" || fault?.code === "40P01") return { kind: "stale" };
      throw error;
    });
    if (verdict.kind !== "again" && verdict.kind !== "stale") return verdict;
  }
  throw new AppError("request.in_progress", { retryAfterSeconds: 1 });
}

async function ask(db: Db, group: PurchaseGroup): Promise<Verdict> {
  if (group.alongside) return placeLockedFirst(db, group);
  const verdict = group.bulk ? (await placeTraced(db, [group]))[0]! : await counterOf(db).ask(group);
  return verdict.kind === "stale" ? placeLockedFirst(db, group) : verdict;
}

/** A statement that serves many purchases is a span of the one that asked first. */
function placeTraced(db: Db, groups: PurchaseGroup[]): Promise<Verdict[]> {
  return traced("purchase statement", { groups: groups.length }, () => place(db, groups));
}

/** The shop's counter in this process: purchases of one buyer queue in one lane, so they never wait in Postgres. */
type Counter = {
  ask: (group: PurchaseGroup) => Promise<Verdict>;
  underWay: Map<string, Promise<FinalVerdict>>;
};
const counters = new WeakMap<Db, Counter>();

function counterOf(db: Db): Counter {
  let counter = counters.get(db);
  if (!counter) {
    const options = { lanes: 2, batchMax: 200, laneOf: (group: PurchaseGroup) => group.userId };
    counter = { ask: gather((groups) => placeTraced(db, groups), isOutage, options), underWay: new Map() };
    counters.set(db, counter);
  }
  return counter;
}
