// Sales history: any span of days next to the span before it, from the daily totals, so that a year costs the same
// however many orders it had.
import { sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import type { Operator } from "../../shared/domain.ts";
import { pastOperatorCodes } from "../../shared/operators.ts";
import { daysIn } from "../orders/daily-totals.ts";

/** Sales are paid orders that have not failed. */
export type Sums = { amountPesewas: number; orders: number; volumeMb: number };
export type SalesDay = Sums & { day: string };

export type Sales = {
  /** Every day of the span, oldest first; days without sales are zero. */
  days: SalesDay[];
  /** The same number of days, right before them. */
  daysBefore: SalesDay[];
  total: Sums;
  totalBefore: Sums;
  /** Of the whole span, even when `days` is restricted to one operator. */
  byOperator: Record<Operator, Sums>;
};

/** First and last day inclusive, as 2026-11-21, in Accra's time. */
export type DaySpan = { first: string; last: string };

/** The sales of a span, of one user or everybody, optionally of one operator. */
export async function sales(
  db: Db,
  { first, last }: DaySpan,
  only: { userId?: number | undefined; operator?: Operator | undefined },
): Promise<Sales> {
  const length = daysBetween(first, last);
  const firstBefore = addDays(first, -length);
  const rows = await daysIn(db, { first: firstBefore, last, userId: only.userId ?? null });
  const byOperator = Object.fromEntries(
    pastOperatorCodes().map((operator) => [operator, none()]),
  ) as Sales["byOperator"];
  const byDay = new Map<string, Sums>();
  for (const { day, operator, amount, orders, mb } of rows) {
    const sums = { amountPesewas: amount, orders, volumeMb: mb };
    if (day >= first) {
      byOperator[operator] ??= none();
      add(byOperator[operator], sums);
    }
    if (only.operator && operator !== only.operator) continue;
    const ofDay = byDay.get(day) ?? none();
    add(ofDay, sums);
    byDay.set(day, ofDay);
  }
  const daysFrom = (start: string): SalesDay[] =>
    Array.from({ length }, (_, i) => addDays(start, i)).map((day) => ({
      day,
      ...(byDay.get(day) ?? none()),
    }));
  const [days, daysBefore] = [daysFrom(first), daysFrom(firstBefore)];
  return { days, daysBefore, total: totalOf(days), totalBefore: totalOf(daysBefore), byOperator };
}

/**
 * The day of the shop's first order, if the span before this one had begun by then: with days on which there was no
 * shop, nothing is compared. Null where it can be.
 */
export async function beganAfter(tx: Reads, { first, last }: DaySpan): Promise<string | null> {
  const [row] = await tx.execute<{ day: string }>(sql`
    select (created_at at time zone 'Africa/Accra')::date::text as day from orders order by id limit 1`);
  return row && row.day > addDays(first, -daysBetween(first, last)) ? row.day : null;
}

/** The totals by month (2026-11), oldest first. */
export function byMonth(days: SalesDay[]): (Sums & { month: string })[] {
  return [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, ofMonth]) => ({
    month,
    ...totalOf(ofMonth),
  }));
}

/** Today in Accra, as 2026-11-21. Ghana is on UTC all year. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Whether a text is a valid day, as 2026-11-21. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day `count` days later; earlier when negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

/** The number of days from first to last, inclusive. */
export function daysBetween(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000) + 1;
}

const none = (): Sums => ({ amountPesewas: 0, orders: 0, volumeMb: 0 });

function totalOf(days: Sums[]): Sums {
  const total = none();
  for (const day of days) add(total, day);
  return total;
}

function add(to: Sums, more: Sums): void {
  to.amountPesewas += more.amountPesewas;
  to.orders += more.orders;
  to.volumeMb += more.volumeMb;
}
