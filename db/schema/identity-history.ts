// The history of logins and wrong PINs, kept for a while. Sessions and counts of tries hold the present alone.
import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { id, identity, instant } from "./columns.ts";
import { users } from "./identity.ts";

/** Rows only come, and go with their age. */
export const logins = pgTable(
  "logins",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    at: instant().notNull().defaultNow(),
    address: text(),
    userAgent: text(),
    /** From a browser and a network that the account was not known from; its first login is none. */
    isNewDevice: boolean().notNull(),
  },
  (t) => [index("logins_user").on(t.userId, t.at), index("logins_age").on(t.at)],
);

/** Rows only come, and go with their age. */
export const wrongPins = pgTable(
  "wrong_pins",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** The sender of an SMS can be forged. */
    channel: text().$type<"ussd" | "sms">().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [
    index("wrong_pins_user").on(t.userId, t.channel, t.at, t.id),
    index("wrong_pins_age").on(t.at),
    check("wrong_pins_channel_known", sql`${t.channel} in ('ussd', 'sms')`),
  ],
);
