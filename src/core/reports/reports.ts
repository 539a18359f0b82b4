// Dashboard figures from the daily totals, so that they cost the same in a big shop.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import type { Operator, OrderStatus } from "../../shared/domain.ts";
import { pastOperatorCodes } from "../../shared/operators.ts";
import * as products from "../catalog/products.ts";
import * as sums from "../orders/daily-totals.ts";
import * as orderLists from "../orders/queries.ts";
import * as statistics from "./sales-history.ts";

export type Day = { day: string; salesPesewas: number; orders: number };

export type Overview = {
  salesPesewas: number;
  ordersCount: number;
  /** Data bought per operator, in MB. */
  volumeMbByOperator: Record<Operator, number>;
  thisMonth: { volumeMb: number; salesPesewas: number };
  lastMonth: { volumeMb: number; salesPesewas: number };
  /** Last month up to today's day of the month, to compare this month with. */
  lastMonthSoFarMb: number;
  recentOrders: orderLists.ListedOrder[];
  /** The last seven days, oldest first; days without sales are zero. */
  lastSevenDays: Day[];
};

/** The agent's dashboard; sales are paid orders that have not failed. */
export async function overview(db: Db, userId: number, recentCount = 4): Promise<Overview> {
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
    lastSevenDays(db, userId),
    db.execute<{ count: number }>(sql`select count(*) as count from orders where user_id = ${userId}`),
    orderLists.list(db, { userId }, { limit: recentCount }),
  ]);
  const volume = Object.fromEntries(pastOperatorCodes().map((operator) => [operator, 0])) as Record<Operator, number>;
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
  /** Those of them who buy. */
  agentsCount: number;
  /** All that are not retired, with the AFA registration; `onSaleCount`: those of them that can be bought now. */
  productsCount: number;
  onSaleCount: number;
  /** AFA registrations, including waiting ones. */
  afaCount: number;
  walletsPesewas: number;
  salesTodayPesewas: number;
  lastSevenDays: Day[];
};

/** The admins' dashboard. */
export async function adminStats(db: Db): Promise<AdminStats> {
  const [byStatus, [figures], days, bundles, afa] = await Promise.all([
    sums.statusCounts(db),
    db.execute<{ users: number; agents: number; afa: number; wallets: number }>(sql`
      select count(*) as users, count(*) filter (where 'USER' = any(roles)) as agents,
             (select count(*) from afa_registrations) as afa,
             (select coalesce(sum(balance_pesewas), 0)::bigint from wallets) as wallets
      from users where status <> 'CLOSED'`),
    lastSevenDays(db, null),
    products.list(db),
    products.findAfa(db),
  ]);
  const all = afa ? [...bundles, afa] : bundles;
  const totalOrders = Object.values(byStatus).reduce((sum, count) => sum + count, 0);
  const percent = (count: number) => (totalOrders === 0 ? 0 : Math.round((count / totalOrders) * 100));
  return {
    totalOrders,
    byStatus,
    successPercent: percent(byStatus.COMPLETED + byStatus.DELIVERED),
    failurePercent: percent(byStatus.FAILED),
    usersCount: figures!.users,
    agentsCount: figures!.agents,
    productsCount: all.length,
    onSaleCount: all.filter(({ paused }) => paused === null).length,
    afaCount: figures!.afa,
    walletsPesewas: figures!.wallets,
    salesTodayPesewas: days.at(-1)!.salesPesewas,
    lastSevenDays: days,
  };
}

const today = sql`(now() at time zone 'Africa/Accra')::date`;

/** The last seven days, oldest first, of one user or (null) of everybody. */
async function lastSevenDays(tx: Reads, userId: number | null): Promise<Day[]> {
  const last = statistics.today();
  const first = statistics.addDays(last, -6);
  const rows = await sums.daysIn(tx, { first, last, userId });
  return Array.from({ length: 7 }, (_, i) => statistics.addDays(first, i)).map((day) => {
    const ofDay = rows.filter((row) => row.day === day);
    return {
      day,
      salesPesewas: ofDay.reduce((sum, { amount }) => sum + amount, 0),
      orders: ofDay.reduce((sum, { orders }) => sum + orders, 0),
    };
  });
}
