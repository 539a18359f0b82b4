// The orders paid on a span of days, found by their ids: there is no index on the time of payment, which every purchase
// would have to maintain.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { firstIdSince } from "../orders/queries.ts";
import { addDays, type DaySpan } from "./sales-history.ts";

const HOUR_MS = 3_600_000;
/** Unpaid orders expire after a day; a payment under way then may still arrive. */
const PAID_AFTER_MS_MAX = 48 * HOUR_MS;
/** Ids are assigned slightly before the order's time. */
const SLACK_MS = HOUR_MS;

/** SQL: whether the order `o` was paid on one of these days and has not failed, with bounds for its id. */
export async function isSoldOn(tx: Reads, { first, last }: DaySpan): Promise<SQL> {
  const [from, to] = [Date.parse(first), Date.parse(addDays(last, 1))];
  const firstId = await firstIdSince(tx, from - PAID_AFTER_MS_MAX);
  const endId = await firstIdSince(tx, to + SLACK_MS);
  return sql`(o.id >= ${firstId} and o.id < ${endId} and o.status <> 'FAILED'
    and o.paid_at >= ${new Date(from).toISOString()}::timestamptz
    and o.paid_at < ${new Date(to).toISOString()}::timestamptz)`;
}
