// Rebuilds the daily totals from the orders: for a shop where an older version kept selling during a migration, or
// whose totals were edited by hand. It may run while the shop sells, best at a quiet hour.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import * as advisoryLocks from "../platform/advisory-locks.ts";

/** How many rows of each were wrong. */
export type Repaired = { userDays: number; shopDays: number; statuses: number; keyDays: number };

/**
 * Rebuilds user_days, shop_days, order_counts and api_key_days in one transaction. Writers of orders wait meanwhile
 * (some seconds per hundred thousand orders), readers do not.
 */
export async function repair(db: Db): Promise<Repaired> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = '10min'`);
    // Better to fail than to make everybody queue behind this lock.
    await tx.execute(sql`set local lock_timeout = '5s'`);
    // Totals are only written together with orders, and folded under their own lock: both are stopped from here on.
    await advisoryLocks.lock(tx, "folding");
    await tx.execute(sql`lock table orders in share mode`);
    const removed = await tx.execute(sql`
      delete from user_days d where not exists (
        select from orders o where o.user_id = d.user_id and o.operator = d.operator and ${IS_SOLD}
          and (o.paid_at at time zone 'Africa/Accra')::date = d.day) and (d.orders > 0 or d.amount_pesewas > 0)`);
    const wrong = await tx.execute(sql`
      insert into user_days as d (user_id, day, operator, orders, amount_pesewas, volume_mb)
      select user_id, (paid_at at time zone 'Africa/Accra')::date, operator, count(*), sum(amount_pesewas),
             sum(coalesce(volume_mb, 0)::bigint * quantity)
      from orders o where ${IS_SOLD} group by 1, 2, 3
      on conflict (user_id, day, operator) do update set
        orders = excluded.orders, amount_pesewas = excluded.amount_pesewas, volume_mb = excluded.volume_mb
      where (d.orders, d.amount_pesewas, d.volume_mb) is distinct from
        (excluded.orders, excluded.amount_pesewas, excluded.volume_mb)`);
    const [days] = await tx.execute<{ count: number }>(sql`
      with noted as (delete from shop_day_deltas returning day, operator, orders, amount_pesewas, volume_mb),
      before as (
        select day, operator, sum(orders) as orders, sum(amount_pesewas) as amount_pesewas, sum(volume_mb) as volume_mb
        from (select day, operator, orders, amount_pesewas, volume_mb from shop_days union all select * from noted) n
        group by 1, 2),
      now as (
        select day, operator, sum(orders) as orders, sum(amount_pesewas) as amount_pesewas, sum(volume_mb) as volume_mb
        from user_days group by 1, 2),
      removed as (
        delete from shop_days s where not exists (select from now n where n.day = s.day and n.operator = s.operator)),
      made as (
        insert into shop_days as d (day, operator, orders, amount_pesewas, volume_mb) select * from now
        on conflict (day, operator) do update set orders = excluded.orders, amount_pesewas = excluded.amount_pesewas,
          volume_mb = excluded.volume_mb)
      select count(*) as count from before b full join now n using (day, operator)
      where (coalesce(b.orders, 0), coalesce(b.amount_pesewas, 0), coalesce(b.volume_mb, 0)) is distinct from
        (coalesce(n.orders, 0), coalesce(n.amount_pesewas, 0), coalesce(n.volume_mb, 0))`);
    const [statuses] = await tx.execute<{ count: number }>(sql`
      with noted as (delete from order_count_deltas returning status, delta),
      now as (
        select c.status, c.count + coalesce((select sum(delta) from noted n where n.status = c.status), 0) as before,
               (select count(*) from orders o where o.status = c.status) as count
        from order_counts c),
      made as (update order_counts c set count = now.count from now where now.status = c.status)
      select count(*) as count from now where before <> count`);
    const keyDays = await repairKeyDays(tx);
    return {
      userDays: removed.count + wrong.count,
      shopDays: days!.count,
      statuses: statuses!.count,
      keyDays,
    };
  });
}

const IS_SOLD = sql`o.paid_at is not null and o.status <> 'FAILED'`;

async function repairKeyDays(tx: Tx): Promise<number> {
  const wrong = await tx.execute(sql`
    with now as (
      select coalesce(k.first_id, k.id) as key_id, (o.paid_at at time zone 'Africa/Accra')::date as day,
             sum(o.amount_pesewas) as amount_pesewas
      from orders o join api_keys k on k.id = o.key_id where ${IS_SOLD} group by 1, 2),
    removed as (
      update api_key_days d set amount_pesewas = 0
      where d.amount_pesewas > 0 and not exists (select from now n where n.key_id = d.key_id and n.day = d.day)
      returning d.key_id),
    made as (
      insert into api_key_days as d (key_id, day, amount_pesewas) select key_id, day, amount_pesewas from now
      on conflict (key_id, day) do update set amount_pesewas = excluded.amount_pesewas
      where d.amount_pesewas <> excluded.amount_pesewas returning d.key_id)
    select key_id from removed union all select key_id from made`);
  return wrong.count;
}
