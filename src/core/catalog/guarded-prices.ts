// The prices that a price is held against before one person sets it alone: where nobody else says what a bundle costs,
// the Standard price is the measure; for a bundle that is new, those of about its size; and for an exception of one
// account, what the lowest tier pays.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { STANDARD_TIER_ID } from "../../../db/schema/catalog.ts";
import type { Family, Operator } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";

/** One person goes down to this part of the Standard price, in per cent. */
const STANDARD_PERCENT = 80;
/** A bundle that is new costs at least this part of one of the next size, for as much data, in per cent. */
const SIZE_PERCENT = 50;
/** So long a Standard price counts after it was lowered, and that of a retired bundle. */
const COUNTS_DAYS = 30;

/** How far down from a Standard price one person goes, in pesewas. */
export function partOf(standardPesewas: number): number {
  return Math.ceil((standardPesewas * STANDARD_PERCENT) / 100);
}

/** The highest Standard price of each of these products in the 30 days before a moment, in pesewas. */
export async function highestStandard(tx: Reads, productIds: readonly number[], at: SQL): Promise<Map<number, number>> {
  const rows = await tx.execute<Row>(sql`
    select p.id::int as id, (${highest(at)})::int as pesewas
    from products p where ${isAmong(sql`p.id`, [...productIds])}`);
  return new Map(rows.map(({ id, pesewas }) => [id, pesewas]));
}

/** The lowest price of each of these products in any tier, at a moment, in pesewas. */
export async function lowestOfTiers(tx: Reads, productIds: readonly number[], at: SQL): Promise<Map<number, number>> {
  const priceIn = (tier: SQL) => sql`(
    select x.price_pesewas from prices x
    where x.product_id = p.id and x.tier_id = ${tier} and x.since <= m.at order by x.since desc limit 1)`;
  const rows = await tx.execute<Row>(sql`
    select p.id::int as id, min(coalesce(${priceIn(sql`t.id`)}, ${priceIn(sql`${STANDARD_TIER_ID}`)}))::int as pesewas
    from products p cross join tiers t cross join (select ${at} as at) m
    where ${isAmong(sql`p.id`, [...productIds])} and t.deleted_at is null
    group by p.id`);
  return new Map(rows.map(({ id, pesewas }) => [id, pesewas]));
}

type Row = { id: number; pesewas: number };

/**
 * The least that a bundle of this size is likely to be sold for, in pesewas: by the bundles of its network, of its
 * family where that has any, that are no larger, and by the one of the next size. Counts those that were retired
 * lately, and what a bundle was that is about to become this one. Null without any.
 */
export async function ofSize(
  tx: Reads,
  { operator, family, volumeMb }: { operator: Operator; family: Family | null; volumeMb: number | null },
): Promise<number | null> {
  const [row] = await tx.execute<{ pesewas: number | null }>(sql`
    with known as (
      select p.volume_mb::bigint as mb, p.family, (${highest(sql`clock_timestamp()`)}) as price
      from products p
      where p.operator = ${operator} and p.line = 'bundle' and p.volume_mb is not null
        and (p.retired_at is null or p.retired_at > now() - make_interval(days => ${COUNTS_DAYS}))),
    alike as (
      select mb, price from known
      where price is not null and (family = ${family} or not exists (select from known where family = ${family})))
    select greatest(
      (select max(price) from alike where mb <= ${volumeMb}) * ${STANDARD_PERCENT}::int / 100,
      (select price * ${volumeMb}::bigint / mb from alike
       order by mb > ${volumeMb}, abs(mb - ${volumeMb}), price desc limit 1) * ${SIZE_PERCENT}::int / 100
    )::bigint as pesewas`);
  return row!.pesewas;
}

/** SQL: the highest Standard price of the product `p` in the days before a moment. */
function highest(at: SQL): SQL {
  const isStandard = (alias: string) =>
    sql.raw(`${alias}.product_id = p.id and ${alias}.tier_id = ${STANDARD_TIER_ID}`);
  return sql`
    select max(x.price_pesewas) from prices x
    where ${isStandard("x")} and x.since <= ${at} and x.since >= coalesce((
      select max(y.since) from prices y
      where ${isStandard("y")} and y.since <= ${at} - make_interval(days => ${COUNTS_DAYS})), '-infinity')`;
}
