// Marks of what limits a sale: a price that is too low for it, and an allowance to sell below cost.
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import { priceRemark } from "../../../../shared/money.ts";

type Priced = { pricePesewas: number; costPesewas: number | null; lowestPricePesewas: number | null };

/** "Not sold: below 4.03", for a price at which it is not sold. */
export function NotSold({ product }: { product: Priced }) {
  if (!isTooCheap(product)) return null;
  return <span className="chip bad">{priceRemark(product.pricePesewas, product)}</span>;
}

/** Why a bundle may be sold below its cost, if it may. */
export function Allowance({ reason }: { reason: string | null }) {
  if (reason === null) return null;
  return (
    <p className="small name">
      <span className="chip warn">Allowed below cost</span> <bdi>{reason}</bdi>
    </p>
  );
}
