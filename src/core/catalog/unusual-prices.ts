// Prices that look like a slip: far from what a bundle, or others of its size, cost. An admin confirms them.
import { and, eq, isNull, max, min } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import { priceFor } from "./prices.ts";

/** The lowest and highest current price of bundles of a size, of any operator; null when there are none. */
export async function pricesOfSize(tx: Reads, volumeMb: number): Promise<Prices | null> {
  const price = priceFor(null);
  const [row] = await tx
    .select({ lowest: min(price), highest: max(price) })
    .from(products)
    .where(and(eq(products.volumeMb, volumeMb), isNull(products.retiredAt)));
  return row?.lowest && row.highest ? { lowest: Number(row.lowest), highest: Number(row.highest) } : null;
}

type Prices = { lowest: number; highest: number };

/**
 * Throws product.price_needs_confirmation for a price below half the lowest or above one and a half times the highest.
 */
export function requireLikely(pricePesewas: number, expected: Prices | null): void {
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
