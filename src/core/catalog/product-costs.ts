// Products on sale with what vendors and the desk take for them, for lists.
import { and, desc, eq, isNull, lt, type SQL } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as costs from "./costs.ts";

/** A product with its costs of now. */
export type CostedProduct = Pick<
  typeof products.$inferSelect,
  "id" | "operator" | "family" | "name" | "size" | "costPesewas" | "lowestPricePesewas" | "belowCostReason"
> & { costs: costs.KnownCost[] };

/** Products on sale with their costs, newest first, those before the id `cursor`. */
export async function list(
  tx: Reads,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<CostedProduct[]> {
  return costed(tx, cursor ? lt(products.id, cursor) : undefined, limit);
}

/** One product on sale with its costs. Throws product.not_found. */
export async function get(tx: Reads, productId: number): Promise<CostedProduct> {
  const [product] = await costed(tx, eq(products.id, productId), 1);
  if (!product) throw new AppError("product.not_found");
  return product;
}

async function costed(tx: Reads, condition: SQL | undefined, limit: number): Promise<CostedProduct[]> {
  const found = await tx
    .select(SHOWN)
    .from(products)
    .where(and(isNull(products.retiredAt), condition))
    .orderBy(desc(products.id))
    .limit(limit);
  const known = Map.groupBy(
    await costs.newest(
      tx,
      found.map(({ id }) => id),
    ),
    ({ productId }) => productId,
  );
  return found.map((product) => ({ ...product, costs: known.get(product.id) ?? [] }));
}

const SHOWN = {
  id: products.id,
  operator: products.operator,
  family: products.family,
  name: products.name,
  size: products.size,
  costPesewas: products.costPesewas,
  lowestPricePesewas: products.lowestPricePesewas,
  belowCostReason: products.belowCostReason,
};
