// Behaviour shared by the simulated vendors' APIs: the effects of special numbers on a call, and idempotency keys.
import type { VendorCode, VendorSettings } from "../../../src/gateways/vendors/index.ts";
import { badGateway, type Call, type Outcome, type Reply, type Routes } from "../http.ts";
import { asObject, type JsonObject, parseJson } from "../json.ts";
import type { Depot, Fate } from "./vendors-depot.ts";
import type { Order, ReportedStatus } from "./vendors-types.ts";

/** A call that hangs blocks its key for this long. */
const IN_PROGRESS_SECONDS = 30;
const KEY_HOURS = 24;

/** A simulated vendor; each is the `simulated` of its file, simulators/vendors-<code>.ts. */
export type SimulatedVendor<Code extends VendorCode> = {
  /** The header with the shop's key, which the log leaves out. */
  keyHeader: string;
  routes: (depot: Depot, answers: Answers) => Routes;
  webhook: WebhookBuilder;
  /** Headers that sign a webhook's body; without it the vendor signs nothing. */
  sign?: (body: string, secret?: string) => Record<string, string>;
  /** The shop's options for calling the simulator at `url`. */
  settings: (url: string) => NonNullable<VendorSettings[Code]>;
};
export type SimulatedVendors = { [Code in VendorCode]: SimulatedVendor<Code> };

export type OutgoingWebhook = { url: string; body: JsonObject; headers: Record<string, string> };
/** A vendor's webhook about an order; null if it does not send one for this. */
export type WebhookBuilder = (depot: Depot, order: Order, reported: ReportedStatus) => OutgoingWebhook | null;

/** Places a call's orders, with the effects of the numbers in it. */
export function placing(depot: Depot, phones: string[], place: () => Reply): Outcome {
  const fate: Fate = depot.fateOf(phones);
  if (fate === "hangsBefore") return "hang";
  if (fate === "badGateway") return badGateway();
  const before = depot.orders.length;
  const reply = place();
  // Only the answer to an accepted order can be lost: a refusal always arrives.
  if (depot.orders.length === before) return reply;
  if (fate === "hangsAfter") return "hang";
  return fate === "emptyAfter" ? { ...reply, status: 200, body: "" } : reply;
}

export type KeptAnswer = { key: string; at: number; reply: Reply; endsAt: number };

/** Answers that are repeated for a day to calls with the same key. */
export class Answers {
  kept: KeptAnswer[] = [];

  constructor(readonly depot: Depot) {}

  /** The answer of the first call with this key, or "running" until it has been answered. */
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

/** Does work once for each key; without a key, each time. */
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

/** Ghanaian mobile numbers in national form, the only one that some vendors accept. */
export function isNational(phone: unknown): phone is string {
  return typeof phone === "string" && /^0[25]\d{8}$/.test(phone);
}

/** Pesewas as a number of cedis, as most programs write it. */
export function cedis(pesewas: number): number {
  return pesewas / 100;
}
