// The domain's vocabulary and limits: operators, families, statuses, transitions, channels. Shared by all entry points.

/** The code of a network operator: "MTN". Operators are rows; shared/operators.ts answers what is known of them. */
export type Operator = string;
/** The code of a family of bundles: "AT_BIGTIME". A vendor's network code stands for one. */
export type Family = string;

/** The `size` of the AFA registration, which has no amount of data. */
export const AFA_SIZE = "AFA";
/** The operator that registers people for AFA. */
export const AFA_OPERATOR: Operator = "MTN";

/** Kinds of products: bundles, and MTN's AFA registration. */
export const PRODUCT_LINES = ["bundle", "afa"] as const;
export type ProductLine = (typeof PRODUCT_LINES)[number];

export const STATUSES = ["PENDING", "PAID", "PROCESSING", "DELIVERED", "COMPLETED", "FAILED"] as const;
export type OrderStatus = (typeof STATUSES)[number];

/** The statuses that an admin may set, by an order's current status. FAILED is final. */
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
export type AdminTarget = (typeof ADMIN_TARGETS)[number];

/** The statuses that a refunded order can turn out to have, when its refund is taken back. */
export const TAKE_BACK_TARGETS = ["DELIVERED", "COMPLETED"] as const satisfies readonly OrderStatus[];

/** The statuses of unfinished orders, which "show only new" lists. */
export const OPEN_STATUSES = ["PENDING", "PAID", "PROCESSING"] as const satisfies readonly OrderStatus[];

/** Whether an order with this status is unfinished. */
export function isOpen(status: OrderStatus): boolean {
  return OPEN_STATUSES.some((open) => open === status);
}

/** The statuses of orders in new_orders.csv: those to be sent now, if they are paid. */
export const TO_SEND_STATUSES = ["PENDING", "PROCESSING"] as const satisfies readonly OrderStatus[];

/** The states of an AFA registration, with their labels, by the statuses of its order. */
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

/** USER is an agent, ADMIN the shop's owner; shared/rights.ts has what the others may do. */
export const ROLES = ["USER", "ADMIN", "MANAGER", "DESK", "SUPPORT", "ACCOUNTS"] as const;
export type Role = (typeof ROLES)[number];

export const USER_STATUSES = ["ACTIVE", "BANNED", "CLOSED"] as const;
export type UserStatus = (typeof USER_STATUSES)[number];

const PAYMENT_METHODS = ["wallet", "paystack", "cash"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/**
 * The states of a payment; a failed or expired one may still be paid. `review`: an admin has to decide. `closed`: an
 * admin decided not to credit it.
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

/** How an admin ends a review: credits what was paid, credits what was asked for, or notes that it was refunded. */
export const PAYMENT_DECISIONS = ["credit_paid", "credit_asked", "refunded"] as const;
export type PaymentDecision = (typeof PAYMENT_DECISIONS)[number];

/**
 * The states of a delivery attempt by a vendor or the desk. `unknown`: it may have been accepted, so its status is
 * checked and it is never sent again. `held`: accepted, but something about the number delays it. `withdrawn`:
 * cancelled before it was sent.
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
 * The kinds of delivery events, with what the agent reads. Who delivers, and the vendor's message, are for admins only
 * and are stored separately.
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

/** How a dispute ends: delivered, with proof; refunded; or withdrawn by the agent. */
export const DISPUTE_OUTCOMES = ["delivered", "refunded", "withdrawn"] as const;
export type DisputeOutcome = (typeof DISPUTE_OUTCOMES)[number];

/** The states of a support request: open until support answers, and open again when the user replies. */
export const REQUEST_STATES = ["open", "answered", "closed"] as const;
export type RequestState = (typeof REQUEST_STATES)[number];

/** Mobile money networks by Paystack's codes (Paystack, "Payment channels", Ghana). */
export const NETWORKS = { mtn: "MTN MoMo", vod: "Telecel Cash", atl: "AirtelTigo Money" } as const;
export type Network = keyof typeof NETWORKS;

export const MESSAGE_CHANNELS = ["sms", "email", "push"] as const;
export type MessageChannel = (typeof MESSAGE_CHANNELS)[number];
/** The channels that can carry a code: a push message appears on a locked screen. */
export type CodeChannel = Exclude<MessageChannel, "push">;

/** The gateways that can send SMS. Without a choice, the first that has keys sends. */
export const SMS_GATEWAYS = ["africastalking", "arkesel", "hubtel"] as const;
export type SmsGateway = (typeof SMS_GATEWAYS)[number];
export const SMS_GATEWAY_NAMES: Record<SmsGateway, string> = {
  africastalking: "Africa's Talking",
  arkesel: "Arkesel",
  hubtel: "Hubtel",
};
/**
 * How a gateway answered an attempt to send. "refused": it will never send this message; "busy": not now; "down": it
 * would send none; "unknown": it may have sent it.
 */
export const ATTEMPT_OUTCOMES = ["accepted", "refused", "busy", "down", "unknown"] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];
/** How a number stopped SMS notices: through its network and the gateway, or by texting STOP to us. */
export const OPT_OUT_SOURCES = ["gateway", "sms", "web"] as const;
export type OptOutSource = (typeof OPT_OUT_SOURCES)[number];
/** How it got them back: by texting START, or by its owner in the profile. */
export const OPT_IN_SOURCES = ["sms", "profile"] as const;
export type OptInSource = (typeof OPT_IN_SOURCES)[number];

/**
 * The states of a message. "sending": with the provider now. "unknown": it may or may not have arrived. "sent":
 * accepted by the provider; a later report makes an SMS "delivered", or "undelivered" until a better report comes.
 */
export const MESSAGE_STATES = ["queued", "sending", "sent", "delivered", "undelivered", "failed", "unknown"] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** How money came into a wallet: by Paystack, by a deposit of mobile money, or by an admin's correction. */
export const TOP_UP_SOURCES = ["paystack", "mobile_money", "correction"] as const;
export type TopUpSource = (typeof TOP_UP_SOURCES)[number];
/**
 * Why a webhook is paused: by its owner, because nothing arrived for days, because it answered 410, or because it has
 * not answered a test since it was added or changed.
 */
export const HOOK_PAUSES = ["owner", "failing", "gone", "unproven"] as const;
export type HookPause = (typeof HOOK_PAUSES)[number];
/** "waiting" for the first or the next try; "failed" after the last. */
export const HOOK_DELIVERY_STATES = ["waiting", "sending", "delivered", "failed"] as const;
export type HookDeliveryState = (typeof HOOK_DELIVERY_STATES)[number];

/** The commands of inbound SMS; OTHER is anything not understood. */
export const INBOUND_COMMANDS = ["BAL", "BUY", "STATUS", "HELP", "STOP", "START", "OTHER"] as const;
export type InboundCommand = (typeof INBOUND_COMMANDS)[number];

/** The languages of USSD and SMS; an account without a choice has the first. */
export const LANGUAGES = ["en", "tw"] as const;
export type Language = (typeof LANGUAGES)[number];
/** Each language in its own words. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", tw: "Twi" };

/** The entry point that a command came through. */
export type Channel = "web" | "api" | "ussd" | "sms" | "admin" | "system";

/** How the owner of a wallet gets back what is in it. */
export const PAYOUT_METHODS = ["momo", "cash"] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

/** The states of a request for a second person's agreement. "outdated": what it was about had changed. */
export const APPROVAL_STATES = ["open", "agreed", "refused", "withdrawn", "expired", "outdated"] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** A user who acts, through a channel. */
export type ByUser = {
  userId: number;
  roles: readonly Role[];
  channel: Channel;
  requestId?: string;
  /** Set when they have not proved for a while who they are; see shared/rights.ts, requireConfirmed. */
  isUnconfirmed?: true;
  /** The API key that acts for them. */
  keyId?: number;
  /** The request that is carried out, and who agrees to it; `peeks`: only to see what it would meet. */
  approval?: { id: number; byUserId: number; peeks?: true };
};
/** The system itself as actor: deadlines, and reports from providers. */
export type BySystem = { userId: null; roles: readonly Role[]; channel: "system"; requestId?: string };
/** Who acts: the first field of every command. */
export type By = ByUser | BySystem;

export const SYSTEM: BySystem = { userId: null, roles: [], channel: "system" };

/** Limits that the islands use too, as separate constants so that bundles do not carry all the others. */
export const QUANTITY_MAX = 100;
export const BULK_LINES_MAX = 10_000;

export const limits = {
  quantityMax: QUANTITY_MAX,
  bulkLines: BULK_LINES_MAX,
  bulkMoveOrders: 10_000,
  deskBatchOrders: 500,
  pageSize: 50,
  pageSizeMax: 200,
  /** Of each kind that waits for staff this many are counted, and as many are listed. */
  waitingRows: 500,
  bodyBytes: 65_536,
  /** An address with its parameters; no link or form of ours comes near. */
  addressChars: 8_000,
  bulkBodyBytes: 2_097_152,
  bulkFileBytes: 2_097_152,
  // Lines, a file, and room to receive an oversized file and refuse it politely.
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
  hookAnswerMs: 10_000,
  /** Messages that are sent again at once. */
  hookReplay: 10_000,
  pushDevices: 5,
  apiKeys: 20,
  apiKeyNameChars: 60,
  apiKeyAddresses: 20,
  apiKeyOverlapHours: 24,
  apiKeyShownDays: 30,
  requestLogDays: 14,
} as const;

/** The desk: not a vendor that can be called, but orders are routed to it like to one. */
export const DESK = "desk";

/** Who delivers an order that an admin sets to PROCESSING: that admin, at the desk, or the vendor of its route. */
export const SENDERS = ["desk", "route"] as const;
export type Sender = (typeof SENDERS)[number];
