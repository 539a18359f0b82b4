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

/** Whether a price is within half the lowest and one and a half times the highest. */
function isLikely(pricePesewas: number, { lowest, highest }: Prices): boolean {
  return pricePesewas * 2 >= lowest && pricePesewas * 2 <= highest * 3;
}

/** A new bundle, as its price is looked at beside others. */
export type Priced = {
  family: string | null;
  volumeMb: number | null;
  costPesewas?: number | null | undefined;
  pricePesewas: number;
};

/** What looks like a slip in the price of a new bundle, beside others, new ones and those on sale; "" for nothing. */
export function slipIn(bundle: Priced, others: readonly Priced[]): string {
  const { family, volumeMb, costPesewas, pricePesewas } = bundle;
  if (costPesewas && pricePesewas < costPesewas) return "Below its cost";
  if (costPesewas && pricePesewas > 2 * costPesewas) return "More than twice its cost";
  const ofKind = others.filter((other) => other.family === family && (other.volumeMb ?? 0) < (volumeMb ?? 0));
  if (ofKind.some((smaller) => smaller.pricePesewas > pricePesewas)) return "Cheaper than a smaller one";
  const prices = others.filter((other) => other.volumeMb === volumeMb).map((other) => other.pricePesewas);
  const expected = { lowest: Math.min(...prices), highest: Math.max(...prices) };
  return prices.length === 0 || isLikely(pricePesewas, expected) ? "" : "Far from others of its size";
}

type Prices = { lowest: number; highest: number };

/**
 * Throws product.price_needs_confirmation for a price below half the lowest or above one and a half times the highest.
 */
export function requireLikely(pricePesewas: number, expected: Prices | null): void {
  if (!expected || isLikely(pricePesewas, expected)) return;
  const { lowest, highest } = expected;
  const usual = lowest === highest ? show(lowest) : `${show(lowest)} to ${show(highest)}`;
  const oldPrice = toCedis(pricePesewas * 2 < lowest ? lowest : highest);
  const details = { oldPrice, newPrice: toCedis(pricePesewas) };
  throw new AppError(
    "product.price_needs_confirmation",
    details,
    `${show(pricePesewas)} is far from the usual ${usual}. Check the price, then confirm it.`,
  );
}
