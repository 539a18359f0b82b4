// The words of the trade and its limits: operators, statuses, the table of moves. One place for every door.

export const OPERATORS = ["MTN", "AIRTELTIGO", "TELECEL"] as const;
export type Operator = (typeof OPERATORS)[number];

export const OPERATOR_NAMES: Record<Operator, string> = {
  MTN: "MTN",
  AIRTELTIGO: "AirtelTigo",
  TELECEL: "Telecel",
};

/** What is on sale: bundles, and MTN's AFA registration. */
export const PRODUCT_LINES = ["bundle", "afa"] as const;
export type ProductLine = (typeof PRODUCT_LINES)[number];

export const STATUSES = ["PENDING", "PAID", "PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const;
export type OrderStatus = (typeof STATUSES)[number];

/** What an admin may move an order to, by the status it has. FAILED is final. */
export const MOVES: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ["PROCESSING", "COMPLETED", "FAILED"],
  PAID: ["PROCESSING", "FAILED"],
  PROCESSING: ["DELIVERED", "COMPLETED", "FAILED"],
  DELIVERED: ["COMPLETED", "FAILED"],
  COMPLETED: ["FAILED"],
  FAILED: [],
};

/** The statuses that an admin can give; PAID comes from a payment and PENDING from placing the order. */
export const ADMIN_TARGETS = ["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const;

/** Orders that are not finished: what "show only new" is about. */
export const OPEN_STATUSES = ["PENDING", "PAID", "PROCESSING"] as const satisfies readonly OrderStatus[];

export function isOpen(status: OrderStatus): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

/** What new_orders.csv is about: orders that somebody is to send now. Of these, only paid ones are in it. */
export const TO_SEND_STATUSES = ["PENDING", "PROCESSING"] as const satisfies readonly OrderStatus[];

/** Where an AFA registration stands, in its own words, by the statuses of its order. */
export const AFA_STATES = {
  submitted: { words: "Submitted", statuses: ["PENDING", "PAID"] },
  sent: { words: "Sent to MTN", statuses: ["PROCESSING"] },
  registered: { words: "Registered", statuses: ["DELIVERED", "COMPLETED"] },
  refused: { words: "Refused", statuses: ["FAILED"] },
} as const satisfies Record<string, { words: string; statuses: readonly OrderStatus[] }>;
export type AfaState = keyof typeof AFA_STATES;

/** The words for an AFA registration whose order has this status. */
export function afaStateOf(status: OrderStatus): AfaState {
  const states = Object.entries(AFA_STATES) as [AfaState, { statuses: readonly OrderStatus[] }][];
  return states.find(([, { statuses }]) => statuses.includes(status))![0];
}

export const ROLES = ["USER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

export const USER_STATUSES = ["ACTIVE", "BANNED", "CLOSED"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

export const PAYMENT_METHODS = ["wallet", "paystack", "cash"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** Where a payment from outside can be; a failed or expired one may still be paid. */
export const PAYMENT_STATES = [
  "created",
  "pending",
  "paid",
  "failed",
  "expired",
  "review",
  "reversed",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/**
 * Where the hand-over of an order to a vendor or the desk can be. `unknown`: nobody can say whether it was taken, so it
 * is looked up and never sent again. `held`: taken, and waiting for something about the number. `withdrawn`: taken back
 * before it was sent.
 */
export const ATTEMPT_STATES = [
  "queued",
  "sending",
  "unknown",
  "accepted",
  "processing",
  "held",
  "delivered",
  "failed",
  "refunded",
  "withdrawn",
] as const;
export type AttemptState = (typeof ATTEMPT_STATES)[number];

/** How "it has not arrived" can end: delivered, with proof; the money back; or taken back by whoever said it. */
export const CASE_OUTCOMES = ["delivered", "refunded", "withdrawn"] as const;
export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

/** A request to support: open until support has answered, open again when whoever asked says more. */
export const REQUEST_STATES = ["open", "answered", "closed"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Mobile money networks by Paystack's codes (Paystack, "Payment channels", Ghana). */
export const NETWORKS = { mtn: "MTN MoMo", vod: "Telecel Cash", atl: "AirtelTigo Money" } as const;
export type Network = keyof typeof NETWORKS;

export const MESSAGE_CHANNELS = ["sms", "email"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
/**
 * "sending" is with the provider now; "unknown" may have arrived, and nobody can tell. "sent" was taken by the provider;
 * whether an SMS arrived is reported later: "delivered", or "undelivered" as long as nothing better is heard.
 */
export const MESSAGE_STATES = [
  "queued",
  "sending",
  "sent",
  "delivered",
  "undelivered",
  "failed",
  "unknown",
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** What developers' endpoints are told: an order's change of status, and nothing in particular when they try them out. */
export const HOOK_EVENTS = ["order.status_changed", "ping"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];
/** Why nothing is sent to an endpoint: its owner said so, nothing has arrived there for days, or it answered 410. */
export const HOOK_PAUSES = ["owner", "failing", "gone"] as const;
export type HookPause = (typeof HOOK_PAUSES)[number];
/** "waiting" for its first or its next try; "failed" after the last one. */
export const HOOK_DELIVERY_STATES = ["waiting", "sending", "delivered", "failed"] as const;
export type HookDeliveryState = (typeof HOOK_DELIVERY_STATES)[number];

/** What an SMS to us can ask for; OTHER is everything that is not understood. */
export const INBOUND_COMMANDS = ["BAL", "BUY", "STATUS", "HELP", "OTHER"] as const;
export type InboundCommand = (typeof INBOUND_COMMANDS)[number];

/** The door a command came through. */
export type Channel = "web" | "api" | "ussd" | "sms" | "admin" | "system";

/** Who asks: the first field of every command. `userId` is null for the system's own work. */
export type By = { userId: number | null; roles: readonly Role[]; channel: Channel; requestId?: string };

/** The shop's own work: what falls due by the clock, and what is heard from outside. */
export const SYSTEM: By = { userId: null, roles: [], channel: "system" };

export const limits = {
  quantityMax: 100,
  bulkLines: 10_000,
  bulkMoveOrders: 10_000,
  deskBatchOrders: 500,
  pageSize: 50,
  pageSizeMax: 200,
  bodyBytes: 65_536,
  bulkBodyBytes: 2_097_152,
  bulkFileBytes: 2_097_152,
  // Lines, a file, and room to say in words that a file is too large.
  bulkUploadBytes: 12_582_912,
  bulkDrafts: 20,
  jsonDepth: 16,
  keyChars: 255,
  duplicateWindowMinutes: 10,
  unpaidExpiryHours: 24,
  idempotencyHours: 48,
  requestTimeoutMs: 9_000,
  statementDays: 366,
  statementEntries: 50_000,
  noteChars: 1_000,
  messageChars: 2_000,
  jobAttempts: 8,
  afaPeople: 20,
  afaExport: 500,
  hooks: 5,
  hookUrlChars: 500,
  hookDescriptionChars: 100,
  hookDeliveryDays: 14,
  hookSecretHours: 24,
} as const;

export function isAdmin(by: Pick<By, "roles">): boolean {
  return by.roles.some((role) => role.toUpperCase() === "ADMIN");
}
