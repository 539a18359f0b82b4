// Orders, their events, and daily totals.

import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  type Channel,
  DELIVERY_KINDS,
  type DeliveryKind,
  type Family,
  type Operator,
  type OrderStatus,
  type PaymentMethod,
  STATUSES,
} from "../../src/shared/domain.ts";
import {
  FIGURE_MEANINGS,
  type FigureMeaning,
  OTHER_NETWORK_MEANINGS,
  type OtherNetworkMeaning,
} from "../../src/shared/lists/bulk-bundles.ts";
import { FAILURE_CODES, type FailureCode } from "../../src/shared/orders/order-failures.ts";
import { operators } from "./catalog.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { metadataFits, ownReference, referenceFits } from "./orders-reference.ts";

// ---------------------------------------------------------------- orders
export const bulkOrders = pgTable(
  "bulk_orders",
  {
    id: identity(),
    userId: id().notNull(),
    lines: integer().notNull(),
    amountPesewas: pesewas().notNull(),
    channel: text().$type<Channel>().notNull(),
    ...ownReference(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("bulk_orders_user").on(t.userId, t.id),
    index("bulk_orders_age").on(t.createdAt),
    index("bulk_orders_reference").on(t.reference, t.userId, t.id).where(sql`${t.reference} is not null`),
    uniqueIndex("bulk_orders_reference_once").on(t.userId, t.reference).where(sql`${t.isReferenceUnique}`),
    check("bulk_orders_lines_above_zero", sql`${t.lines} > 0`),
    check("bulk_orders_reference_fits", referenceFits(t)),
    check("bulk_orders_metadata_fits", metadataFits(t)),
  ],
);

/** The order keeps the operator, family, name, size and price it was sold at, regardless of later product changes. */
export const orders = pgTable(
  "orders",
  {
    id: identity(),
    status: text().$type<OrderStatus>().notNull().default("PENDING"),
    userId: id().notNull(),
    bulkOrderId: id(),
    productId: id().notNull(),
    operator: text().$type<Operator>().notNull(),
    /** Of a bundle; null means its operator's first family. */
    family: text().$type<Family>(),
    productName: text().notNull(),
    productSize: text().notNull(),
    volumeMb: integer(),
    unitPricePesewas: pesewas().notNull(),
    quantity: smallint().notNull(),
    amountPesewas: pesewas().notNull(),
    /** The tier that its buyer had; null before there were tiers. */
    tierId: id(),
    /** What it costs the shop: expected at the sale, the vendor's own from its delivery on; null while not known. */
    costPesewas: pesewas(),
    isCostFinal: boolean().notNull().default(false),
    msisdn: text().notNull(),
    channel: text().$type<Channel>().notNull(),
    paymentMethod: text().$type<PaymentMethod>(),
    /** The API key that paid it from the wallet; null when a person did. */
    keyId: id(),
    paidAt: instant(),
    /** The delivery deadline, after which it is refunded. */
    deliverBy: instant(),
    refundedAt: instant(),
    /** Why it is FAILED; null also on one that failed before this was recorded. */
    failure: text().$type<FailureCode>(),
    note: text(),
    ...ownReference(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("orders_user").on(t.userId, t.id),
    index("orders_recipient").on(t.msisdn, t.productId, t.createdAt),
    index("orders_bulk_lines").on(t.bulkOrderId, t.id).where(sql`${t.bulkOrderId} is not null`),
    index("orders_reference").on(t.reference, t.userId, t.id).where(sql`${t.reference} is not null`),
    uniqueIndex("orders_reference_once").on(t.userId, t.reference).where(sql`${t.isReferenceUnique}`),
    index("orders_open").on(t.status, t.id).where(sql`${t.status} in ('PENDING', 'PAID', 'PROCESSING', 'FAILED')`),
    index("orders_due")
      .on(t.deliverBy, t.id)
      .where(sql`${t.status} in ('PENDING', 'PAID', 'PROCESSING') and ${t.paidAt} is not null`),
    index("orders_unpaid").on(t.createdAt).where(sql`${t.paidAt} is null and ${t.status} = 'PENDING'`),
    // Orders wait in a list before they are put into it, which every search reads: it stays short.
    index("orders_number_keys")
      .using("gin", sql`number_keys(${t.id}, ${t.msisdn})`)
      .with({ gin_pending_list_limit: 256 }),
    check("orders_status_known", sql`${t.status} in (${oneOf(STATUSES)})`),
    check("orders_quantity_1_to_100", sql`${t.quantity} between 1 and 100`),
    check("orders_price_above_zero", sql`${t.unitPricePesewas} > 0`),
    check("orders_amount_is_price_times_quantity", sql`${t.amountPesewas} = ${t.unitPricePesewas} * ${t.quantity}`),
    check("orders_cost_not_below_zero", sql`${t.costPesewas} >= 0`),
    check("orders_final_cost_known", sql`not ${t.isCostFinal} or ${t.costPesewas} is not null`),
    check("orders_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("orders_method_known", sql`${t.paymentMethod} in ('wallet', 'paystack', 'cash')`),
    check("orders_paid_with_method", sql`(${t.paidAt} is null) = (${t.paymentMethod} is null)`),
    check("orders_move_only_when_paid", sql`${t.paidAt} is not null or ${t.status} in ('PENDING', 'FAILED')`),
    check(
      "orders_failed_money_is_back",
      sql`(${t.refundedAt} is not null) = (${t.status} = 'FAILED' and ${t.paidAt} is not null)`,
    ),
    check("orders_failure_known", sql`${t.failure} in (${oneOf(FAILURE_CODES)})`),
    check("orders_reference_fits", referenceFits(t)),
    check("orders_metadata_fits", metadataFits(t)),
  ],
);

/** The events of an order after it was placed. Placing and paying are on the order and in the ledger. */
export const orderEvents = pgTable(
  "order_events",
  {
    id: identity(),
    orderId: id().notNull(),
    userId: id().notNull(),
    fromStatus: text().$type<OrderStatus>(),
    toStatus: text().$type<OrderStatus>(),
    /** Text for the timeline: the reason, or the evidence. */
    note: text(),
    /** The kind of a delivery report, whose text agents read; admins read the detail with the vendor's message. */
    kind: text().$type<DeliveryKind>(),
    detail: text(),
    /** For admins only: never on an agent's page or in their API. */
    isInternal: boolean().notNull().default(false),
    channel: text().$type<Channel>().notNull(),
    byUserId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("order_events_order").on(t.orderId, t.id),
    check("order_events_kind_known", sql`${t.kind} in (${oneOf(Object.keys(DELIVERY_KINDS))})`),
    check("order_events_detail_of_kind", sql`${t.detail} is null or ${t.kind} is not null`),
    // Status changes are never hidden from the owner; only notes may be.
    check(
      "order_events_only_notes_internal",
      sql`not ${t.isInternal} or (${t.toStatus} is null and ${t.note} is not null)`,
    ),
  ],
);

/** Totals of paid orders that are not FAILED, by the day they were paid, which dashboards read instead of orders. */
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

/** The shop's totals: sums that the worker folds, plus the deltas since. One row per day would be a hot row. */
export const shopDays = pgTable("shop_days", sumsOfDay(), (t) => [
  primaryKey({ name: "shop_days_pkey", columns: [t.day, t.operator] }),
]);

export const shopDayDeltas = pgTable("shop_day_deltas", { id: identity(), ...sumsOfDay() });

/** Orders by status: sums that the worker folds, plus the deltas since. A single counter would be a hot row. */
export const orderCounts = pgTable("order_counts", {
  status: text().$type<OrderStatus>().primaryKey(),
  count: bigint({ mode: "number" }).notNull(),
});

export const orderCountDeltas = pgTable("order_count_deltas", {
  id: identity(),
  status: text().$type<OrderStatus>().notNull(),
  delta: integer().notNull(),
});

/** An order delivered after its refund, at the shop's expense, with its agent and vendor. */
export const losses = pgTable(
  "losses",
  {
    id: identity(),
    orderId: id().notNull(),
    userId: id().notNull(),
    attemptId: id().notNull(),
    vendor: text().notNull(),
    deskBatchId: id(),
    /** The amount refunded to the agent. */
    amountPesewas: pesewas().notNull(),
    /** What the vendor charged; null when unknown. */
    costPesewas: pesewas(),
    /** An admin's findings. */
    note: text(),
    settledAt: instant(),
    settledByUserId: id(),
    /** When the refund was taken back: since then it is none. */
    recoveredAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("losses_once_per_order").on(t.orderId),
    index("losses_user").on(t.userId, t.createdAt),
    index("losses_age").on(t.createdAt),
    index("losses_unsettled").on(t.id).where(sql`${t.settledAt} is null`),
    check("losses_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("losses_settled_with_note", sql`(${t.settledAt} is null) = (${t.note} is null)`),
    check("losses_recovered_are_settled", sql`${t.recoveredAt} is null or ${t.settledAt} is not null`),
  ],
);

export const AUTOMATIC_REFUNDS = ["not_received", "not_delivered"] as const;

/**
 * An order that was refunded because nobody decided in time, though it may have been delivered: reported as not
 * received, or overdue with an unknown outcome. Its row goes when the refund is taken back.
 */
export const automaticRefunds = pgTable(
  "automatic_refunds",
  {
    orderId: id().primaryKey(),
    userId: id().notNull(),
    kind: text().$type<(typeof AUTOMATIC_REFUNDS)[number]>().notNull(),
    amountPesewas: pesewas().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("automatic_refunds_user").on(t.userId, t.createdAt),
    index("automatic_refunds_age").on(t.createdAt),
    check("automatic_refunds_kind_known", sql`${t.kind} in (${oneOf(AUTOMATIC_REFUNDS)})`),
    check("automatic_refunds_amount_above_zero", sql`${t.amountPesewas} > 0`),
  ],
);

export const bulkDrafts = pgTable(
  "bulk_drafts",
  {
    id: identity(),
    userId: id().notNull(),
    /** The key of its first form, so that a form sent twice saves one draft. */
    key: text().notNull(),
    /** The key of the last form that changed it. */
    lastKey: text(),
    /** The network of all its numbers; null: each number's own, by its prefix. */
    operator: text()
      .$type<Operator>()
      .references(() => operators.code),
    /** The package for lines without a size. */
    productId: id(),
    /** The lines as typed; empty once they are placed. */
    lines: text().notNull(),
    lineCount: integer().notNull(),
    /** Saved in the list of drafts; otherwise it was only checked and is deleted soon. */
    isKept: boolean().notNull().default(true),
    /** Counts its changes, so that only the version that was viewed can be placed. */
    version: integer().notNull().default(1),
    /** The answers on bare figures and on numbers of other networks; null while unanswered. */
    figures: text().$type<FigureMeaning>(),
    otherNetworks: text().$type<OtherNetworkMeaning>(),
    allowsRepeats: boolean().notNull().default(false),
    /** The bulk order it was placed as. */
    bulkOrderId: id(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("bulk_drafts_once_per_form").on(t.userId, t.key),
    index("bulk_drafts_user").on(t.userId, t.id),
    index("bulk_drafts_changed").on(t.updatedAt),
    check("bulk_drafts_figures_known", sql`${t.figures} in (${oneOf(FIGURE_MEANINGS)})`),
    check("bulk_drafts_other_networks_known", sql`${t.otherNetworks} in (${oneOf(OTHER_NETWORK_MEANINGS)})`),
    check("bulk_drafts_lines_above_zero", sql`${t.lineCount} > 0`),
    // Characters have up to four bytes, and the text is limited to two million of them.
    check("bulk_drafts_size", sql`octet_length(${t.lines}) <= 8388608`),
    check("bulk_drafts_placed_is_empty", sql`${t.bulkOrderId} is null or (not ${t.isKept} and ${t.lines} = '')`),
  ],
);

/**
 * An unfinished purchase by USSD: the bundle, the price shown, the number and quantity. One per account, stored across
 * sessions until it is bought or discarded.
 */
export const unfinishedPurchases = pgTable(
  "unfinished_purchases",
  {
    userId: id().primaryKey(),
    productId: id().notNull(),
    msisdn: text().notNull(),
    quantity: integer().notNull(),
    pricePesewas: pesewas().notNull(),
    /** The dialled code, for the SMS that tells how to continue. */
    serviceCode: text().notNull(),
    keptAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("unfinished_purchases_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("unfinished_purchases_amount_above_zero", sql`${t.quantity} > 0 and ${t.pricePesewas} > 0`),
  ],
);

/**
 * What a customer owes the agent for an order: the agent's own notebook, apart from the ledger. Paid ones are kept for
 * a while, so that a mistake can be undone.
 */
export const customerDebts = pgTable(
  "customer_debts",
  {
    orderId: id().primaryKey(),
    userId: id().notNull(),
    msisdn: text().notNull(),
    amountPesewas: pesewas().notNull(),
    paidAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    // The open ones together: those that were paid, of three months, are not read with them.
    index("customer_debts_msisdn").on(t.msisdn),
    index("customer_debts_user").on(t.userId, t.paidAt, t.msisdn, t.orderId),
    index("customer_debts_paid").on(t.paidAt).where(sql`${t.paidAt} is not null`),
    check("customer_debts_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("customer_debts_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
  ],
);
