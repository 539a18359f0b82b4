// The types of the vendors' simulator: an order, and the settings that can be switched.
import type { VendorCode } from "../../../src/gateways/vendors/index.ts";
import type { JsonObject } from "../json.ts";

export const LINES = ["MTN", "AT_ISHARE", "AT_BIGTIME", "TELECEL"] as const;
export type Line = (typeof LINES)[number];

export const STATUSES = ["pending", "waiting", "held", "processing", "completed", "failed", "refunded"] as const;
export type Status = (typeof STATUSES)[number];
/** What a vendor's webhook can report: that an order exists, and its state. */
export type ReportedStatus = Status | "created";

export type OrderRequest = {
  vendor: VendorCode;
  /** National: 0541234567. */
  phone: string;
  line: Line;
  volumeMb: number;
  ref: string | null;
  /** The address for this order's webhooks, if the vendor is given one with each order. */
  webhookUrl: string | null;
  /** Returned in the order's webhooks, if the vendor does that. */
  metadata: JsonObject | null;
};

export type Order = OrderRequest & {
  id: number;
  /** The vendor's own ids of the order and of its payment. */
  orderCode: string;
  transactionCode: string;
  pricePesewas: number;
  status: Status;
  /** How many times the data arrived. More than once is a loss. */
  delivered: number;
  createdAt: number;
  updatedAt: number;
};

export type Refusal = {
  cause: "invalid_number" | "network_down" | "cooling" | "out_of_stock" | "float_empty" | "known_reference";
  message: string;
  waitSeconds?: number;
};

/** A planned change of an order, by the simulator's clock. */
export type Act =
  | { kind: "move"; order: number; to: Status; delivers: boolean; isSilent: boolean; copies: number }
  | { kind: "tell"; order: number; news: ReportedStatus }
  | { kind: "resend"; webhook: number };
export type Step = { at: number; act: Act };

export type Switches = {
  /** The speed of the clock: 1, 60, 600, or 0 if only POST /_control/advance moves it. */
  speed: number;
  floatEmpty: boolean;
  /** The balance in pesewas that the shop has with each vendor. */
  floats: Record<VendorCode, number>;
  /** Placing calls per minute, for every vendor; null: each vendor's own limit. */
  rate: number | null;
  /** Lines that are out of service. */
  down: Line[];
  /** Whether a number can spoil the whole call that it is in. */
  callFaults: boolean;
  /** How long a number is blocked after an order. */
  coolDownSeconds: number;
  webhooks: boolean;
  webhookUrls: Record<VendorCode, string | null>;
  /** DataMart reports refunds only to clients that opt in. */
  refundedEvents: boolean;
  /** Nothing progresses until it is switched off again. */
  holdDelivery: boolean;
  /** The per cent by which all prices have risen since the list was made. */
  priceDrift: number;
};

/** Replaces everything whole, except balances and addresses, of which only the named ones change. */
export type SwitchChange = Partial<Omit<Switches, "floats" | "webhookUrls">> & {
  floats?: Partial<Switches["floats"]>;
  webhookUrls?: Partial<Switches["webhookUrls"]>;
};

/** A webhook that was sent, and the answers to it. */
export type Webhook = {
  id: number;
  vendor: VendorCode;
  order: string;
  news: ReportedStatus;
  url: string;
  body: string;
  headers: Record<string, string>;
  /** The answer to each attempt; null for none. */
  answers: (number | null)[];
};
