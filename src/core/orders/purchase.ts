// The counter: gathers purchases of the same moment into one purchase statement, lets requests under one key wait for
// each other, and asks again where the statement says so.
import { type Db, databaseError, isOutage } from "../../../db/connect.ts";
import { currentWait, inWait, type Wait, WaitOver } from "../../../db/waits.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { act, isInTime, isUndone, lockWaitMs } from "../platform/acts.ts";
import { batcher } from "../platform/batcher.ts";
import * as metrics from "../platform/metrics.ts";
import { traced } from "../platform/tracing.ts";
import type { PurchaseGroup, Verdict } from "./purchase-groups.ts";
import { place, placeLockedFirst } from "./purchase-statement.ts";

/** A verdict that asking again cannot change; `known` also when the same key was placed a moment ago. */
export type FinalVerdict = Exclude<Verdict, { kind: "again" | "stale" }>;

/**
 * Places one group together with whatever else this process is asked at the same moment, and asks again where the
 * statement says so. Two requests under one key never race: the second waits for the first. Throws service.busy when its
 * wallet was not free in time; it is not placed later either.
 */
export async function purchase(db: Db, group: PurchaseGroup): Promise<FinalVerdict> {
  const { channel } = group;
  const size = group.bulk ? "bulk" : "single";
  try {
    const verdict = await traced(
      "purchase",
      { channel, size },
      () => act(() => answerOnce(db, group)),
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
  const asked = { group, wait: currentWait() };
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const verdict = await ask(db, asked).catch((error): Answer => {
      // Somebody else wrote the same key, or waits for us while we wait for them, at this very moment.
      const fault = databaseError(error);
      if (fault?.constraint === "idempotency_pkey" || fault?.code === "40P01") return { kind: "stale" };
      throw error;
    });
    if (verdict.kind === "late") throw new AppError("service.busy");
    if (verdict.kind !== "again" && verdict.kind !== "stale") return verdict;
  }
  throw new AppError("request.in_progress", { retryAfterSeconds: 1 });
}

/** A group, and whoever waits for its answer. */
type Asked = { group: PurchaseGroup; wait: Wait | null };
/** `late`: it was not asked, because there was too little time left to answer in. */
type Answer = Verdict | { kind: "late" };

async function ask(db: Db, asked: Asked): Promise<Answer> {
  const { together, alone, behind, behindAlone } = counterOf(db);
  const { bulk, alongside } = asked.group;
  const lockedFirst = bulk ? behindAlone : behind;
  if (alongside) return lockedFirst(asked);
  const verdict = await (bulk ? alone : together)(asked);
  return verdict.kind === "stale" ? lockedFirst(asked) : verdict;
}

/**
 * The shop's counter in this process. Purchases of one buyer queue in one lane, so that they hold no more than one
 * connection, and nobody but the buyer waits for a wallet that somebody else holds.
 */
type Counter = {
  /** Purchases of the moment, in one statement that passes over wallets that are held. */
  together: Ask;
  /** A bulk order, in a statement of its own. */
  alone: Ask;
  /** Purchases of one buyer, behind whoever holds the wallet. */
  behind: Ask;
  /** A buyer's bulk orders, one after the other. */
  behindAlone: Ask;
  underWay: Map<string, Promise<FinalVerdict>>;
};
type Ask = (asked: Asked) => Promise<Answer>;
const counters = new WeakMap<Db, Counter>();

function counterOf(db: Db): Counter {
  let counter = counters.get(db);
  if (!counter) {
    const now = inTime((all) => placeNow(db, all));
    const behind = inTime((all) => placeBehind(db, all));
    const buyerOf = ({ group }: Asked) => group.userId;
    // Who comes next would wait for the same wallet as long again.
    const isHeld = (error: unknown) => isOutage(error) || databaseError(error)?.code === "55P03";
    counter = {
      together: batcher(now, isOutage, { batchMax: 200, partitionOf: (asked) => buyerOf(asked) % 2 }),
      alone: async (asked) => (await now([asked]))[0]!,
      behind: batcher(behind, isHeld, { batchMax: 200, partitionOf: buyerOf }),
      behindAlone: batcher(behind, isHeld, { batchMax: 1, partitionOf: buyerOf }),
      underWay: new Map(),
    };
    counters.set(db, counter);
  }
  return counter;
}

/** Begins nothing for those who have waited too long already. The work for many is part of nobody's own wait. */
function inTime(place: (all: Asked[]) => Promise<Verdict[]>): (all: Asked[]) => Promise<Answer[]> {
  return async (all) => {
    const due = all.filter(({ wait }) => isInTime(wait));
    const verdicts = due.length > 0 ? await inWait(null, () => place(due)) : [];
    const verdictOf = new Map(due.map((asked, i) => [asked, verdicts[i]!]));
    return all.map((asked) => verdictOf.get(asked) ?? { kind: "late" });
  };
}

/** One statement that commits by itself: from here on a purchase is in doubt until it is answered. */
async function placeNow(db: Db, all: Asked[]): Promise<Verdict[]> {
  for (const { wait } of all) wait?.send();
  try {
    const verdicts = await placeTraced(db, groupsOf(all));
    for (const [i, { wait }] of all.entries()) if (verdicts[i]!.kind !== "placed") wait?.takeBack();
    return verdicts;
  } catch (error) {
    if (isUndone(error) || (databaseError(error) && !isOutage(error)))
      for (const { wait } of all) wait?.takeBack();
    throw error;
  }
}

async function placeBehind(db: Db, all: Asked[]): Promise<Verdict[]> {
  const waits = all.map(({ wait }) => wait);
  return placeLockedFirst(db, groupsOf(all), lockWaitMs(waits), (verdicts) => {
    const lasting = waits.filter((_, i) => verdicts[i]!.kind === "placed");
    if (lasting.some((wait) => wait?.msLeft() === 0)) throw new WaitOver();
    for (const wait of lasting) wait?.send();
  });
}

/** A statement that serves many purchases is a span of the one that asked first. */
function placeTraced(db: Db, groups: PurchaseGroup[]): Promise<Verdict[]> {
  return traced("purchase statement", { groups: groups.length }, () => place(db, groups));
}

function groupsOf(all: Asked[]): PurchaseGroup[] {
  return all.map(({ group }) => group);
}
