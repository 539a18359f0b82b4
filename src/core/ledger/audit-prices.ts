// Audit rule of prices: each order has the price that the list had for its buyer and tier. What a price is stands here
// once more, apart from the resolver that purchases use, so that a fault of that one is found as well.
import { type SQL, sql } from "drizzle-orm";

/**
 * How long before its order a price may have ended. Prices are committed before they begin, and the database checks
 * that as the last thing before the commit; only when the disk then takes longer than the rest of the lead can a
 * purchase still have paid the price before.
 */
const TOLERANCE_SECONDS = 2;

/** SQL for the price of an order's bundle at a moment: the account's, else its tier's, else the Standard one. */
function priceAt(moment: string): SQL {
  const newest = (table: string, whose: string) => `(
    select x.price_pesewas from ${table} x where ${whose} and x.product_id = o.product_id and x.since <= ${moment}
    order by x.since desc limit 1)`;
  return sql.raw(`coalesce(
    ${newest("account_prices", "x.user_id = o.user_id")},
    ${newest("prices", "x.tier_id = o.tier_id")},
    ${newest("prices", "x.tier_id = 1")})`);
}

const begins = sql.raw(`make_interval(secs => ${TOLERANCE_SECONDS})`);

/**
 * Orders with a tier whose unit price the list did not have. Orders from before their product's first price are left
 * out; there are none outside of demonstrations.
 */
export const ORDER_PRICES = sql`
  select o.id as subject,
         'unit price ' || o.unit_price_pesewas || ', the list had ' || ${priceAt("o.created_at")} as detail
  from orders o
  where o.tier_id is not null and o.unit_price_pesewas <> ${priceAt("o.created_at")}
    and not exists (
      select from (
        select o.created_at - ${begins} as at
        union all
        select x.since from prices x
        where x.product_id = o.product_id and x.tier_id in (1, o.tier_id)
          and x.since > o.created_at - ${begins} and x.since <= o.created_at
        union all
        select x.since from account_prices x
        where x.product_id = o.product_id and x.user_id = o.user_id
          and x.since > o.created_at - ${begins} and x.since <= o.created_at) m
      where ${priceAt("m.at")} = o.unit_price_pesewas)`;
