// What the faces of the simulated vendors share: how a call with an unlucky number ends, and keys that are answered once.
import { badGateway, type Call, type Outcome, type Reply } from "./http.ts";
import { asObject, type JsonObject, parseJson } from "./json.ts";
import type { Depot, Fate } from "./vendors-depot.ts";
import type { News, Order } from "./vendors-types.ts";

/** A call that hangs leaves its key in progress for this long. */
const IN_PROGRESS_SECONDS = 30;
const KEY_HOURS = 24;

export type Letter = { url: string; body: JsonObject; headers: Record<string, string> };
/** What a vendor sends about an order; null when it does not tell of this. */
export type Teller = (depot: Depot, order: Order, news: News) => Letter | null;

/** Places what a call asks for, as the numbers in it let it end. */
export function placing(depot: Depot, phones: string[], place: () => Reply): Outcome {
  const fate: Fate = depot.fateOf(phones);
  if (fate === "hangsBefore") return "hang";
  if (fate === "badGateway") return badGateway();
  const before = depot.orders.length;
  const reply = place();
  // Only an order can be lost: a refusal is always heard.
  if (depot.orders.length === before) return reply;
  if (fate === "hangsAfter") return "hang";
  return fate === "emptyAfter" ? { ...reply, status: 200, body: "" } : reply;
}

export type KeptAnswer = { key: string; at: number; reply: Reply; endsAt: number };

/** Answers that are given again for a day to whoever asks with the same key. */
export class Answers {
  kept: KeptAnswer[] = [];

  constructor(readonly depot: Depot) {}

  /** The answer of the first call with this key, or "running" while that one has not been answered yet. */
  find(key: string): Reply | "running" | null {
    const now = this.depot.clock.now();
    this.kept = this.kept.filter(({ at }) => at > now - KEY_HOURS * 3_600_000);
    const kept = this.kept.find((answer) => answer.key === key);
    if (!kept) return null;
    return kept.endsAt > now ? "running" : kept.reply;
  }

  keep(key: string, reply: Reply, fate: "answered" | "lost"): void {
    const at = this.depot.clock.now();
    this.kept.push({ key, at, reply, endsAt: fate === "lost" ? at + IN_PROGRESS_SECONDS * 1000 : at });
  }

  reset(): void {
    this.kept = [];
  }
}

/** Does work under a key once; without a key, each time. */
export function once(
  answers: Answers,
  key: string | undefined,
  running: () => Reply,
  work: (keep: (reply: Reply) => Reply) => Outcome,
): Outcome {
  const found = key === undefined ? null : answers.find(key);
  if (found) return found === "running" ? running() : found;
  const made: Reply[] = [];
  const outcome = work((reply) => {
    made.push(reply);
    return reply;
  });
  if (key !== undefined && made[0]) answers.keep(key, made[0], outcome === "hang" ? "lost" : "answered");
  return outcome;
}

export function bodyOf(call: Call): Record<string, unknown> | null {
  const isJson = /^application\/json\b/i.test(call.headers["content-type"] ?? "");
  return isJson ? asObject(parseJson(call.text)) : null;
}

/** Ghana's mobile numbers as people dial them; some vendors take no other form. */
export function isNational(phone: unknown): phone is string {
  return typeof phone === "string" && /^0[25]\d{8}$/.test(phone);
}

/** Pesewas as a number of cedis, as most programs write it. */
export function cedis(pesewas: number): number {
  return pesewas / 100;
}
