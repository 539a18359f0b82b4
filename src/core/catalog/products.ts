// The catalogue: what is on sale, at which price. A product is never erased, because orders refer to it.
import { and, asc, eq, isNull, max, min, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import { operators, products } from "../../../db/schema/catalog.ts";
import {
  AFA_SIZE,
  type By,
  FAMILIES,
  type Family,
  familiesOf,
  isAdmin,
  type Operator,
} from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import { laterPause, type Pause } from "../../shared/pause.ts";
import * as auditLog from "../platform/audit-log.ts";
import {
  columnsOf,
  type PauseAsked,
  pauseAfter,
  pauseOf,
  readPause,
  type StoredPause,
} from "./sale-pauses.ts";

export type Product = typeof products.$inferSelect;
/**
 * `paused` is what holds for buyers now: the product's own pause or its operator's, whichever ends later; null when it can
 * be bought. The columns themselves may still hold a pause that has ended.
 */
export type ProductOnSale = Product & { ownPause: Pause | null; paused: Pause | null };

/** Bundles on sale, by operator and price; only one operator's when asked. */
export async function list(tx: Tx, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  return onSale(tx, and(eq(products.line, "bundle"), operator && eq(products.operator, operator)));
}

/** `number` is what is typed for it by USSD: its own for as long as it is on sale. */
export type Bundle = Pick<Product, "id" | "operator" | "family" | "name" | "size" | "pricePesewas"> & {
  number: number;
  paused: Pause | null;
};

/**
 * An operator's bundles by their numbers, with those that are paused at this moment; only what buyers are shown of them.
 * By a prepared statement, for doors that are asked by many at once.
 */
export async function shelf({ $client: sql }: Db, operator: Operator): Promise<Bundle[]> {
  const rows = await sql<
    (Omit<Bundle, "paused"> & { own: StoredPause | null; ofOperator: StoredPause | null })[]
  >`
    select p.id, p.operator, p.family, p.name, p.size, p.price_pesewas as "pricePesewas", p.ussd_number as number,
           pause_of(p.paused_message, p.paused_until) as own, pause_of(o.paused_message, o.paused_until) as "ofOperator"
    from products p join operators o on o.code = p.operator
    where p.operator = ${operator} and p.line = 'bundle' and p.retired_at is null
    order by p.ussd_number`;
  return rows.map(({ own, ofOperator, ...bundle }) => ({
    ...bundle,
    paused: laterPause(own && readPause(own), ofOperator && readPause(ofOperator)),
  }));
}

/** The AFA registration. Throws product.not_found in a shop that was never started. */
export async function afa(tx: Tx): Promise<ProductOnSale> {
  const product = await findAfa(tx);
  if (!product) throw new AppError("product.not_found", undefined, "AFA registration is not offered yet");
  return product;
}

/** The same, or null. */
export async function findAfa(tx: Tx): Promise<ProductOnSale | null> {
  const [product] = await onSale(tx, eq(products.line, "afa"));
  return product ?? null;
}

/** Puts the AFA registration on sale at GH₵ 5.00 in a shop that has none yet; what admins made of it stays. */
export async function ensureAfa(tx: Tx): Promise<void> {
  if (await findAfa(tx)) return;
  await tx
    .insert(products)
    .values({ line: "afa", operator: "MTN", name: "MTN AFA Registration", size: AFA_SIZE, pricePesewas: 500 })
    .onConflictDoNothing();
}

async function onSale(tx: Tx, condition: SQL | undefined): Promise<ProductOnSale[]> {
  const rows = await tx
    .select({ product: products, ownPause: pauseOf(products), ofOperator: pauseOf(operators) })
    .from(products)
    .innerJoin(operators, eq(operators.code, products.operator))
    .where(and(isNull(products.retiredAt), condition))
    .orderBy(asc(products.operator), asc(products.pricePesewas), asc(products.id));
  return rows.map(({ product, ownPause, ofOperator }) => ({
    ...product,
    ownPause,
    paused: laterPause(ownPause, ofOperator),
  }));
}

/** What an admin says about a product to be sold; without a family it is of its operator's first. */
export type NewProduct = {
  operator: Operator;
  family?: Family | undefined;
  name: string;
  size: string;
  pricePesewas: number;
};
/** `confirmPrice`: whoever asks has seen that the price is far from what one would expect. */
type Asking = { by: By; confirmPrice?: boolean | undefined };

/**
 * Puts a product on sale, as an admin. Throws auth.forbidden, product.exists, product.size_invalid, product.family_wrong,
 * and product.price_needs_confirmation for a price far from what others of its size cost.
 */
export async function add(db: Db, ask: Asking & NewProduct): Promise<Product> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { by, confirmPrice, ...fields } = ask;
  const row = { ...fields, ...sized(ask.size), family: familyFor(ask.operator, ask.family) };
  return refuseTwice(() =>
    db.transaction(async (tx) => {
      const others = await pricesOfSize(tx, row.volumeMb);
      if (!confirmPrice) requireLikely(ask.pricePesewas, others);
      const [product] = await tx.insert(products).values(row).returning();
      await auditLog.record(tx, by, [
        { action: "product.add", subjectType: "product", subjectId: product!.id, after: product },
      ]);
      return product!;
    }),
  );
}

/** One product on sale; throws product.not_found. */
export async function get(tx: Tx, productId: number): Promise<ProductOnSale> {
  const [product] = await onSale(tx, eq(products.id, productId));
  if (!product) throw new AppError("product.not_found", undefined, "There is no such product on sale");
  return product;
}

export type ProductChange = {
  name?: string | undefined;
  size?: string | undefined;
  family?: Family | undefined;
  pricePesewas?: number | undefined;
  /** Message for buyers while it is paused; null takes it up again. */
  pausedMessage?: string | null | undefined;
  /** When the pause ends by itself; null: when it is taken up again. */
  pausedUntil?: Date | null | undefined;
};

/**
 * Changes what a product is called, holds or costs, whose family it is of, or whether it is paused, as an admin; orders
 * keep what they were sold at. Throws auth.forbidden, product.not_found, product.exists, product.size_invalid,
 * product.family_wrong, product.fixed (another size or family for the AFA registration), pause.end_invalid,
 * pause.message_missing (an end for what is not paused), and product.price_needs_confirmation for a price that moves by
 * more than half.
 */
export async function edit(
  db: Db,
  { by, productId, confirmPrice, ...asked }: Asking & { productId: number } & ProductChange,
): Promise<ProductOnSale> {
  const change = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
  return changed(db, { by, productId, action: "product.edit", change, confirmPrice });
}

/**
 * Pauses the sale of a product with a message for buyers, until an end or until it is resumed; or (with null) takes it up
 * again. Throws like `edit`.
 */
export async function pause(
  db: Db,
  { by, productId, message, until = null }: { by: By; productId: number } & PauseAsked,
): Promise<ProductOnSale> {
  const action = message === null ? "product.resume" : "product.pause";
  const change = { pausedMessage: message, pausedUntil: until };
  return changed(db, { by, productId, action, change });
}

export type PriceChange = { id: number; at: Date; username: string | null; pricePesewas: number };

/** The prices that a product was given by admins, newest first; at most the last 200 changes are looked through. */
export async function priceHistory(tx: Tx, productId: number): Promise<PriceChange[]> {
  const entries = await auditLog.list(tx, { subjectType: "product", subjectId: productId }, { limit: 200 });
  const priceIn = (state: unknown) => (state as Partial<Product> | null)?.pricePesewas;
  return entries.flatMap(({ id, createdAt, byUsername, before, after }) => {
    const price = priceIn(after);
    return price && price !== priceIn(before)
      ? [{ id, at: createdAt, username: byUsername, pricePesewas: price }]
      : [];
  });
}

/**
 * Takes a product off sale for good; orders that were sold it keep it.
 * Throws auth.forbidden, product.not_found, product.fixed (the AFA registration can only be paused).
 */
export async function retire(db: Db, ask: { by: By; productId: number }): Promise<void> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    if ((await findAfa(tx))?.id === ask.productId) throw new AppError("product.fixed");
    const [product] = await tx
      .update(products)
      .set({ retiredAt: sql`now()` })
      .where(and(eq(products.id, ask.productId), isNull(products.retiredAt)))
      .returning();
    if (!product) throw new AppError("product.not_found");
    await auditLog.record(tx, ask.by, [
      { action: "product.retire", subjectType: "product", subjectId: product.id, before: product },
    ]);
  });
}

/** The data volume that a size text names, in MB ("1.5GB" is 1500, 1 GB = 1000 MB); null when it names none. */
export function volumeOf(size: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(MB|GB)$/i.exec(size.trim());
  if (!match) return null;
  const volumeMb = Math.round(Number(match[1]) * (match[2]!.toUpperCase() === "GB" ? 1000 : 1));
  return volumeMb > 0 && volumeMb <= 2_000_000_000 ? volumeMb : null;
}

/** A size as it is kept ("1.5gb " is "1.5GB"), with the volume that it names. Throws product.size_invalid. */
function sized(size: string): { size: string; volumeMb: number } {
  const volumeMb = volumeOf(size);
  if (volumeMb === null) throw new AppError("product.size_invalid");
  const [, count, unit] = /^([\d.]+)\s*(MB|GB)$/i.exec(size.trim())!;
  return { size: `${Number(count)}${unit!.toUpperCase()}`, volumeMb };
}

function familyFor(operator: Operator, family: Family | null | undefined): Family {
  if (!family) return familiesOf(operator)[0]!;
  if (FAMILIES[family].operator !== operator) throw new AppError("product.family_wrong");
  return family;
}

/** The least and the most that bundles of a size cost now, whoever's they are; null when there are none. */
async function pricesOfSize(tx: Tx, volumeMb: number): Promise<Prices | null> {
  const [row] = await tx
    .select({ least: min(products.pricePesewas), most: max(products.pricePesewas) })
    .from(products)
    .where(and(eq(products.volumeMb, volumeMb), isNull(products.retiredAt)));
  return row?.least && row.most ? { least: row.least, most: row.most } : null;
}

type Prices = { least: number; most: number };

/** Throws product.price_needs_confirmation for a price that is less than half, or more than half as much again. */
function requireLikely(pricePesewas: number, expected: Prices | null): void {
  if (!expected) return;
  const { least, most } = expected;
  if (pricePesewas * 2 >= least && pricePesewas * 2 <= most * 3) return;
  const before = least === most ? show(least) : `${show(least)} to ${show(most)}`;
  const oldPrice = toCedis(pricePesewas * 2 < least ? least : most);
  const details = { oldPrice, newPrice: toCedis(pricePesewas) };
  throw new AppError(
    "product.price_needs_confirmation",
    details,
    `${show(pricePesewas)} is far from ${before}. Check the price, then confirm it.`,
  );
}

type Change = Asking & { productId: number; action: string; change: Partial<Product> };

/** Locks the product, changes it, and records before and after. A change that changes nothing leaves no trace. */
async function changed(
  db: Db,
  { by, productId, action, change, confirmPrice }: Change,
): Promise<ProductOnSale> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  return refuseTwice(() =>
    db.transaction(async (tx) => {
      await tx.select({ id: products.id }).from(products).where(eq(products.id, productId)).for("update");
      const { paused: _, ownPause, ...stored } = await get(tx, productId);
      // A pause that has ended is none any more, so that nothing of it comes back with the next one.
      const before = { ...stored, ...columnsOf(ownPause) };
      const after = {
        ...before,
        ...change,
        ...whatItIs(before, change),
        ...(await pauseAfter(tx, ownPause, change)),
      };
      if (Bun.deepEquals(before, after)) return get(tx, productId);
      const { pricePesewas } = before;
      if (!confirmPrice) requireLikely(after.pricePesewas, { least: pricePesewas, most: pricePesewas });
      const [row] = await tx.update(products).set(after).where(eq(products.id, productId)).returning();
      await auditLog.record(tx, by, [
        { action, subjectType: "product", subjectId: productId, before, after: row },
      ]);
      return get(tx, productId);
    }),
  );
}

/** Size, volume and family after a change; what a product was called before sizes were checked may stay. */
function whatItIs(before: Product, { size, family }: Partial<Product>): Partial<Product> {
  const isResized = size !== undefined && size !== before.size;
  if (before.line === "afa") {
    if (isResized || family) throw new AppError("product.fixed");
    return {};
  }
  return {
    ...(isResized && sized(size)),
    ...(family && { family: familyFor(before.operator, family) }),
  };
}

async function refuseTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseError(error)?.constraint === "products_on_sale_once") throw new AppError("product.exists");
    throw error;
  }
}
