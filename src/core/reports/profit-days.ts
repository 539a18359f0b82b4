// The shop's profit by day, counted for shop-profit.ts. Purchases write nothing for it: the worker counts today again
// and again, and an earlier day when a trigger has noted that one of its orders or their deliveries changed.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { tryLock } from "../platform/advisory-locks.ts";
import { SETTLED_MINUTES } from "../platform/transactions.ts";
import { isSoldOn } from "./paid-on.ts";

/** How old the count of today may get before it is counted again; with the count itself it stays below a minute. */
const TODAY_SECONDS = 30;

/** Counts the days that are due, the newest first, each in a transaction of its own; returns how many. */
export async function countDue(db: Db): Promise<number> {
  await openDays(db);
  let count = 0;
  while (await countNext(db)) count++;
  return count;
}

/**
 * Counts the newest day that is due; null when there is none, or another worker is counting. Marks are taken first:
 * what is noted while the orders are read stays noted, and the day is counted once more.
 */
export async function countNext(db: Db): Promise<string | null> {
  return db.transaction(async (tx) => {
    if (!(await tryLock(tx, "profit"))) return null;
    const [due] = await tx.execute<{ day: string }>(sql`
      select to_char(day, 'YYYY-MM-DD') as day from profit_days_stale
      where not is_open or ${IS_OVER} or counted_at is null
        or counted_at < now() - make_interval(secs => ${TODAY_SECONDS})
      order by profit_days_stale.day desc limit 1`);
    if (!due) return null;
    await tx.execute(sql`delete from profit_days_stale where day = ${due.day}::date and (not is_open or ${IS_OVER})`);
    await count(tx, due.day);
    await tx.execute(
      sql`update profit_days_stale set counted_at = clock_timestamp() where day = ${due.day}::date and is_open`,
    );
    return due.day;
  });
}

/** SQL: whether a day has ended, and everything that was under way then as well. */
const IS_OVER = sql`
  (day + 1)::timestamp at time zone 'Africa/Accra' < now() - make_interval(mins => ${SETTLED_MINUTES})`;

/** SQL: the day from which on no worker has opened a day; at first the day of the first order. */
export const FIRST_UNOPENED = sql`
  coalesce((select max(day) + 1 from profit_days_stale where is_open),
           (select (created_at at time zone 'Africa/Accra')::date from orders order by id limit 1),
           (now() at time zone 'Africa/Accra')::date)`;

/** Marks the days since the newest open one up to today; at first, all since the first order. */
async function openDays(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await tryLock(tx, "profit"))) return;
    await tx.execute(sql`
      insert into profit_days_stale (day, is_open)
      select d::date, true
      from generate_series(${FIRST_UNOPENED}, (now() at time zone 'Africa/Accra')::date, interval '1 day') d`);
  });
}

/** Writes what the orders of a day say, and only where it differs from what is there. */
async function count(tx: Tx, day: string): Promise<void> {
  const isSold = await isSoldOn(tx, { first: day, last: day });
  await tx.execute(sql`
    with sold as materialized (
      select o.user_id, o.product_id, o.operator, coalesce(o.tier_id, 1) as tier_id,
             -- By the index of live attempts, order by order, whatever the planner knows about the table.
             coalesce((select a.vendor from attempts a
                       where a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn')), '') as vendor,
             o.amount_pesewas, o.cost_pesewas
      from orders o where ${isSold}),
    counted as (
      select product_id, operator, tier_id, vendor, ${SUMS} from sold group by 1, 2, 3, 4),
    by_agent as (
      select user_id, operator, ${SUMS} from sold group by 1, 2),
    gone as (
      delete from profit_days d where d.day = ${day}::date and not exists (
        select from counted c
        where (c.product_id, c.operator, c.tier_id, c.vendor) = (d.product_id, d.operator, d.tier_id, d.vendor))),
    gone_agents as (
      delete from profit_agent_days d where d.day = ${day}::date and not exists (
        select from by_agent c where (c.user_id, c.operator) = (d.user_id, d.operator))),
    written as (
      insert into profit_days as d (day, product_id, operator, tier_id, vendor, ${COLUMNS})
      select ${day}::date, product_id, operator, tier_id, vendor, ${COLUMNS} from counted
      on conflict (day, product_id, operator, tier_id, vendor) do update set ${ASSIGNED})
    insert into profit_agent_days as d (day, user_id, operator, ${COLUMNS})
    select ${day}::date, user_id, operator, ${COLUMNS} from by_agent
    on conflict (day, user_id, operator) do update set ${ASSIGNED}`);
}

const COLUMNS = sql`orders, amount_pesewas, cost_pesewas, uncosted_orders, uncosted_pesewas`;

const SUMS = sql`
  count(*) as orders, sum(amount_pesewas) as amount_pesewas, coalesce(sum(cost_pesewas), 0) as cost_pesewas,
  count(*) filter (where cost_pesewas is null) as uncosted_orders,
  coalesce(sum(amount_pesewas) filter (where cost_pesewas is null), 0) as uncosted_pesewas`;

const ASSIGNED = sql`
  orders = excluded.orders, amount_pesewas = excluded.amount_pesewas, cost_pesewas = excluded.cost_pesewas,
  uncosted_orders = excluded.uncosted_orders, uncosted_pesewas = excluded.uncosted_pesewas
  where (d.orders, d.amount_pesewas, d.cost_pesewas, d.uncosted_orders, d.uncosted_pesewas) is distinct from
    (excluded.orders, excluded.amount_pesewas, excluded.cost_pesewas, excluded.uncosted_orders,
     excluded.uncosted_pesewas)`;
