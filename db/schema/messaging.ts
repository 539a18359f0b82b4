// SMS and e-mail: what is sent, as an outbox, and what comes in.

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, smallint, text, uniqueIndex } from "drizzle-orm/pg-core";
import {
  INBOUND_COMMANDS,
  type InboundCommand,
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "./columns.ts";

/** An SMS or an e-mail, written in the commit of what it tells of; the worker sends it. */
export const messages = pgTable(
  "messages",
  {
    id: identity(),
    /** Whom it is to; null when it is about no account. */
    userId: id(),
    /** What it tells of: "reset_code", "password_changed" … */
    kind: text().notNull(),
    channel: text().$type<MessageChannel>().notNull(),
    /** 233541234567, or an e-mail address. */
    recipient: text().notNull(),
    subject: text(),
    /** Null once a message that carried a code is done with. */
    body: text(),
    carriesCode: boolean().notNull().default(false),
    state: text().$type<MessageState>().notNull().default("queued"),
    /** How often it was handed to the provider. It counts before the call, so that a crash cannot hide one. */
    attempts: smallint().notNull().default(0),
    /** The provider's name for it. */
    providerId: text(),
    lastError: text(),
    /** What was last reported of its delivery, in the provider's own words, and why it did not arrive. */
    reportStatus: text(),
    reportReason: text(),
    reportedAt: instant(),
    /** The message that an admin had sent again by this one. */
    againOf: id(),
    /** After this moment it is not worth sending. */
    sendBefore: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("messages_user").on(t.userId, t.id),
    index("messages_age").on(t.createdAt),
    index("messages_provider")
      .on(t.providerId)
      .where(sql`${t.channel} = 'sms' and ${t.providerId} is not null`),
    // The admins' list, newest first: each filter is a few ranges of one of these.
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
 * An SMS that was acted on, in the commit of what it did: one that comes again finds it. What it said is kept nowhere,
 * because PINs are among it; that no digit gets in here is a rule of the table's.
 */
export const inboundSms = pgTable(
  "inbound_sms",
  {
    /** The gateway's name for it. */
    id: text().primaryKey(),
    /** Who sent it, 233541234567, and whose phone that was. */
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
