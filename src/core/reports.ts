// Figures for dashboards, from sums that are kept as orders are made, so that they cost the same in a big shop.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { OPERATORS, type Operator, type OrderStatus, STATUSES } from "../shared/domain.ts";
import * as orderLists from "./order-lists.ts";

export type Day = { day: string; salesPesewas: number; orders: number };

export type Overview = {
  salesPesewas: number;
  ordersCount: number;
  /** Data bought per operator, in MB. */
  volumeMbByOperator: Record<Operator, number>;
  thisMonth: { volumeMb: number; salesPesewas: number };
  lastMonth: { volumeMb: number; salesPesewas: number };
  recentOrders: orderLists.OrderRow[];
  /** The last seven days, the oldest first; days without sales are there with zeros. */
  lastSevenDays: Day[];
};

/** What an agent's dashboard shows; sales are paid orders that have not failed. */
export async function overview(db: Db, userId: number): Promise<Overview> {
  const [operators, months, days, [count], recentOrders] = await Promise.all([
    db.execute<{ operator: Operator; sales: number; mb: number }>(sql`
      select operator, sum(amount_pesewas)::bigint as sales, sum(volume_mb)::bigint as mb
      from user_days where user_id = ${userId} group by operator`),
    db.execute<{ is_this: boolean; sales: number; mb: number }>(sql`
      select day >= date_trunc('month', ${today}) as is_this,
             sum(amount_pesewas)::bigint as sales, sum(volume_mb)::bigint as mb
      from user_days
      where user_id = ${userId} and day >= date_trunc('month', ${today}) - interval '1 month'
      group by 1`),
    lastSevenDays(db, sql`and user_id = ${userId}`),
    db.execute<{ count: number }>(sql`select count(*) as count from orders where user_id = ${userId}`),
    orderLists.list(db, { userId }, { limit: 4 }),
  ]);
  const volume = Object.fromEntries(OPERATORS.map((operator) => [operator, 0])) as Record<Operator, number>;
  for (const row of operators) volume[row.operator] = row.mb;
  const month = (isThis: boolean) => {
    const row = months.find((candidate) => candidate.is_this === isThis);
    return { volumeMb: row?.mb ?? 0, salesPesewas: row?.sales ?? 0 };
  };
  return {
    salesPesewas: operators.reduce((sum, row) => sum + row.sales, 0),
    ordersCount: count!.count,
    volumeMbByOperator: volume,
    thisMonth: month(true),
    lastMonth: month(false),
    recentOrders,
    lastSevenDays: days,
  };
}

export type AdminStats = {
  totalOrders: number;
  byStatus: Record<OrderStatus, number>;
  /** (completed + delivered) / total, rounded. */
  successPercent: number;
  failurePercent: number;
  usersCount: number;
  productsCount: number;
  walletsPesewas: number;
  salesTodayPesewas: number;
  lastSevenDays: Day[];
};

/** What the admins' dashboard shows. */
export async function adminStats(db: Db): Promise<AdminStats> {
  const [byStatus, [figures], days] = await Promise.all([
    statusCounts(db),
    db.execute<{ users: number; products: number; wallets: number }>(sql`
      select (select count(*) from users where status <> 'CLOSED') as users,
             (select count(*) from products where retired_at is null) as products,
             (select coalesce(sum(balance_pesewas), 0)::bigint from wallets) as wallets`),
    lastSevenDays(db, sql``),
  ]);
  const totalOrders = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const percent = (count: number) => (totalOrders === 0 ? 0 : Math.round((count / totalOrders) * 100));
  return {
    totalOrders,
    byStatus,
    successPercent: percent(byStatus.COMPLETED + byStatus.DELIVERED),
    failurePercent: percent(byStatus.FAILED),
    usersCount: figures!.users,
    productsCount: figures!.products,
    walletsPesewas: figures!.wallets,
    salesTodayPesewas: days.at(-1)!.salesPesewas,
    lastSevenDays: days,
  };
}

/** Folds the noted changes into the counts by status; returns how many notes there were. */
export async function foldCounts(db: Db): Promise<number> {
  const [folded] = await db.execute<{ count: number }>(sql`
    with taken as (
      delete from order_count_deltas
      where id in (select id from order_count_deltas order by id limit 10000 for update skip locked)
      returning status, delta),
    sums as (select status, sum(delta) as delta from taken group by status order by status),
    added as (
      update order_counts c set count = c.count + s.delta from sums s where s.status = c.status returning 1)
    select count(*) as count from taken`);
  return folded!.count;
}

async function statusCounts(tx: Tx): Promise<Record<OrderStatus, number>> {
  const rows = await tx.execute<{ status: OrderStatus; count: number }>(sql`
    select status, sum(n)::bigint as count
    from (select status, count as n from order_counts union all select status, delta from order_count_deltas) c
    group by status`);
  const counts = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<OrderStatus, number>;
  for (const row of rows) counts[row.status] = row.count;
  return counts;
}

const today = sql`(now() at time zone 'Africa/Accra')::date`;

async function lastSevenDays(tx: Tx, andWhere: ReturnType<typeof sql>): Promise<Day[]> {
  const rows = await tx.execute<{ day: string; sales: number; orders: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(u.amount_pesewas), 0)::bigint as sales,
           coalesce(sum(u.orders), 0)::int as orders
    from generate_series(${today} - 6, ${today}, interval '1 day') d(day)
    left join user_days u on u.day = d.day::date ${andWhere}
    group by d.day order by d.day`);
  return rows.map((row) => ({ day: row.day, salesPesewas: row.sales, orders: row.orders }));
}
