// Money from outside: payments, what goes back of them, events of the provider, deposits and prompts.

import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  jsonb,
  pgTable,
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
 * Money that is meant to come in from outside. `reference` is ours, made before anybody outside is asked. The row says
 * how much was asked for and credits exactly that, whatever is claimed later.
 */
export const payments = pgTable(
  "payments",
  {
    id: identity(),
    userId: id().notNull(),
    /** The order that it was started for; null for a plain top-up. */
    orderId: id(),
    amountPesewas: pesewas().notNull(),
    state: text().$type<PaymentState>().notNull().default("created"),
    reference: text().notNull().unique("payments_reference_once"),
    /** The attempt before this one, when a new reference had to be made; both can still be paid. */
    supersedesId: id(),
    domain: text(),
    providerId: text(),
    authorizationUrl: text(),
    /** Mobile money: the network and number that were asked to pay, and what the payer was told. */
    network: text().$type<Network>(),
    payerMsisdn: text(),
    providerMessage: text("words"),
    needsCode: boolean().notNull().default(false),
    /** Why it failed, or what is to be looked at. */
    reason: text(),
    feesPesewas: pesewas(),
    /** What the provider says was paid, where a person must look because it is not what was asked for. */
    paidPesewas: pesewas(),
    /** What was credited, when somebody decided on another amount than was asked for. */
    creditedPesewas: pesewas(),
    /** How a person ended a review, and who: the paid or the asked amount was credited, or the payer gets it back. */
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
    // People read out how a reference ends.
    index("payments_reference_end").on(sql`right(${t.reference}, 4)`),
    index("payments_attention").on(t.id).where(sql`${t.state} in ('review', 'reversed')`),
    unique("payments_provider_once").on(t.domain, t.providerId),
    check("payments_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("payments_state_known", sql`${t.state} in (${oneOf(PAYMENT_STATES)})`),
    check("payments_paid_when_stated", sql`(${t.paidAt} is not null) = (${t.state} in ('paid', 'reversed'))`),
    check("payments_paid_above_zero", sql`${t.paidPesewas} > 0`),
    check("payments_credited_above_zero", sql`${t.creditedPesewas} > 0`),
    check("payments_decision_known", sql`${t.decision} in (${oneOf(PAYMENT_DECISIONS)})`),
    check("payments_decided_with_decision", sql`(${t.decision} is null) = (${t.decidedAt} is null)`),
    check("payments_closed_by_decision", sql`${t.state} <> 'closed' or ${t.decision} is not null`),
    check("payments_network_known", sql`${t.network} in ('mtn', 'vod', 'atl')`),
  ],
);

/** Money of a settled payment that went back, or may go back: a refund or a chargeback at the provider. */
export const paymentReversals = pgTable(
  "payment_reversals",
  {
    id: identity(),
    paymentId: id()
      .notNull()
      .references(() => payments.id),
    userId: id().notNull(),
    kind: text().$type<"refund" | "chargeback">().notNull(),
    /** The provider's name for it, so that it is booked once. */
    providerReference: text().notNull().unique("payment_reversals_once"),
    amountPesewas: pesewas().notNull(),
    /** due: it went back before the payment was credited, and is booked as soon as that is. */
    state: text().$type<"open" | "due" | "booked" | "closed">().notNull().default("open"),
    /** What of an open chargeback the wallet may not spend. */
    heldPesewas: pesewas().notNull().default(0),
    /** Until when the provider takes evidence against a chargeback. */
    dueAt: instant(),
    note: text(),
    createdAt: instant().notNull().defaultNow(),
    endedAt: instant(),
  },
  (t) => [
    index("payment_reversals_payment").on(t.paymentId),
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

/** Webhooks as they came, kept before they are acknowledged; the worker acts on them. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    id: identity(),
    provider: text().notNull(),
    /** What makes it the same event when it comes again. */
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
    // Reports on SMS are many, and forgotten with the messages.
    index("webhook_events_sms_age").on(t.receivedAt).where(sql`${t.provider} = 'africastalking-sms'`),
  ],
);

/** A transfer by mobile money that an agent says they made, for an admin to match. */
export const deposits = pgTable(
  "claims",
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
    decidedByUserId: id(),
    decidedAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("claims_user").on(t.userId, t.id),
    index("claims_open").on(t.id).where(sql`${t.state} = 'open'`),
    uniqueIndex("claims_credited_once").on(t.transactionId).where(sql`${t.state} = 'approved'`),
    uniqueIndex("claims_filed_once").on(t.userId, t.transactionId).where(sql`${t.state} <> 'refused'`),
    check("claims_amount_above_zero", sql`${t.amountPesewas} > 0`),
    check("claims_transaction_id_form", sql`${t.transactionId} ~ '^[0-9]{6,20}$'`),
    check("claims_state_known", sql`${t.state} in ('open', 'approved', 'refused')`),
    check("claims_decided_by_somebody", sql`(${t.state} = 'open') = (${t.decidedAt} is null)`),
  ],
);

/** A top-up that was asked for on a phone: which wallet of mobile money is to be asked once the session is over. */
export const prompts = pgTable(
  "prompts",
  {
    paymentId: id()
      .primaryKey()
      .references(() => payments.id),
    userId: id().notNull(),
    network: text().$type<Network>().notNull(),
    msisdn: text().notNull(),
    /** What is dialled to come back with a voucher. */
    serviceCode: text().notNull(),
    /** Telecel's voucher from when it is typed until it is handed in. */
    voucher: text(),
    /** When its owner was told to fetch a voucher. */
    voucherAskedAt: instant(),
    /** When its owner gave it up: from then on nobody is asked, and another one can begin. */
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
