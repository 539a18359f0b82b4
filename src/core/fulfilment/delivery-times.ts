// Delivery times, measured from the actual deliveries of the last hours, for buyers.
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import type { Operator } from "../../shared/domain.ts";
import { operatorCodes } from "../../shared/operators.ts";
import { keptFor } from "../platform/kept.ts";
import { isBundle } from "../platform/sql.ts";

/** The measured period: a network that was slow last week says nothing about today. */
export const HOURS = 6;
/** Fewer deliveries than this are not representative. */
export const COUNT_MIN = 5;
const KEPT_MS = 30_000;

export type DeliveryTime = {
  operator: Operator;
  /** Deliveries in the last hours. */
  count: number;
  /** From payment to delivery: the median and the 90th percentile. Null when there were too few. */
  medianSeconds: number | null;
  slowSeconds: number | null;
  /** Paid orders not yet delivered, and when the oldest was paid. */
  waitingCount: number;
  waitingSince: Date | null;
};

/** The times of each operator, measured at most twice a minute per process, because every buyer's page shows them. */
export const deliveryTimes = keptFor(KEPT_MS, measure);

/** As `deliveryTimes`, measured now. */
export async function measure(db: Db): Promise<DeliveryTime[]> {
  const [delivered, waiting] = await Promise.all([
    db.execute<{ operator: Operator; count: number; median: number; slow: number }>(sql`
      select o.operator, count(*)::int as count,
             percentile_cont(0.5) within group (order by extract(epoch from a.ended_at - o.paid_at)) as median,
             percentile_cont(0.9) within group (order by extract(epoch from a.ended_at - o.paid_at)) as slow
      from attempts a join orders o on o.id = a.order_id
      where a.state = 'delivered' and a.ended_at > now() - make_interval(hours => ${HOURS})
        and o.paid_at is not null
      group by o.operator`),
    db.execute<{ operator: Operator; count: number; since: string }>(sql`
      select operator, count(*)::int as count, min(paid_at) as since from orders
      where status in ('PENDING', 'PAID', 'PROCESSING') and paid_at is not null
        and ${isBundle}
      group by operator`),
  ]);
  return operatorCodes().map((operator) => {
    const past = delivered.find((row) => row.operator === operator);
    const open = waiting.find((row) => row.operator === operator);
    const isEnough = past !== undefined && past.count >= COUNT_MIN;
    return {
      operator,
      count: past?.count ?? 0,
      medianSeconds: isEnough ? Math.round(past.median) : null,
      slowSeconds: isEnough ? Math.round(past.slow) : null,
      waitingCount: open?.count ?? 0,
      waitingSince: open ? new Date(open.since) : null,
    };
  });
}

/** A duration as text: 40 seconds, 3 minutes, 2 hours. Rounded up, so that it does not promise too much. */
export function durationText(seconds: number): string {
  const [count, unit] =
    seconds < 90
      ? [Math.max(1, Math.ceil(seconds)), "second"]
      : seconds < 5400
        ? [Math.ceil(seconds / 60), "minute"]
        : [Math.ceil(seconds / 3600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
