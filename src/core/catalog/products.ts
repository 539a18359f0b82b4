// Products on sale and their prices. A product is never deleted, because orders refer to it.
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx, type TxOrDb } from "../../../db/connect.ts";
import { operators, products, STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import { AFA_OPERATOR, AFA_SIZE, type ByUser, type Family, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { bundleName } from "../../shared/operators.ts";
import type { Pause } from "../../shared/pause.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as secondPerson from "../platform/second-person.ts";
import { transact } from "../platform/transactions.ts";
import * as announcements from "./announcements.ts";
import { askToSetBelow } from "./below-cost.ts";
import { lock as lockCosts } from "./costs.ts";
import * as guardedCosts from "./guarded-costs.ts";
import * as guardedPrices from "./guarded-prices.ts";
import * as prices from "./prices.ts";
import { familyFor, identityAfter, sized } from "./product-identity.ts";
import { columnsOf, isTooCheap, pauseAfter, pauseAmong, pauseOf, readPause, type StoredPause } from "./sale-pauses.ts";
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

/** A product to put on sale; without a family it belongs to its operator's first. */
export type NewProduct = {
  operator: Operator;
  family?: Family | undefined;
  name: string;
  size: string;
  pricePesewas: number;
};
/** `confirmPrice`: the admin has confirmed an unusual price. */
type Command = { by: ByUser; confirmPrice?: boolean | undefined };

/**
 * Puts a product on sale, as an admin. Throws auth.forbidden, product.exists, product.size_invalid,
 * product.family_wrong, operator.retired, product.price_needs_confirmation for a price far from those of other products
 * of its size, and as secondPerson.require for one below what such a bundle costs or is likely to be sold for.
 */
export async function add(db: Db, command: Command & NewProduct): Promise<Product> {
  requireRight(command.by, "catalog.manage");
  const { by, confirmPrice, ...fields } = command;
  const row = { ...fields, ...sized(command.size), family: familyFor(command.operator, command.family) };
  return refuseDuplicate(() =>
    transact(db, async (tx) => {
      await lockCosts(tx);
      const others = await pricesOfSize(tx, row.volumeMb);
      if (!confirmPrice) requireLikely(command.pricePesewas, others);
      const priced = {
        ...{ productId: null, name: bundleName(row), beforePesewas: null, costPesewas: null },
        ...{ afterPesewas: row.pricePesewas, guardedPesewas: await guardedCosts.ofSize(tx, row) },
        similarPesewas: await guardedPrices.ofSize(tx, row),
      };
      const ask = askToSetBelow({ kind: "product.add", command: { ...fields, confirmPrice } }, [priced]);
      await secondPerson.require(tx, by, ask);
      const [product] = await tx.insert(products).values(row).returning();
      await auditLog.record(tx, by, [
        { action: "product.add", subjectType: "product", subjectId: product!.id, after: product },
      ]);
      return product!;
    }),
  );
}

/** One product on sale; throws product.not_found. */
export async function get(tx: Reads, productId: number): Promise<ProductOnSale> {
  const [product] = await onSale(tx, null, eq(products.id, productId));
  if (!product) throw new AppError("product.not_found", undefined, "There is no such product on sale");
  return product;
}

export type ProductChange = {
  name?: string | undefined;
  size?: string | undefined;
  family?: Family | undefined;
  pricePesewas?: number | undefined;
  /** What agents type for it by USSD. */
  ussdNumber?: number | undefined;
  /** Message for buyers while it is paused; null resumes the sale. */
  pausedMessage?: string | null | undefined;
  /** When the pause ends; null: when it is resumed. */
  pausedUntil?: Date | null | undefined;
};

/**
 * Changes a product's name, size, price, family, USSD number or pause, as an admin; existing orders keep theirs. Throws
 * auth.forbidden, product.not_found, product.exists, product.size_invalid, product.family_wrong, product.fixed (another
 * size or family, or a number, for the AFA registration), product.ussd_number_invalid, product.ussd_number_taken,
 * pause.end_invalid, pause.message_missing (an end without a pause), product.price_needs_confirmation for a price that
 * changes by more than half, and as secondPerson.require for one that is too low for one person.
 */
export async function edit(
  db: Db,
  { by, productId, confirmPrice, ...fields }: Command & { productId: number } & ProductChange,
): Promise<ProductOnSale> {
  const change = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  return changed(db, { by, productId, action: "product.edit", change, confirmPrice });
}

/**
 * Pauses the sale of a product with a message for buyers, until `until` or until it is resumed; a null message resumes
 * it. Throws as `edit`.
 */
export async function pause(
  db: Db,
  {
    by,
    productId,
    message,
    until = null,
  }: { by: ByUser; productId: number; message: string | null; until?: Date | null },
): Promise<ProductOnSale> {
  const action = message === null ? "product.resume" : "product.pause";
  return changed(db, { by, productId, action, change: { pausedMessage: message, pausedUntil: until } });
}

/**
 * Takes a product off sale for good; existing orders keep it.
 * Throws auth.forbidden, product.not_found, product.fixed (the AFA registration can only be paused).
 */
export async function retire(db: Db, command: { by: ByUser; productId: number }): Promise<void> {
  requireRight(command.by, "catalog.manage");
  await transact(db, async (tx) => {
    await lockCosts(tx);
    if ((await findAfa(tx))?.id === command.productId) throw new AppError("product.fixed");
    const [product] = await tx
      .update(products)
      .set({ retiredAt: sql`now()` })
      .where(and(eq(products.id, command.productId), isNull(products.retiredAt)))
      .returning();
    if (!product) throw new AppError("product.not_found");
    await auditLog.record(tx, command.by, [
      { action: "product.retire", subjectType: "product", subjectId: product.id, before: product },
    ]);
  });
}

type Change = Command & { productId: number; action: string; change: Partial<Product> };

/**
 * Locks the product, changes it, and logs the values before and after; an unchanged product is not logged. A new price
 * holds when this returns.
 */
async function changed(db: Db, { by, productId, action, change, confirmPrice }: Change): Promise<ProductOnSale> {
  requireRight(by, "catalog.manage");
  const since = await refuseDuplicate(() =>
    transact(db, async (tx) => {
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
      if (Bun.deepEquals(before, after)) return null;
      const { pricePesewas } = before;
      if (!confirmPrice) requireLikely(after.pricePesewas, { lowest: pricePesewas, highest: pricePesewas });
      await requireSecondPerson(
        tx,
        by,
        { kind: action, command: { productId, ...change, confirmPrice } },
        { before, after },
      );
      const { pricePesewas: _price, ...rest } = after;
      const [row] = await tx.update(products).set(rest).where(eq(products.id, productId)).returning();
      await auditLog.record(tx, by, [
        {
          ...{ action, subjectType: "product", subjectId: productId, before },
          after: { ...row!, pricePesewas: after.pricePesewas },
        },
      ]);
      await announcements.pauseChanged(tx, { productId }, before, after);
      if (after.pricePesewas === pricePesewas) return null;
      const set = { productId, tierId: STANDARD_TIER_ID, pricePesewas: after.pricePesewas };
      return (await prices.insert(tx, [set], { byUserId: by.userId, since: null })).since;
    }),
  );
  if (since) await prices.begun(db, since);
  return get(db, productId);
}

/**
 * Throws as secondPerson.require when a product is about to be sold for too little: cheaper, or as a larger bundle or
 * one of another family at the price of what it was.
 */
async function requireSecondPerson(
  tx: Tx,
  by: ByUser,
  act: Pick<secondPerson.Ask, "kind" | "command">,
  { before, after }: { before: Product; after: Product },
): Promise<void> {
  const isOther = after.volumeMb !== before.volumeMb || after.family !== before.family;
  const priced = {
    ...{ productId: before.id, name: before.name, costPesewas: before.costPesewas },
    ...{ beforePesewas: isOther ? null : before.pricePesewas, afterPesewas: after.pricePesewas },
    ...(isOther ? await heldAsOther(tx, after) : await heldAsItIs(tx, by, before)),
  };
  await secondPerson.require(tx, by, askToSetBelow(act, [priced]));
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

async function refuseDuplicate<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === "products_on_sale_once") throw new AppError("product.exists");
    if (constraint === "ussd_numbers_rest") throw new AppError("product.ussd_number_taken");
    throw error;
  }
}
