// The sender of the simulator's webhooks: it signs the bytes and repeats them until it gets a 200. Each step can be
// done wrong on purpose.
import { createHmac } from "node:crypto";
import { HOSTILE_JSON, type JsonObject, type JsonStyle, writeJson } from "../json.ts";

export type DeliveryOptions = {
  /** The payment's event; charge.success by default. */
  event?: string;
  delayMs?: number;
  /** Sends the same bytes this many times. */
  copies?: number;
  parallel?: boolean;
  /** "tampered" signs the true body and sends another. */
  signature?: "good" | "wrong" | "missing" | "upperCase" | "tampered";
  /** Signs with this key, as during a key rotation. */
  key?: string;
  json?: JsonStyle | "hostile";
  /** Merged into the event's data: other metadata, a 64-bit id, an amount as a string. */
  data?: JsonObject;
  /** False stops after the first attempt. Forged deliveries are only repeated if this is true. */
  retry?: boolean;
};

export type Attempt = { at: Date; status: number | null; error: string | null };
export type Delivery = {
  id: number;
  event: string;
  reference: string | null;
  url: string;
  /** The exact bytes sent, the same at each attempt. */
  body: string;
  signature: string | null;
  attempts: Attempt[];
  state: "sending" | "retrying" | "delivered" | "given up";
};

export type Announcement = { event: string; reference: string | null; data: JsonObject };

export type WebhookSettings = {
  secretKey: string;
  domain: "test" | "live";
  clock: () => Date;
  speed: number;
  timeoutMs: number;
};

/** All webhooks of the simulator: due, sent, and waiting to be repeated. */
export class Webhooks {
  readonly deliveries: Delivery[] = [];
  /** All events so far, sent or not; a test can send them in any order. */
  readonly announcements: Announcement[] = [];
  readonly #timers = new Map<Delivery, Timer>();
  readonly #running = new Set<Promise<unknown>>();
  #aborter = new AbortController();
  #written = 0;

  constructor(
    readonly settings: WebhookSettings,
    public url: string | null,
  ) {}

  announce(announcement: Announcement): void {
    this.announcements.push(announcement);
  }

  /**
   * Sends the payment's latest event of a kind; resolves after the first attempt of each copy. Throws if there is
   * none.
   */
  async deliver(reference: string, options: DeliveryOptions = {}): Promise<Delivery[]> {
    const event = options.event ?? "charge.success";
    const announcement = this.announcements.findLast((a) => a.reference === reference && a.event === event);
    if (!announcement) throw new Error(`Paystack has no ${event} for ${reference}`);
    return this.send(announcement, options);
  }

  /** Sends any event; resolves after the first attempt of each copy. */
  send(announcement: Announcement, options: DeliveryOptions = {}): Promise<Delivery[]> {
    return this.#track(this.#sendCopies(announcement, options));
  }

  /** Repeats now whatever is waiting for its next attempt, and waits for the answers. */
  async retryNow(): Promise<void> {
    const waiting = [...this.#timers.keys()];
    for (const delivery of waiting) this.#cancel(delivery);
    await Promise.all(waiting.map((delivery) => this.#track(this.#attempt(delivery, true))));
  }

  /** Resolves when nothing is being sent or waiting for another attempt. */
  async quiet(): Promise<void> {
    while (this.#running.size > 0 || this.#timers.size > 0)
      await (this.#running.size > 0 ? Promise.allSettled([...this.#running]) : Bun.sleep(5));
  }

  /** Forgets everything, and aborts what is being sent. */
  reset(): void {
    for (const delivery of [...this.#timers.keys()]) this.#cancel(delivery);
    this.#aborter.abort();
    this.#aborter = new AbortController();
    this.deliveries.length = 0;
    this.announcements.length = 0;
  }

  async #sendCopies(announcement: Announcement, options: DeliveryOptions): Promise<Delivery[]> {
    if (this.url === null) throw new Error("No webhook URL is set");
    const { signal } = this.#aborter;
    const copies = Array.from({ length: options.copies ?? 1 }, () => this.#write(announcement, options));
    if (options.delayMs) await Bun.sleep(options.delayMs);
    if (signal.aborted) return copies;
    this.deliveries.push(...copies);
    const isForged = ["wrong", "missing", "tampered"].includes(options.signature ?? "good");
    const retries = options.retry ?? !isForged;
    if (options.parallel) await Promise.all(copies.map((copy) => this.#attempt(copy, retries)));
    else for (const copy of copies) await this.#attempt(copy, retries);
    return copies;
  }

  #write(announcement: Announcement, options: DeliveryOptions): Delivery {
    const { event, reference } = announcement;
    const style = options.json === "hostile" ? HOSTILE_JSON : options.json;
    const body = writeJson({ event, data: { ...announcement.data, ...options.data } }, style);
    const key = options.signature === "wrong" ? `not ${this.settings.secretKey}` : options.key;
    const signature = sign(body, key ?? this.settings.secretKey);
    return {
      id: ++this.#written,
      event,
      reference,
      url: this.url!,
      body: options.signature === "tampered" ? tamper(body) : body,
      signature:
        options.signature === "missing"
          ? null
          : options.signature === "upperCase"
            ? signature.toUpperCase()
            : signature,
      attempts: [],
      state: "sending",
    };
  }

  async #attempt(delivery: Delivery, retries: boolean): Promise<void> {
    const { signal } = this.#aborter;
    const attempt: Attempt = { at: this.settings.clock(), status: null, error: null };
    delivery.attempts.push(attempt);
    delivery.state = "sending";
    try {
      const response = await fetch(delivery.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(delivery.signature === null ? {} : { "x-paystack-signature": delivery.signature }),
        },
        body: delivery.body,
        redirect: "manual",
        keepalive: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(this.settings.timeoutMs)]),
      });
      attempt.status = response.status;
      await response.arrayBuffer();
    } catch (error) {
      attempt.error = error instanceof Error ? error.name : String(error);
    }
    // Only 200 counts; 201, 204 or a redirect is a failed attempt (docs, Webhooks).
    if (attempt.status === 200) delivery.state = "delivered";
    else if (!signal.aborted && retries) this.#plan(delivery);
    else delivery.state = "given up";
  }

  #plan(delivery: Delivery): void {
    const waitMs = this.#waitMs(delivery.attempts.length);
    delivery.state = waitMs === null ? "given up" : "retrying";
    if (waitMs === null) return;
    const timer = setTimeout(() => {
      this.#cancel(delivery);
      void this.#track(this.#attempt(delivery, true));
    }, waitMs / this.settings.speed);
    timer.unref();
    this.#timers.set(delivery, timer);
  }

  /**
   * Live: every 3 minutes for the first 4 attempts, then hourly for 72 hours. Test: hourly for 10 hours (docs,
   * Webhooks).
   */
  #waitMs(attempts: number): number | null {
    const minute = 60_000;
    if (this.settings.domain === "test") return attempts <= 10 ? 60 * minute : null;
    if (attempts < 4) return 3 * minute;
    return attempts < 4 + 72 ? 60 * minute : null;
  }

  #cancel(delivery: Delivery): void {
    clearTimeout(this.#timers.get(delivery));
    this.#timers.delete(delivery);
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    const forget = () => void this.#running.delete(work);
    work.then(forget, forget);
    return work;
  }
}

/** Lower-case hex HMAC-SHA512 of the raw bytes; the key is the secret API key itself (docs, Webhooks). */
export function sign(body: string, secretKey: string): string {
  return createHmac("sha512", secretKey).update(body).digest("hex");
}

/** Raises the amount, or changes the event if there is none; the JSON stays valid. */
function tamper(body: string): string {
  const dearer = body.replace(/("amount":\s*"?)(\d)/, "$19$2");
  return dearer === body ? body.replace(/("event":\s*")/, "$1x") : dearer;
}
