// The Paystack simulator for development and tests: a real server with persistent state, as strict as the provider.
// The shop only differs in PAYSTACK_BASE_URL. `bun dev/simulators/paystack/paystack.ts --port 4010` runs it alone.

import { deserialize, serialize } from "bun:jsc";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  applyFault,
  type Call,
  type Fault,
  Faults,
  find,
  json,
  type LoggedRequest,
  listen,
  logged,
  type Outcome,
  type Routes,
} from "../http.ts";
import type { JsonObject } from "../json.ts";
import { apiRoutes, FAULT_REPLIES } from "./paystack-api.ts";
import { pageRoutes } from "./paystack-checkout.ts";
import { controlRoutes } from "./paystack-control.ts";
import { amountOf } from "./paystack-present.ts";
import { type KeptSettlements, type SettlementStatus, Settlements } from "./paystack-settlements.ts";
import { Book, type KeptBook } from "./paystack-state.ts";
import type { Refund, RefundStatus, Steering, Transaction } from "./paystack-types.ts";
import { type Delivery, type DeliveryOptions, Webhooks } from "./paystack-webhooks.ts";

export type { Fault, LoggedRequest } from "../http.ts";
export { HOSTILE_JSON, type Json, type JsonObject, type JsonStyle } from "../json.ts";
export { RIGHT_OTP } from "./paystack-state.ts";
export type { Refund, RefundStatus, Steering, Transaction } from "./paystack-types.ts";
export { type Attempt, type Delivery, type DeliveryOptions, sign } from "./paystack-webhooks.ts";

export type PaystackOptions = {
  port?: number;
  secretKey?: string;
  webhookUrl?: string | null;
  /** The delay in milliseconds of webhooks and of a refund's steps; null: only a test triggers them. */
  autoDeliverMs?: number | null;
  clock?: () => Date;
  /** Divides Paystack's own delays: approval, its 180 s, and the 3 minutes and 1 hour between webhooks. */
  speed?: number;
  /** Telecel asks for a voucher, as the older docs say, instead of a prompt. */
  otpForTelecel?: boolean;
  /** How long a payer with an ordinary number takes to approve. */
  approveSeconds?: number;
  /** How long the merchant has to answer a webhook; the docs say 30 s. Not divided by speed. */
  webhookTimeoutMs?: number;
  /** The file that keeps payments, refunds and payouts across restarts; what a payer was waiting for is lost. */
  keepIn?: string;
  /** The first id; above 2^53 ids no longer fit a JavaScript number. */
  firstId?: bigint;
};

export type PaystackSimulator = {
  url: string;
  secretKey: string;
  sendWebhooksTo(url: string | null): void;
  /**
   * Makes the next `times` calls fail: of "POST /charge", "GET /transaction/verify/:reference" and the like, of one
   * address, or of any ("*").
   */
  fault(route: string, fault: Fault, times?: number): void;
  clearFaults(): void;
  /** Steers one payment, now or before it exists; "next" is the next one to be opened. */
  steer(reference: string, steering: Steering): void;
  /** Makes the payer pay, even long after the shop gave up; throws for a reference that Paystack does not know. */
  pay(reference: string, channel?: "card" | "mobile_money"): Promise<void>;
  decline(reference: string): void;
  fail(reference: string, message?: string): void;
  /** What the payer does with the prompt on their phone. */
  approve(reference: string): Promise<void>;
  refuse(reference: string): void;
  timeOut(reference: string): void;
  moveRefund(id: bigint, status: RefundStatus): Promise<void>;
  /** Pays out to the merchant's bank what was paid since the last time; returns the settlement's id. */
  settle(status?: SettlementStatus): number;
  moveSettlement(id: number, status: SettlementStatus): void;
  dispute(
    reference: string,
    step: "create" | "remind" | "resolve",
    resolution?: "merchant-accepted" | "declined",
  ): Promise<void>;
  /**
   * Sends the payment's webhook; resolves after the first attempt of each copy, while repeats continue in the
   * background.
   */
  deliver(reference: string, options?: DeliveryOptions): Promise<Delivery[]>;
  /** Sends any event, even about something that Paystack does not know. */
  deliverEvent(event: string, data: JsonObject, options?: DeliveryOptions): Promise<Delivery[]>;
  retryWebhooksNow(): Promise<void>;
  /** Resolves when no webhook is being sent or waiting to be repeated. */
  quiet(): Promise<void>;
  transactions(): Transaction[];
  refunds(): Refund[];
  /** Every payment that was ever paid, whatever happened later: reference to the pesewas that Paystack reports. */
  successes(): Map<string, number>;
  deliveries(): Delivery[];
  requests(): LoggedRequest[];
  reset(): void;
  stop(): Promise<void>;
};

/** Starts the simulator on a free port, or the given one. */
export async function startPaystack(options: PaystackOptions = {}): Promise<PaystackSimulator> {
  const { secretKey = "sk_test_simulator", clock = () => new Date(), speed = 1 } = options;
  const { autoDeliverMs = null } = options;
  const domain = secretKey.startsWith("sk_live_") ? "live" : "test";
  const faults = new Faults();
  const requests: LoggedRequest[] = [];
  const timeoutMs = options.webhookTimeoutMs ?? 30_000;
  const webhooks = new Webhooks({ secretKey, domain, clock, speed, timeoutMs }, options.webhookUrl ?? null);
  const book = new Book(
    {
      domain,
      clock,
      speed,
      firstId: options.firstId ?? 4_311_002_200n,
      approveSeconds: options.approveSeconds ?? 3,
      otpForTelecel: options.otpForTelecel ?? false,
      // Longer than a webhook takes, so that a refund's events arrive in order.
      refundStepMs: autoDeliverMs === null ? null : autoDeliverMs * 2 + 50,
    },
    (transaction, event, data) => announce(webhooks, autoDeliverMs, transaction, event, data),
  );
  const settlements = new Settlements(book);
  const api = apiRoutes(book, settlements, secretKey, () => server.url);
  const pages = { ...pageRoutes(book), ...controlRoutes(() => simulator) };
  const { keepIn } = options;
  if (keepIn && existsSync(keepIn)) recall(book, settlements, keepIn);
  const server = await listen(options.port ?? 0, async (call) => {
    await book.settleDue();
    const outcome = await answer(call, { api, pages, faults, requests, clock });
    if (keepIn) remember(book, settlements, keepIn);
    return outcome;
  });
  const simulator = controls({
    url: server.url,
    secretKey,
    book,
    settlements,
    webhooks,
    faults,
    requests,
    stop: server.stop,
  });
  return simulator;
}

function remember(book: Book, settlements: Settlements, file: string): void {
  const kept = { book: book.toKeep(), settlements: settlements.toKeep() };
  writeFileSync(file, new Uint8Array(serialize(kept)), { mode: 0o600 });
}

function recall(book: Book, settlements: Settlements, file: string): void {
  const kept = deserialize(readFileSync(file)) as { book?: KeptBook; settlements?: KeptSettlements };
  if (kept.book) book.recall(kept.book);
  if (kept.settlements) settlements.recall(kept.settlements);
}

type Parts = {
  url: string;
  secretKey: string;
  book: Book;
  settlements: Settlements;
  webhooks: Webhooks;
  faults: Faults;
  requests: LoggedRequest[];
  stop: () => Promise<void>;
};

function controls({ url, secretKey, book, settlements, webhooks, faults, requests, stop }: Parts): PaystackSimulator {
  const known = (reference: string): Transaction => {
    const transaction = book.transactions.get(reference);
    if (!transaction) throw new Error(`Paystack does not know ${reference}`);
    return transaction;
  };
  const reset = () => {
    for (const part of [book, settlements, webhooks, faults]) part.reset();
    requests.length = 0;
  };
  return {
    url,
    secretKey,
    sendWebhooksTo: (webhookUrl) => {
      webhooks.url = webhookUrl;
    },
    fault: (route, fault, times = 1) => faults.add(route, fault, times),
    clearFaults: () => faults.reset(),
    steer: (reference, steering) => book.steer(reference, steering),
    pay: async (reference, channel) => book.pay(known(reference), channel),
    decline: (reference) => book.decline(known(reference)),
    fail: (reference, message = "Declined by the bank") => book.fail(known(reference), message),
    approve: async (reference) => book.pay(known(reference), "mobile_money"),
    refuse: (reference) => book.refuse(known(reference)),
    timeOut: (reference) => book.timeOut(known(reference)),
    settle: (status) => settlements.settle(status),
    moveSettlement: (id, status) => settlements.move(id, status),
    moveRefund: async (id, status) => {
      const refund = book.refunds.get(id);
      if (!refund) throw new Error(`Paystack does not know refund ${id}`);
      await book.moveRefund(refund, status);
    },
    dispute: async (reference, step, resolution) => book.dispute(known(reference), step, resolution),
    deliver: (reference, options) => webhooks.deliver(reference, options),
    deliverEvent: (event, data, options) => webhooks.send({ event, reference: null, data }, options),
    retryWebhooksNow: () => webhooks.retryNow(),
    quiet: () => webhooks.quiet(),
    transactions: () => structuredClone([...book.transactions.values()]),
    refunds: () => structuredClone([...book.refunds.values()]),
    successes: () => {
      const paid = [...book.transactions.values()].filter((transaction) => transaction.paidAt);
      return new Map(paid.map((transaction) => [transaction.reference, amountOf(transaction)]));
    },
    deliveries: () => structuredClone(webhooks.deliveries),
    requests: () => structuredClone(requests),
    reset,
    stop: async () => {
      reset();
      await stop();
    },
  };
}

/** Sends the webhook as the payment is steered; returns when the payer may continue. */
async function announce(
  webhooks: Webhooks,
  autoDeliverMs: number | null,
  transaction: Transaction,
  event: string,
  data: JsonObject,
): Promise<void> {
  const announcement = { event, reference: transaction.reference, data };
  webhooks.announce(announcement);
  const { webhook = "auto", delivery = {} } = event === "charge.success" ? transaction.steering : {};
  if (webhooks.url === null || webhook === "lost") return;
  if (webhook === "beforeReply") await webhooks.send(announcement, delivery);
  else if (autoDeliverMs !== null) void webhooks.send(announcement, { delayMs: autoDeliverMs, ...delivery });
}

type Answering = {
  api: Routes;
  pages: Routes;
  faults: Faults;
  requests: LoggedRequest[];
  clock: () => Date;
};

/** Only the API is logged and can fail; pages and controls always work. */
async function answer(call: Call, { api, pages, faults, requests, clock }: Answering): Promise<Outcome> {
  const found = find(pages, call.method, call.path);
  if (found) return found.handler({ ...call, params: found.params });
  const route = find(api, call.method, call.path);
  const line = logged(call, clock(), route?.route ?? null);
  requests.push(line);
  if (!route) {
    line.status = 404;
    return json(404, { status: false, message: "Route not found", type: "api_error", code: "not_found" });
  }
  const fault = faults.take(route.route, call);
  line.fault = typeof fault === "object" && fault ? fault.kind : fault;
  const work = async () => route.handler({ ...call, params: route.params });
  const outcome = await applyFault(fault, work, FAULT_REPLIES);
  line.status = typeof outcome === "object" ? outcome.status : null;
  return outcome;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      webhook: { type: "string" },
      "secret-key": { type: "string" },
      speed: { type: "string", default: "1" },
      "auto-deliver-ms": { type: "string", default: "500" },
      "otp-for-telecel": { type: "boolean", default: false },
      "first-id": { type: "string" },
      keep: { type: "string" },
      "until-stdin-ends": { type: "boolean", default: false },
    },
  });
  const simulator = await startPaystack({
    port: Number(values.port),
    secretKey: values["secret-key"],
    webhookUrl: values.webhook ?? null,
    autoDeliverMs: Number(values["auto-deliver-ms"]),
    speed: Number(values.speed),
    otpForTelecel: values["otp-for-telecel"],
    ...(values.keep && { keepIn: values.keep }),
    ...(values["first-id"] && { firstId: BigInt(values["first-id"]) }),
  });
  process.stdout.write(`Paystack simulator: ${simulator.url}, and the payer's phone: ${simulator.url}/phone\n`);
  const stop = () => void simulator.stop().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (values["until-stdin-ends"]) process.stdin.on("end", stop).resume();
}
