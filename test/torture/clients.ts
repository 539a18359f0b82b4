// The clients: agents, payers, banks and an admin, who do everything that people do to the shop, over HTTP and by
// phone, concurrently. They retry, duplicate, hang up and give up, and record every answer.
import { buy, buyInBulk, createAndSpend, dial } from "./buying.ts";
import { decideAll, endReviews, processOne, refundOverdue, takeBatch, workOnBatch } from "./deciding.ts";
import { dispute, refund } from "./going-back.ts";
import { type Caller, type Clients, type Hand, pick, type Random } from "./hand.ts";
import { askElsewhere, readBalance, readHistory, repeat } from "./looking.ts";
import { numbers, type Operation, type Violation } from "./operations.ts";
import { checkOut, topUp } from "./paying.ts";
import type { Agent, Rig } from "./rig.ts";
import { cancel, failAsAdmin } from "./taking-back.ts";
import { upload, uploadHostile } from "./uploads.ts";

/** Runs `count` clients on a shop until `finish` is called. */
export function startClients(rig: Rig, count: number, randomOf: (n: number) => Random): Clients {
  const clients = { operations: [] as Operation[], seen: [] as Violation[] };
  const sent = { count: 0, isOver: false, overSinceMs: 0 };
  const people = [...rig.agents, rig.admin];
  const callers = new Map(
    people.map(({ id, email, password }, n) => [
      id,
      { id, email, password, address: `10.0.${n >> 8}.${n & 255}`, token: null } as Caller,
    ]),
  );
  const shared = {
    ...{ rig, clients, sent, callers, numbers: numbers(), onPhone: new Set<number>(), repeatable: [] },
    ...{ paid: [], disputed: [], results: new Map(), inWork: new Set<number>() },
  };
  const admin: Hand = { ...shared, random: randomOf(count) };
  const hands = Array.from({ length: count }, (_, n) => work({ ...shared, random: randomOf(n) }));
  return {
    ...clients,
    requests: () => sent.count,
    finish: async () => {
      sent.isOver = true;
      sent.overSinceMs = performance.now();
      await Promise.all(hands);
    },
    decide: () => decideAll(admin),
    byHand: () => [...admin.results].filter(([, result]) => result === "delivered").map(([number]) => number),
  };
}

async function work(hand: Hand): Promise<void> {
  while (!hand.sent.isOver) {
    const agent = hand.rig.agents[hand.random(hand.rig.agents.length)]!;
    await pick(hand.random, DEEDS)(hand, agent);
  }
}

/** What people do, with relative frequencies. */
const DEEDS: [number, (hand: Hand, agent: Agent) => Promise<unknown>][] = [
  [34, buy],
  [6, createAndSpend],
  [6, checkOut],
  [8, buyInBulk],
  [12, topUp],
  [10, cancel],
  [5, failAsAdmin],
  [8, dial],
  [6, repeat],
  [5, readHistory],
  [3, readBalance],
  [6, askElsewhere],
  [3, (hand) => dispute(hand)],
  [3, (hand) => refund(hand)],
  [4, processOne],
  [1, (hand) => takeBatch(hand)],
  [3, (hand) => workOnBatch(hand)],
  [1, (hand) => endReviews(hand)],
  [1, (hand) => refundOverdue(hand)],
  [3, upload],
  [2, uploadHostile],
];
