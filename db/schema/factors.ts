// The tables of the second factor: the secret that an authenticator app holds, the codes for when it is lost, and logins
// that wait for one.
import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import { id, instant } from "../columns.ts";
import { users } from "./core.ts";

/** One an account. Until it is confirmed by a code it opens and closes nothing. */
export const secondFactors = pgTable("second_factors", {
  userId: id()
    .primaryKey()
    .references(() => users.id),
  /** The secret, sealed for this account. */
  sealedSecret: text().notNull(),
  confirmedAt: instant(),
  /** The step of time whose code was taken last: it and those before it count no more. */
  lastStep: bigint({ mode: "number" }).notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
});

/** Each is good for one time. They go with the factor they stand in for. */
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

/** The networks from which an account has logged in of late: a /64 of IPv6 is one. */
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

/** Somebody whose password was right and whose code is still to come. */
export const pendingLogins = pgTable(
  "pending_logins",
  {
    /** A digest: who reads the database cannot go on with another's login. */
    tokenDigest: text().primaryKey(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** Of the password's hash: with another password this login is over. */
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
