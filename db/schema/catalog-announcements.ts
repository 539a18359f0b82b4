// Changes of prices and pauses, until the programs of all accounts that they concern have their messages.
import { sql } from "drizzle-orm";
import { bigint, check, index, pgTable, text } from "drizzle-orm/pg-core";
import { priceChanges } from "./catalog.ts";
import { id, identity, instant, oneOf } from "./columns.ts";

export const ANNOUNCEMENT_KINDS = ["prices", "tier", "pause"] as const;
export type AnnouncementKind = (typeof ANNOUNCEMENT_KINDS)[number];

/**
 * Written in the commit of the change. From the moment on at which it takes effect, the worker writes its messages to
 * webhooks in batches and then deletes the row.
 */
export const announcements = pgTable(
  "announcements",
  {
    id: identity(),
    kind: text().$type<AnnouncementKind>().notNull(),
    at: instant().notNull(),
    /** "prices": the change, which takes the announcement with it when it is taken back. */
    changeId: id().references(() => priceChanges.id, { onDelete: "cascade" }),
    /** "tier": these accounts go from one tier to another. */
    fromTierId: id(),
    toTierId: id(),
    userIds: bigint({ mode: "number" }).array(),
    /** "pause": of a product, or of an operator with all its products; without a message the sale goes on. */
    productId: id(),
    operator: text(),
    message: text(),
    until: instant(),
    /** The last webhook that has its message. */
    afterHookId: id().notNull().default(0),
  },
  (t) => [
    index("announcements_due").on(t.at, t.id),
    index("announcements_change").on(t.changeId),
    check("announcements_kind_known", sql`${t.kind} in (${oneOf(ANNOUNCEMENT_KINDS)})`),
    check("announcements_of_prices", sql`(${t.kind} = 'prices') = (${t.changeId} is not null)`),
    check(
      "announcements_of_tiers",
      sql`(${t.kind} = 'tier') = (${t.fromTierId} is not null and ${t.toTierId} is not null
        and ${t.userIds} is not null)`,
    ),
    check("announcements_of_pauses", sql`(${t.kind} = 'pause') = (num_nonnulls(${t.productId}, ${t.operator}) = 1)`),
  ],
);
