// Notices after costs were saved: how many, and which bundles are not sold any more because of them.
import type { Db } from "../../../../../db/connect.ts";
import type { CostChange } from "../../../../core/catalog/costs.ts";
import { isHeldBack, read } from "../../../../core/catalog/price-table.ts";

/** "2 costs are saved."; a warning when a changed bundle is not sold at one of its prices. */
export async function savedText(db: Db, changes: readonly CostChange[]): Promise<string> {
  if (changes.length === 0) return "Nothing changed.";
  const saved = changes.length === 1 ? "1 cost is saved." : `${changes.length.toLocaleString("en")} costs are saved.`;
  const changed = new Set(changes.map(({ productId }) => productId));
  const held = (await read(db)).products.filter((one) => changed.has(one.id) && isHeldBack(one)).length;
  if (held === 0) return saved;
  const bundles = held === 1 ? "1 bundle is" : `${held.toLocaleString("en")} bundles are`;
  return `!${saved} ${bundles} not sold now where the price is too low: see Prices, “Not sold”.`;
}
