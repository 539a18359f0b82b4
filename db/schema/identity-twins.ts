// The twins of live accounts in a sandbox; empty in a live shop.
import { integer, pgTable } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";
import { users } from "./identity.ts";

/** The account that plays a live account here. After a reset it is another one; the one before keeps its rows. */
export const twins = pgTable("twins", {
  /** The id of the account in the live shop's database. */
  liveUserId: id().primaryKey(),
  userId: id()
    .notNull()
    .unique("twins_account_once")
    .references(() => users.id),
  resets: integer().notNull().default(0),
  createdAt: instant().notNull().defaultNow(),
});
