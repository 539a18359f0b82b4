// The words of the vendors' simulator: what it keeps of an order, and what can be switched.
import type { JsonObject } from "./json.ts";

export const VENDOR_CODES = ["datamart", "hubnet", "africastalking"] as const;
export type VendorCode = (typeof VENDOR_CODES)[number];

export const LINES = ["MTN", "AT_ISHARE", "AT_BIGTIME", "TELECEL"] as const;
export type Line = (typeof LINES)[number];

export const STATUSES = [
  "pending",
  "waiting",
  "held",
  "processing",
  "completed",
  "failed",
  "refunded",
] as const;
export type Status = (typeof STATUSES)[number];
/** What a vendor may tell of its own accord: that an order is there, and where it is. */
export type News = Status | "created";

export type Asked = {
  vendor: VendorCode;
  /** National: 0541234567. */
  phone: string;
  line: Line;
  volumeMb: number;
  ref: string | null;
  /** Where this order's news goes, when the vendor is told with each order. */
  webhookUrl: string | null;
  /** Given back with the order's news, where a vendor does that. */
  metadata: JsonObject | null;
};

export type Order = Asked & {
  id: number;
  /** The vendor's own number of the order, and of the money that it cost. */
  orderCode: string;
  transactionCode: string;
  pricePesewas: number;
  status: Status;
  /** How often the data arrived. More than once is somebody's loss. */
  delivered: number;
  createdAt: number;
  updatedAt: number;
};

export type Refusal = {
  why: "invalid_number" | "network_down" | "cooling" | "out_of_stock" | "float_empty" | "known_reference";
  words: string;
  waitSeconds?: number;
};

/** What is to happen to an order, and when by the simulator's clock. */
export type Act =
  | { kind: "move"; order: number; to: Status; delivers: boolean; isSilent: boolean; copies: number }
  | { kind: "tell"; order: number; news: News }
  | { kind: "resend"; webhook: number };
export type Step = { at: number; act: Act };

export type Switches = {
  /** How fast the clock goes: 1, 60, 600, or 0 when only POST /_control/advance moves it. */
  speed: number;
  floatEmpty: boolean;
  /** Pesewas that each vendor holds for the shop. */
  floats: Record<VendorCode, number>;
  /** Calls a minute that place something, at every vendor; null: each vendor's own limit. */
  rate: number | null;
  /** Lines that are out of service. */
  down: Line[];
  /** How long a number is barred after an order. */
  coolDownSeconds: number;
  webhooks: boolean;
  webhookUrls: Record<VendorCode, string | null>;
  /** DataMart tells of refunds only to those who ask for it. */
  refundedEvents: boolean;
  /** Nothing moves on until it is switched off again. */
  holdDelivery: boolean;
  /** Per cent that everything has become dearer since the list was made. */
  priceDrift: number;
};

/** Everything but the floats and addresses is replaced whole; of those, only what is named. */
export type SwitchChange = Partial<Omit<Switches, "floats" | "webhookUrls">> & {
  floats?: Partial<Switches["floats"]>;
  webhookUrls?: Partial<Switches["webhookUrls"]>;
};

/** What went out, and how it was answered. */
export type Webhook = {
  id: number;
  vendor: VendorCode;
  order: string;
  news: News;
  url: string;
  body: string;
  headers: Record<string, string>;
  /** The answer to each attempt; null for none. */
  answers: (number | null)[];
};

export const KEYS = {
  datamart: "dm_test_simulator",
  datamartWebhook: "whsec_test_simulator",
  hubnet: "hn_test_simulator",
  africastalking: "atsk_test_simulator",
  username: "sandbox",
  product: "Mobile Data",
} as const;
