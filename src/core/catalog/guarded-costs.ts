// The costs that a price is held against before one person sets it alone. What the shop expects a bundle to cost is not
// enough: whoever wants to sell below cost would first enter a lower one, or put the bundle on sale under another name.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { productCosts, products } from "../../../db/schema/catalog.ts";
import type { ByUser, Family, Operator } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";

/** So long the former cost of a bundle counts against whoever lowered it, and a retired bundle's against a new one. */
const COUNTS_DAYS = 7;
const RETIRED_DAYS = 30;

/** What a person entered in the last seven days about what a bundle costs, and what was known before. */
export type OwnEntry = {
  /** What it cost before they lowered it, in pesewas; null where nobody had said it. */
  formerPesewas: number | null;
  /** Whether they were the first to say what it costs, at one of its vendors. */
  isFirst: boolean;
};

/**
 * The bundles whose cost this person has entered in the last seven days; left out where a vendor has reported a charge
 * since, which is nobody's word.
 */
export async function ownEntries(tx: Reads, by: ByUser, productIds: readonly number[]): Promise<Map<number, OwnEntry>> {
  const rows = await tx.execute<OwnEntry & { id: number }>(sql`
    with own as (
      select product_id, vendor, min(seen_at) as first_at from ${productCosts}
      where by_user_id = ${by.userId} and ${isAmong(productCosts.productId, [...productIds])}
        and seen_at > now() - make_interval(days => ${COUNTS_DAYS})
      group by product_id, vendor)
    select own.product_id::int as id, max(former.cost_pesewas)::int as "formerPesewas",
           bool_or(former.cost_pesewas is null) as "isFirst"
    from own left join lateral (
      select k.cost_pesewas from ${productCosts} k
      where k.product_id = own.product_id and k.vendor = own.vendor and k.seen_at < own.first_at
      order by k.seen_at desc limit 1) former on true
    where not exists (
      select from ${productCosts} k where k.product_id = own.product_id and k.vendor = own.vendor
        and k.source = 'vendor' and k.seen_at > own.first_at)
    group by own.product_id`);
  return new Map(rows.map(({ id, ...entry }) => [id, entry]));
}

/** Whether it is known what a product costs, by more than the entry of whoever prices it. */
export function isKnown({ costPesewas }: { costPesewas: number | null }, entry: OwnEntry | undefined): boolean {
  return costPesewas !== null && !entry?.isFirst;
}

/** A bundle by what is delivered. */
type Size = { operator: Operator; family: Family | null; volumeMb: number | null };

/**
 * The least that a bundle of this size can cost, in pesewas: the highest cost among the bundles of its network, of its
 * family where that has any, that are no larger. Counts those that were retired lately. Null while no cost is known.
 */
export async function ofSize(
  tx: Reads,
  { operator, family, volumeMb }: Size,
  exceptId: number | null = null,
): Promise<number | null> {
  const [row] = await tx.execute<{ pesewas: number | null }>(sql`
    select coalesce(max(cost_pesewas) filter (where family = ${family}), max(cost_pesewas))::int as pesewas
    from ${products}
    where operator = ${operator} and line = 'bundle' and volume_mb <= ${volumeMb}
      and id is distinct from ${exceptId}
      and (retired_at is null or retired_at > now() - make_interval(days => ${RETIRED_DAYS}))`);
  return row!.pesewas;
}
