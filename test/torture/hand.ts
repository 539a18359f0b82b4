// A hand: one of the many clients that use the shop at once, and what they all share. What each is told is written down.
import type { Agent, Program, Rig } from "./rig.ts";
import type { Answer, Line, Numbers, Told, Violation } from "./told.ts";

export type Clients = {
  /** Everything that was asked for, with what was answered. */
  told: Told[];
  /** What was seen on the way that may never be. */
  seen: Violation[];
  /** Every request that was sent, whatever came of it. */
  requests: () => number;
  /** No new operations are begun; resolves when each one that was begun has its answer. */
  finish: () => Promise<void>;
  /** An admin decides what waits for a person at this moment. Nothing is repeated: what is lost is decided the next time. */
  decide: () => Promise<void>;
  /** Numbers that an admin has sent by hand, as what arrived there. */
  byHand: () => string[];
};

export type Random = (below: number) => number;
/** Who asks: somebody with a password, at an address of their own. */
export type Caller = {
  id: number;
  email: string;
  password: string;
  address: string;
  token: Promise<string> | null;
};
export type Hand = {
  rig: Rig;
  random: Random;
  clients: Pick<Clients, "told" | "seen">;
  sent: { count: number; isOver: boolean; overSinceMs: number };
  numbers: Numbers;
  callers: Map<number, Caller>;
  /** References of payments that were paid at Paystack, and of those that the payer's bank disputes. */
  paid: string[];
  disputed: string[];
  /** What an admin has found out about numbers that they send by hand; what they delivered has arrived. */
  results: Map<string, "delivered" | "failed">;
  /** Batches of the desk that some hand is working on. */
  inWork: Set<number>;
  /** Phones that are in a session: an agent has one. */
  onPhone: Set<number>;
  /** What can be asked for again under the same key. */
  repeatable: { told: Told; again: () => Promise<Answer | null>; atMs: number }[];
};

/** Of a vendor's troubles, those that answer; calls that hang hold a worker up for long, and are rare. */
const TROUBLES = ["0003", "0009", "0010", "0012", "0013", "0014", "0015"];
/** Vendors hold these until the number is activated, or take hours: a person may have to decide. */
const HELD = ["0011", "0002"];
const HANGING = ["0005", "0006", "0007", "0008"];
export const serverFor = ({ rig, random }: Hand): Program => rig.servers[random(rig.servers.length)]!;

export function begin({ clients }: Hand, what: Told["what"], agent: Agent, lines: Line[]): Told {
  const told: Told = {
    ...{ what, agentId: agent.id, lines, orderIds: [], answers: [] },
    ...{ lost: 0, state: "unknown" as const },
  };
  clients.told.push(told);
  return told;
}

/** A bundle for a number of its own. A third of the numbers mean trouble, while there are such. */
export function lineFor({ random, numbers, rig }: Hand, quantity = 1): Line {
  const bundle = rig.bundles[random(rig.bundles.length)]!;
  const rare = random(150);
  const troubles = rare === 0 ? HANGING : rare < 12 ? HELD : TROUBLES;
  const ending = troubles[random(troubles.length)]!;
  const isTroubled = random(3) === 0 && numbers.troubledLeft() > 0;
  return {
    productId: bundle.id,
    msisdn: isTroubled ? numbers.troubled(ending) : numbers.plain(),
    quantity,
    amountPesewas: bundle.pricePesewas * quantity,
  };
}

export const asked = ({ productId, msisdn, quantity }: Line) => ({ productId, msisdn, quantity });

export function pick<T>(random: Random, choices: [number, T][]): T {
  let left = random(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, choice] of choices) {
    if (left < weight) return choice;
    left -= weight;
  }
  throw new Error("nothing to choose from");
}
