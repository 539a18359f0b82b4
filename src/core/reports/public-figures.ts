// The figure about the shop's sales that visitors see: counted, rounded down, and none while the shop is small.
import type { Db } from "../../../db/connect.ts";
import { daysIn } from "../orders/daily-totals.ts";
import { keptFor } from "../platform/kept.ts";
import { addDays, today } from "./sales-history.ts";

/** The counted period. */
export const DAYS = 30;
/** Fewer orders than this are not shown: a small figure sells nothing, and competitors read it too. */
export const ORDERS_MIN = 1000;
const KEPT_MS = 600_000;

/** The orders of the last days, rounded down; null while there are few. A process counts them six times an hour. */
export const recentOrders = keptFor(KEPT_MS, (db: Db) => countOrders(db).then(roundedDown));

/** A count that may be shown: its first two digits, the others zero; null below ORDERS_MIN. */
export function roundedDown(count: number): number | null {
  if (count < ORDERS_MIN) return null;
  const unit = 10 ** (String(count).length - 2);
  return Math.floor(count / unit) * unit;
}

/** The paid orders of the last days that have not failed, from the daily totals: one row per day and network. */
async function countOrders(db: Db): Promise<number> {
  const last = today();
  const days = await daysIn(db, { first: addDays(last, 1 - DAYS), last, userId: null });
  return days.reduce((sum, { orders }) => sum + orders, 0);
}
