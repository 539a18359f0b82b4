// A client of the torture, and what all clients share. Every answer is recorded.

import type { Answer, Line, Numbers, Operation, Violation } from "./operations.ts";
import type { Agent, Program, Rig } from "./rig.ts";

export type Clients = {
  /** Every operation, with its answers. */
  operations: Operation[];
  /** Observations that must never occur. */
  seen: Violation[];
  /** Every request that was sent, whatever its outcome. */
  requests: () => number;
  /** Stops new operations; resolves when each that was begun has its answer. */
  finish: () => Promise<void>;
  /** An admin decides what needs attention now. Nothing is repeated: what gets lost is decided the next time. */
  decide: () => Promise<void>;
  /** Numbers that an admin has delivered to by hand, as deliveries. */
  byHand: () => string[];
};

export type Random = (below: number) => number;
/** The caller: somebody with a password, at their own address. */
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
  clients: Pick<Clients, "operations" | "seen">;
  sent: { count: number; isOver: boolean; overSinceMs: number };
  numbers: Numbers;
  callers: Map<number, Caller>;
  /** References of payments that were paid at Paystack, and of those that the payer's bank disputes. */
  paid: string[];
  disputed: string[];
  /** What an admin has found out about numbers they deliver to by hand; what they delivered has arrived. */
  results: Map<string, "delivered" | "failed">;
  /** Desk batches that some client is working on. */
  inWork: Set<number>;
  /** Phones in a session: an agent has one. */
  onPhone: Set<number>;
  /** Operations that can be repeated under the same key. */
  repeatable: { operation: Operation; again: () => Promise<Answer | null>; atMs: number }[];
};

/** Of the vendors' effects, those that answer; calls that hang block a worker for long, and are rare. */
const TROUBLES = ["0003", "0009", "0010", "0012", "0013", "0014", "0015"];
/** Vendors hold these until the number is activated, or take hours: an admin may have to decide. */
const HELD = ["0011", "0002"];
const HANGING = ["0005", "0006", "0007", "0008"];
export const serverFor = ({ rig, random }: Hand): Program => rig.servers[random(rig.servers.length)]!;

export function begin({ clients }: Hand, kind: Operation["kind"], agent: Agent, lines: Line[]): Operation {
  const operation: Operation = {
    ...{ kind, agentId: agent.id, lines, orderIds: [], answers: [] },
    ...{ lost: 0, state: "unknown" as const },
  };
  clients.operations.push(operation);
  return operation;
}

/** A bundle for a number of its own. A third of the numbers cause trouble, as long as there are such. */
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

export const inputOf = ({ productId, msisdn, quantity }: Line) => ({ productId, msisdn, quantity });

export function pick<T>(random: Random, choices: [number, T][]): T {
  let left = random(choices.reduce((sum, [weight]) => sum + weight, 0));
  for (const [weight, choice] of choices) {
    if (left < weight) return choice;
    left -= weight;
  }
  throw new Error("nothing to choose from");
}
