// The catalogue: what is on sale, at which price. A product is never erased, because orders refer to it.
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../db/connect.ts";
import { operators, products } from "../../db/schema.ts";
import { type By, isAdmin, type Operator } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import * as trail from "./trail.ts";

export type Product = typeof products.$inferSelect;
/** `paused` is the message for buyers when the product or its whole operator is paused, else null. */
export type ProductOnSale = Product & { paused: string | null };

/** Products on sale, by operator and price; only one operator's when asked. */
export async function list(tx: Tx, operator?: Operator | undefined): Promise<ProductOnSale[]> {
  const rows = await tx
    .select({ product: products, operatorPaused: operators.pausedMessage })
    .from(products)
    .innerJoin(operators, eq(operators.code, products.operator))
    .where(and(isNull(products.retiredAt), operator && eq(products.operator, operator)))
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
  try {
    return await db.transaction(async (tx) => {
      const row = { ...fields, volumeMb: volumeOf(ask.size) };
      const [product] = await tx.insert(products).values(row).returning();
      await trail.record(tx, by, [
        { action: "product.add", subjectType: "product", subjectId: product!.id, after: product },
      ]);
      return product!;
    });
  } catch (error) {
    if (databaseError(error)?.constraint === "products_on_sale_once") throw new AppError("product.exists");
    throw error;
  }
}

/** Takes a product off sale for good; orders that were sold it keep it. Throws auth.forbidden, product.not_found. */
export async function retire(db: Db, ask: { by: By; productId: number }): Promise<void> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
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
