// The shop's profit: what paid orders brought in less what they cost, payment fees and losses. An order whose cost is
// not known is in the sales and not in the profit. profit-days.ts counts the days, so that a span costs the same
// however many orders it had.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { FIRST_UNOPENED } from "./profit-days.ts";
import { byDay, type Only, type Profit, type ProfitRow, totalOf } from "./profit-figures.ts";
import { addDays, type DaySpan, daysBetween, today } from "./sales-history.ts";

export type SpanProfit = {
  total: Profit;
  /** Of the same number of days, right before them. */
  totalBefore: Profit;
  /** The profit in pesewas of every day of the span and of the span before it, oldest first. */
  profits: number[];
  profitsBefore: number[];
  /** Days of the span that have changed since they were counted, or were never counted. */
  waitingDays: number;
  /** When today was last counted, if it is one of these days. */
  countedAt: Date | null;
};

/** The profit of a span next to the span before it. Of one operator it is before fees and losses, which have none. */
export async function ofSpan(db: Db, span: DaySpan, only: Only = {}): Promise<SpanProfit> {
  const length = daysBetween(span.first, span.last);
  const before = { first: addDays(span.first, -length), last: addDays(span.first, -1) };
  const isNow = span.first <= today() && today() <= span.last;
  const [days, daysBefore, waitingDays, countedAt] = await Promise.all([
    byDay(db, span, only),
    byDay(db, before, only),
    countWaiting(db, span),
    isNow ? todayCountedAt(db) : null,
  ]);
  const profitsFrom = (start: string, rows: ProfitRow[]) => {
    const profits = new Map(rows.map(({ key, profitPesewas }) => [key, profitPesewas]));
    return Array.from({ length }, (_, i) => profits.get(addDays(start, i)) ?? 0);
  };
  return {
    total: totalOf(days, only),
    totalBefore: totalOf(daysBefore, only),
    profits: profitsFrom(span.first, days),
    profitsBefore: profitsFrom(before.first, daysBefore),
    waitingDays,
    countedAt,
  };
}

export type TodayProfit = {
  today: Profit;
  yesterday: Profit;
  /** When today was last counted; null before the first time. */
  countedAt: Date | null;
};

/** Today's profit as it was last counted, and all of yesterday's. */
export async function ofToday(db: Db): Promise<TodayProfit> {
  const day = today();
  const [days, countedAt] = await Promise.all([
    byDay(db, { first: addDays(day, -1), last: day }, {}),
    todayCountedAt(db),
  ]);
  const ofDay = (key: string) =>
    totalOf(
      days.filter((row) => row.key === key),
      {},
    );
  return { today: ofDay(day), yesterday: ofDay(addDays(day, -1)), countedAt };
}

async function todayCountedAt(tx: Reads): Promise<Date | null> {
  const [mark] = await tx.execute<{ counted_at: string | null }>(
    sql`select max(counted_at)::text as counted_at from profit_days_stale where day = ${today()}::date and is_open`,
  );
  return mark?.counted_at ? new Date(mark.counted_at) : null;
}

/** Days of a span that are marked and not counted since, or that no worker has opened yet. */
async function countWaiting(tx: Reads, { first, last }: DaySpan): Promise<number> {
  const [row] = await tx.execute<{ days: number }>(sql`
    select count(*)::int as days from (
      select day from profit_days_stale where not is_open or counted_at is null
      union select d::date from generate_series(${FIRST_UNOPENED}, ${today()}::date, interval '1 day') d) w
    where day between ${first}::date and ${last}::date`);
  return row!.days;
}
