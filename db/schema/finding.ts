// Views of lists that staff keep.

import { sql } from "drizzle-orm";
import { boolean, check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, identity, instant } from "./columns.ts";
import { users } from "./identity.ts";

/** The filters of a list under a name, for the one who keeps it or for all staff. */
export const keptViews = pgTable(
  "kept_views",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** The path of the list. */
    path: text().notNull(),
    name: text().notNull(),
    /** The filters, as in the list's address. */
    query: text().notNull(),
    isShared: boolean().notNull().default(false),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("kept_views_shared").on(t.path, t.id).where(sql`${t.isShared}`),
    uniqueIndex("kept_views_name_once").on(t.userId, t.path, sql`lower(${t.name})`),
    check("kept_views_name_is_short", sql`char_length(btrim(${t.name})) between 1 and 40`),
    check("kept_views_query_is_short", sql`octet_length(${t.query}) between 1 and 500`),
  ],
);
