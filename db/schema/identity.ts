// Accounts, logins, second factors, phones, PINs and codes.

import { sql } from "drizzle-orm";
import {
  bigint,
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
  type Channel,
  type CodeChannel,
  LANGUAGES,
  type Language,
  ROLES,
  type Role,
  USER_STATUSES,
  type UserStatus,
} from "../../src/shared/domain.ts";
import { guesses, id, identity, instant, oneOf } from "./columns.ts";

// ---------------------------------------------------------------- people
export const users = pgTable(
  "users",
  {
    id: identity(),
    username: text().notNull(),
    /** Null, and the password empty, until somebody who registered by USSD has claimed the account on the web. */
    email: text(),
    passwordHash: text().notNull(),
    roles: text().array().$type<Role[]>().notNull().default(["USER"]),
    status: text().$type<UserStatus>().notNull().default("ACTIVE"),
    /** Of USSD and SMS; null for the shop's own. */
    language: text().$type<Language>(),
    /** The price tier; 1 is Standard. Without a foreign key, because the catalog's tables refer to this one. */
    tierId: id().notNull().default(1),
    /** Whether there ever was a price of its own; a trigger sets it, so that purchases need not look for one. */
    hasOwnPrices: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
    closedAt: instant(),
    lastLoginAt: instant(),
  },
  (t) => [
    uniqueIndex("users_username_once").on(sql`lower(${t.username})`),
    index("users_staff").on(t.id).where(sql`${t.roles} <> array['USER']`),
    uniqueIndex("users_email_once").on(sql`lower(${t.email})`),
    index("users_name_part").using("gin", sql`${t.username} gin_trgm_ops`, sql`${t.email} gin_trgm_ops`),
    check("users_language_known", sql`${t.language} in (${oneOf(LANGUAGES)})`),
    check("users_status_known", sql`${t.status} in (${oneOf(USER_STATUSES)})`),
    check("users_roles_known", sql`${t.roles} <@ array[${oneOf(ROLES)}]::text[] and cardinality(${t.roles}) > 0`),
    check("users_one_role", sql`cardinality(${t.roles}) = 1`),
    check("users_password_with_email", sql`${t.email} is not null or ${t.passwordHash} = ''`),
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
    /** When its user last proved who they are: by logging in, or by a code or the password since. */
    confirmedAt: instant().notNull().defaultNow(),
  },
  (t) => [index("sessions_user").on(t.userId), index("sessions_expiry").on(t.expiresAt)],
);

export const CODE_PURPOSES = ["reset", "phone", "pin"] as const;

export type CodePurpose = (typeof CODE_PURPOSES)[number];

/** The code of an account for a purpose; a new one replaces the old. The code itself is not stored. */
export const codes = pgTable(
  "codes",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    purpose: text().$type<CodePurpose>().notNull(),
    /** An e-mail address, or 233541234567. */
    recipient: text().notNull(),
    /** A keyed digest, so that somebody with the database cannot try a million codes against it. */
    digest: text().notNull(),
    tries: smallint().notNull().default(0),
    /** Tries from known devices, counted separately so that a stranger cannot use up the owner's. */
    knownTries: smallint().notNull().default(0),
    ...guesses(),
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

/** A password reset request, stored until the worker has looked up the account. */
export const resetRequests = pgTable("reset_requests", {
  id: identity(),
  channel: text().$type<CodeChannel>().notNull(),
  recipient: text().notNull(),
  /** Requested from a known device. */
  isKnown: boolean().notNull().default(false),
  createdAt: instant().notNull().defaultNow(),
});

/** The confirmed phone of an account: one per account, one account per number. */
export const phones = pgTable(
  "phones",
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    msisdn: text().notNull().unique("phones_msisdn_once"),
    provedAt: instant().notNull().defaultNow(),
    /** Registered by USSD, on the network's word alone: until the code sent to it is typed, nothing can be spent. */
    codeAwaitedSince: instant(),
    /** Which notices its owner wants by SMS. */
    wantsRefunds: boolean().notNull().default(true),
    wantsTopUps: boolean().notNull().default(true),
    wantsDeliveries: boolean().notNull().default(false),
    /** Whether its owner's customers get an SMS when their data is delivered; in this name, or null: the username. */
    notifyCustomers: boolean().notNull().default(false),
    shopName: text(),
    /** Whether USSD asks for the PIN before it shows the balance or orders. */
    requiresPin: boolean().notNull().default(false),
  },
  (t) => [
    index("phones_number_part").using("gin", sql`${t.msisdn} gin_trgm_ops`),
    check("phones_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("phones_shop_name_is_short", sql`char_length(${t.shopName}) between 1 and 20`),
    // For the foreign key of PINs, which includes the number so that no PIN outlives it.
    index("phones_unconfirmed").on(t.codeAwaitedSince).where(sql`${t.codeAwaitedSince} is not null`),
    unique("phones_of_a_pin").on(t.userId, t.msisdn),
  ],
);

export type Phone = typeof phones.$inferSelect;

/** The PIN for spending from the phone. It belongs to that number: a recycled number must not spend. */
export const pins = pgTable(
  "pins",
  {
    userId: id().primaryKey(),
    msisdn: text().notNull(),
    /** argon2id of a keyed digest: useless without the key. */
    digest: text().notNull(),
    /** In a row; a right PIN resets it. */
    wrongTries: smallint().notNull().default(0),
    lockedUntil: instant(),
    /** Locks since the last right PIN: each lasts longer. */
    locks: smallint().notNull().default(0),
    /** The same for SMS, whose senders can be forged: they lock SMS and nothing else. */
    smsWrongTries: smallint().notNull().default(0),
    smsLockedUntil: instant(),
    smsLocks: smallint().notNull().default(0),
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
    check("pins_locks_in_a_row", sql`${t.locks} between 0 and 4 and ${t.smsLocks} between 0 and 4`),
    check("pins_sms_tries_in_a_row", sql`${t.smsWrongTries} between 0 and 3`),
    check("pins_third_sms_try_locks", sql`(${t.smsWrongTries} = 3) = (${t.smsLockedUntil} is not null)`),
  ],
);

/** One per account. It has no effect until it is confirmed by a code. */
export const secondFactors = pgTable("second_factors", {
  userId: id()
    .primaryKey()
    .references(() => users.id),
  /** The secret, encrypted for this account. */
  sealedSecret: text().notNull(),
  confirmedAt: instant(),
  /** The time step of the last accepted code: it and earlier ones are no longer valid. */
  lastStep: bigint({ mode: "number" }).notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
});

/** Each works once. They are deleted with their second factor. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: id()
      .notNull()
      .references(() => secondFactors.userId, { onDelete: "cascade" }),
    digest: text().notNull(),
    usedAt: instant(),
  },
  (t) => [primaryKey({ name: "recovery_codes_pkey", columns: [t.userId, t.digest] })],
);

/** The networks from which an account has recently logged in; an IPv6 /64 is one. */
export const loginNetworks = pgTable(
  "login_networks",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    network: text().notNull(),
    lastAt: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: "login_networks_pkey", columns: [t.userId, t.network] }),
    index("login_networks_age").on(t.lastAt),
  ],
);

/** A login whose password was right and whose code is pending. */
export const pendingLogins = pgTable(
  "pending_logins",
  {
    /** A digest, so that somebody with the database cannot continue another's login. */
    tokenDigest: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Of the password's hash: a new password ends this login. */
    passwordDigest: text().notNull(),
    tries: smallint().notNull().default(0),
    expiresAt: instant().notNull(),
  },
  (t) => [
    index("pending_logins_user").on(t.userId),
    index("pending_logins_expiry").on(t.expiresAt),
    check("pending_logins_tries", sql`${t.tries} between 0 and 5`),
  ],
);

/**
 * An agent's names for the numbers of customers: a notebook that no purchase reads. A removed one can be restored for a
 * day.
 */
export const contacts = pgTable(
  "contacts",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    msisdn: text().notNull(),
    name: text().notNull(),
    note: text().notNull().default(""),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    removedAt: instant(),
  },
  (t) => [
    primaryKey({ name: "contacts_pkey", columns: [t.userId, t.msisdn] }),
    index("contacts_msisdn").on(t.msisdn),
    index("contacts_by_name").on(t.userId, sql`lower(${t.name})`, t.msisdn),
    index("contacts_removed").on(t.removedAt).where(sql`${t.removedAt} is not null`),
    check("contacts_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
    check("contacts_name_given", sql`btrim(${t.name}) <> '' and char_length(${t.name}) <= 60`),
    check("contacts_note_is_short", sql`char_length(${t.note}) <= 200`),
  ],
);

/** The versions of the privacy notice after the first, which the shop is shipped with (core/identity/consents.ts). */
export const privacyNotices = pgTable(
  "privacy_notices",
  {
    version: smallint().primaryKey(),
    text: text().notNull(),
    publishedAt: instant().notNull().defaultNow(),
    publishedByUserId: id().notNull(),
  },
  (t) => [check("privacy_notices_after_the_first", sql`${t.version} > 1`)],
);

/** Who agreed to which version of the notice; rows only come. */
export const consents = pgTable(
  "consents",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    version: smallint().notNull(),
    at: instant().notNull().defaultNow(),
    channel: text().$type<Channel>().notNull(),
    address: text(),
  },
  (t) => [
    primaryKey({ name: "consents_pkey", columns: [t.userId, t.version] }),
    check("consents_channel_known", sql`${t.channel} in ('web', 'api', 'ussd')`),
  ],
);
