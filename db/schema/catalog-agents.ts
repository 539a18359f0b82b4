// Agents' own prices: their selling prices, and the public pages that show them.
import { sql } from "drizzle-orm";
import { check, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { products } from "./catalog.ts";
import { id, instant, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/**
 * What an agent charges for a bundle, from a moment on: the last row before a sale is its price, whatever comes later.
 * Null: no price from then on. The agents' own notebook, which no purchase reads.
 */
export const sellingPrices = pgTable(
  "selling_prices",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    productId: id()
      .notNull()
      .references(() => products.id),
    since: instant().notNull().defaultNow(),
    pricePesewas: pesewas(),
  },
  (t) => [
    primaryKey({ name: "selling_prices_pkey", columns: [t.userId, t.productId, t.since] }),
    check("selling_prices_above_zero", sql`${t.pricePesewas} > 0`),
  ],
);

/** An agent's public page of selling prices, while it is switched on; whoever knows the token may read it. */
export const priceLists = pgTable(
  "price_lists",
  {
    userId: id()
      .primaryKey()
      .references(() => users.id),
    token: text().notNull().unique("price_lists_token_once"),
    heading: text().notNull().default(""),
    /** The number that customers may call, if the agent wants it shown. */
    msisdn: text(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    check("price_lists_token_is_long", sql`${t.token} ~ '^[A-Za-z0-9_-]{22}$'`),
    check("price_lists_heading_is_short", sql`char_length(${t.heading}) <= 60`),
    check("price_lists_msisdn_is_ghanaian", sql`${t.msisdn} ~ '^233[25][0-9]{8}$'`),
  ],
);
