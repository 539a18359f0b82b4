// Accounts that have left a live shop, until its sandbox has been told; a shop without a sandbox keeps the rows.
import { pgTable, unique } from "drizzle-orm/pg-core";
import { id, identity, instant } from "./columns.ts";
import { users } from "./identity.ts";

/** Written in the commit that bans or closes an account. An account that leaves again gets another id. */
export const sandboxFarewells = pgTable(
  "sandbox_farewells",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [unique("sandbox_farewells_account_once").on(t.userId)],
);
