// The day ahead: what a usual day of this weekday had sold by now, and in all.
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { keptFor } from "../platform/kept.ts";
import { firstOrderIdSince } from "../platform/sql.ts";
import { MIDNIGHT, UNPAID_HOURS } from "./today.ts";

/** Days that are over do not change, and "by now" moves slowly. */
const KEPT_MS = 5 * 60_000;
const WEEKS = [1, 2, 3, 4];
/** Fewer days than this, or quieter ones, say nothing of today. */
const DAYS_MIN = 3;
const ORDERS_MIN = 10;

export type Sold = { orders: number; salesPesewas: number };
export type DayAhead = {
  /** How many days it is the average of. */
  days: number;
  /** Up to the same time of the day. */
  byNow: Sold;
  inAll: Sold;
};

/** The average of the same weekday of the last four weeks; null where there is too little of them. */
export const dayAhead = keptFor(KEPT_MS, measure);

async function measure(db: Db): Promise<DayAhead | null> {
  const past = (await Promise.all(WEEKS.map((weeks) => dayBefore(db, weeks)))).filter(
    ({ orders }) => orders >= ORDERS_MIN,
  );
  if (past.length < DAYS_MIN) return null;
  const average = (of: (day: PastDay) => number) =>
    Math.round(past.reduce((sum, day) => sum + of(day), 0) / past.length);
  return {
    days: past.length,
    byNow: { orders: average((day) => day.ordersByNow), salesPesewas: average((day) => day.salesByNow) },
    inAll: { orders: average((day) => day.orders), salesPesewas: average((day) => day.sales) },
  };
}

type PastDay = { orders: number; sales: number; ordersByNow: number; salesByNow: number };

/** The same weekday some weeks ago, counted as today is. Reads the orders of that day alone, by their ids. */
async function dayBefore(db: Db, weeks: number): Promise<PastDay> {
  const ago = sql`make_interval(weeks => ${weeks}::int)`;
  const begins = sql`(${MIDNIGHT} - ${ago})`;
  const [ids] = await db.execute<{ first: number; next: number }>(sql`
    select (${firstOrderIdSince(sql`${begins} - make_interval(hours => ${UNPAID_HOURS})`)}) as first,
           (${firstOrderIdSince(sql`${begins} + interval '1 day'`)}) as next`);
  const [row] = await db.execute<PastDay>(sql`
    select count(*)::int as orders, coalesce(sum(amount_pesewas), 0)::bigint as sales,
           (count(*) filter (where paid_at <= now() - ${ago}))::int as "ordersByNow",
           coalesce(sum(amount_pesewas) filter (where paid_at <= now() - ${ago}), 0)::bigint as "salesByNow"
    from orders
    where id >= ${ids!.first} and id < ${ids!.next} and paid_at >= ${begins}
      and paid_at < ${begins} + interval '1 day' and status <> 'FAILED'`);
  return row!;
}
