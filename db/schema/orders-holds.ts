// Accounts whose orders are not dispatched for now.
import { boolean, pgTable } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";
import { users } from "./identity.ts";

/** At most one for an account. What claims orders reads it, so it is a row only for as long as it matters. */
export const orderHolds = pgTable("order_holds", {
  userId: id()
    .primaryKey()
    .references(() => users.id),
  until: instant().notNull(),
  /** It lasts for as long as the account is frozen, too. */
  whileFrozen: boolean().notNull().default(false),
  /** What it was begun for. */
  signalId: id().notNull(),
  beganAt: instant().notNull().defaultNow(),
});
