// Products on sale and their prices. A product is never deleted, because orders refer to it.
import { and, asc, eq, isNull, max, min, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type TxOrDb } from "../../../db/connect.ts";
import { operators, products } from "../../../db/schema/catalog.ts";
import {
  AFA_SIZE,
  type ByUser,
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
  type PauseRequest,
  pauseAfter,
  pauseOf,
  readPause,
  type StoredPause,
} from "./sale-pauses.ts";

export type Product = typeof products.$inferSelect;
/**
 * `paused` is the pause in force for buyers: the product's own or its operator's, whichever ends later; null when it
 * can be bought. The columns themselves may still hold a pause that has ended.
 */
export type ProductOnSale = Product & { ownPause: Pause | null; paused: Pause | null };

/** Bundles on sale, by operator and price; of one operator if given. */
export async function list(tx: Reads, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  return onSale(tx, and(eq(products.line, "bundle"), operator && eq(products.operator, operator)));
}

/** `number` is what agents type for it by USSD; it stays the same unless an admin changes it. */
export type Bundle = Pick<
  Product,
  "id" | "operator" | "family" | "name" | "size" | "volumeMb" | "pricePesewas"
> & {
  number: number;
  paused: Pause | null;
};

/**
 * An operator's bundles by their numbers, paused ones included, with the fields that buyers see. A prepared statement,
 * because USSD calls it very often.
 */
export async function bundlesOf({ $client: sql }: Db, operator: Operator): Promise<Bundle[]> {
  const rows = await sql<
    (Omit<Bundle, "paused"> & { own: StoredPause | null; ofOperator: StoredPause | null })[]
  >`
    select p.id, p.operator, p.family, p.name, p.size, p.volume_mb as "volumeMb", p.price_pesewas as "pricePesewas",
           p.ussd_number as number,
           pause_of(p.paused_message, p.paused_until) as own, pause_of(o.paused_message, o.paused_until) as "ofOperator"
    from products p join operators o on o.code = p.operator
    where p.operator = ${operator} and p.line = 'bundle' and p.retired_at is null
    order by p.ussd_number`;
  return rows.map(({ own, ofOperator, ...bundle }) => ({
    ...bundle,
    paused: laterPause(own && readPause(own), ofOperator && readPause(ofOperator)),
  }));
}

/** The AFA registration product. Throws product.not_found in a shop that was never started. */
export async function afa(tx: Reads): Promise<ProductOnSale> {
  const product = await findAfa(tx);
  if (!product) throw new AppError("product.not_found", undefined, "AFA registration is not offered yet");
  return product;
}

/** The AFA registration product, or null. */
export async function findAfa(tx: Reads): Promise<ProductOnSale | null> {
  const [product] = await onSale(tx, eq(products.line, "afa"));
  return product ?? null;
}

/** Puts the AFA registration on sale at GH₵ 5.00 in a shop without one; changes by admins stay. */
export async function ensureAfa(tx: TxOrDb): Promise<void> {
  if (await findAfa(tx)) return;
  await tx
    .insert(products)
    .values({ line: "afa", operator: "MTN", name: "MTN AFA Registration", size: AFA_SIZE, pricePesewas: 500 })
    .onConflictDoNothing();
}

async function onSale(tx: Reads, condition: SQL | undefined): Promise<ProductOnSale[]> {
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
 * product.family_wrong, and product.price_needs_confirmation for a price far from those of other products of its size.
 */
export async function add(db: Db, command: Command & NewProduct): Promise<Product> {
  if (!isAdmin(command.by)) throw new AppError("auth.forbidden");
  const { by, confirmPrice, ...fields } = command;
  const row = { ...fields, ...sized(command.size), family: familyFor(command.operator, command.family) };
  return refuseDuplicate(() =>
    db.transaction(async (tx) => {
      const others = await pricesOfSize(tx, row.volumeMb);
      if (!confirmPrice) requireLikely(command.pricePesewas, others);
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
  const [product] = await onSale(tx, eq(products.id, productId));
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
 * pause.end_invalid, pause.message_missing (an end without a pause), and product.price_needs_confirmation for a price
 * that changes by more than half.
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
  { by, productId, message, until = null }: { by: ByUser; productId: number } & PauseRequest,
): Promise<ProductOnSale> {
  const action = message === null ? "product.resume" : "product.pause";
  const change = { pausedMessage: message, pausedUntil: until };
  return changed(db, { by, productId, action, change });
}

export type PriceChange = { id: number; at: Date; username: string | null; pricePesewas: number };

/** A product's price changes, newest first, from its last 200 entries in the audit log. */
export async function priceHistory(tx: Reads, productId: number): Promise<PriceChange[]> {
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
 * Takes a product off sale for good; existing orders keep it.
 * Throws auth.forbidden, product.not_found, product.fixed (the AFA registration can only be paused).
 */
export async function retire(db: Db, command: { by: ByUser; productId: number }): Promise<void> {
  if (!isAdmin(command.by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
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

/** The data volume of a size in MB ("1.5GB" is 1500, 1 GB = 1000 MB); null when it is not a size. */
function volumeOf(size: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(MB|GB)$/i.exec(size.trim());
  if (!match) return null;
  const volumeMb = Math.round(Number(match[1]) * (match[2]!.toUpperCase() === "GB" ? 1000 : 1));
  return volumeMb > 0 && volumeMb <= 2_000_000_000 ? volumeMb : null;
}

/** A size as stored ("1.5gb " becomes "1.5GB"), with its volume. Throws product.size_invalid. */
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

/** The lowest and highest current price of bundles of a size, of any operator; null when there are none. */
async function pricesOfSize(tx: Reads, volumeMb: number): Promise<Prices | null> {
  const [row] = await tx
    .select({ lowest: min(products.pricePesewas), highest: max(products.pricePesewas) })
    .from(products)
    .where(and(eq(products.volumeMb, volumeMb), isNull(products.retiredAt)));
  return row?.lowest && row.highest ? { lowest: row.lowest, highest: row.highest } : null;
}

type Prices = { lowest: number; highest: number };

/**
 * Throws product.price_needs_confirmation for a price below half the lowest or above one and a half times the highest.
 */
function requireLikely(pricePesewas: number, expected: Prices | null): void {
  if (!expected) return;
  const { lowest, highest } = expected;
  if (pricePesewas * 2 >= lowest && pricePesewas * 2 <= highest * 3) return;
  const usual = lowest === highest ? show(lowest) : `${show(lowest)} to ${show(highest)}`;
  const oldPrice = toCedis(pricePesewas * 2 < lowest ? lowest : highest);
  const details = { oldPrice, newPrice: toCedis(pricePesewas) };
  throw new AppError(
    "product.price_needs_confirmation",
    details,
    `${show(pricePesewas)} is far from the usual ${usual}. Check the price, then confirm it.`,
  );
}

type Change = Command & { productId: number; action: string; change: Partial<Product> };

/** Locks the product, changes it, and logs the values before and after; an unchanged product is not logged. */
async function changed(
  db: Db,
  { by, productId, action, change, confirmPrice }: Change,
): Promise<ProductOnSale> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  return refuseDuplicate(() =>
    db.transaction(async (tx) => {
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
      if (Bun.deepEquals(before, after)) return get(tx, productId);
      const { pricePesewas } = before;
      if (!confirmPrice) requireLikely(after.pricePesewas, { lowest: pricePesewas, highest: pricePesewas });
      const [row] = await tx.update(products).set(after).where(eq(products.id, productId)).returning();
      await auditLog.record(tx, by, [
        { action, subjectType: "product", subjectId: productId, before, after: row },
      ]);
      return get(tx, productId);
    }),
  );
}

/** The numbers that agents can type: 0 is the way back, 9 the next page, 99 another network. */
const USSD_NUMBER_MAX = 9999;
const isTypable = (number: number) =>
  Number.isInteger(number) && number > 0 && number <= USSD_NUMBER_MAX && number !== 9 && number !== 99;

/** Size, volume and family after a change; a size from before sizes were validated may stay. */
function identityAfter(before: Product, { size, family, ussdNumber }: Partial<Product>): Partial<Product> {
  const isResized = size !== undefined && size !== before.size;
  if (before.line === "afa") {
    if (isResized || family || ussdNumber !== undefined) throw new AppError("product.fixed");
    return {};
  }
  if (ussdNumber !== undefined && !isTypable(ussdNumber ?? 0))
    throw new AppError("product.ussd_number_invalid");
  return {
    ...(isResized && sized(size)),
    ...(family && { family: familyFor(before.operator, family) }),
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
