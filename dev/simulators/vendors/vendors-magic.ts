// The effects of a number's last four digits at the simulated vendors; every other number is delivered normally.
import type { ReportedStatus, Status } from "./vendors-types.ts";

/** Seconds after the order, or a range from which the order's own number picks. */
type After = number | readonly [number, number];
export type PlannedStep =
  | { after: After; to: Status; arrives?: true; isSilent?: true }
  | { after: After; reports: ReportedStatus };
export type Magic = { description: string; plan: readonly PlannedStep[]; copies?: number };

const HOUR = 3600;
/** "Sell 1 GB, wait up to 72 hours" (DataHub and DataMart, activation of numbers). */
const ACTIVATION = 72 * HOUR;

const created = { after: 1, reports: "created" } as const;
const processing = { after: 2, to: "processing" } as const;
const SERVED: readonly PlannedStep[] = [created, processing, { after: [5, 40], to: "completed", arrives: true }];

export const MAGIC: Record<string, Magic> = {
  "0001": { description: "delivered after 5 to 40 seconds, like every other number", plan: SERVED },
  "0002": {
    description: "waits, delivered after 20 to 240 minutes",
    plan: [
      created,
      { after: 60, to: "waiting" },
      { after: 600, to: "processing" },
      { after: [1200, 4 * HOUR], to: "completed", arrives: true },
    ],
  },
  "0003": {
    description: "fails, refunded ten minutes later",
    plan: [created, processing, { after: 20, to: "failed" }, { after: 620, to: "refunded" }],
  },
  "0004": {
    description: "delivered, refunded three hours later",
    plan: [created, processing, { after: 10, to: "completed", arrives: true }, { after: 3 * HOUR, to: "refunded" }],
  },
  "0005": { description: "accepted, but the call is never answered", plan: SERVED },
  "0006": { description: "not accepted, and the call is never answered", plan: [] },
  "0007": { description: "the answer contradicts itself, or leaves out the number; not accepted", plan: [] },
  "0008": { description: "502 with HTML, not accepted; the next time an empty body, accepted", plan: SERVED },
  "0009": {
    description: "blocked for five minutes: another sender sent it something a moment ago",
    plan: SERVED,
  },
  "0010": { description: "this size is out of stock", plan: [] },
  "0011": {
    description: "on hold for 72 hours until the number is activated",
    plan: [
      created,
      { after: 2, to: "held" },
      { after: ACTIVATION, to: "processing" },
      { after: ACTIVATION + 30, to: "completed", arrives: true },
    ],
  },
  "0012": { description: "not a number of the network", plan: [] },
  "0013": { description: "delivered, every webhook three times", plan: SERVED, copies: 3 },
  "0014": {
    description: "delivered, webhooks in the wrong order",
    plan: [
      created,
      { ...processing, isSilent: true },
      { after: 10, to: "completed", arrives: true },
      { after: 11, reports: "processing" },
    ],
  },
  "0015": { description: "accepted, then no further webhook", plan: [{ ...processing, isSilent: true }] },
  "0016": {
    description: "reported as completed, but nothing arrives",
    plan: [created, processing, { after: 10, to: "completed" }],
  },
};

/** The effect of a number; an ordinary delivery without a special ending. */
export function magicOf(phone: string): Magic {
  return MAGIC[phone.slice(-4)] ?? MAGIC["0001"]!;
}
