// Rules of the audit about the shop's profit: each counted day equals the orders paid on it. Days that are marked are
// going to be counted again, and those from the newest open one on are not over.
import { type SQL, sql } from "drizzle-orm";

const FIGURES = ["orders", "amount_pesewas", "cost_pesewas", "uncosted_orders", "uncosted_pesewas"];

/** SQL: whether a day has been counted for good, as far as is known. */
const IS_COUNTED = sql`
  day < (select max(day) from profit_days_stale where is_open) and day not in (select day from profit_days_stale)`;

const SOLD = sql`
  select (o.paid_at at time zone 'Africa/Accra')::date as day, o.user_id, o.product_id, o.operator,
         coalesce(o.tier_id, 1) as tier_id, o.amount_pesewas, o.cost_pesewas,
         coalesce((select a.vendor from attempts a
                   where a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn')), '') as vendor
  from orders o where o.paid_at is not null and o.status <> 'FAILED'`;

/** `profit_days` and `profit_agent_days` against the orders. */
export const PROFIT_RULES: Record<string, SQL> = {
  profit_days_equal_orders: ruleOf("profit_days", ["day", "product_id", "operator", "tier_id", "vendor"]),
  profit_agent_days_equal_orders: ruleOf("profit_agent_days", ["day", "user_id", "operator"]),
};

function ruleOf(table: string, keys: string[]): SQL {
  const [key, figures] = [sql.raw(keys.join(", ")), sql.raw(FIGURES.join(", "))];
  return sql`
    select concat_ws(' ', ${key}) as subject,
           'counted ' || coalesce(s.figures, 'nothing') || ', orders ' || coalesce(o.figures, 'nothing') as detail
    from (select ${key}, concat_ws('/', ${figures}) as figures from ${sql.raw(table)} where ${IS_COUNTED}) s
    full join (
      select ${key}, concat_ws('/', count(*), sum(amount_pesewas), coalesce(sum(cost_pesewas), 0),
               count(*) filter (where cost_pesewas is null),
               coalesce(sum(amount_pesewas) filter (where cost_pesewas is null), 0)) as figures
      from (${SOLD}) sold where ${IS_COUNTED} group by ${key}) o using (${key})
    where s.figures is distinct from o.figures`;
}
