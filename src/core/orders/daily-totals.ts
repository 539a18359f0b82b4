// Daily totals, which dashboards read instead of adding up orders: per user and day, per day, and by status. Changes to
// the shop's totals are appended as deltas, which wait for no lock, and the worker folds them.
import { sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { type Operator, type OrderStatus, STATUSES } from "../../shared/domain.ts";
import { tryLock } from "../platform/advisory-locks.ts";
import { isAmongFound } from "../platform/sql.ts";
import * as keyCaps from "./key-caps.ts";
import type { Order } from "./order.ts";

/** Adds orders to (or subtracts them from) the totals of the day they were paid on, and what their keys spent. */
export async function addToDays(tx: Tx, changed: Order[], sign: 1 | -1): Promise<void> {
  if (changed.length === 0) return;
  await keyCaps.count(tx, changed, sign);
  const rows = changed.map((order) => ({
    user_id: order.userId,
    paid_at: order.paidAt!.toISOString(),
    operator: order.operator,
    orders: sign,
    amount: sign * order.amountPesewas,
    mb: sign * (order.volumeMb ?? 0) * order.quantity,
  }));
  // An upsert cannot subtract, because its insert would violate the check: hence two statements.
  const sums = sql`
    select user_id, (paid_at at time zone 'Africa/Accra')::date as day, operator,
           sum(orders) as orders, sum(amount) as amount, sum(mb) as mb
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      user_id bigint, paid_at timestamptz, operator text, orders int, amount bigint, mb bigint)
    group by 1, 2, 3 order by 1, 2, 3`;
  await tx.execute(sql`
    insert into shop_day_deltas (day, operator, orders, amount_pesewas, volume_mb)
    select day, operator, sum(orders), sum(amount), sum(mb) from (${sums}) s group by day, operator`);
  await tx.execute(
    sign === 1
      ? sql`
        insert into user_days as d (user_id, day, operator, orders, amount_pesewas, volume_mb) ${sums}
        on conflict (user_id, day, operator) do update set
          orders = d.orders + excluded.orders, amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
          volume_mb = d.volume_mb + excluded.volume_mb`
      : sql`
        update user_days d set orders = d.orders + s.orders, amount_pesewas = d.amount_pesewas + s.amount,
          volume_mb = d.volume_mb + s.mb
        from (${sums}) s where d.user_id = s.user_id and d.day = s.day and d.operator = s.operator`,
  );
}

/** Appends changes to the number of orders by status, for the worker to fold. */
export async function countChange(tx: Tx, changes: (readonly [OrderStatus, number])[]): Promise<void> {
  const rows = changes.map(([status, delta]) => ({ status, delta }));
  await tx.execute(sql`
    insert into order_count_deltas (status, delta)
    select status, delta from json_to_recordset(${JSON.stringify(rows)}::json) as r(status text, delta int)
    where delta <> 0`);
}

export type DayRow = { day: string; operator: Operator; amount: number; orders: number; mb: number };

/** Totals by day and operator, of one user or (null) of everybody; a day without sales has no row. */
export function daysIn(
  tx: Reads,
  { first, last, userId }: { first: string; last: string; userId: number | null },
): Promise<DayRow[]> {
  const columns = sql`day, operator, amount_pesewas, orders, volume_mb`;
  const inSpan = sql`day between ${first}::date and ${last}::date`;
  const days =
    userId === null
      ? sql`select ${columns} from shop_days where ${inSpan}
            union all select ${columns} from shop_day_deltas where ${inSpan}`
      : sql`select ${columns} from user_days where ${inSpan} and user_id = ${userId}`;
  return tx.execute<DayRow>(sql`
    select to_char(day, 'YYYY-MM-DD') as day, operator, sum(amount_pesewas)::bigint as amount,
           sum(orders)::bigint as orders, sum(volume_mb)::bigint as mb
    from (${days}) d group by d.day, operator`);
}

/** What an account has bought, ever: paid orders that did not fail. */
export type Bought = { orders: number; amountPesewas: number };

export async function boughtBy(tx: Reads, userId: number): Promise<Bought> {
  const [row] = await tx.execute<Bought>(sql`
    select coalesce(sum(orders), 0)::int as orders, coalesce(sum(amount_pesewas), 0)::bigint as "amountPesewas"
    from user_days where user_id = ${userId}`);
  return row!;
}

/** The number of orders by status. */
export async function statusCounts(tx: Reads): Promise<Record<OrderStatus, number>> {
  const rows = await tx.execute<{ status: OrderStatus; count: number }>(sql`
    select status, sum(n)::bigint as count
    from (select status, count as n from order_counts union all select status, delta from order_count_deltas) c
    group by status`);
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<OrderStatus, number>;
  for (const row of rows) counts[row.status] = row.count;
  return counts;
}

/** Folds all deltas into the totals, some thousands per transaction; none while another worker does. */
export async function foldAll(db: Db): Promise<void> {
  while ((await fold(db)) >= FOLDED_AT_ONCE);
}

/** Folds some thousand deltas of each kind into the totals; returns how many, none while another worker does. */
export async function fold(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const isMine = await tryLock(tx, "folding");
    return isMine ? (await foldCounts(tx)) + (await foldDays(tx)) : 0;
  });
}

const FOLDED_AT_ONCE = 10_000;

async function foldCounts(tx: Tx): Promise<number> {
  const [folded] = await tx.execute<{ count: number }>(sql`
    with taken as (
      delete from order_count_deltas
      where ${isAmongFound(sql`id`, sql`select id from order_count_deltas order by id limit ${FOLDED_AT_ONCE}`)}
      returning status, delta),
    sums as (select status, sum(delta) as delta from taken group by status),
    added as (
      update order_counts c set count = c.count + s.delta from sums s where s.status = c.status returning 1)
    select count(*) as count from taken`);
  return folded!.count;
}

async function foldDays(tx: Tx): Promise<number> {
  const [folded] = await tx.execute<{ count: number }>(sql`
    with taken as (
      delete from shop_day_deltas
      where ${isAmongFound(sql`id`, sql`select id from shop_day_deltas order by id limit ${FOLDED_AT_ONCE}`)}
      returning day, operator, orders, amount_pesewas, volume_mb),
    added as (
      insert into shop_days as d (day, operator, orders, amount_pesewas, volume_mb)
      select day, operator, sum(orders), sum(amount_pesewas), sum(volume_mb) from taken group by day, operator
      on conflict (day, operator) do update set
        orders = d.orders + excluded.orders, amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
        volume_mb = d.volume_mb + excluded.volume_mb)
    select count(*) as count from taken`);
  return folded!.count;
}
