// The tables of what is said to people outside of the shop: messages, the codes that some of them carry, proved phones.
import { sql } from "drizzle-orm";
import {
  boolean,
  check,
  foreignKey,
  index,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import {
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  type MessageChannel,
  type MessageState,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf } from "../columns.ts";
import { users } from "./core.ts";

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

export const CODE_PURPOSES = ["reset", "phone"] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** The one code of an account for a purpose; a new one takes the old one's place. The code itself is nowhere. */
export const codes = pgTable(
  "codes",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    purpose: text().$type<CodePurpose>().notNull(),
    /** Where it was sent: an e-mail address, or 233541234567. */
    recipient: text().notNull(),
    /** A keyed digest, so that whoever reads the database cannot try a million codes against it. */
    digest: text().notNull(),
    tries: smallint().notNull().default(0),
    /** Tries from browsers in which the account has logged in before: a stranger's must not use up its owner's. */
    knownTries: smallint().notNull().default(0),
    usedAt: instant(),
    expiresAt: instant().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "codes_pkey", columns: [t.userId, t.purpose] }),
    index("codes_expiry").on(t.expiresAt),
    check("codes_purpose_known", sql`${t.purpose} in (${oneOf(CODE_PURPOSES)})`),
  ],
);

/** Somebody who says they forgot their password: kept until the worker has looked whether there is such an account. */
export const resetAsks = pgTable("reset_asks", {
  id: identity(),
  channel: text().$type<MessageChannel>().notNull(),
  recipient: text().notNull(),
  /** Asked for from a browser in which the account has logged in before. */
  isKnown: boolean().notNull().default(false),
  createdAt: instant().notNull().defaultNow(),
});

/** The phone that an account's owner has proved to hold: one an account, one account a number. */
export const phones = pgTable(
  "phones",
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    msisdn: text().notNull().unique("phones_msisdn_once"),
    provedAt: instant().notNull().defaultNow(),
    /** Which notices its owner wants by SMS. */
    wantsRefunds: boolean().notNull().default(true),
    wantsTopUps: boolean().notNull().default(true),
    wantsDeliveries: boolean().notNull().default(false),
  },
  (t) => [
    check("phones_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    // What a PIN points at: with the number, so that none outlives it.
    unique("phones_of_a_pin").on(t.userId, t.msisdn),
  ],
);
export type Phone = typeof phones.$inferSelect;

/** With it the account's money is spent from its phone. It belongs to that number: a recycled one must not spend. */
export const pins = pgTable(
  "pins",
  {
    userId: id().primaryKey(),
    msisdn: text().notNull(),
    /** argon2id of a keyed digest: worth nothing without the key. */
    digest: text().notNull(),
    /** In a row; a right one sets it back. */
    wrongTries: smallint().notNull().default(0),
    lockedUntil: instant(),
    /** The same for SMS, whose senders can be forged: they lock SMS and nothing else. */
    smsWrongTries: smallint().notNull().default(0),
    smsLockedUntil: instant(),
    setAt: instant().notNull().defaultNow(),
  },
  (t) => [
    foreignKey({
      name: "pins_of_a_proved_phone",
      columns: [t.userId, t.msisdn],
      foreignColumns: [phones.userId, phones.msisdn],
    }).onDelete("cascade"),
    check("pins_digest_is_slow", sql`${t.digest} like '$argon2id$%'`),
    check("pins_tries_in_a_row", sql`${t.wrongTries} between 0 and 3`),
    check("pins_third_try_locks", sql`(${t.wrongTries} = 3) = (${t.lockedUntil} is not null)`),
    check("pins_sms_tries_in_a_row", sql`${t.smsWrongTries} between 0 and 3`),
    check("pins_third_sms_try_locks", sql`(${t.smsWrongTries} = 3) = (${t.smsLockedUntil} is not null)`),
  ],
);
