// API keys, with which an agent's programs call the API, and what was spent with them.
import { sql } from "drizzle-orm";
import { type AnyPgColumn, check, date, index, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { SCOPES, type Scope } from "../../src/shared/api-keys.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

/** All keys of a database have one mode, live or test: the shop's. A row stays when its key has ended. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: identity(),
    userId: id()
      .notNull()
      .references(() => users.id),
    /** The first of the keys that replaced each other, whose spending counts together; null for that one itself. */
    firstId: id().references((): AnyPgColumn => apiKeys.id),
    name: text().notNull(),
    /** SHA-256 of the key, which is stored nowhere. */
    digest: text().notNull(),
    /** Its beginning and end, by which people recognise it: "dfk_live_AbCd…wxYz". */
    shown: text().notNull(),
    scopes: text().array().$type<Scope[]>().notNull(),
    /** Addresses and blocks that it may be used from; empty: any. */
    addresses: text().array().notNull().default(sql`'{}'`),
    /** The most that it may spend in a day; null: no limit of its own. */
    dayMaxPesewas: pesewas(),
    /** When it ends by itself; null: never. */
    endsAt: instant(),
    /** Written once a minute at most. */
    lastUsedAt: instant(),
    lastUsedAddress: text(),
    createdAt: instant().notNull().defaultNow(),
    revokedAt: instant(),
    /** The key that replaced it, and until when both work. */
    replacedById: id().references((): AnyPgColumn => apiKeys.id),
    validUntil: instant(),
  },
  (t) => [
    unique("api_keys_digest_once").on(t.digest),
    index("api_keys_user").on(t.userId, t.id),
    check("api_keys_name_given", sql`btrim(${t.name}) <> ''`),
    check("api_keys_scopes_known", sql`${t.scopes} <@ array[${oneOf(SCOPES)}]`),
    check("api_keys_scopes_given", sql`cardinality(${t.scopes}) > 0`),
    check("api_keys_addresses_few", sql`cardinality(${t.addresses}) <= 20`),
    check("api_keys_day_max_above_zero", sql`${t.dayMaxPesewas} > 0`),
    check("api_keys_replaced_has_end", sql`(${t.replacedById} is null) = (${t.validUntil} is null)`),
  ],
);

/** What was spent in a day with a key and those that replaced it; refunded orders do not count. */
export const apiKeyDays = pgTable(
  "api_key_days",
  {
    /** The first of the keys that replaced each other. */
    keyId: id()
      .notNull()
      .references(() => apiKeys.id),
    /** In Accra. */
    day: date().notNull(),
    amountPesewas: pesewas().notNull(),
  },
  (t) => [
    primaryKey({ name: "api_key_days_pkey", columns: [t.keyId, t.day] }),
    check("api_key_days_not_below_zero", sql`${t.amountPesewas} >= 0`),
  ],
);
