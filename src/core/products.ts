// The catalogue: what is on sale, at which price. A product is never erased, because orders refer to it.
import { and, asc, eq, isNull, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../db/connect.ts";
import { operators, products } from "../../db/schema.ts";
import { type By, isAdmin, type Operator } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import * as trail from "./trail.ts";

export type Product = typeof products.$inferSelect;
/** `paused` is the message for buyers when the product or its whole operator is paused, else null. */
export type ProductOnSale = Product & { paused: string | null };

/** Bundles on sale, by operator and price; only one operator's when asked. */
export async function list(tx: Tx, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  return onSale(tx, and(eq(products.line, "bundle"), operator && eq(products.operator, operator)));
}

/** `number` is what is typed for it by USSD: its own for as long as it is on sale. */
export type Bundle = Pick<Product, "id" | "operator" | "name" | "size" | "pricePesewas"> & {
  number: number;
  isPaused: boolean;
};

/**
 * An operator's bundles by their numbers, with those that are paused at this moment; only what buyers are shown of them.
 * By a prepared statement, for doors that are asked by many at once.
 */
export async function shelf({ $client: sql }: Db, operator: Operator): Promise<Bundle[]> {
  const rows = await sql<Bundle[]>`
    select p.id, p.operator, p.name, p.size, p.price_pesewas as "pricePesewas", p.ussd_number as number,
           p.paused_message is not null or o.paused_message is not null as "isPaused"
    from products p join operators o on o.code = p.operator
    where p.operator = ${operator} and p.line = 'bundle' and p.retired_at is null
    order by p.ussd_number`;
  return [...rows];
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
    .values({ line: "afa", operator: "MTN", name: "MTN AFA Registration", size: "AFA", pricePesewas: 500 })
    .onConflictDoNothing();
}

async function onSale(tx: Tx, condition: SQL | undefined): Promise<ProductOnSale[]> {
  const rows = await tx
    .select({ product: products, operatorPaused: operators.pausedMessage })
    .from(products)
    .innerJoin(operators, eq(operators.code, products.operator))
    .where(and(isNull(products.retiredAt), condition))
    .orderBy(asc(products.operator), asc(products.pricePesewas), asc(products.id));
  return rows.map(({ product, operatorPaused }) => ({
    ...product,
    paused: product.pausedMessage ?? operatorPaused,
  }));
}

/** Puts a product on sale, as an admin. Throws auth.forbidden, product.exists. */
export async function add(
  db: Db,
  ask: { by: By; operator: Operator; name: string; size: string; pricePesewas: number },
): Promise<Product> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { by, ...fields } = ask;
  return refuseTwice(() =>
    db.transaction(async (tx) => {
      const row = { ...fields, volumeMb: volumeOf(ask.size) };
      const [product] = await tx.insert(products).values(row).returning();
      await trail.record(tx, by, [
        { action: "product.add", subjectType: "product", subjectId: product!.id, after: product },
      ]);
      return product!;
    }),
  );
}

/** One product on sale; throws product.not_found. */
export async function get(tx: Tx, productId: number): Promise<Product> {
  const [product] = await tx
    .select()
    .from(products)
    .where(and(eq(products.id, productId), isNull(products.retiredAt)));
  if (!product) throw new AppError("product.not_found", undefined, "There is no such product on sale");
  return product;
}

export type ProductChange = { name?: string; size?: string; pricePesewas?: number };

/**
 * Changes what a product is called, holds or costs, as an admin; orders keep what they were sold at.
 * Throws auth.forbidden, product.not_found, product.exists, product.fixed (another size for the AFA registration).
 */
export async function edit(
  db: Db,
  { by, productId, ...change }: { by: By; productId: number } & ProductChange,
): Promise<Product> {
  const volume = change.size === undefined ? {} : { volumeMb: volumeOf(change.size) };
  return changed(db, { by, productId, action: "product.edit", change: { ...change, ...volume } });
}

/** Pauses the sale of a product with words for the buyers, or (with null) takes it up again. Throws like `edit`. */
export async function pause(
  db: Db,
  { by, productId, message }: { by: By; productId: number; message: string | null },
): Promise<Product> {
  const action = message === null ? "product.resume" : "product.pause";
  return changed(db, { by, productId, action, change: { pausedMessage: message } });
}

export type PriceChange = { id: number; at: Date; username: string | null; pricePesewas: number };

/** The prices that a product was given by admins, newest first; at most the last 200 changes are looked through. */
export async function priceHistory(tx: Tx, productId: number): Promise<PriceChange[]> {
  const entries = await trail.list(tx, { subjectType: "product", subjectId: productId }, { limit: 200 });
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
    await trail.record(tx, ask.by, [
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

type Change = { by: By; productId: number; action: string; change: Partial<Product> };

/** Locks the product, changes it, and records before and after. A change that changes nothing leaves no trace. */
async function changed(db: Db, { by, productId, action, change }: Change): Promise<Product> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  return refuseTwice(() =>
    db.transaction(async (tx) => {
      await tx.select({ id: products.id }).from(products).where(eq(products.id, productId)).for("update");
      const before = await get(tx, productId);
      if (before.line === "afa" && change.size !== undefined && change.size !== before.size)
        throw new AppError("product.fixed");
      if (Bun.deepEquals(before, { ...before, ...change })) return before;
      const [after] = await tx.update(products).set(change).where(eq(products.id, productId)).returning();
      await trail.record(tx, by, [{ action, subjectType: "product", subjectId: productId, before, after }]);
      return after!;
    }),
  );
}

async function refuseTwice<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseError(error)?.constraint === "products_on_sale_once") throw new AppError("product.exists");
    throw error;
  }
}
