// Sales over time, for whoever explores them: any span of days beside the span before it, from the sums of days, so that
// a year costs the same however many orders it had.
import type { Db } from "../../../db/connect.ts";
import { OPERATORS, type Operator } from "../../shared/domain.ts";
import { daysIn } from "./daily-totals.ts";

/** Sales are paid orders that have not failed. */
export type Sums = { amountPesewas: number; orders: number; volumeMb: number };
export type SalesDay = Sums & { day: string };

export type Sales = {
  /** Every day of the span, the oldest first; days without sales are there with zeros. */
  days: SalesDay[];
  /** As many days, right before them. */
  daysBefore: SalesDay[];
  total: Sums;
  totalBefore: Sums;
  /** Of the span, also when the days are only one operator's. */
  byOperator: Record<Operator, Sums>;
};

/** Both days are in it, written 2026-11-21, as the shop counts days (Africa/Accra). */
export type DaySpan = { first: string; last: string };

/** The sales of a span: one user's, or everybody's without `userId`; perhaps only one operator's. */
export async function sales(
  db: Db,
  { first, last }: DaySpan,
  only: { userId?: number | undefined; operator?: Operator | undefined },
): Promise<Sales> {
  const length = daysBetween(first, last);
  const firstBefore = addDays(first, -length);
  const rows = await daysIn(db, { first: firstBefore, last, userId: only.userId ?? null });
  const byOperator = Object.fromEntries(
    OPERATORS.map((operator) => [operator, none()]),
  ) as Sales["byOperator"];
  const byDay = new Map<string, Sums>();
  for (const { day, operator, amount, orders, mb } of rows) {
    const sums = { amountPesewas: amount, orders, volumeMb: mb };
    if (day >= first) add(byOperator[operator], sums);
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

/** The sums of days by month (2026-11), the oldest first. */
export function byMonth(days: SalesDay[]): (Sums & { month: string })[] {
  return [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, ofMonth]) => ({
    month,
    ...totalOf(ofMonth),
  }));
}

/** The day that it is in the shop, written 2026-11-21. Ghana keeps Greenwich time all the year. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Whether it is a day that there is, written 2026-11-21. */
export function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** So many days later; earlier when negative. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10);
}

/** How many days there are from one to the other, both counted. */
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
