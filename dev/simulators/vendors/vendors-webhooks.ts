// The simulated vendors' webhooks: true, forged, repeated, and retried when the shop does not answer.
import { writeJson } from "../json.ts";
import { type Depot, referenceOf } from "./vendors-depot.ts";
import type { SimulatedVendors } from "./vendors-face.ts";
import type { Order, ReportedStatus, Webhook } from "./vendors-types.ts";

/** No vendor documents its retries. These two further attempts are the simulator's own. */
const RETRY_SECONDS = [60, 300];
const TIMEOUT_MS = 5_000;

/** Of vendors that sign. "tampered": signed, then changed. */
export type Signature = "good" | "wrong" | "missing" | "tampered";

/** All webhooks of the simulated vendors, and the sending of them. */
export class Webhooks {
  sent: Webhook[] = [];

  constructor(
    readonly depot: () => Depot,
    readonly vendors: SimulatedVendors,
  ) {}

  /** Sends a webhook about an order, if its vendor does so and has an address. Resolves with the shop's answer. */
  async notify(order: Order, reported: ReportedStatus, signature: Signature = "good"): Promise<void> {
    const depot = this.depot();
    if (!depot.switches.webhooks) return;
    const { webhook: build, sign } = this.vendors[order.vendor];
    const content = build(depot, order, reported);
    if (!content) return;
    const written = writeJson(content.body);
    const secret = signature === "wrong" ? "somebody else's" : undefined;
    const webhook: Webhook = {
      id: this.sent.length,
      vendor: order.vendor,
      order: referenceOf(order),
      news: reported,
      url: content.url,
      body: signature === "tampered" ? written.replace(/\}$/, ',"forged":true}') : written,
      headers: {
        "content-type": "application/json",
        ...content.headers,
        ...(signature !== "missing" && sign?.(written, secret)),
      },
      answers: [],
    };
    this.sent.push(webhook);
    await this.send(webhook.id);
  }

  /** Sends the same bytes again. */
  async send(id: number): Promise<void> {
    const webhook = this.sent[id];
    if (!webhook) return;
    const answer = await fetch(webhook.url, {
      method: "POST",
      headers: webhook.headers,
      body: webhook.body,
      redirect: "manual",
      keepalive: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      (response) => response.status,
      () => null,
    );
    webhook.answers.push(answer);
    const wait = RETRY_SECONDS[webhook.answers.length - 1];
    const isHeard = answer !== null && answer >= 200 && answer < 300;
    if (!isHeard && wait !== undefined) this.depot().clock.plan(wait, { kind: "resend", webhook: id });
  }

  reset(): void {
    this.sent = [];
  }
}
