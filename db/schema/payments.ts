// Payments, their reversals, webhook events, deposits and prompts.

import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  type Network,
  PAYMENT_DECISIONS,
  PAYMENT_STATES,
  type PaymentDecision,
  type PaymentState,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/**
 * An incoming payment. `reference` is ours, created before the provider is called. The row has the requested amount,
 * and exactly that is credited, whatever is reported later.
 */
export const payments = pgTable(
  "payments",
  {
    id: identity(),
    userId: id().notNull(),
    /** The order it was started for; null for a plain top-up. */
    orderId: id(),
    amountPesewas: pesewas().notNull(),
    state: text().$type<PaymentState>().notNull().default("created"),
    reference: text().notNull().unique("payments_reference_once"),
    /** The payment before this one, when a new reference was needed; both can still be paid. */
    supersedesId: id(),
    domain: text(),
    providerId: text(),
    authorizationUrl: text(),
    /** Mobile money: the payer's network and number, and the provider's message. */
    network: text().$type<Network>(),
    payerMsisdn: text(),
    providerMessage: text(),
    needsCode: boolean().notNull().default(false),
    /** Why it failed or needs a review. */
    reason: text(),
    /** What the provider keeps of it; null while that is unknown. */
    feesPesewas: pesewas(),
    /** The part of the fees that the payer paid on top of the credited amount; the rest is the shop's cost. */
    feesByPayerPesewas: pesewas().notNull().default(0),
    /** In review: the amount paid according to the provider, when it differs from the requested one. */
    paidPesewas: pesewas(),
    /** The credited amount, when an admin decided on another than the requested one. */
    creditedPesewas: pesewas(),
    /** An admin's decision in review: credit the paid or the requested amount, or refund the payer. */
    decision: text().$type<PaymentDecision>(),
    decidedByUserId: id(),
    decidedAt: instant(),
    paidAt: instant(),
    polls: smallint().notNull().default(0),
    pollAt: instant(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("payments_user").on(t.userId, t.id),
    index("payments_order").on(t.orderId).where(sql`${t.orderId} is not null`),
    index("payments_poll").on(t.pollAt).where(sql`${t.pollAt} is not null`),
    // People read out the end of a reference.
    index("payments_reference_end").on(sql`right(${t.reference}, 4)`),
    index("payments_payer").on(t.payerMsisdn, t.id).where(sql`${t.payerMsisdn} is not null`),
    index("payments_amount").on(t.amountPesewas, t.id),
    // The fees of a span of days.
    index("payments_with_fees").on(t.paidAt, t.id).where(sql`${t.feesPesewas} > 0 and ${t.paidAt} is not null`),
    // The payments of a month, and of an account's day.
    index("payments_paid").on(t.paidAt, t.id).where(sql`${t.paidAt} is not null`),
    index("payments_attention").on(t.id).where(sql`${t.state} in ('review', 'reversed')`),
    unique("payments_provider_once").on(t.domain, t.providerId),
    check("payments_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("payments_state_known", sql`${t.state} in (${oneOf(PAYMENT_STATES)})`),
    check("payments_paid_when_stated", sql`(${t.paidAt} is not null) = (${t.state} in ('paid', 'reversed'))`),
    check(
      "payments_fees_by_payer_are_part_of_fees",
      sql`${t.feesByPayerPesewas} = 0 or ${t.feesByPayerPesewas} between 1 and ${t.feesPesewas}`,
    ),
    check("payments_paid_above_zero", sql`${t.paidPesewas} > 0`),
    check("payments_credited_above_zero", sql`${t.creditedPesewas} > 0`),
    check("payments_decision_known", sql`${t.decision} in (${oneOf(PAYMENT_DECISIONS)})`),
    check("payments_decided_with_decision", sql`(${t.decision} is null) = (${t.decidedAt} is null)`),
    check("payments_closed_by_decision", sql`${t.state} <> 'closed' or ${t.decision} is not null`),
    check("payments_network_known", sql`${t.network} in ('mtn', 'vod', 'atl')`),
  ],
);

/** A refund or chargeback of a settled payment at the provider. */
export const paymentReversals = pgTable(
  "payment_reversals",
  {
    id: identity(),
    paymentId: id()
      .notNull()
      .references(() => payments.id),
    userId: id().notNull(),
    kind: text().$type<"refund" | "chargeback">().notNull(),
    /** The provider's id of it, so that it is booked once. */
    providerReference: text().notNull().unique("payment_reversals_once"),
    amountPesewas: pesewas().notNull(),
    /** due: reversed before the payment was credited, to be booked with the credit. */
    state: text().$type<"open" | "due" | "booked" | "closed">().notNull().default("open"),
    /** The part of an open chargeback that is held in the wallet. */
    heldPesewas: pesewas().notNull().default(0),
    /** The provider's deadline for evidence against a chargeback. */
    dueAt: instant(),
    note: text(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
  },
  (t) => [
    index("payment_reversals_payment").on(t.paymentId),
    index("payment_reversals_user").on(t.userId, t.createdAt),
    index("payment_reversals_age").on(t.createdAt),
    index("payment_reversals_open").on(t.dueAt).where(sql`${t.kind} = 'chargeback' and ${t.state} = 'open'`),
    check("payment_reversals_kind_known", sql`${t.kind} in ('refund', 'chargeback')`),
    check("payment_reversals_held_not_below_zero", sql`${t.heldPesewas} >= 0`),
    check(
      "payment_reversals_held_while_open",
      sql`${t.heldPesewas} = 0 or (${t.kind} = 'chargeback' and ${t.state} = 'open')`,
    ),
    check("payment_reversals_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("payment_reversals_state_known", sql`${t.state} in ('open', 'due', 'booked', 'closed')`),
  ],
);

/** What differed between our books and the provider's list when its payment was last compared. */
export const reconciliationDifferences = pgTable(
  "reconciliation_differences",
  {
    reference: text().notNull(),
    kind: text().notNull(),
    /** The larger of the two amounts; null while neither is known. */
    amountPesewas: pesewas(),
    foundAt: instant().notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: "reconciliation_differences_pkey", columns: [t.reference, t.kind] })],
);

/** Received webhooks, stored before they are acknowledged; the worker processes them. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: identity(),
    provider: text().notNull(),
    /** Identifies a repetition of the event. */
    dedupeKey: text().notNull(),
    event: text().notNull(),
    reference: text(),
    body: jsonb().notNull(),
    receivedAt: instant().notNull().defaultNow(),
    processedAt: instant(),
    outcome: text(),
  },
  (t) => [
    unique("webhook_events_once").on(t.provider, t.dedupeKey),
    index("webhook_events_reference").on(t.reference).where(sql`${t.reference} is not null`),
    // Delivery reports are many, and are deleted with their messages.
    index("webhook_events_sms_age").on(t.receivedAt).where(sql`${t.provider} = 'africastalking-sms'`),
  ],
);

/** Why an import leaves a deposit that it found to a person. */
export const HELD_BACK = [
  "other_amount",
  "twice",
  "reversed",
  "two_lines",
  "own_account",
  "inactive",
  "young_account",
  "deposit_limit",
  "import_limit",
  "day_limit",
  "alone_limit",
  "other_sender",
  "importer",
] as const;
export type HeldBack = (typeof HELD_BACK)[number];

/** A mobile money transfer reported by an agent, which the shop's statement or a person confirms. */
export const deposits = pgTable(
  "deposits",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** The mobile money transaction id, digits only. */
    transactionId: text().notNull(),
    amountPesewas: pesewas().notNull(),
    state: text().$type<"open" | "approved" | "refused">().notNull().default("open"),
    reason: text(),
    /** The network of the shop's number when it was filed; null for older ones. */
    network: text().$type<Network>(),
    /** The line of the statement that it was credited against; null without one. */
    lineId: id(),
    /** The credited amount, when the statement says another than the agent did. */
    creditedPesewas: pesewas(),
    /** Credited by an import of the statement, without a person's look; `decidedByUserId` is who imported it. */
    isAutomatic: boolean().notNull().default(false),
    /** Why an import left one that it found to a person. */
    heldBack: text().$type<HeldBack>(),
    /** When its agent was notified that the statement does not show it. */
    notifiedAt: instant(),
    decidedByUserId: id(),
    decidedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("deposits_user").on(t.userId, t.id),
    index("deposits_transaction").on(t.transactionId),
    index("deposits_open").on(t.id).where(sql`${t.state} = 'open'`),
    index("deposits_age").on(t.createdAt),
    // The deposits of a month.
    index("deposits_decided").on(t.decidedAt).where(sql`${t.decidedAt} is not null`),
    index("deposits_refused").on(t.decidedAt).where(sql`${t.state} = 'refused'`),
    uniqueIndex("deposits_credited_once").on(t.transactionId).where(sql`${t.state} = 'approved'`),
    uniqueIndex("deposits_filed_once").on(t.userId, t.transactionId).where(sql`${t.state} <> 'refused'`),
    check("deposits_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("deposits_transaction_id_form", sql`${t.transactionId} ~ '^[0-9]{6,20}$'`),
    check("deposits_state_known", sql`${t.state} in ('open', 'approved', 'refused')`),
    check("deposits_decided_by_somebody", sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
    index("deposits_credited_by_imports").on(t.decidedByUserId, t.decidedAt).where(sql`${t.isAutomatic}`),
    uniqueIndex("deposits_line_credited_once").on(t.lineId).where(sql`${t.state} = 'approved'`),
    check("deposits_network_known", sql`${t.network} in ('mtn', 'vod', 'atl')`),
    check("deposits_held_back_known", sql`${t.heldBack} in (${oneOf(HELD_BACK)})`),
    check("deposits_credited_above_zero", sql`${t.creditedPesewas} > 0`),
    check("deposits_credited_when_approved", sql`${t.creditedPesewas} is null or ${t.state} = 'approved'`),
    check(
      "deposits_automatic_by_its_line",
      sql`not ${t.isAutomatic} or (${t.state} = 'approved' and ${t.lineId} is not null
        and ${t.decidedByUserId} is not null)`,
    ),
  ],
);

/** A top-up requested by USSD: the mobile money account to prompt after the session has ended. */
export const prompts = pgTable(
  "prompts",
  {
    paymentId: id()
      .primaryKey()
      .references(() => payments.id),
    userId: id().notNull(),
    network: text().$type<Network>().notNull(),
    msisdn: text().notNull(),
    /** The code to dial for entering a voucher. */
    serviceCode: text().notNull(),
    /** Telecel's voucher, from its entry until it is submitted. */
    voucher: text(),
    /** When the agent was asked for a voucher. */
    voucherRequestedAt: instant(),
    /** When the agent cancelled it: no prompt is sent after that, and another top-up can begin. */
    givenUpAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("prompts_user").on(t.userId, t.paymentId),
    check("prompts_network_known", sql`${t.network} in ('mtn', 'vod', 'atl')`),
    check("prompts_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("prompts_voucher_form", sql`${t.voucher} ~ '^[0-9]{4,10}$'`),
  ],
);
