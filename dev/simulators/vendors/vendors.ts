// The vendors' simulator for development and tests: DataMart GH, Hubnet and Africa's Talking, each as strict as the
// original, on one port. `bun dev/simulators/vendors/vendors.ts --port 4020` runs it alone; a number's last four digits
// decide its fate (vendors-magic.ts).
import { deserialize, serialize } from "bun:jsc";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { VENDOR_CODES, type VendorCode, type VendorSettings } from "../../../src/gateways/vendors/index.ts";
import {
  applyFault,
  type Call,
  type Fault,
  type FaultReplies,
  Faults,
  find,
  json,
  type LoggedRequest,
  listen,
  logged,
  type Outcome,
  type Routes,
} from "../http.ts";
import { controlRoutes } from "./vendors-control.ts";
import { Depot, referenceOf } from "./vendors-depot.ts";
import { Answers, type KeptAnswer, type SimulatedVendors } from "./vendors-face.ts";
import { pageRoutes } from "./vendors-page.ts";
import type { Order, ReportedStatus, Status, Step, SwitchChange, Switches, Webhook } from "./vendors-types.ts";
import { type Signature, Webhooks } from "./vendors-webhooks.ts";

export type { VendorCode } from "../../../src/gateways/vendors/index.ts";
export type { Line, Order, ReportedStatus, Status } from "./vendors-types.ts";

export type VendorOptions = {
  port?: number;
  /** The same seed gives the same codes and delivery times. */
  seed?: string;
  /** 0 by default: the clock stands still until it is advanced. */
  speed?: Switches["speed"];
  /** The start of the vendors' clock, in milliseconds since 1970; a fixed morning by default. */
  start?: number;
  /** The file that keeps orders and settings across restarts. */
  keepIn?: string;
};

/** A delivery of data. */
export type Delivery = {
  vendor: VendorCode;
  number: string;
  reference: string;
  volumeMb: number;
  /** How many times; more than once is a loss. */
  count: number;
};

export type ReportOptions = { vendor?: VendorCode; url?: string; signature?: Signature; copies?: number };

export type VendorSimulator = {
  url: string;
  /** The settings for the vendor adapters. */
  settings: { [Code in VendorCode]: NonNullable<VendorSettings[Code]> };
  switches(): Switches & { now: string };
  switch(change: SwitchChange): void;
  /** Lets time pass at once; resolves when everything due is done and every webhook of it answered. */
  advance(seconds: number): Promise<void>;
  /** Makes what is planned for these orders, by the shop's references, fall due `seconds` earlier. */
  letPass(references: string[], seconds: number): void;
  deliveries(): Delivery[];
  orders(): Order[];
  webhooks(): Webhook[];
  requests(): LoggedRequest[];
  /** Moves an order by hand, by the shop's reference or the vendor's. Only "completed" `delivers` by default. */
  move(reference: string, status: Status, delivers?: boolean): Promise<void>;
  /** Notifies the shop about an order, truthfully or not; one that nobody placed needs its vendor. */
  notify(reference: string, reported: ReportedStatus, options?: ReportOptions): Promise<void>;
  /**
   * Makes the next `times` calls fail: of "POST /datamart/api/developer/bulk-purchase" and the like, or of any ("*").
   */
  fault(route: string, fault: Fault, times?: number): void;
  reset(): void;
  stop(): Promise<void>;
};

const START = Date.parse("2026-11-21T08:00:00Z");
const KEEP_MS = 500;

/** Starts the simulator on a free port, or the given one. */
export async function startVendors(options: VendorOptions = {}): Promise<VendorSimulator> {
  const { keepIn, speed = 0 } = options;
  const faults = new Faults();
  const requests: LoggedRequest[] = [];
  const vendors = await simulatedVendors();
  const webhooks: Webhooks = new Webhooks(() => depot, vendors);
  const depot: Depot = new Depot(
    { seed: options.seed ?? "datafie", start: options.start ?? START },
    (order, reported) => webhooks.notify(order, reported),
    (id) => webhooks.send(id),
  );
  const answers = byCode(() => new Answers(depot));
  const parts: Parts = { depot, vendors, webhooks, answers, faults, requests };
  const api: Routes = Object.assign({}, ...VENDOR_CODES.map((code) => vendors[code].routes(depot, answers[code])));
  const pages = { ...controlRoutes(() => simulator), ...pageRoutes(() => simulator) };
  if (keepIn && existsSync(keepIn)) recall(parts, keepIn);
  depot.change({ speed });
  const server = await listen(options.port ?? 0, (call) => answer(call, api, pages, parts));
  // Not on each call: a bulk order of ten thousand would be saved two hundred times.
  const keeper = keepIn ? setInterval(() => remember(parts, keepIn), KEEP_MS).unref() : null;
  const simulator = controls(server.url, parts, async () => {
    if (keeper) clearInterval(keeper);
    if (keepIn) remember(parts, keepIn);
    depot.clock.stop();
    await server.stop();
  });
  return simulator;
}

/** Each vendor of the shop has a simulated one, in a file of its name. */
async function simulatedVendors(): Promise<SimulatedVendors> {
  const modules = VENDOR_CODES.map(async (code) => [code, (await import(`./vendors-${code}.ts`)).simulated]);
  return Object.fromEntries(await Promise.all(modules)) as SimulatedVendors;
}

function byCode<T>(make: (code: VendorCode) => T): Record<VendorCode, T> {
  return Object.fromEntries(VENDOR_CODES.map((code) => [code, make(code)])) as Record<VendorCode, T>;
}

type Parts = {
  depot: Depot;
  vendors: SimulatedVendors;
  webhooks: Webhooks;
  answers: Record<VendorCode, Answers>;
  faults: Faults;
  requests: LoggedRequest[];
};

function controls(url: string, parts: Parts, stop: () => Promise<void>): VendorSimulator {
  const { depot, vendors, webhooks, answers, faults, requests } = parts;
  const known = (reference: string) =>
    depot.orders.findLast((order) => [referenceOf(order), order.orderCode, order.transactionCode].includes(reference));
  return {
    url,
    settings: byCode((code) => vendors[code].settings(url)) as VendorSimulator["settings"],
    switches: () => ({ ...depot.switches, now: new Date(depot.clock.now()).toISOString() }),
    switch: (change) => depot.change(change),
    advance: (seconds) => depot.clock.advance(seconds),
    letPass: (references, seconds) => depot.letPass(references, seconds),
    deliveries: () =>
      depot.orders
        .filter(({ delivered }) => delivered > 0)
        .map((order) => ({
          vendor: order.vendor,
          number: order.phone,
          reference: referenceOf(order),
          volumeMb: order.volumeMb,
          count: order.delivered,
        })),
    orders: () => structuredClone(depot.orders),
    webhooks: () => structuredClone(webhooks.sent),
    requests: () => structuredClone(requests),
    move: async (reference, status, delivers) => {
      const order = known(reference);
      if (!order) throw new Error(`No vendor knows ${reference}`);
      await depot.move(order, status, delivers);
    },
    notify: async (reference, reported, { vendor, url: webhookUrl, signature, copies = 1 } = {}) => {
      const order = known(reference) ?? (vendor && stranger(vendor, reference, webhookUrl ?? null));
      if (!order) throw new Error(`No vendor knows ${reference}`);
      for (let copy = 0; copy < copies; copy++) await webhooks.notify(order, reported, signature);
    },
    fault: (route, fault, times = 1) => faults.add(route, fault, times),
    reset: () => {
      for (const part of [depot, webhooks, faults, ...Object.values(answers)]) part.reset();
      requests.length = 0;
    },
    stop,
  };
}

/** An order that exists only in a webhook. */
function stranger(vendor: VendorCode, reference: string, webhookUrl: string | null): Order {
  const orderDetails = {
    vendor,
    phone: "0540000000",
    line: "MTN",
    volumeMb: 1000,
    ref: reference,
    webhookUrl,
  } as const;
  const codes = { orderCode: reference, transactionCode: `TRX-${reference}`, metadata: { reference } };
  const state = { pricePesewas: 400, status: "pending", delivered: 0, createdAt: 0, updatedAt: 0 } as const;
  return { id: 0, ...orderDetails, ...codes, ...state };
}

/** Only the vendors' own routes are logged and can fail; pages and controls always work. */
async function answer(call: Call, api: Routes, pages: Routes, parts: Parts): Promise<Outcome> {
  const found = find(pages, call.method, call.path);
  if (found) return found.handler({ ...call, params: found.params });
  const route = find(api, call.method, call.path);
  const at = new Date(parts.depot.clock.now());
  const vendor = VENDOR_CODES.find((code) => call.path.startsWith(`/${code}/`));
  const line = logged(call, at, route?.route ?? null, vendor && parts.vendors[vendor].keyHeader);
  parts.requests.push(line);
  if (!route) {
    line.status = 404;
    return json(404, { status: "error", message: "Route not found" });
  }
  const fault = parts.faults.take(route.route, call);
  line.fault = typeof fault === "object" && fault ? fault.kind : fault;
  const work = async () => route.handler({ ...call, params: route.params });
  const outcome = await applyFault(fault, work, FAULT_REPLIES);
  line.status = typeof outcome === "object" ? outcome.status : null;
  return outcome;
}

const FAULT_REPLIES: FaultReplies = {
  http500: () => json(500, { status: "error", message: "Internal server error" }),
  tooMany: (seconds) => {
    const reply = json(429, { status: "error", message: "Too many requests" });
    return { ...reply, headers: { ...reply.headers, "retry-after": String(seconds) } };
  },
};

type Memory = {
  now: number;
  orders: Order[];
  steps: Step[];
  parked: Depot["parked"];
  switches: Switches;
  webhooks: Webhook[];
  answers: Partial<Record<VendorCode, KeptAnswer[]>>;
};

function remember({ depot, webhooks, answers }: Parts, file: string): void {
  if (!depot.hasChanged) return;
  depot.hasChanged = false;
  const memory: Memory = {
    now: depot.clock.now(),
    orders: depot.orders,
    steps: depot.clock.steps,
    parked: depot.parked,
    switches: depot.switches,
    webhooks: webhooks.sent,
    answers: byCode((code) => answers[code].kept),
  };
  writeFileSync(file, new Uint8Array(serialize(memory)), { mode: 0o600 });
}

function recall({ depot, webhooks, answers }: Parts, file: string): void {
  const memory = deserialize(readFileSync(file)) as Memory;
  depot.clock.steps = memory.steps;
  // What fell due in the meantime is done at once.
  depot.clock.setTo(Math.max(memory.now, depot.clock.now()));
  for (const order of memory.orders) depot.add(order);
  depot.parked = memory.parked;
  // A memory of before knows no newer switch.
  depot.switches = { ...depot.switches, ...memory.switches };
  webhooks.sent = memory.webhooks;
  for (const code of VENDOR_CODES) answers[code].kept = memory.answers[code] ?? [];
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "4020" },
      seed: { type: "string" },
      speed: { type: "string", default: "1" },
      keep: { type: "string" },
      "until-stdin-ends": { type: "boolean", default: false },
    },
  });
  const simulator = await startVendors({
    port: Number(values.port),
    speed: Number(values.speed),
    start: Date.now(),
    ...(values.seed && { seed: values.seed }),
    ...(values.keep && { keepIn: values.keep }),
  });
  process.stdout.write(`Vendor simulator: ${simulator.url}\n`);
  const stop = () => void simulator.stop().then(() => process.exit(0));
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  if (values["until-stdin-ends"]) process.stdin.on("end", stop).resume();
}
