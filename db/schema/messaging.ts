// SMS, e-mail and push messages: the outbox, the browsers that want push messages, inbound SMS, and corrected texts.

import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  ATTEMPT_OUTCOMES,
  type AttemptOutcome,
  INBOUND_COMMANDS,
  type InboundCommand,
  LANGUAGES,
  type Language,
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
  OPT_IN_SOURCES,
  OPT_OUT_SOURCES,
  type OptInSource,
  type OptOutSource,
  SMS_GATEWAYS,
  type SmsGateway,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "./columns.ts";
import { sessions, users } from "./identity.ts";

/** An SMS, e-mail or push message, written in the commit of the change it reports; the worker sends it. */
export const messages = pgTable(
  "messages",
  {
    id: identity(),
    /** The recipient's account; null when it concerns no account. */
    userId: id(),
    /** "reset_code", "password_changed" … */
    kind: text().notNull(),
    channel: text().$type<MessageChannel>().notNull(),
    /** 233541234567, an e-mail address, or the id of a push subscription. */
    recipient: text().notNull(),
    subject: text(),
    /** Null once a message with a code has ended. */
    body: text(),
    carriesCode: boolean().notNull().default(false),
    /** It goes to a number that stopped notices as well: its recipient requested it, or it protects their account. */
    passesOptOut: boolean().notNull().default(false),
    state: text().$type<MessageState>().notNull().default("queued"),
    /** How often it was sent to the provider, counted before the call so that a crash cannot hide an attempt. */
    attempts: smallint().notNull().default(0),
    /** The gateway of an SMS: the one that has it or had it last, or while it is queued the one that is next. */
    gateway: text().$type<SmsGateway>(),
    /** The provider's id of it. */
    providerId: text(),
    lastError: text(),
    /** The last delivery report: the provider's status, and why it did not arrive. */
    reportStatus: text(),
    reportReason: text(),
    reportedAt: instant(),
    /** The message that this one resends. */
    againOf: id(),
    /** After this it is no longer worth sending. */
    sendBefore: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("messages_user").on(t.userId, t.id),
    index("messages_age").on(t.createdAt),
    index("messages_provider").on(t.providerId).where(sql`${t.channel} = 'sms' and ${t.providerId} is not null`),
    // For the admins' list, newest first: each filter is a few ranges of one of these.
    index("messages_channel_state").on(t.channel, t.state, t.id),
    index("messages_kind").on(t.kind, t.channel, t.state, t.id),
    index("messages_recipient").on(t.recipient, t.id),
    uniqueIndex("messages_again_once").on(t.againOf).where(sql`${t.againOf} is not null`),
    check("messages_channel_known", sql`${t.channel} in (${oneOf(MESSAGE_CHANNELS)})`),
    check("messages_state_known", sql`${t.state} in (${oneOf(MESSAGE_STATES)})`),
    check(
      "messages_delivery_was_reported",
      sql`${t.state} not in ('delivered', 'undelivered') or (${t.channel} = 'sms' and ${t.reportStatus} is not null)`,
    ),
    check("messages_subject_of_mails", sql`(${t.subject} is not null) = (${t.channel} = 'email')`),
    check(
      "messages_sms_is_one_part",
      sql`${t.channel} <> 'sms' or (length(${t.body}) <= 160 and ${t.recipient} ~ '^233[25][0-9]{8}$')`,
    ),
    check(
      "messages_body_until_done",
      sql`(${t.body} is null) = (${t.carriesCode} and ${t.state} not in ('queued', 'sending'))`,
    ),
  ],
);

/**
 * An attempt to send an SMS, written before the gateway is called, so that a crash cannot hide it. Without an outcome
 * it is under way, or its worker died.
 */
export const smsAttempts = pgTable(
  "sms_attempts",
  {
    id: identity(),
    messageId: id()
      .notNull()
      .references(() => messages.id, { onDelete: "cascade" }),
    gateway: text().$type<SmsGateway>().notNull(),
    outcome: text().$type<AttemptOutcome>(),
    /** Why it was not accepted: a phrase or code, never the text or the recipient. */
    reason: text(),
    startedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("sms_attempts_message").on(t.messageId, t.id),
    index("sms_attempts_age").on(t.startedAt),
    check("sms_attempts_gateway_known", sql`${t.gateway} in (${oneOf(SMS_GATEWAYS)})`),
    check("sms_attempts_outcome_known", sql`${t.outcome} in (${oneOf(ATTEMPT_OUTCOMES)})`),
  ],
);

/** A number that stopped SMS notices, until `endedAt`. It concerns the number, whichever account has it. */
export const smsOptOuts = pgTable(
  "sms_opt_outs",
  {
    id: identity(),
    /** 233541234567. */
    msisdn: text().notNull(),
    source: text().$type<OptOutSource>().notNull(),
    since: instant().notNull().defaultNow(),
    endedAt: instant(),
    endedBy: text().$type<OptInSource>(),
  },
  (t) => [
    uniqueIndex("sms_opt_outs_open").on(t.msisdn).where(sql`${t.endedAt} is null`),
    check("sms_opt_outs_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("sms_opt_outs_source_known", sql`${t.source} in (${oneOf(OPT_OUT_SOURCES)})`),
    check(
      "sms_opt_outs_end_whole",
      sql`(${t.endedAt} is null) = (${t.endedBy} is null) and ${t.endedBy} in (${oneOf(OPT_IN_SOURCES)})`,
    ),
  ],
);

/**
 * A browser that wants push messages. It ends with the session in which its user asked for them: a logout on that
 * device, or on all devices, or a ban.
 */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    sessionId: text()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** The address at the browser's push service: whoever knows it and the keys can write to that browser. */
    endpoint: text().notNull(),
    /** The browser's public key and secret, as base64url. */
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("push_subscriptions_endpoint").on(t.endpoint),
    index("push_subscriptions_user").on(t.userId),
    index("push_subscriptions_session").on(t.sessionId),
  ],
);

/** What a push message will report, written in the commit of the change; several within a minute are one message. */
export const pushNotices = pgTable(
  "push_notices",
  {
    id: identity(),
    userId: id().notNull(),
    /** "order_delivered" or "order_refunded". */
    kind: text().notNull(),
    orders: integer().notNull(),
    /** The first of these orders. */
    orderId: id().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("push_notices_user").on(t.userId)],
);

/**
 * A handled inbound SMS, written in the commit of its effect, so that a repeat is recognised. Its text is not stored,
 * because it may contain a PIN; the outcome cannot contain digits by constraint.
 */
export const inboundSms = pgTable(
  "inbound_sms",
  {
    /** The gateway's id of it. */
    id: text().primaryKey(),
    /** The sender, 233541234567, and the account of that phone. */
    msisdn: text().notNull(),
    userId: id(),
    command: text().$type<InboundCommand>().notNull(),
    /** "bought", "pin_wrong", "wallet.insufficient_balance" … */
    outcome: text().notNull(),
    handledAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("inbound_sms_age").on(t.handledAt),
    check("inbound_sms_command_known", sql`${t.command} in (${oneOf(INBOUND_COMMANDS)})`),
    check("inbound_sms_outcome_is_a_word", sql`${t.outcome} ~ '^[a-z_.]{1,40}$'`),
  ],
);

/** A line of USSD or SMS as an admin corrected it, or reviewed it as it was shipped. */
export const textOverrides = pgTable(
  "text_overrides",
  {
    language: text().$type<Language>().notNull(),
    /** "ussd.pay": a key of the English texts. */
    key: text().notNull(),
    text: text().notNull(),
    /** Counts changes, so that two admins do not overwrite each other. */
    version: integer().notNull().default(1),
    /** Null: not to be shown yet. */
    reviewedAt: instant(),
    reviewedByUserId: id(),
    updatedAt: instant().notNull().defaultNow(),
    updatedByUserId: id(),
  },
  (t) => [
    primaryKey({ name: "text_overrides_pkey", columns: [t.language, t.key] }),
    check("text_overrides_language_known", sql`${t.language} in (${oneOf(LANGUAGES)})`),
    check("text_overrides_length", sql`length(${t.text}) between 1 and 320`),
    check("text_overrides_english_is_reviewed", sql`${t.language} <> 'en' or ${t.reviewedAt} is not null`),
  ],
);

/** One row once something has changed: what every server compares with the texts that it remembers. */
export const textState = pgTable(
  "text_state",
  {
    only: boolean().primaryKey().default(true),
    /** Changes with every change of a text or a language. */
    version: uuid().notNull().defaultRandom(),
    /** The languages that are on. */
    languages: text().array().$type<Language[]>().notNull().default(["en"]),
  },
  (t) => [
    check("text_state_one_row", sql`${t.only}`),
    check(
      "text_state_languages_known",
      sql`'en' = any(${t.languages}) and ${t.languages} <@ array[${oneOf(LANGUAGES)}]::text[]`,
    ),
  ],
);
