// Network operators, families of bundles, and products.

import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import {
  type Family,
  NETWORKS,
  type Network,
  type Operator,
  PRODUCT_LINES,
  type ProductLine,
} from "../../src/shared/domain.ts";
import { id, identity, instant, oneOf, pesewas } from "./columns.ts";
import { users } from "./identity.ts";

// ---------------------------------------------------------------- the shop
export const operators = pgTable(
  "operators",
  {
    code: text().$type<Operator>().primaryKey(),
    name: text().notNull(),
    /** Where every character counts: "AT". */
    shortName: text().notNull(),
    /** Of its badge, which has its colour. */
    letters: text().notNull(),
    color: text().notNull(),
    /**
     * The address of its page, which stays its own after a merger: "/airtel-tigo". Its only writer keeps it unique,
     * under the lock of `operator_state`: an index would be built under a lock of this table.
     */
    path: text().notNull(),
    position: integer().notNull(),
    ussdLabel: text().notNull(),
    ussdPosition: integer().notNull(),
    /** What lists, SMS and searches may call it besides its code and its name. */
    aliases: text().array().notNull().default([]),
    /** The mobile money network of its numbers; null: none. */
    momo: text().$type<Network>(),
    /** Not null: paused, with this message for buyers. `is_paused` in the database decides whether it is in force. */
    pausedMessage: text(),
    pausedAt: instant(),
    pausedUntil: instant(),
    /** Its bundles went off sale with it, at the same instant. */
    retiredAt: instant(),
    /** Not null: retired, because its families belong to this one by now. */
    mergedInto: text()
      .$type<Operator>()
      .references((): AnyPgColumn => operators.code),
  },
  (t) => [
    check("operators_code_form", sql`${t.code} ~ '^[A-Z][A-Z0-9_]{1,15}$'`),
    check("operators_color_form", sql`${t.color} ~ '^#[0-9a-f]{6}$'`),
    check("operators_path_form", sql`${t.path} ~ '^/[a-z][a-z0-9-]{1,30}$'`),
    check("operators_momo_known", sql`${t.momo} in (${oneOf(Object.keys(NETWORKS))})`),
    check("operators_merged_is_retired", sql`${t.mergedInto} is null or ${t.retiredAt} is not null`),
    check("operators_paused_with_message", sql`(${t.pausedMessage} is null) = (${t.pausedAt} is null)`),
    check("operators_end_of_a_pause", sql`${t.pausedUntil} is null or ${t.pausedMessage} is not null`),
  ],
);

/** The beginnings of an operator's numbers: "24" for 024. A hint, because numbers are portable. */
export const numberPrefixes = pgTable(
  "number_prefixes",
  {
    prefix: text().primaryKey(),
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
  },
  (t) => [check("number_prefixes_form", sql`${t.prefix} ~ '^[25][0-9]{1,2}$'`)],
);

/** What every server compares with the operators that it remembers. Locked by whoever changes them. */
export const operatorState = pgTable(
  "operator_state",
  {
    only: boolean().primaryKey().default(true),
    /** Changes with every change of an operator, a family or a prefix. */
    version: uuid().notNull().defaultRandom(),
  },
  (t) => [check("operator_state_one_row", sql`${t.only}`)],
);

/** The kinds of bundles of each operator, which routes and vendors distinguish. */
export const productFamilies = pgTable(
  "product_families",
  {
    code: text().$type<Family>().primaryKey(),
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
    name: text().notNull(),
    /** Behind its operator's name: "iShare". */
    ussdLabel: text().notNull(),
    /** Among its operator's; the first on sale is the default. */
    position: integer().notNull(),
    aliases: text().array().notNull().default([]),
    /** Its bundles went off sale with it, at the same instant. */
    retiredAt: instant(),
  },
  (t) => [
    // For the foreign key of a product's family and operator.
    unique("product_families_operator_once").on(t.code, t.operator),
    check("product_families_code_form", sql`${t.code} ~ '^[A-Z][A-Z0-9_]{1,15}$'`),
  ],
);

export const products = pgTable(
  "products",
  {
    id: identity(),
    /** A data bundle, or the AFA registration, which has a page and a queue of its own. */
    line: text().$type<ProductLine>().notNull().default("bundle"),
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
    /** Of a bundle; null means its operator's first family. */
    family: text().$type<Family>(),
    name: text().notNull(),
    size: text().notNull(),
    /** Data volume in MB, 1 GB = 1000 MB; null for products other than data. */
    volumeMb: integer(),
    /**
     * The Standard price that was last set to begin at once; a trigger keeps it and `prices` in step. For versions
     * from before `prices`, which alone tells what a bundle costs.
     */
    pricePesewas: pesewas().notNull(),
    /** What a sale is expected to cost the shop, from `product_costs` and the route; null while it is not known. */
    costPesewas: pesewas(),
    /** It is not sold for less, which comes from its cost and the margin guard; null: for any price. */
    lowestPricePesewas: pesewas(),
    /** Why an admin has allowed its sale below cost; null: it is not. */
    belowCostReason: text(),
    /**
     * The number that agents type for a bundle by USSD. A trigger assigns its size in GB where that is whole and no
     * other bundle of the operator has it, else one from 51 up that none ever had, so that a memorised shortcut never
     * comes to mean something else.
     */
    ussdNumber: integer(),
    pausedMessage: text(),
    pausedUntil: instant(),
    createdAt: instant().notNull().defaultNow(),
    retiredAt: instant(),
  },
  (t) => [
    index("products_operator").on(t.operator, t.pricePesewas, t.id),
    uniqueIndex("products_on_sale_once")
      .on(t.operator, sql`lower(${t.name})`, sql`lower(${t.size})`)
      .where(sql`${t.retiredAt} is null and ${t.line} = 'bundle'`),
    uniqueIndex("products_ussd_number_once")
      .on(t.operator, t.ussdNumber)
      .where(sql`${t.retiredAt} is null and ${t.line} = 'bundle'`),
    uniqueIndex("products_afa_once").on(t.line).where(sql`${t.line} = 'afa'`),
    check("products_end_of_a_pause", sql`${t.pausedUntil} is null or ${t.pausedMessage} is not null`),
    check("products_line_known", sql`${t.line} in (${oneOf(PRODUCT_LINES)})`),
    check("products_afa_stays", sql`${t.line} <> 'afa' or (${t.retiredAt} is null and ${t.volumeMb} is null)`),
    foreignKey({
      name: "products_family_of_operator",
      columns: [t.family, t.operator],
      foreignColumns: [productFamilies.code, productFamilies.operator],
    }),
    check("products_family_of_bundle", sql`${t.line} = 'bundle' or ${t.family} is null`),
    check("products_price_above_zero", sql`${t.pricePesewas} > 0`),
    check("products_cost_not_below_zero", sql`${t.costPesewas} >= 0`),
    check("products_below_cost_with_reason", sql`btrim(${t.belowCostReason}) <> ''`),
    check("products_volume_above_zero", sql`${t.volumeMb} > 0`),
    // 9 is the next page of a list, 0 the way back, 99 another network.
    check("products_ussd_number_is_free_to_type", sql`${t.ussdNumber} > 0 and ${t.ussdNumber} not in (9, 99)`),
    check(
      "products_bundle_has_ussd_number",
      sql`${t.line} <> 'bundle' or ${t.retiredAt} is not null or ${t.ussdNumber} is not null`,
    ),
  ],
);

/**
 * Every number that a bundle was ever given, with its last bundle. A trigger keeps it: a freed number comes back to
 * that bundle at once, to another of the size that it means likewise, and to any other only after 90 days.
 */
export const ussdNumbers = pgTable(
  "ussd_numbers",
  {
    operator: text()
      .$type<Operator>()
      .notNull()
      .references(() => operators.code),
    number: integer().notNull(),
    productId: id().notNull(),
    /** When its bundle was taken off sale or got another number; null while it has this one. */
    freedAt: instant(),
  },
  (t) => [primaryKey({ name: "ussd_numbers_pkey", columns: [t.operator, t.number] })],
);

/** The standard tier, which every account has until an admin gives it another one. */
export const STANDARD_TIER_ID = 1;

/** Groups of accounts with prices of their own. An account has one; a deleted one stays for its orders. */
export const tiers = pgTable(
  "tiers",
  {
    id: identity(),
    name: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    deletedAt: instant(),
  },
  (t) => [
    uniqueIndex("tiers_name_once").on(sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    check("tiers_name_is_short", sql`char_length(btrim(${t.name})) between 1 and 30`),
    check("tiers_standard_stays", sql`${t.id} <> ${sql.raw(String(STANDARD_TIER_ID))} or ${t.deletedAt} is null`),
  ],
);

/** A change of the shop's prices, of one or of many, that begins at one moment and is taken back as a whole. */
export const priceChanges = pgTable(
  "price_changes",
  {
    id: identity(),
    byUserId: id(),
    /** When its prices begin. */
    since: instant().notNull(),
    /** What was done, for the list of changes: "File prices.csv", "MTN up by 5 %". */
    note: text().notNull().default(""),
    /** The change that this one takes back. */
    undoesId: id(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    unique("price_changes_undone_once").on(t.undoesId),
    check("price_changes_note_is_short", sql`char_length(${t.note}) <= 200`),
  ],
);

/**
 * The shop's prices in time: the newest row that has begun is the price of now, later ones are planned. Null: from then
 * on no price of its own, so that the Standard one applies.
 */
export const prices = pgTable(
  "prices",
  {
    productId: id()
      .notNull()
      .references(() => products.id),
    tierId: id()
      .notNull()
      .references(() => tiers.id),
    since: instant().notNull(),
    pricePesewas: pesewas(),
    changeId: id().references(() => priceChanges.id),
  },
  (t) => [
    primaryKey({ name: "prices_pkey", columns: [t.productId, t.tierId, t.since] }),
    index("prices_change").on(t.changeId),
    check("prices_above_zero", sql`${t.pricePesewas} > 0`),
    check(
      "prices_standard_given",
      sql`${t.tierId} <> ${sql.raw(String(STANDARD_TIER_ID))} or ${t.pricePesewas} is not null`,
    ),
  ],
);

/** Prices of one account, before its tier's; null: no exception from then on. */
export const accountPrices = pgTable(
  "account_prices",
  {
    userId: id()
      .notNull()
      .references(() => users.id),
    productId: id()
      .notNull()
      .references(() => products.id),
    since: instant().notNull(),
    pricePesewas: pesewas(),
    changeId: id().references(() => priceChanges.id),
  },
  (t) => [
    primaryKey({ name: "account_prices_pkey", columns: [t.userId, t.productId, t.since] }),
    index("account_prices_change").on(t.changeId),
    check("account_prices_above_zero", sql`${t.pricePesewas} > 0`),
  ],
);

export const COST_SOURCES = ["vendor", "admin"] as const;

/** What a vendor or the desk takes for one of a bundle, whenever it was seen to differ; the newest row is today's. */
export const productCosts = pgTable(
  "product_costs",
  {
    productId: id()
      .notNull()
      .references(() => products.id),
    /** A vendor's code, or the desk. */
    vendor: text().notNull(),
    seenAt: instant().notNull(),
    costPesewas: pesewas().notNull(),
    /** Reported with a delivery, or entered by an admin. */
    source: text().$type<(typeof COST_SOURCES)[number]>().notNull(),
    byUserId: id(),
  },
  (t) => [
    primaryKey({ name: "product_costs_pkey", columns: [t.productId, t.vendor, t.seenAt] }),
    check("product_costs_not_below_zero", sql`${t.costPesewas} >= 0`),
    check("product_costs_source_known", sql`${t.source} in (${oneOf(COST_SOURCES)})`),
  ],
);
