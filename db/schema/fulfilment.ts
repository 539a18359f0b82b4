// Delivery attempts, vendors and desk batches.

import { sql } from "drizzle-orm";
import { boolean, check, index, integer, jsonb, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { ATTEMPT_STATES, type AttemptState, type Channel, type Operator, type Role } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";

const ENDED = ["failed", "refunded", "withdrawn"] as const satisfies readonly AttemptState[];

/**
 * One attempt to deliver an order by a vendor or the desk, written before anybody is called. An order has at most one
 * that has not failed, which keeps it from being sent twice.
 */
export const attempts = pgTable(
  "attempts",
  {
    id: identity(),
    orderId: id().notNull(),
    userId: id().notNull(),
    vendor: text().notNull(),
    /** Ours, made of the order's id and the attempt's number. */
    reference: text().notNull(),
    state: text().$type<AttemptState>().notNull().default("queued"),
    vendorReference: text(),
    costPesewas: pesewas(),
    /** The vendor's last message. */
    vendorMessage: text(),
    /** Why the vendor certainly did not take it, where that says something about the order. */
    notTaken: text().$type<"out_of_stock" | "not_servable">(),
    /** When it is due for sending, a status check, or being marked as unknown because no answer came. */
    dueAt: instant().notNull().defaultNow(),
    /** How often it was sent: again only after the vendor reported that it has never seen it. */
    sends: smallint().notNull().default(0),
    /** The number of attempts in its last call: a vendor that processes them one by one is slower with many. */
    sentTogether: smallint().notNull().default(1),
    /** A call with others was refused as a whole, perhaps because of one: it is sent alone. */
    alone: boolean().notNull().default(false),
    /** The vendor has confirmed that it has it: "not found" is no longer believed. */
    seenByVendor: boolean().notNull().default(false),
    /** The remaining delivery checks with the vendor, the next one at `dueAt`. */
    checksLeft: smallint().notNull().default(0),
    statusChecks: smallint().notNull().default(0),
    /** What an admin should check. */
    concern: text(),
    deskBatchId: id(),
    createdAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    checkedAt: instant(),
    /** When the vendor last confirmed its status. */
    confirmedAt: instant(),
    /** Until when the vendor may hold it; then an admin decides. */
    holdUntil: instant(),
    /** When its order went past its deadline and kept waiting, because it is held. */
    overdueAt: instant(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("attempts_reference_once").on(t.reference),
    index("attempts_order").on(t.orderId, t.id),
    uniqueIndex("attempts_one_alive")
      .on(t.orderId)
      .where(sql`${t.state} not in (${oneOf(ENDED)})`),
    // Two indexes, so that attempts waiting for an answer, perhaps for days, never delay those to be sent.
    index("attempts_to_do")
      .on(t.vendor, t.state, t.dueAt, t.id)
      .where(sql`${t.state} in ('queued', 'sending', 'unknown')`),
    index("attempts_to_ask").on(t.vendor, t.dueAt, t.id).where(sql`${t.state} in ('accepted', 'processing', 'held')`),
    index("attempts_held")
      .on(t.holdUntil)
      .where(sql`${t.state} in ('accepted', 'processing', 'held') and ${t.holdUntil} is not null`),
    index("attempts_to_compare")
      .on(t.vendor, t.dueAt, t.id)
      .where(sql`${t.state} = 'delivered' and ${t.checksLeft} > 0`),
    index("attempts_vendor_reference").on(t.vendor, t.vendorReference).where(sql`${t.vendorReference} is not null`),
    index("attempts_batch").on(t.deskBatchId).where(sql`${t.deskBatchId} is not null`),
    index("attempts_delivered").on(t.endedAt).where(sql`${t.state} = 'delivered'`),
    index("attempts_unknown").on(t.id).where(sql`${t.state} = 'unknown'`),
    index("attempts_concern").on(t.id).where(sql`${t.concern} is not null`),
    check("attempts_state_known", sql`${t.state} in (${oneOf(ATTEMPT_STATES)})`),
    check("attempts_not_taken_known", sql`${t.notTaken} in ('out_of_stock', 'not_servable')`),
    check("attempts_sent_when_on_its_way", sql`${t.state} in ('queued', 'withdrawn') or ${t.sentAt} is not null`),
    check(
      "attempts_ended_when_over",
      sql`(${t.endedAt} is not null) = (${t.state} in ('delivered', 'failed', 'refunded', 'withdrawn'))`,
    ),
  ],
);

/** The state of a vendor: its pause, its call rate, our float. */
export const vendors = pgTable(
  "vendors",
  {
    code: text().primaryKey(),
    /** Not null: nothing is sent there. The shop itself resumes an empty float, an admin the others. */
    pausedFor: text().$type<"float_empty" | "key_refused" | "admin">(),
    pausedMessage: text(),
    pausedAt: instant(),
    /** The vendor's rate: no call before this moment. */
    nextCallAt: instant().notNull().defaultNow(),
    balancePesewas: pesewas(),
    balanceAt: instant(),
  },
  (t) => [
    check("vendors_pause_known", sql`${t.pausedFor} in ('float_empty', 'key_refused', 'admin')`),
    check("vendors_paused_when", sql`(${t.pausedFor} is null) = (${t.pausedAt} is null)`),
  ],
);

/** Orders that an admin has taken to send by hand. */
export const deskBatches = pgTable(
  "desk_batches",
  {
    id: identity(),
    /** Null for several networks. */
    operator: text().$type<Operator>(),
    orders: integer().notNull(),
    takenByUserId: id().notNull(),
    /** When its results are due; until then its orders are not refunded automatically. */
    deadline: instant().notNull().default(sql`now() + interval '2 hours'`),
    createdAt: instant().notNull().defaultNow(),
    /** When its file was first downloaded: from then on some of it may have been sent. */
    exportedAt: instant(),
    releasedAt: instant(),
  },
  (t) => [check("desk_batches_not_empty", sql`${t.orders} > 0`)],
);

/** The orders that results concern, by their ids. */
export type ResultOrders = {
  delivered: number[];
  failed: { orderId: number; message: string | null }[];
  /** Refunded before, and delivered all the same. */
  late: number[];
};

/** What became of results when they were applied. */
export type ResultCounts = {
  delivered: number;
  failed: number;
  lost: number;
  /** Moved by somebody else meanwhile. */
  left: number;
  /** Money that went back, in pesewas. */
  refundPesewas: number;
};

/**
 * Results of a batch. They wait until `dueAt`, while they can be undone; then the worker applies them, once. The person
 * who entered them acts with the roles of that moment.
 */
export const deskResults = pgTable(
  "desk_results",
  {
    id: identity(),
    deskBatchId: id().notNull(),
    byUserId: id().notNull(),
    byRoles: text().array().$type<Role[]>().notNull(),
    channel: text().$type<Channel>().notNull(),
    /** The rest of the batch at once, instead of lines of a portal's result. */
    isRest: boolean().notNull(),
    /** Why the rest failed; its buyers read it. */
    reason: text(),
    orders: jsonb().$type<ResultOrders>().notNull(),
    /** The lines as they were typed, until they are applied; after an undo, for a day. */
    typed: text(),
    /** Those of the lines that are about no order, to be put right: for a day. */
    unused: text(),
    dueAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    undoneAt: instant(),
    appliedAt: instant(),
    counts: jsonb().$type<ResultCounts>(),
  },
  (t) => [
    index("desk_results_waiting").on(t.deskBatchId, t.id).where(sql`${t.appliedAt} is null and ${t.undoneAt} is null`),
    index("desk_results_batch").on(t.deskBatchId, t.id),
    index("desk_results_texts").on(t.createdAt).where(sql`coalesce(${t.typed}, ${t.unused}) is not null`),
    check("desk_results_applied_or_undone", sql`${t.appliedAt} is null or ${t.undoneAt} is null`),
    check("desk_results_counted_when_applied", sql`(${t.appliedAt} is null) = (${t.counts} is null)`),
    check("desk_results_reason_of_rest", sql`${t.reason} is null or ${t.isRest}`),
  ],
);
