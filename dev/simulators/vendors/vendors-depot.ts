// State shared by the simulated vendors: orders, balances, prices, and the effects of a number's last four digits.
import { createHash } from "node:crypto";
import { VENDOR_CODES, type VendorCode } from "../../../src/gateways/vendors/index.ts";
import { Clock } from "./vendors-clock.ts";
import { magicOf } from "./vendors-magic.ts";
import type {
  Act,
  Line,
  Order,
  OrderRequest,
  Refusal,
  ReportedStatus,
  Status,
  SwitchChange,
  Switches,
} from "./vendors-types.ts";

/** The price per GB for the shop, roughly as resellers in Ghana quoted it in 2025 and 2026. */
const PESEWAS_PER_GB: Record<Line, number> = { MTN: 380, AT_ISHARE: 375, AT_BIGTIME: 190, TELECEL: 340 };
export const LINE_NAMES: Record<Line, string> = {
  MTN: "MTN",
  AT_ISHARE: "AT iShare",
  AT_BIGTIME: "AT Big Time",
  TELECEL: "Telecel",
};
/** A number ending in 0009 got something from another sender a moment ago, and is free again after this time. */
const MAGIC_COOL_DOWN_SECONDS = 300;

/** The effect on a call of a number in it. */
export type Fate = "answered" | "hangsBefore" | "hangsAfter" | "badGateway" | "emptyAfter";

/** The orders, balances and rates of all simulated vendors. */
export class Depot {
  readonly clock: Clock;
  readonly orders: Order[] = [];
  /** Steps that fell due while delivery was on hold. */
  parked: Act[] = [];
  switches: Switches = firstSwitches();
  /** Whether there are changes to save. */
  hasChanged = false;
  /** By vendor and any of an order's names; by vendor and number, the last order. */
  readonly #named = new Map<string, Order>();
  readonly #lastTo = new Map<string, Order>();
  readonly #garbled = new Map<string, number>();
  readonly #barredAt = new Map<string, number>();
  readonly #calls = new Map<string, number[]>();

  constructor(
    readonly settings: { seed: string; start: number },
    /** Notifies the shop; resolves when it has answered, or will not. */
    readonly notify: (order: Order, reported: ReportedStatus) => Promise<void>,
    readonly resend: (webhook: number) => Promise<void>,
  ) {
    this.clock = new Clock(settings.start, (act) => this.#run(act));
  }

  /** Checked once for each call that places something, with every number in it. */
  fateOf(phones: string[]): Fate {
    if (!this.switches.callFaults) return "answered";
    const endings = phones.map((phone) => phone.slice(-4));
    if (endings.includes("0006")) return "hangsBefore";
    const garbled = phones.find((phone) => phone.endsWith("0008"));
    if (garbled) {
      const times = (this.#garbled.get(garbled) ?? 0) + 1;
      this.#garbled.set(garbled, times);
      return times % 2 === 1 ? "badGateway" : "emptyAfter";
    }
    return endings.includes("0005") ? "hangsAfter" : "answered";
  }

  /** Seconds until another call of this kind is allowed; 0 if it is, and then it counts. */
  limit(kind: string, perMinute: number): number {
    const now = this.clock.now();
    const calls = (this.#calls.get(kind) ?? []).filter((at) => at > now - 60_000);
    this.#calls.set(kind, calls);
    if (calls.length >= perMinute) return Math.ceil(((calls[0] ?? now) + 60_000 - now) / 1000);
    calls.push(now);
    return 0;
  }

  find(vendor: VendorCode, reference: string): Order | undefined {
    return this.#named.get(`${vendor} ${reference}`);
  }

  /** Registers an order that was accepted just now, or before a restart. */
  add(order: Order): void {
    this.hasChanged = true;
    this.orders.push(order);
    this.#lastTo.set(`${order.vendor} ${order.phone}`, order);
    for (const name of [order.ref, order.orderCode, order.transactionCode])
      if (name !== null) this.#named.set(`${order.vendor} ${name}`, order);
  }

  /** Accepts an order and charges it, or says why not. */
  take(request: OrderRequest, transactionPrefix: string): Order | Refusal {
    const refusal = this.#refusalOf(request);
    if (refusal) return refusal;
    const id = this.orders.length + 1;
    const now = this.clock.now();
    const code = createHash("sha256").update(`${this.settings.seed} ${id}`).digest("hex");
    const order: Order = {
      ...request,
      id,
      orderCode: `MN-${code.slice(0, 8).toUpperCase()}`,
      transactionCode: transactionPrefix + code.slice(8, 28),
      pricePesewas: this.priceOf(request.line, request.volumeMb),
      status: "pending",
      delivered: 0,
      createdAt: now,
      updatedAt: now,
    };
    this.switches.floats[order.vendor] -= order.pricePesewas;
    this.add(order);
    this.#plan(order);
    return order;
  }

  priceOf(line: Line, volumeMb: number): number {
    const list = Math.ceil((PESEWAS_PER_GB[line] * volumeMb) / 1000);
    return Math.round((list * (100 + this.switches.priceDrift)) / 100);
  }

  /** What the vendor's staff do by hand, at any time. */
  async move(order: Order, to: Status, delivers = to === "completed"): Promise<void> {
    await this.#run({ kind: "move", order: order.id, to, delivers, isSilent: false, copies: 1 });
  }

  /** Lets time pass for some orders, by the shop's references, and for nobody else. */
  letPass(references: string[], seconds: number): void {
    this.hasChanged = true;
    const meant = new Set(references);
    const ids = new Set<number>();
    for (const order of this.orders) {
      if (!meant.has(referenceOf(order))) continue;
      ids.add(order.id);
      order.createdAt -= seconds * 1000;
      const barredAt = this.#barredAt.get(order.phone);
      if (barredAt !== undefined) this.#barredAt.set(order.phone, barredAt - seconds * 1000);
    }
    this.clock.hasten(seconds, (act) => act.kind !== "resend" && ids.has(act.order));
  }

  change(switches: SwitchChange): void {
    this.hasChanged = true;
    const floats = { ...this.switches.floats, ...switches.floats };
    const webhookUrls = { ...this.switches.webhookUrls, ...switches.webhookUrls };
    this.switches = { ...this.switches, ...switches, floats, webhookUrls };
    this.clock.setSpeed(this.switches.speed);
    if (this.switches.holdDelivery) return;
    for (const act of this.parked.splice(0)) this.clock.plan(0, act);
  }

  reset(): void {
    this.hasChanged = true;
    this.clock.stop();
    this.clock.setTo(this.settings.start);
    this.orders.length = 0;
    this.parked = [];
    this.switches = firstSwitches();
    for (const memory of [this.#named, this.#lastTo, this.#garbled, this.#barredAt, this.#calls]) memory.clear();
  }

  #refusalOf({ vendor, phone, line, volumeMb, ref }: OrderRequest): Refusal | null {
    const { down, floatEmpty, floats } = this.switches;
    const name = LINE_NAMES[line];
    if (ref !== null && this.find(vendor, ref))
      return { cause: "known_reference", message: "Reference already exists" };
    if (phone.endsWith("0012")) return { cause: "invalid_number", message: "Invalid Number" };
    if (down.includes(line))
      return { cause: "network_down", message: `${name} is currently unavailable. We are working on it` };
    const waitSeconds = this.#barredFor(vendor, phone);
    if (waitSeconds > 0) {
      const message = `This number was sent an order a moment ago, wait ${waitSeconds} seconds`;
      return { cause: "cooling", message, waitSeconds };
    }
    if (phone.endsWith("0010"))
      return { cause: "out_of_stock", message: `${name} ${volumeMb / 1000}GB is out of stock` };
    if (floatEmpty || floats[vendor] < this.priceOf(line, volumeMb))
      return { cause: "float_empty", message: "Insufficient wallet balance" };
    return null;
  }

  #barredFor(vendor: VendorCode, phone: string): number {
    const now = this.clock.now();
    if (phone.endsWith("0009") && !this.#barredAt.has(phone)) this.#barredAt.set(phone, now);
    const freeAt = [
      (this.#barredAt.get(phone) ?? Number.NEGATIVE_INFINITY) + MAGIC_COOL_DOWN_SECONDS * 1000,
      (this.#lastTo.get(`${vendor} ${phone}`)?.createdAt ?? Number.NEGATIVE_INFINITY) +
        this.switches.coolDownSeconds * 1000,
    ];
    return Math.max(0, Math.ceil((Math.max(...freeAt) - now) / 1000));
  }

  #plan(order: Order): void {
    const { plan, copies = 1 } = magicOf(order.phone);
    for (const step of plan) {
      const seconds = typeof step.after === "number" ? step.after : this.#between(order, ...step.after);
      if ("reports" in step) this.clock.plan(seconds, { kind: "tell", order: order.id, news: step.reports });
      else {
        const { to, arrives: delivers = false, isSilent = false } = step;
        this.clock.plan(seconds, { kind: "move", order: order.id, to, delivers, isSilent, copies });
      }
    }
  }

  async #run(act: Act): Promise<void> {
    this.hasChanged = true;
    if (act.kind === "resend") return this.resend(act.webhook);
    const order = this.orders[act.order - 1];
    if (!order) return;
    if (act.kind === "tell") return this.notify(order, act.news);
    if (this.switches.holdDelivery) {
      this.parked.push(act);
      return;
    }
    order.status = act.to;
    order.updatedAt = this.clock.now();
    if (act.delivers) order.delivered += 1;
    if (act.to === "refunded") this.switches.floats[order.vendor] += order.pricePesewas;
    for (let copy = 0; copy < act.copies && !act.isSilent; copy++) await this.notify(order, act.to);
  }

  /** A whole number that depends only on the seed and the order. */
  #between(order: Order, from: number, to: number): number {
    const digest = createHash("sha256").update(`${this.settings.seed} ${order.id} time`).digest();
    return from + (digest.readUInt32BE() % (to - from + 1));
  }
}

/** The shop's reference for an order, wherever it came; the vendor's if it gave none. */
export function referenceOf({ ref, metadata, orderCode }: Order): string {
  return ref ?? (typeof metadata?.reference === "string" ? metadata.reference : orderCode);
}

/** Whether `take` refused an order. */
export function isRefusal(result: Order | Refusal): result is Refusal {
  return "cause" in result;
}

function firstSwitches(): Switches {
  const each = <T>(value: T) => Object.fromEntries(VENDOR_CODES.map((code) => [code, value])) as Record<VendorCode, T>;
  return {
    speed: 0,
    floatEmpty: false,
    floats: each(2_500_000),
    rate: null,
    down: [],
    callFaults: true,
    coolDownSeconds: 60,
    webhooks: true,
    webhookUrls: each<string | null>(null),
    refundedEvents: false,
    holdDelivery: false,
    priceDrift: 0,
  };
}
