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
  /** Of last month up to the day of the month that today is: what this month is fairly compared with. */
  lastMonthSoFarMb: number;
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
    db.execute<{ is_this: boolean; sales: number; mb: number; so_far: number | null }>(sql`
      select day >= date_trunc('month', ${today}) as is_this,
             sum(amount_pesewas)::bigint as sales, sum(volume_mb)::bigint as mb,
             sum(volume_mb) filter (where day <= ${today} - interval '1 month')::bigint as so_far
      from user_days
      where user_id = ${userId} and day >= date_trunc('month', ${today}) - interval '1 month'
      group by 1`),
    daysOf(db, { firstAgo: 6, lastAgo: 0 }, sql`and user_id = ${userId}`),
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
    lastMonthSoFarMb: months.find((row) => !row.is_this)?.so_far ?? 0,
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
             (select count(*) from products where retired_at is null and line = 'bundle') as products,
             (select coalesce(sum(balance_pesewas), 0)::bigint from wallets) as wallets`),
    shopsWeek(db),
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

const PAST_KEPT_MS = 30_000;
const pastDays = new WeakMap<Db, { at: number; days: Promise<Day[]> }>();

/**
 * Everybody's last seven days. Today is counted now; the six before hardly change any more, and are counted twice a
 * minute, because a busy shop has ten thousands of rows for them.
 */
async function shopsWeek(db: Db): Promise<Day[]> {
  let past = pastDays.get(db);
  if (!past || past.at < Date.now() - PAST_KEPT_MS) {
    past = { at: Date.now(), days: daysOf(db, { firstAgo: 6, lastAgo: 1 }, sql``) };
    // A failure is not kept: the next one asks again.
    past.days.catch(() => pastDays.delete(db));
    pastDays.set(db, past);
  }
  const [before, now] = await Promise.all([past.days, daysOf(db, { firstAgo: 0, lastAgo: 0 }, sql``)]);
  // Just after midnight the kept days end a day early.
  if (before.at(-1)!.day < dayBefore(now[0]!.day)) {
    pastDays.delete(db);
    return shopsWeek(db);
  }
  return [...before, ...now];
}

function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

type Span = { firstAgo: number; lastAgo: number };

/** The days from so many days ago to so many days ago, the oldest first. */
async function daysOf(tx: Tx, { firstAgo, lastAgo }: Span, andWhere: ReturnType<typeof sql>): Promise<Day[]> {
  const rows = await tx.execute<{ day: string; sales: number; orders: number }>(sql`
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(u.amount_pesewas), 0)::bigint as sales,
           coalesce(sum(u.orders), 0)::int as orders
    from generate_series(${today} - ${firstAgo}::int, ${today} - ${lastAgo}::int, interval '1 day') d(day)
    left join user_days u on u.day = d.day::date ${andWhere}
    group by d.day order by d.day`);
  return rows.map((row) => ({ day: row.day, salesPesewas: row.sales, orders: row.orders }));
}
