// The tables. Whatever is always true of the data is a named constraint here, not only a rule in code.
// Amounts are whole pesewas in bigint; ids are bigint identities (below 2^53, so plain numbers in JavaScript).
// Indexes are ascending: Postgres reads them backwards for "newest first", and drizzle's .desc() would add
// NULLS LAST, which such a read cannot use. Hot tables carry no foreign keys: the purchase statement itself reads the
// product and the wallet, products and users are never erased, and the keys would cost a quarter of the throughput.
import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type {
  Channel,
  DeliveryKind,
  Family,
  PaymentMethod,
  Role,
  UserStatus,
} from "../../src/shared/domain.ts";
import {
  DELIVERY_KINDS,
  FAMILY_CODES,
  OPERATORS,
  type Operator,
  type OrderStatus,
  PRODUCT_LINES,
  type ProductLine,
  ROLES,
  STATUSES,
  USER_STATUSES,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "../columns.ts";

// ---------------------------------------------------------------- people

export const users = pgTable(
  "users",
  {
    id: identity(),
    username: text().notNull(),
    email: text().notNull(),
    passwordHash: text().notNull(),
    roles: text().array().$type<Role[]>().notNull().default(["USER"]),
    status: text().$type<UserStatus>().notNull().default("ACTIVE"),
    createdAt: instant().notNull().defaultNow(),
    closedAt: instant(),
  },
  (t) => [
    uniqueIndex("users_username_once").on(sql`lower(${t.username})`),
    uniqueIndex("users_email_once").on(sql`lower(${t.email})`),
    check("users_status_known", sql`${t.status} in (${oneOf(USER_STATUSES)})`),
    check(
      "users_roles_known",
      sql`${t.roles} <@ array[${oneOf(ROLES)}]::text[] and cardinality(${t.roles}) > 0`,
    ),
    check("users_closed_when_stated", sql`(${t.status} = 'CLOSED') = (${t.closedAt} is not null)`),
  ],
);

export const sessions = pgTable(
  "sessions",
  {
    id: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull().defaultNow(),
    expiresAt: instant().notNull(),
    address: text(),
    userAgent: text(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expiry").on(t.expiresAt)],
);

/** Counters of attempts (login, sign-up …) that hold across processes. */
export const rateLimits = pgTable("rate_limits", {
  bucket: text().primaryKey(),
  count: integer().notNull(),
  resetsAt: instant().notNull(),
});

// ---------------------------------------------------------------- the shop

export const operators = pgTable(
  "operators",
  {
    code: text().$type<Operator>().primaryKey(),
    name: text().notNull(),
    /** Not null: paused, and this is what buyers are told. `is_paused` in the database says what holds now. */
    pausedMessage: text(),
    pausedAt: instant(),
    pausedUntil: instant(),
  },
  (t) => [
    check("operators_code_known", sql`${t.code} in (${oneOf(OPERATORS)})`),
    check("operators_paused_with_message", sql`(${t.pausedMessage} is null) = (${t.pausedAt} is null)`),
    check("operators_end_of_a_pause", sql`${t.pausedUntil} is null or ${t.pausedMessage} is not null`),
  ],
);

/** The kinds of bundles of each operator: what routes and vendors go by. */
export const productFamilies = pgTable(
  "product_families",
  {
    code: text().$type<Family>().primaryKey(),
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
    name: text().notNull(),
  },
  (t) => [
    // What a product's family and operator refer to together.
    unique("product_families_operator_once").on(t.code, t.operator),
    check("product_families_code_known", sql`${t.code} in (${oneOf(FAMILY_CODES)})`),
  ],
);

export const products = pgTable(
  "products",
  {
    id: identity(),
    /** What is sold: a bundle of data, or the one AFA registration, which has a page and a queue of its own. */
    line: text().$type<ProductLine>().notNull().default("bundle"),
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
    /** Of a bundle; without one it is of its operator's first. */
    family: text().$type<Family>(),
    name: text().notNull(),
    size: text().notNull(),
    /** Data volume in MB, 1 GB = 1000 MB; null for what is not data. */
    volumeMb: integer(),
    pricePesewas: pesewas().notNull(),
    /**
     * What is typed for a bundle in a conversation by USSD. A trigger gives it when the bundle is made: the next one that
     * no bundle of the operator ever had, so that a shortcut learnt by heart never comes to mean another bundle.
     */
    ussdNumber: integer(),
    pausedMessage: text(),
    pausedUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
    retiredAt: instant(),
  },
  (t) => [
    index("products_operator").on(t.operator, t.pricePesewas, t.id),
    uniqueIndex("products_on_sale_once")
      .on(t.operator, sql`lower(${t.name})`, sql`lower(${t.size})`)
      .where(sql`${t.retiredAt} is null and ${t.line} = 'bundle'`),
    uniqueIndex("products_ussd_number_once")
      .on(t.operator, t.ussdNumber)
      .where(sql`${t.retiredAt} is null and ${t.line} = 'bundle'`),
    uniqueIndex("products_afa_once").on(t.line).where(sql`${t.line} = 'afa'`),
    check("products_end_of_a_pause", sql`${t.pausedUntil} is null or ${t.pausedMessage} is not null`),
    check("products_line_known", sql`${t.line} in (${oneOf(PRODUCT_LINES)})`),
    check(
      "products_afa_stays",
      sql`${t.line} <> 'afa' or (${t.retiredAt} is null and ${t.volumeMb} is null and ${t.operator} = 'MTN')`,
    ),
    foreignKey({
      name: "products_family_of_operator",
      columns: [t.family, t.operator],
      foreignColumns: [productFamilies.code, productFamilies.operator],
    }),
    check("products_family_of_bundle", sql`${t.line} = 'bundle' or ${t.family} is null`),
    check("products_price_above_zero", sql`${t.pricePesewas} > 0`),
    check("products_volume_above_zero", sql`${t.volumeMb} > 0`),
    // 9 turns the page of a list, and 0 leads back.
    check("products_ussd_number_is_free_to_type", sql`${t.ussdNumber} > 0 and ${t.ussdNumber} <> 9`),
    check(
      "products_bundle_has_ussd_number",
      sql`${t.line} <> 'bundle' or ${t.retiredAt} is not null or ${t.ussdNumber} is not null`,
    ),
  ],
);

export const settings = pgTable("settings", {
  key: text().primaryKey(),
  value: jsonb().notNull(),
  updatedAt: instant().notNull().defaultNow(),
  updatedByUserId: id(),
});

// ---------------------------------------------------------------- the ledger

/** The only money rows that change. `version` counts the changes, so that a purchase statement can see it read too early. */
export const wallets = pgTable(
  "wallets",
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    balancePesewas: pesewas().notNull().default(0),
    /** What cannot be spent while chargebacks are open; it may be more than is there. */
    heldPesewas: pesewas().notNull().default(0),
    /** What its owner owes the shop. Whatever comes in pays it first, so that a wallet which owes is empty. */
    debtPesewas: pesewas().notNull().default(0),
    version: bigint({ mode: "number" }).notNull().default(0),
    /** What its owner wants to hear by SMS of purchases. Here, because the purchase has this row in its hands anyway. */
    tellsPurchases: boolean().notNull().default(false),
    /** Told once when a purchase takes the balance below it; null: never. */
    tellBelowPesewas: pesewas(),
  },
  (t) => [
    check("wallets_never_below_zero", sql`${t.balancePesewas} >= 0`),
    check("wallets_held_not_below_zero", sql`${t.heldPesewas} >= 0`),
    check("wallets_debt_not_below_zero", sql`${t.debtPesewas} >= 0`),
    check("wallets_debt_only_when_empty", sql`${t.debtPesewas} = 0 or ${t.balancePesewas} = 0`),
    check("wallets_tell_below_above_zero", sql`${t.tellBelowPesewas} > 0`),
  ],
);

/** What the account codes in transfers mean. System accounts keep no running balance: one hot row would cost ten times the throughput. */
export const ledgerAccounts = pgTable("ledger_accounts", {
  code: text().primaryKey(),
  name: text().notNull(),
});

/** Append-only. One row is a whole double entry; a trigger refuses updates and deletes. */
export const transfers = pgTable(
  "transfers",
  {
    id: identity(),
    userId: id().notNull(),
    debit: text().notNull(),
    credit: text().notNull(),
    amountPesewas: pesewas().notNull(),
    reason: text().$type<TransferReason>().notNull(),
    /** The order's, payment's or adjustment's id, as `reason` says; of `debt_paid` the transfer whose money pays. */
    subjectId: id().notNull(),
    /** The wallet's balance after this transfer; null when no wallet is touched. */
    balanceAfterPesewas: pesewas(),
    byUserId: id(),
    /** The moment of writing, not of the transaction's start: in a wallet it never runs backwards. */
    createdAt: instant().notNull().default(sql`clock_timestamp()`),
  },
  (t) => [
    unique("transfers_once_per_subject").on(t.reason, t.subjectId),
    index("transfers_user").on(t.userId, t.id),
    check("transfers_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("transfers_balance_not_below_zero", sql`${t.balanceAfterPesewas} >= 0`),
    check(
      "transfers_accounts_fit_reason",
      sql`(${t.reason}, ${t.debit}, ${t.credit}) in (
        ('charge', 'wallet', 'sales'), ('refund', 'sales', 'wallet'), ('cash_sale', 'cash', 'sales'),
        ('adjustment', 'adjustments', 'wallet'), ('adjustment', 'wallet', 'adjustments'),
        ('topup', 'paystack', 'wallet'), ('claim', 'cash', 'wallet'),
        ('reversal', 'wallet', 'paystack'), ('reversal', 'adjustments', 'paystack'),
        ('debt', 'receivables', 'paystack'), ('debt_paid', 'wallet', 'receivables'))`,
    ),
    check(
      "transfers_balance_with_wallet",
      sql`(${t.balanceAfterPesewas} is not null) = ('wallet' in (${t.debit}, ${t.credit}))`,
    ),
  ],
);
export type TransferReason =
  | "charge"
  | "refund"
  | "cash_sale"
  | "adjustment"
  | "topup"
  | "claim"
  | "reversal"
  | "debt"
  | "debt_paid";

/** An admin's correction of a wallet: the subject of its transfer, and the reason in words. */
export const adjustments = pgTable(
  "adjustments",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    amountPesewas: pesewas().notNull(),
    reason: text().notNull(),
    byUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("adjustments_amount_not_zero", sql`${t.amountPesewas} <> 0`),
    check("adjustments_reason_given", sql`btrim(${t.reason}) <> ''`),
  ],
);

// ---------------------------------------------------------------- orders

export const bulkOrders = pgTable(
  "bulk_orders",
  {
    id: identity(),
    userId: id().notNull(),
    lines: integer().notNull(),
    amountPesewas: pesewas().notNull(),
    channel: text().$type<Channel>().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("bulk_orders_user").on(t.userId, t.id),
    check("bulk_orders_lines_above_zero", sql`${t.lines} > 0`),
  ],
);

/** The order keeps the operator, family, name, size and price it was sold at, whatever happens to the product later. */
export const orders = pgTable(
  "orders",
  {
    id: identity(),
    status: text().$type<OrderStatus>().notNull().default("PENDING"),
    userId: id().notNull(),
    bulkOrderId: id(),
    productId: id().notNull(),
    operator: text().$type<Operator>().notNull(),
    /** Of a bundle; without one it is of its operator's first. */
    family: text().$type<Family>(),
    productName: text().notNull(),
    productSize: text().notNull(),
    volumeMb: integer(),
    unitPricePesewas: pesewas().notNull(),
    quantity: smallint().notNull(),
    amountPesewas: pesewas().notNull(),
    msisdn: text().notNull(),
    channel: text().$type<Channel>().notNull(),
    paymentMethod: text().$type<PaymentMethod>(),
    paidAt: instant(),
    /** Not delivered by then: the money goes back. */
    deliverBy: instant(),
    refundedAt: instant(),
    note: text(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("orders_user").on(t.userId, t.id),
    index("orders_recipient").on(t.msisdn, t.productId, t.createdAt),
    index("orders_bulk").on(t.bulkOrderId).where(sql`${t.bulkOrderId} is not null`),
    index("orders_open")
      .on(t.status, t.id)
      .where(sql`${t.status} in ('PENDING', 'PAID', 'PROCESSING', 'FAILED')`),
    index("orders_unpaid").on(t.createdAt).where(sql`${t.paidAt} is null and ${t.status} = 'PENDING'`),
    index("orders_msisdn_part").using("gin", sql`${t.msisdn} gin_trgm_ops`),
    check("orders_status_known", sql`${t.status} in (${oneOf(STATUSES)})`),
    check("orders_quantity_1_to_100", sql`${t.quantity} between 1 and 100`),
    check("orders_price_above_zero", sql`${t.unitPricePesewas} > 0`),
    check(
      "orders_amount_is_price_times_quantity",
      sql`${t.amountPesewas} = ${t.unitPricePesewas} * ${t.quantity}`,
    ),
    check("orders_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("orders_method_known", sql`${t.paymentMethod} in ('wallet', 'paystack', 'cash')`),
    check("orders_paid_with_method", sql`(${t.paidAt} is null) = (${t.paymentMethod} is null)`),
    check("orders_move_only_when_paid", sql`${t.paidAt} is not null or ${t.status} in ('PENDING', 'FAILED')`),
    check(
      "orders_failed_money_is_back",
      sql`(${t.refundedAt} is not null) = (${t.status} = 'FAILED' and ${t.paidAt} is not null)`,
    ),
  ],
);

/** What happened to an order after it was placed. Placing and paying are on the order and in the ledger. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: identity(),
    orderId: id().notNull(),
    userId: id().notNull(),
    fromStatus: text().$type<OrderStatus>(),
    toStatus: text().$type<OrderStatus>(),
    /** Words for the timeline: the reason, or the evidence. */
    note: text(),
    /** What was heard of the delivery. Agents read what this kind says, and admins the detail: who said what. */
    kind: text().$type<DeliveryKind>(),
    detail: text(),
    /** For admins only: never on an agent's page, nor in their API. */
    isInternal: boolean().notNull().default(false),
    channel: text().$type<Channel>().notNull(),
    byUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("order_events_order").on(t.orderId, t.id),
    check("order_events_kind_known", sql`${t.kind} in (${oneOf(Object.keys(DELIVERY_KINDS))})`),
    check("order_events_detail_of_kind", sql`${t.detail} is null or ${t.kind} is not null`),
    // What happened to an order is never kept from its owner; what was thought of it may be.
    check(
      "order_events_only_notes_internal",
      sql`not ${t.isInternal} or (${t.toStatus} is null and ${t.note} is not null)`,
    ),
  ],
);

/**
 * The first answer to a request with an idempotency key. A purchase names its order or bulk order, from which the
 * answer is made again; everything else keeps the answer itself.
 */
export const idempotency = pgTable(
  "idempotency",
  {
    userId: id().notNull(),
    scope: text().notNull(),
    key: text().notNull(),
    fingerprint: text().notNull(),
    orderId: id(),
    bulkOrderId: id(),
    answer: jsonb(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "idempotency_pkey", columns: [t.userId, t.scope, t.key] }),
    index("idempotency_age").on(t.createdAt),
    check("idempotency_key_length", sql`length(${t.key}) between 1 and 255`),
  ],
);

// ---------------------------------------------------------------- work, trace, sums

/** Work to do after a commit. A claim is a lease: `run_at` moves ahead, so a dead worker's job comes back. */
export const jobs = pgTable(
  "jobs",
  {
    id: identity(),
    kind: text().notNull(),
    subjectId: id().notNull(),
    attempts: smallint().notNull().default(0),
    runAt: instant().notNull().defaultNow(),
    lastError: text(),
    deadAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("jobs_due").on(t.kind, t.runAt, t.id).where(sql`${t.deadAt} is null`),
    index("jobs_dead").on(t.id).where(sql`${t.deadAt} is not null`),
  ],
);

export const auditLog = pgTable(
  "audit_log",
  {
    id: identity(),
    byUserId: id(),
    /** The name they had then: it stays when their account is deleted. */
    byUsername: text(),
    action: text().notNull(),
    subjectType: text().notNull(),
    subjectId: text().notNull(),
    before: jsonb(),
    after: jsonb(),
    requestId: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("audit_log_subject").on(t.subjectType, t.subjectId, t.id)],
);

/** Paid orders that are not FAILED, by the day they were paid: what dashboards add up instead of reading orders. */
const sumsOfDay = () => ({
  day: date({ mode: "string" }).notNull(),
  operator: text().$type<Operator>().notNull(),
  orders: integer().notNull(),
  amountPesewas: pesewas().notNull(),
  volumeMb: bigint({ mode: "number" }).notNull(),
});
export const userDays = pgTable("user_days", { userId: id().notNull(), ...sumsOfDay() }, (t) => [
  primaryKey({ name: "user_days_pkey", columns: [t.userId, t.day, t.operator] }),
  check("user_days_not_below_zero", sql`${t.orders} >= 0 and ${t.amountPesewas} >= 0 and ${t.volumeMb} >= 0`),
]);

/** The same of everybody: sums that the worker folds, plus the changes since. One row for a day would be hot. */
export const shopDays = pgTable("shop_days", sumsOfDay(), (t) => [
  primaryKey({ name: "shop_days_pkey", columns: [t.day, t.operator] }),
]);
export const shopDayDeltas = pgTable("shop_day_deltas", { id: identity(), ...sumsOfDay() });

/** Orders by status: a sum that the worker folds, plus the changes since. A single counter row would be hot. */
export const orderCounts = pgTable("order_counts", {
  status: text().$type<OrderStatus>().primaryKey(),
  count: bigint({ mode: "number" }).notNull(),
});
export const orderCountDeltas = pgTable("order_count_deltas", {
  id: identity(),
  status: text().$type<OrderStatus>().notNull(),
  delta: integer().notNull(),
});

/** True once the demonstration shop was made here: production refuses to start on such a database. */
export const shopFacts = pgTable(
  "shop_facts",
  {
    only: boolean().primaryKey().default(true),
    demonstration: boolean().notNull().default(false),
    /** True while the demonstration shop is being made: what is found then is half of one. */
    seeding: boolean().notNull().default(false),
  },
  (t) => [check("shop_facts_one_row", sql`${t.only}`)],
);
