// An agent's daily closing: the wallet's day, what was sold, the profit where selling prices are known, and what
// customers still owe. The wallet's part is the sum of its statement, to the pesewa.
import type { Db } from "../../../db/connect.ts";
import { type DayTurnover, dailyTurnover } from "../ledger/daily-turnover.ts";
import * as profit from "../reports/profit.ts";
import { addDays, type DaySpan, daysBetween } from "../reports/sales-history.ts";
import * as customerDebts from "./customer-debts.ts";

export type DayClosing = DayTurnover & {
  /** Null without selling prices, or on a day with too many orders to count. */
  profit: { pesewas: number; pricedOrders: number } | null;
};

/** The most days at once. */
export const CLOSING_DAYS_MAX = 31;

/** The closing of each day of a span, oldest first; of the last days when it has too many. */
export async function closings(db: Db, userId: number, { first, last }: DaySpan): Promise<DayClosing[]> {
  const length = Math.min(daysBetween(first, last), CLOSING_DAYS_MAX);
  const days = Array.from({ length }, (_, i) => addDays(last, i + 1 - length));
  const [turnovers, earned] = await Promise.all([
    dailyTurnover(db, userId, days),
    profit.ofSpan(db, userId, { first: days[0]!, last }),
  ]);
  const isKnown = earned !== null && earned !== "too many";
  const profits = new Map(isKnown ? earned.days.map((day) => [day.day, day]) : []);
  return turnovers.map((turnover) => {
    const { profitPesewas = 0, pricedOrders = 0 } = profits.get(turnover.day) ?? {};
    return { ...turnover, profit: isKnown ? { pesewas: profitPesewas, pricedOrders } : null };
  });
}

/** What customers owe for the orders of a day, and altogether. */
export async function owedOn(
  db: Db,
  userId: number,
  day: string,
): Promise<{ ofDayPesewas: number; allPesewas: number }> {
  const [ofDayPesewas, all] = await Promise.all([
    customerDebts.owedFor(db, userId, { first: day, last: day }),
    customerDebts.owed(db, userId),
  ]);
  return { ofDayPesewas, allPesewas: all.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0) };
}
