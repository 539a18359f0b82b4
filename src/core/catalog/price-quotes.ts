// Quotes of price changes before they are made: what each price is at that moment, what it would be, and whether the
// new one looks like a slip or loses money.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import type { PriceSet } from "./prices.ts";

/** A price to set. `wasPesewas` is the own price that the admin saw (null: none); another one by now is a conflict. */
export type WantedPrice = PriceSet & { wasPesewas?: number | null | undefined };

/** Why an admin is to check a price: far from the one before, below cost, or so low that the bundle is not sold. */
export type Concern = "unusual" | "below_cost" | "not_sold";

export type QuotedPrice = {
  wanted: WantedPrice;
  product: QuotedProduct;
  /** Of the tier or the account itself, at that moment; null when it has none. */
  ownPesewas: number | null;
  /** What is paid at that moment, before the change and after it. */
  beforePesewas: number;
  afterPesewas: number;
  concern: Concern | null;
  /** A later planned price, which the change leaves. */
  nextAt: Date | null;
};

export type QuotedProduct = {
  id: number;
  operator: Operator;
  family: Family | null;
  name: string;
  size: string;
  costPesewas: number | null;
};

type Row = {
  n: number;
  product: QuotedProduct & { lowestPricePesewas: number | null; belowCostReason: string | null };
  own: number | null;
  /** What applies without a price of its own. */
  base: number;
  nextAt: string | null;
};

/**
 * Quotes prices for the moment `at`, in their order; those of products that are not on sale are left out. Standard
 * prices that the same change sets count as they would be.
 */
export async function quote(tx: Reads, wanted: readonly WantedPrice[], at: SQL): Promise<QuotedPrice[]> {
  const listed = wanted.map((price, n) => ({ n, ...price }));
  const newest = (table: "prices" | "account_prices", condition: SQL) => sql`(
    select x.price_pesewas from ${sql.raw(table)} x
    where ${condition} and x.product_id = p.id and x.since <= m.at order by x.since desc limit 1)`;
  const next = (table: "prices" | "account_prices", condition: SQL) => sql`(
    select min(x.since) from ${sql.raw(table)} x where ${condition} and x.product_id = p.id and x.since > m.at)`;
  const standard = newest("prices", sql`x.tier_id = ${STANDARD_TIER_ID}`);
  const ofTier = sql`x.tier_id = w."tierId"`;
  const ofAccount = sql`x.user_id = w."userId"`;
  const rows = await tx.execute<Row>(sql`
    select w.n,
           json_build_object('id', p.id, 'operator', p.operator, 'family', p.family, 'name', p.name, 'size', p.size,
                             'costPesewas', p.cost_pesewas, 'lowestPricePesewas', p.lowest_price_pesewas,
                             'belowCostReason', p.below_cost_reason) as product,
           case when w."userId" is null then ${newest("prices", ofTier)}
                else ${newest("account_prices", ofAccount)} end as own,
           case when w."userId" is null then ${standard}
                else coalesce(${newest("prices", sql`x.tier_id = u.tier_id`)}, ${standard}) end as base,
           case when w."userId" is null then ${next("prices", ofTier)}
                else ${next("account_prices", ofAccount)} end as "nextAt"
    from json_to_recordset(${JSON.stringify(listed)}::json)
      w (n int, "productId" bigint, "tierId" bigint, "userId" bigint)
    cross join (select ${at} as at) m
    join products p on p.id = w."productId" and p.retired_at is null
    left join users u on u.id = w."userId"
    order by w.n`);
  const newStandard = new Map(
    wanted.flatMap((price) =>
      "tierId" in price && price.tierId === STANDARD_TIER_ID ? [[price.productId, price.pricePesewas]] : [],
    ),
  );
  return rows.map((row) => quoted(wanted[row.n]!, row, newStandard.get(row.product.id) ?? row.base));
}

function quoted(wanted: WantedPrice, { product, own, base, nextAt }: Row, baseAfter: number): QuotedPrice {
  const { lowestPricePesewas, belowCostReason, ...shown } = product;
  const [beforePesewas, afterPesewas] = [own ?? base, wanted.pricePesewas ?? baseAfter];
  const isBelow = (limit: number | null) => limit !== null && afterPesewas < limit;
  const concern =
    isBelow(product.costPesewas) && belowCostReason === null
      ? "below_cost"
      : isBelow(lowestPricePesewas)
        ? "not_sold"
        : isFar(beforePesewas, afterPesewas)
          ? "unusual"
          : null;
  return {
    ...{ wanted, product: shown, ownPesewas: own, beforePesewas, afterPesewas, concern },
    nextAt: nextAt === null ? null : new Date(nextAt),
  };
}

/** As for a single price: less than half, or more than one and a half times as much. */
function isFar(beforePesewas: number, afterPesewas: number): boolean {
  return afterPesewas * 2 < beforePesewas || afterPesewas * 2 > beforePesewas * 3;
}
