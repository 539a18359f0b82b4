// An agent's profit: the selling price at the moment of the sale, less what the order cost. It is counted from the
// orders themselves, for as many days as have a bounded number of them: user_days says beforehand how many there are.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import * as sellingPrices from "../catalog/selling-prices.ts";
import { isAmong } from "../platform/sql.ts";
import { isSoldOn } from "./paid-on.ts";
import { type DaySpan, today } from "./sales-history.ts";

/** The most orders that are counted at once: eighty a day for a year. */
const ORDERS_MAX = 30_000;

/** What an order brought in; `profitPesewas` is negative for one sold below its cost. */
export type OrderProfit = { sellingPesewas: number; profitPesewas: number };

export type DayProfit = { day: string; profitPesewas: number; pricedOrders: number };

export type SpanProfit = {
  /** Days with orders that had a selling price, oldest first. */
  days: DayProfit[];
  profitPesewas: number;
  /** The orders that it is the profit of; those without a selling price are left out. */
  pricedOrders: number;
};

/**
 * The profit of a span of days by the days on which the orders were paid; refunded ones are left out. Null for an agent
 * who has no selling prices; "too many" when the span has more orders than can be counted at once.
 */
export async function ofSpan(tx: Db, userId: number, span: DaySpan): Promise<SpanProfit | "too many" | null> {
  if (!(await sellingPrices.hasSome(tx, userId))) return null;
  if ((await countIn(tx, userId, span)) > ORDERS_MAX) return "too many";
  const isSold = await isSoldOn(tx, span);
  const days = await tx.execute<{ day: string; profit: number; orders: number }>(sql`
    select to_char((o.paid_at at time zone 'Africa/Accra')::date, 'YYYY-MM-DD') as day,
           sum(${PROFIT})::bigint as profit, count(*)::int as orders
    from orders o, ${SELLING_PRICE} s
    where o.user_id = ${userId} and ${isSold} and s.price_pesewas is not null
    group by 1 order by 1`);
  return {
    days: days.map(({ day, profit, orders }) => ({ day, profitPesewas: profit, pricedOrders: orders })),
    profitPesewas: days.reduce((sum, { profit }) => sum + profit, 0),
    pricedOrders: days.reduce((sum, { orders }) => sum + orders, 0),
  };
}

/** Today's profit in pesewas; null for an agent without selling prices, or with too many orders to count. */
export async function todayProfit(db: Db, userId: number): Promise<number | null> {
  const day = today();
  const profit = await ofSpan(db, userId, { first: day, last: day });
  return profit === null || profit === "too many" ? null : profit.profitPesewas;
}

/** The profit of an agent's orders by id; those that failed, are unpaid or had no selling price are left out. */
export async function ofOrders(
  tx: Reads,
  userId: number,
  orderIds: readonly number[],
): Promise<Map<number, OrderProfit>> {
  const rows = await tx.execute<{ id: number; selling: number; profit: number }>(sql`
    select o.id, s.price_pesewas * o.quantity as selling, ${PROFIT} as profit
    from orders o, ${SELLING_PRICE} s
    where ${isAmong(sql`o.id`, orderIds)} and o.user_id = ${userId} and o.paid_at is not null
      and o.status <> 'FAILED' and s.price_pesewas is not null`);
  return new Map(rows.map(({ id, selling, profit }) => [id, { sellingPesewas: selling, profitPesewas: profit }]));
}

/** The selling price of an order: the last one that its agent had set for the bundle when it was paid. */
const SELLING_PRICE = sql`lateral (
  select price_pesewas from selling_prices
  where user_id = o.user_id and product_id = o.product_id and since <= o.paid_at
  order by since desc limit 1)`;

const PROFIT = sql`(s.price_pesewas - o.unit_price_pesewas) * o.quantity`;

async function countIn(tx: Reads, userId: number, { first, last }: DaySpan): Promise<number> {
  const [row] = await tx.execute<{ orders: number }>(sql`
    select coalesce(sum(orders), 0)::bigint as orders from user_days
    where user_id = ${userId} and day between ${first}::date and ${last}::date`);
  return row!.orders;
}
