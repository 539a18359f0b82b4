// Getting a paid order delivered: attempts, vendors and batches of the desk.

import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import { ATTEMPT_STATES, type AttemptState, type Operator } from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";

const ENDED = ["failed", "refunded", "withdrawn"] as const satisfies readonly AttemptState[];

/**
 * One hand-over of an order to a vendor or to the desk, written before anybody is called. An order has one at most that
 * has not ended badly: this is what keeps it from being sent twice.
 */
export const attempts = pgTable(
  "attempts",
  {
    id: identity(),
    orderId: id().notNull(),
    userId: id().notNull(),
    vendor: text().notNull(),
    /** Ours, made from the order's number and this attempt's. */
    reference: text().notNull(),
    state: text().$type<AttemptState>().notNull().default("queued"),
    vendorReference: text(),
    costPesewas: pesewas(),
    /** The vendor's last words. */
    vendorMessage: text("words"),
    /** When something is to be done: sending it, asking about it, or taking it for unknown because nobody came back. */
    dueAt: instant().notNull().defaultNow(),
    /** How often it was sent: again only after the vendor said that it has never seen it. */
    sends: smallint().notNull().default(0),
    /** How many went in the call that sent it last: a vendor that works them off one by one is slower with many. */
    sentTogether: smallint().notNull().default(1),
    /** A call with others was refused as a whole, and one of them may be why: it is sent by itself. */
    alone: boolean().notNull().default(false),
    /** The vendor said something that it can only say of what it has: "not found" is not believed any more. */
    seenByVendor: boolean().notNull().default(false),
    /** How often a delivery is still to be compared with what the vendor says of it, the next time at `dueAt`. */
    checksLeft: smallint().notNull().default(0),
    lookUps: smallint().notNull().default(0),
    /** What an admin should look at, in words. */
    concern: text(),
    deskBatchId: id(),
    createdAt: instant().notNull().defaultNow(),
    sentAt: instant(),
    lookedUpAt: instant(),
    /** When the vendor last said itself where it is. */
    confirmedAt: instant(),
    /** Until when the vendor may hold it; from then on a person decides. */
    holdUntil: instant(),
    /** When the promise to its buyer passed and the order waited on, because somebody has it. */
    overdueAt: instant(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex("attempts_reference_once").on(t.reference),
    index("attempts_order").on(t.orderId, t.id),
    uniqueIndex("attempts_one_alive")
      .on(t.orderId)
      .where(sql`${t.state} not in (${oneOf(ENDED)})`),
    // Two, so that what waits for an answer, for days perhaps, never stands before what is to be sent.
    index("attempts_to_do")
      .on(t.vendor, t.state, t.dueAt, t.id)
      .where(sql`${t.state} in ('queued', 'sending', 'unknown')`),
    index("attempts_to_ask")
      .on(t.vendor, t.dueAt, t.id)
      .where(sql`${t.state} in ('accepted', 'processing', 'held')`),
    index("attempts_to_compare")
      .on(t.vendor, t.dueAt, t.id)
      .where(sql`${t.state} = 'delivered' and ${t.checksLeft} > 0`),
    index("attempts_vendor_reference")
      .on(t.vendor, t.vendorReference)
      .where(sql`${t.vendorReference} is not null`),
    index("attempts_batch").on(t.deskBatchId).where(sql`${t.deskBatchId} is not null`),
    index("attempts_delivered").on(t.endedAt).where(sql`${t.state} = 'delivered'`),
    index("attempts_unknown").on(t.id).where(sql`${t.state} = 'unknown'`),
    index("attempts_concern").on(t.id).where(sql`${t.concern} is not null`),
    check("attempts_state_known", sql`${t.state} in (${oneOf(ATTEMPT_STATES)})`),
    check(
      "attempts_sent_when_on_its_way",
      sql`${t.state} in ('queued', 'withdrawn') or ${t.sentAt} is not null`,
    ),
    check(
      "attempts_ended_when_over",
      sql`(${t.endedAt} is not null) = (${t.state} in ('delivered', 'failed', 'refunded', 'withdrawn'))`,
    ),
  ],
);

/** What the shop knows of a vendor beyond its adapter: whether it is paused, when it may be called, what it holds. */
export const vendors = pgTable(
  "vendors",
  {
    code: text().primaryKey(),
    /** Not null: nothing is sent there. An empty float is taken up again by the shop itself, the others by an admin. */
    pausedFor: text().$type<"float_empty" | "key_refused" | "admin">(),
    pausedMessage: text("paused_words"),
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

/** Orders that an admin took to send them by hand. */
export const deskBatches = pgTable(
  "desk_batches",
  {
    id: identity(),
    /** Null: of several networks. */
    operator: text().$type<Operator>(),
    orders: integer().notNull(),
    takenByUserId: id().notNull(),
    /** By when whoever took it should have said what came of it; until then no clock refunds its orders. */
    deadline: instant().notNull().default(sql`now() + interval '2 hours'`),
    createdAt: instant().notNull().defaultNow(),
    releasedAt: instant(),
  },
  (t) => [check("desk_batches_not_empty", sql`${t.orders} > 0`)],
);
