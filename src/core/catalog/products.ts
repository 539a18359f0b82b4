// Products on sale and their prices. A product is never deleted, because orders refer to it.
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx, TxOrDb } from "../../../db/connect.ts";
import { operators, products, STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { AFA_OPERATOR, AFA_SIZE, type ByUser, DESK } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as, nested } from "../../shared/fields.ts";
import { AboveZero, errorCode, Family, Id, Operator, requiredText } from "../../shared/inputs.ts";
import { bundleName } from "../../shared/operators.ts";
import { NOT_YET, type Pause } from "../../shared/pause.ts";
import * as auditLog from "../platform/audit-log.ts";
import { command, type Logged, type Question, type Work } from "../platform/commands.ts";
import * as announcements from "./announcements.ts";
import { askToSetBelow } from "./below-cost.ts";
import { beginSales, lock as lockCosts, set as setCosts } from "./costs.ts";
import * as guardedCosts from "./guarded-costs.ts";
import * as guardedPrices from "./guarded-prices.ts";
import * as prices from "./prices.ts";
import { familyFor, identityAfter, sized } from "./product-identity.ts";
import {
  columnsOf,
  isTooCheap,
  type LoggedPause,
  PAUSE_FIELDS,
  type PauseChange,
  pauseAfter,
  pauseAmong,
  pauseLogged,
  pauseOf,
  readPause,
  type StoredPause,
} from "./sale-pauses.ts";
import { pricesOfSize, requireLikely } from "./unusual-prices.ts";

export type Product = typeof products.$inferSelect;
/**
 * `paused` is the pause in force for buyers: the product's own or its operator's, whichever ends later; null when it
 * can be bought. The columns themselves may still hold a pause that has ended.
 */
export type ProductOnSale = Product & { ownPause: Pause | null; paused: Pause | null };

/** Bundles on sale at Standard prices, by operator and price; of one operator if given. */
export async function list(tx: Reads, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  return onSale(tx, null, isBundleOf(operator));
}

/** As `list`, at the prices of an account; one that is too low for a bundle pauses it for this account. */
export async function listFor(tx: Reads, userId: number, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  return onSale(tx, userId, isBundleOf(operator));
}

function isBundleOf(operator: Operator | undefined): SQL | undefined {
  return and(eq(products.line, "bundle"), operator ? eq(products.operator, operator) : undefined);
}

/** `number` is what agents type for it by USSD; it stays the same unless an admin changes it. */
export type Bundle = Pick<Product, "id" | "operator" | "family" | "name" | "size" | "volumeMb" | "pricePesewas"> & {
  number: number;
  paused: Pause | null;
};

/**
 * An operator's bundles by their numbers at an account's prices, paused ones included, with the fields that buyers see.
 * A prepared statement, because USSD calls it very often.
 */
export async function bundlesOf(
  { $client: sql }: Pick<Db, "$client">,
  operator: Operator,
  userId: number,
): Promise<Bundle[]> {
  const rows = await sql<(Omit<Bundle, "paused"> & Pauses)[]>`
    select p.id, p.operator, p.family, p.name, p.size, p.volume_mb as "volumeMb", c.price as "pricePesewas",
           p.ussd_number as number,
           pause_of(p.paused_message, p.paused_until) as own,
           pause_of(o.paused_message, o.paused_until) as "ofOperator",
           c.price < p.lowest_price_pesewas as "isTooCheap"
    from users u
    cross join products p
    join operators o on o.code = p.operator
    cross join lateral (
      select ${sql.unsafe(prices.priceNow({ product: "p.id", user: "u.id", tier: "u.tier_id" }))} as price) c
    where u.id = ${userId} and p.operator = ${operator} and p.line = 'bundle' and p.retired_at is null
    order by p.ussd_number`;
  return rows.map(({ own, ofOperator, isTooCheap, ...bundle }) => ({
    ...bundle,
    paused: pauseAmong(own && readPause(own), ofOperator && readPause(ofOperator), isTooCheap),
  }));
}

type Pauses = { own: StoredPause | null; ofOperator: StoredPause | null; isTooCheap: boolean | null };

/** As `findAfa`. Throws product.not_found in a shop that was never started. */
export async function afa(tx: Reads, userId: number | null = null): Promise<ProductOnSale> {
  const product = await findAfa(tx, userId);
  if (!product) throw new AppError("product.not_found", undefined, "AFA registration is not offered yet");
  return product;
}

/** The AFA registration product, at the price of an account, or the Standard one; null where there is none. */
export async function findAfa(tx: Reads, userId: number | null = null): Promise<ProductOnSale | null> {
  const [product] = await onSale(tx, userId, eq(products.line, "afa"));
  return product ?? null;
}

/** Puts the AFA registration on sale at GH₵ 5.00 in a shop without one; changes by admins stay. */
export async function ensureAfa(tx: TxOrDb): Promise<void> {
  if (await findAfa(tx)) return;
  await tx
    .insert(products)
    .values({
      line: "afa",
      operator: AFA_OPERATOR,
      name: "MTN AFA Registration",
      size: AFA_SIZE,
      pricePesewas: 500,
    })
    .onConflictDoNothing();
}

/** `userId`: whose prices; null for the Standard ones. */
async function onSale(tx: Reads, userId: number | null, condition: SQL | undefined): Promise<ProductOnSale[]> {
  const rows = await tx
    .select({
      product: products,
      pricePesewas: prices.priceFor(userId),
      ownPause: pauseOf(products),
      ofOperator: pauseOf(operators),
    })
    .from(products)
    .innerJoin(operators, eq(operators.code, products.operator))
    .where(and(isNull(products.retiredAt), condition))
    .orderBy(asc(products.operator), prices.priceFor(userId), asc(products.id));
  return rows.map(({ product, pricePesewas, ownPause, ofOperator }) => ({
    ...product,
    ...{ pricePesewas, ownPause },
    paused: pauseAmong(ownPause, ofOperator, isTooCheap({ ...product, pricePesewas })),
  }));
}

const missing = "Please fill all product fields";
const LOOKS = {
  name: requiredText(80, missing),
  size: requiredText(20, missing).describe("An amount of data: 5GB, 1.5GB or 500MB"),
  family: Family.optional().describe("The kind of bundle; AT_ISHARE by default for AirtelTigo"),
  pricePesewas: as("price", AboveZero),
  confirmPrice: z.boolean().optional().describe("Confirms a price far from what it was, or others of its size are"),
};
const declared = {
  right: "catalog.manage",
  subject: "product",
  constraints: { products_on_sale_once: "product.exists", ussd_numbers_rest: "product.ussd_number_taken" },
  asks: "Low price",
} as const;
const IDENTITY_WRONG = [
  ...(["product.exists", "product.size_invalid", "product.family_wrong", "operator.retired"] as const),
  ...(["product.price_needs_confirmation"] as const),
];

const COST = {
  costPesewas: as("cost", AboveZero.optional().describe("What the supplier takes for one")),
  awaitsCost: z.boolean().optional().describe("Not on sale before its cost is entered, or its sale is resumed"),
};
const Supplier = z.string().max(40).describe("Whose costs these are: a supplier's code, or desk");

/** Whose costs are known besides the desk's. */
type Serving = Work & { vendors?: readonly { code: string }[] };

/**
 * Puts a product on sale; without a family it belongs to its operator's first. Takes a second person for a price below
 * what such a bundle costs or is likely to be sold for.
 */
export const add = command({
  ...declared,
  name: "product.add",
  about: "Put a product on sale",
  asks: "New bundle, priced low",
  input: {
    operator: z.string().toUpperCase().pipe(Operator).default("MTN"),
    ...{ ...LOOKS, ...COST, vendor: Supplier.optional() },
  },
  errors: [...IDENTITY_WRONG, "cost.vendor_unknown"],
  run: async (work: Serving, { confirmPrice, vendor = DESK, ...fields }) => {
    const { tx } = work;
    await lockCosts(tx);
    const row = rowOf(fields);
    if (!confirmPrice) requireLikely(row.pricePesewas, await pricesOfSize(tx, row.volumeMb));
    const [product] = await addAll(work, vendor, [fields]);
    return get(tx, product!.id);
  },
});

/** The most bundles that are put on sale in one go: several times what a shop sells. */
export const NEW_BUNDLES_MAX = 300;

const NewBundle = nested({
  operator: Operator,
  family: LOOKS.family,
  name: LOOKS.name,
  size: LOOKS.size,
  pricePesewas: as("price", AboveZero),
  ...COST,
});

/** As `add`, of many at once, all or none, with their costs; whoever sends them has seen every price. */
export const addMany = command({
  ...declared,
  name: "product.add_many",
  about: "Put many bundles on sale, all or none, with what a supplier takes for each",
  asks: "New bundles, priced low",
  input: {
    vendor: Supplier,
    bundles: z.array(NewBundle, missing).min(1, missing).max(NEW_BUNDLES_MAX),
  },
  errors: [...IDENTITY_WRONG, "cost.vendor_unknown"],
  run: async (work: Serving, { vendor, bundles }) => {
    await lockCosts(work.tx);
    return { count: (await addAll(work, vendor, bundles)).length };
  },
});

type Looks = { operator: string; name: string; size: string; family?: string | undefined; pricePesewas: number };
type New = Looks & { costPesewas?: number | undefined; awaitsCost?: boolean | undefined };

/** Adds products with their costs at a supplier, under the lock of costs. */
async function addAll(
  { tx, by, agree, vendors = [] }: Serving,
  vendor: string,
  wanted: readonly New[],
): Promise<Product[]> {
  const rows = wanted.map(rowOf);
  const priced = [];
  for (const [at, row] of rows.entries()) priced.push(await asNew(tx, row, wanted[at]!.costPesewas));
  await agree(askToSetBelow(priced));
  const added = await tx.insert(products).values(rows).returning();
  await auditLog.record(
    tx,
    by,
    added.map((after) => ({ action: "product.add", subjectType: "product", subjectId: after.id, after })),
  );
  const known = added.flatMap(({ id: productId }, at) => {
    const { costPesewas } = wanted[at]!;
    return costPesewas === undefined ? [] : [{ productId, vendor, costPesewas }];
  });
  if (known.length > 0) await setCosts.within(tx, by, { vendors, costs: known });
  return added;
}

/** A new product as it is stored. Throws product.size_invalid, product.family_wrong, operator.retired. */
function rowOf({ costPesewas, awaitsCost, ...fields }: New) {
  const pausedMessage = awaitsCost && costPesewas === undefined ? NOT_YET.message : null;
  return { ...fields, ...sized(fields.size), family: familyFor(fields.operator, fields.family), pausedMessage };
}

/** A new product as its price is judged. */
async function asNew(tx: Tx, row: ReturnType<typeof rowOf>, costPesewas: number | null = null) {
  return {
    ...{ productId: null, name: bundleName(row), beforePesewas: null, costPesewas },
    ...{ afterPesewas: row.pricePesewas, guardedPesewas: await guardedCosts.ofSize(tx, row) },
    similarPesewas: await guardedPrices.ofSize(tx, row),
  };
}

/** One product on sale; throws product.not_found. */
export async function get(tx: Reads, productId: number): Promise<ProductOnSale> {
  const [product] = await onSale(tx, null, eq(products.id, productId));
  if (!product) throw new AppError("product.not_found", undefined, "There is no such product on sale");
  return product;
}

const { name, size, family, pricePesewas, confirmPrice } = LOOKS;

/**
 * Changes a product's name, size, price, family, USSD number or pause; existing orders keep theirs. A new price holds
 * when this returns. The AFA registration keeps its size and has neither family nor number. Takes a second person for a
 * price that is too low for one.
 */
export const edit = command({
  ...declared,
  name: "product.edit",
  about: "Change a product or pause its sale; existing orders keep their name and price",
  logs: ["product.pause", "product.resume"],
  input: {
    productId: Id,
    ...{ name: name.optional(), size: size.optional(), family, confirmPrice },
    pricePesewas: as("price", pricePesewas.optional()),
    ussdNumber: z.int(errorCode("product.ussd_number_invalid")).optional().describe("What agents type for it by USSD"),
    ...PAUSE_FIELDS,
  },
  errors: [
    ...(["product.not_found", "product.fixed", ...IDENTITY_WRONG, "product.ussd_number_invalid"] as const),
    ...(["product.ussd_number_taken", "pause.message_missing", "pause.end_invalid"] as const),
  ],
  undo: editBefore,
  run: async ({ tx, by, audit, agree }, { productId, confirmPrice, ...change }) => {
    await lockCosts(tx);
    await tx.select({ id: products.id }).from(products).where(eq(products.id, productId)).for("update");
    const { paused: _, ownPause, ...stored } = await get(tx, productId);
    // A pause that has ended counts as none, so that none of it reappears with the next one.
    const before = { ...stored, ...columnsOf(ownPause) };
    const after = {
      ...before,
      ...change,
      ...identityAfter(before, change),
      ...(await pauseAfter(tx, ownPause, change)),
    };
    if (Bun.deepEquals(before, after)) return { since: null };
    const { pricePesewas } = before;
    if (!confirmPrice) requireLikely(after.pricePesewas, { lowest: pricePesewas, highest: pricePesewas });
    await agree(await askForLow(tx, by, { before, after }));
    const { pricePesewas: _price, ...rest } = after;
    const [row] = await tx.update(products).set(rest).where(eq(products.id, productId)).returning();
    await audit(productId, {
      ...actionOf(change),
      before,
      after: { ...row!, pricePesewas: after.pricePesewas },
    });
    await announcements.pauseChanged(tx, { productId }, before, after);
    if (after.pricePesewas === pricePesewas) return { since: null };
    const set = { productId, tierId: STANDARD_TIER_ID, pricePesewas: after.pricePesewas };
    return { since: (await prices.insert(tx, [set], { byUserId: by.userId, since: null })).since };
  },
  afterwards: (db, { since }) => prices.begun(db, since),
});

/** What an edit brings back; the volume follows from the size. A price has an undo of its own, under Changes. */
const RESTORED = ["name", "size", "volumeMb", "family", ...Object.keys(PAUSE_FIELDS)];
type LoggedProduct = Pick<Product, "name" | "size" | "family"> & LoggedPause;

function editBefore({ subjectId, before, after }: Logged<LoggedProduct>) {
  const changed = Object.keys(before).filter((field) => {
    const name = field as keyof LoggedProduct;
    return !Bun.deepEquals(before[name], after[name]);
  });
  const { name, size, family } = before;
  if (changed.some((field) => !RESTORED.includes(field) || (field === "family" && family === null))) return null;
  return {
    productId: Number(subjectId),
    ...(changed.includes("name") && { name }),
    ...(changed.includes("size") && { size }),
    ...(changed.includes("family") && { family: family! }),
    ...(changed.some((field) => field in PAUSE_FIELDS) && pauseLogged(before)),
  };
}

/** How a change of nothing but the pause is logged. */
function actionOf(change: object & PauseChange): { action?: string } {
  if (Object.keys(change).some((field) => !(field in PAUSE_FIELDS))) return {};
  return { action: change.pausedMessage === null ? "product.resume" : "product.pause" };
}

/** Puts new bundles on sale that wait for their costs, though these are not known. Counts those that did wait. */
export const sellWithoutCost = command({
  name: "product.sell_without_cost",
  right: "catalog.manage",
  about: "Put new products on sale though their costs are not known",
  subject: "product",
  input: { productIds: z.array(Id).min(1).max(NEW_BUNDLES_MAX) },
  errors: [],
  run: async ({ tx, by }, { productIds }) => {
    await lockCosts(tx);
    return { count: await beginSales(tx, by, productIds) };
  },
});

/** Takes a product off sale for good; existing orders keep it. The AFA registration can only be paused. */
export const retire = command({
  name: "product.retire",
  right: "catalog.manage",
  about: "Take a product off sale; existing orders keep it",
  subject: "product",
  input: { productId: Id },
  errors: ["product.not_found", "product.fixed"],
  run: async ({ tx, audit }, { productId }) => {
    await lockCosts(tx);
    if ((await findAfa(tx))?.id === productId) throw new AppError("product.fixed");
    const [product] = await tx
      .update(products)
      .set({ retiredAt: sql`now()` })
      .where(and(eq(products.id, productId), isNull(products.retiredAt)))
      .returning();
    if (!product) throw new AppError("product.not_found");
    await audit(product.id, { before: product });
    return product;
  },
});

/**
 * What to ask when a product is about to be sold for too little: cheaper, or as a larger bundle or one of another
 * family at the price of what it was.
 */
async function askForLow(
  tx: Tx,
  by: ByUser,
  { before, after }: { before: Product; after: Product },
): Promise<Question | null> {
  const isOther = after.volumeMb !== before.volumeMb || after.family !== before.family;
  const priced = {
    ...{ productId: before.id, name: before.name, costPesewas: before.costPesewas },
    ...{ beforePesewas: isOther ? null : before.pricePesewas, afterPesewas: after.pricePesewas },
    ...(isOther ? await heldAsOther(tx, after) : await heldAsItIs(tx, by, before)),
  };
  return askToSetBelow([priced]);
}

async function heldAsOther(tx: Tx, after: Product) {
  return {
    guardedPesewas: await guardedCosts.ofSize(tx, after, after.id),
    similarPesewas: await guardedPrices.ofSize(tx, after),
  };
}

async function heldAsItIs(tx: Tx, by: ByUser, product: Product) {
  const entry = (await guardedCosts.ownEntries(tx, by, [product.id])).get(product.id);
  const highest = await guardedPrices.highestStandard(tx, [product.id], prices.SOON);
  return {
    guardedPesewas: entry?.formerPesewas ?? null,
    standardPesewas: guardedCosts.isKnown(product, entry) ? undefined : highest.get(product.id),
  };
}
