// The shop's price table: every product on sale with its cost and its price in each tier, and the exceptions of one
// account.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import type { Family, Operator, ProductLine } from "../../shared/domain.ts";
import { allOperators, familyOf } from "../../shared/operators.ts";
import { NOT_YET } from "../../shared/pause.ts";
import { isTooCheap } from "./sale-pauses.ts";
import * as tiers from "./tiers.ts";

export { STANDARD_TIER_ID };

/** A product with its prices of now; `own` has those of tiers that have one, `Standard` always. */
export type PricedProduct = {
  id: number;
  line: ProductLine;
  operator: Operator;
  family: Family | null;
  name: string;
  size: string;
  costPesewas: number | null;
  lowestPricePesewas: number | null;
  /** Why an admin allows its sale below cost; null: it is not allowed. */
  belowCostReason: string | null;
  /** Whether it waits for its cost before its sale begins. */
  isNotYet: boolean;
  own: Map<number, number>;
};

export type PriceTable = { tiers: tiers.Tier[]; products: PricedProduct[] };

type Row = Omit<PricedProduct, "own"> & { own: Record<string, number> | null };

/** The table of now: bundles by network, kind and size, then the AFA registration; or of one product alone. */
export async function read(tx: Reads, productId?: number): Promise<PriceTable> {
  const [all, rows] = await Promise.all([
    tiers.list(tx),
    tx.execute<Row>(sql`
      select p.id, p.line, p.operator, p.family, p.name, p.size, p.cost_pesewas as "costPesewas",
             p.lowest_price_pesewas as "lowestPricePesewas", p.below_cost_reason as "belowCostReason",
             p.paused_message is not distinct from ${NOT_YET.message} as "isNotYet",
             (select json_object_agg(t.id, c.price)
              from tiers t cross join lateral (
                select x.price_pesewas as price from prices x
                where x.product_id = p.id and x.tier_id = t.id and x.since <= clock_timestamp()
                order by x.since desc limit 1) c
              where t.deleted_at is null and c.price is not null) as own
      from products p
      where p.retired_at is null ${productId === undefined ? sql`` : sql`and p.id = ${productId}`}
      order by p.family nulls first, p.volume_mb nulls last, p.id`),
  ]);
  const products = rows.map(({ own, ...product }) => ({
    ...product,
    own: new Map(Object.entries(own ?? {}).map(([tierId, price]) => [Number(tierId), price])),
  }));
  products.sort((a, b) => placeOf(a) - placeOf(b));
  return { tiers: all, products };
}

/** Networks in their usual order, registrations last. */
function placeOf({ line, operator }: Pick<PricedProduct, "line" | "operator">): number {
  const codes = allOperators().map(({ code }) => code);
  return line === "afa" ? codes.length : codes.indexOf(operator);
}

/** What accounts of a tier pay for a product, without exceptions. */
export function priceIn({ own }: Pick<PricedProduct, "own">, tierId: number): number {
  return own.get(tierId) ?? own.get(STANDARD_TIER_ID)!;
}

/** Whether one of its prices is too low for it to be sold at. */
export function isHeldBack({ own, lowestPricePesewas }: PricedProduct): boolean {
  return [...own.values()].some((pricePesewas) => isTooCheap({ pricePesewas, lowestPricePesewas }));
}

/**
 * Which products of the table: of a network, of one of its kinds, AFA registrations, those that wait for their cost,
 * those not sold at one of their prices, those allowed below cost, or all of them ("").
 */
export type Shown = "" | "afa" | "not_yet" | "not_sold" | "below_cost" | Operator | Family;

/** The products of a table that a filter shows. */
export function shownIn(products: readonly PricedProduct[], shown: Shown): PricedProduct[] {
  return products.filter((product) => {
    if (shown === "") return true;
    if (shown === "not_yet") return product.isNotYet;
    if (shown === "not_sold") return isHeldBack(product);
    if (shown === "below_cost") return product.belowCostReason !== null;
    if (product.line === "afa") return shown === "afa";
    return product.operator === shown || familyOf(product) === shown;
  });
}

/** An account's exceptions of now in pesewas, by product. */
export async function exceptionsOf(tx: Reads, userId: number): Promise<Map<number, number>> {
  const rows = await tx.execute<{ id: number; price: number }>(sql`
    select p.id, c.price from products p cross join lateral (
      select x.price_pesewas as price from account_prices x
      where x.user_id = ${userId} and x.product_id = p.id and x.since <= clock_timestamp()
      order by x.since desc limit 1) c
    where c.price is not null and p.retired_at is null`);
  return new Map(rows.map(({ id, price }) => [id, price]));
}
