// The vocabulary of the trade and its limits: operators, families, statuses and transitions. Kept in one file because
// the server, every channel and the pages in the browser use them.

export const OPERATORS = ["MTN", "AIRTELTIGO", "TELECEL"] as const;
export type Operator = (typeof OPERATORS)[number];

export const OPERATOR_NAMES: Record<Operator, string> = {
  MTN: "MTN",
  AIRTELTIGO: "AirtelTigo",
  TELECEL: "Telecel",
};

/** The page on which each operator's bundles are sold. */
export const OPERATOR_PATHS: Record<Operator, string> = {
  MTN: "/mtn-data",
  AIRTELTIGO: "/airtel-tigo",
  TELECEL: "/telecel",
};

/**
 * The kinds of bundle. The family decides which route delivers a bundle. An operator's first family is its default,
 * where a product or request names none.
 */
export const FAMILY_CODES = ["MTN", "AT_ISHARE", "AT_BIGTIME", "TELECEL"] as const;
export type Family = (typeof FAMILY_CODES)[number];

export const FAMILIES: Record<Family, { operator: Operator; name: string }> = {
  MTN: { operator: "MTN", name: "MTN" },
  AT_ISHARE: { operator: "AIRTELTIGO", name: "AT iShare" },
  AT_BIGTIME: { operator: "AIRTELTIGO", name: "AT BigTime" },
  TELECEL: { operator: "TELECEL", name: "Telecel" },
};

/** An operator's families; the first is the default. */
export function familiesOf(operator: Operator): Family[] {
  return FAMILY_CODES.filter((family) => FAMILIES[family].operator === operator);
}

/** The family of a sold bundle; one that was sold before there were families has its operator's default. */
export function familyOf(sold: { operator: Operator; family: Family | null }): Family {
  return sold.family ?? familiesOf(sold.operator)[0]!;
}

/** The size of the AFA registration product, which is not an amount of data. */
export const AFA_SIZE = "AFA";

/** The display name of a bundle: "MTN 1GB", "AT BigTime 15GB", "3 x MTN 1GB", "MTN AFA registration". */
export function bundleName(
  sold: { operator: Operator; family: Family | null; size: string },
  quantity = 1,
): string {
  if (sold.size === AFA_SIZE) return "MTN AFA registration";
  const name = `${FAMILIES[familyOf(sold)].name} ${sold.size}`;
  return quantity > 1 ? `${quantity} x ${name}` : name;
}

/** The display name of an order's bundle. */
export function orderedBundle(
  order: { operator: Operator; family: Family | null; productSize: string },
  quantity = 1,
): string {
  return bundleName({ ...order, size: order.productSize }, quantity);
}

/** The product lines on sale: bundles, and MTN's AFA registration. */
export const PRODUCT_LINES = ["bundle", "afa"] as const;
export type ProductLine = (typeof PRODUCT_LINES)[number];

export const STATUSES = ["PENDING", "PAID", "PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const;
export type OrderStatus = (typeof STATUSES)[number];

/** The statuses that an admin may give an order, by its current status. FAILED is final. */
export const TRANSITIONS: Record<OrderStatus, readonly OrderStatus[]> = {
  PENDING: ["PROCESSING", "COMPLETED", "FAILED"],
  PAID: ["PROCESSING", "FAILED"],
  PROCESSING: ["DELIVERED", "COMPLETED", "FAILED"],
  DELIVERED: ["COMPLETED", "FAILED"],
  COMPLETED: ["FAILED"],
  FAILED: [],
};

/** The statuses that an admin can set; PAID comes from a payment, and PENDING from placing the order. */
export const ADMIN_TARGETS = ["PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const;

/** The statuses of unfinished orders, which "show only new" lists. */
export const OPEN_STATUSES = ["PENDING", "PAID", "PROCESSING"] as const satisfies readonly OrderStatus[];

export function isOpen(status: OrderStatus): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

/** The statuses of orders that have to be sent now; new_orders.csv lists those of them that are paid. */
export const TO_SEND_STATUSES = ["PENDING", "PROCESSING"] as const satisfies readonly OrderStatus[];

/** The states of an AFA registration and their labels, by the statuses of its order. */
export const AFA_STATES = {
  submitted: { label: "Submitted", statuses: ["PENDING", "PAID"] },
  sent: { label: "Sent to MTN", statuses: ["PROCESSING"] },
  registered: { label: "Registered", statuses: ["DELIVERED", "COMPLETED"] },
  refused: { label: "Refused", statuses: ["FAILED"] },
} as const satisfies Record<string, { label: string; statuses: readonly OrderStatus[] }>;
export type AfaState = keyof typeof AFA_STATES;

/** The state of an AFA registration whose order has this status. */
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

/**
 * The states of a provider's payment; a failed or expired one may still be paid. `review`: an admin decides about it.
 * `closed`: an admin has decided, and it is not credited as a payment.
 */
export const PAYMENT_STATES = [
  "created",
  "pending",
  "paid",
  "failed",
  "expired",
  "review",
  "reversed",
  "closed",
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** How an admin ends a payment's review: credits the amount paid, credits the amount requested, or records a refund. */
export const PAYMENT_DECISIONS = ["credit_paid", "credit_asked", "refunded"] as const;
export type PaymentDecision = (typeof PAYMENT_DECISIONS)[number];

/**
 * The states of a delivery attempt with a vendor or the desk. `unknown`: the vendor may have accepted it, so its status
 * is checked and it is never sent again. `held`: accepted, and waiting for something about the number. `withdrawn`:
 * taken back before it was sent.
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

/**
 * The kinds of delivery events, each with the text that the agent reads. The vendor and its message are for admins only
 * and are stored beside it.
 */
export const DELIVERY_KINDS = {
  queued: "Waiting to be sent",
  sent: "Sent for delivery",
  checking: "Sent for delivery, we are confirming it",
  working: "The network is working on it",
  held: "The network is holding it: the number may have to be activated first",
  waiting: "Waiting, we are on it",
  resending: "Sending it again",
  refused: "The network could not deliver it",
  delivered: "The network delivered it",
  delivered_late: "The network says it was delivered after all",
  taken_back: "The network took the delivery back",
} as const;
export type DeliveryKind = keyof typeof DELIVERY_KINDS;

/** The outcomes of a not-received dispute: delivered, with proof; refunded; or withdrawn by the agent. */
export const DISPUTE_OUTCOMES = ["delivered", "refunded", "withdrawn"] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/** The states of a support request: open until support has answered, and open again when the agent writes again. */
export const REQUEST_STATES = ["open", "answered", "closed"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Mobile money networks by Paystack's codes (Paystack, "Payment channels", Ghana). */
export const NETWORKS = { mtn: "MTN MoMo", vod: "Telecel Cash", atl: "AirtelTigo Money" } as const;
export type Network = keyof typeof NETWORKS;

export const MESSAGE_CHANNELS = ["sms", "email"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
/**
 * The states of a message. "sending" is with the provider now; "unknown" may have arrived. "sent" was accepted by the
 * provider; whether an SMS arrived is reported later: "delivered", or "undelivered" until a better report comes.
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

/** The events sent to developers' endpoints: an order's change of status, and `ping` for tests. */
export const HOOK_EVENTS = ["order.status_changed", "ping"] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];
/**
 * Why an endpoint is paused: its owner paused it, it has failed for days, it answered 410 Gone, or it has not answered
 * a test since it was added or changed.
 */
export const HOOK_PAUSES = ["owner", "failing", "gone", "unproven"] as const;
export type HookPause = (typeof HOOK_PAUSES)[number];
/** The states of a webhook delivery: "waiting" for its first or next attempt; "failed" after the last one. */
export const HOOK_DELIVERY_STATES = ["waiting", "sending", "delivered", "failed"] as const;
export type HookDeliveryState = (typeof HOOK_DELIVERY_STATES)[number];

/** The commands of inbound SMS; OTHER is everything that is not understood. */
export const INBOUND_COMMANDS = ["BAL", "BUY", "STATUS", "HELP", "OTHER"] as const;
export type InboundCommand = (typeof INBOUND_COMMANDS)[number];

/** The channel that a command came through. */
export type Channel = "web" | "api" | "ussd" | "sms" | "admin" | "system";

/** Who runs a command: the first field of every command. `userId` is null for the system itself. */
export type By = { userId: number | null; roles: readonly Role[]; channel: Channel; requestId?: string };

/** The system itself: for scheduled jobs, and for reports from vendors and payment providers. */
export const SYSTEM: By = { userId: null, roles: [], channel: "system" };

/** Limits that pages in the browser need, too: apart from the others, which would only add to the scripts' size. */
export const QUANTITY_MAX = 100;
export const BULK_LINES_MAX = 10_000;

export const limits = {
  quantityMax: QUANTITY_MAX,
  bulkLines: BULK_LINES_MAX,
  bulkMoveOrders: 10_000,
  deskBatchOrders: 500,
  pageSize: 50,
  pageSizeMax: 200,
  bodyBytes: 65_536,
  bulkBodyBytes: 2_097_152,
  bulkFileBytes: 2_097_152,
  // Lines and a file, with room to spare, so that a file that is too large still gets a proper message.
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

/** The desk is not a vendor with an API, but orders are routed to it in the same way. */
export const DESK = "desk";

/** Who delivers an order that an admin processes: that admin at the desk, or the vendor of its route. */
export const SENDERS = ["desk", "route"] as const;
export type Sender = (typeof SENDERS)[number];
