// MTN AFA registrations.

import { sql } from "drizzle-orm";
import { check, index, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { id, instant } from "./columns.ts";
import { orders } from "./orders.ts";

/**
 * The person of an AFA order. The Ghana Card number is encrypted; its digest finds it without decrypting, and lists
 * show its last four digits. `refusedAt` is set in the commit that fails the order, unless MTN had already registered
 * the person: card and number are free from then on.
 */
export const afaRegistrations = pgTable(
  "afa_registrations",
  {
    orderId: id()
      .primaryKey()
      .references(() => orders.id),
    userId: id().notNull(),
    fullName: text().notNull(),
    /** Stored form, 233541234567; also the order's number. */
    msisdn: text().notNull(),
    location: text().notNull(),
    cardSealed: text().notNull(),
    cardDigest: text().notNull(),
    cardLast4: text().notNull(),
    refusedAt: instant(),
    /** When a registration that MTN had made was refunded: card and number stay taken until an admin frees them. */
    keptAt: instant(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("afa_registrations_user").on(t.userId, t.orderId),
    index("afa_registrations_search").using("gin", sql`${t.fullName} gin_trgm_ops`, sql`${t.msisdn} gin_trgm_ops`),
    uniqueIndex("afa_card_once").on(t.cardDigest).where(sql`${t.refusedAt} is null`),
    index("afa_to_forget").on(t.createdAt).where(sql`${t.fullName} <> 'Deleted'`),
    uniqueIndex("afa_number_once").on(t.msisdn).where(sql`${t.refusedAt} is null`),
    check("afa_name_given", sql`btrim(${t.fullName}) <> ''`),
    check("afa_location_given", sql`btrim(${t.location}) <> ''`),
    check("afa_card_is_sealed", sql`${t.cardSealed} ~ '^1[.][A-Za-z0-9_-]{6}[.][A-Za-z0-9_-]{40,}$'`),
    check("afa_card_last4_digits", sql`${t.cardLast4} ~ '^[0-9]{4}$'`),
  ],
);
