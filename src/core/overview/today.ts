// Today beside yesterday, by the hour, and how delivery goes right now.
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import type { Operator } from "../../shared/domain.ts";
import { operatorCodes } from "../../shared/operators.ts";
import * as deliveryTimes from "../fulfilment/delivery-times.ts";
import { keptFor } from "../platform/kept.ts";
import { firstOrderIdSince } from "../platform/sql.ts";

/** Measured at most this often per process: a busy shop has a hundred thousand orders in two days. */
const KEPT_MS = 30_000;
/** An order is paid at most this long after it was placed. */
export const UNPAID_HOURS = 24;

export type Sums = { orders: number; salesPesewas: number; earnedPesewas: number };
export type Today = {
  today: Sums;
  /** Up to the same time of the day. */
  yesterday: Sums;
  /** Sales in pesewas by the hour of the day, of today up to this hour, and of all of yesterday. */
  salesByHour: { today: number[]; yesterday: number[] };
  /** Sales of today of which the cost is not known: they are not in `earnedPesewas`. */
  uncostedPesewas: number;
  measuredAt: Date;
};

/**
 * Paid orders that have not failed, by the time they were paid, in Accra's time. `earnedPesewas` is what they brought
 * in less what they cost, before fees and losses.
 */
export const today = keptFor(KEPT_MS, measureToday);

export type DeliveryNow = {
  operator: Operator;
  /** Deliveries of the last hour. */
  count: number;
  medianSeconds: number | null;
  /** Of those with a promise, in per cent; null without any. */
  onTimePercent: number | null;
  /** Paid orders not yet delivered, and when the oldest was paid. */
  waitingCount: number;
  waitingSince: Date | null;
};

/** The deliveries of the last hour by network, and what waits there. */
export const deliveryNow = keptFor(KEPT_MS, measureDelivery);

/** As `today`, measured now. */
export async function measureToday(db: Db): Promise<Today> {
  const since = sql`${MIDNIGHT} - interval '1 day' - make_interval(hours => ${UNPAID_HOURS})`;
  const [row] = await db.execute<{ hour: number; first: number }>(sql`
    select extract(hour from ${ACCRA_NOW})::int as hour, (${firstOrderIdSince(since)}) as first`);
  const { hour, first } = row!;
  const rows = await db.execute<HourRow>(ordersByHour(first));
  const hours = (isToday: boolean, of: (row: HourRow) => number) =>
    Array.from({ length: isToday ? hour + 1 : 24 }, (_, at) =>
      rows.filter((one) => one.is_today === isToday && one.hour === at).reduce((sum, one) => sum + of(one), 0),
    );
  const total = (isToday: boolean): Sums => {
    const own = rows.filter((one) => one.is_today === isToday && one.is_so_far);
    const sum = (of: (row: HourRow) => number) => own.reduce((all, one) => all + of(one), 0);
    return {
      orders: sum((r) => r.orders),
      salesPesewas: sum((r) => r.sales),
      earnedPesewas: sum((r) => r.earned),
    };
  };
  return {
    today: total(true),
    yesterday: total(false),
    salesByHour: { today: hours(true, (r) => r.sales), yesterday: hours(false, (r) => r.sales) },
    uncostedPesewas: rows.filter((r) => r.is_today).reduce((sum, r) => sum + r.uncosted, 0),
    measuredAt: new Date(),
  };
}

type HourRow = {
  is_today: boolean;
  /** Not later in its day than now. */
  is_so_far: boolean;
  hour: number;
  orders: number;
  sales: number;
  earned: number;
  uncosted: number;
};

const ACCRA_NOW = sql`(now() at time zone 'Africa/Accra')`;
/** SQL: when today began. */
export const MIDNIGHT = sql`(date_trunc('day', ${ACCRA_NOW}) at time zone 'Africa/Accra')`;

/** Reads the orders of the last days by their ids, which grow with time. As a value, the first makes it a range. */
function ordersByHour(firstId: number): SQL {
  return sql`
    select paid_at >= ${MIDNIGHT} as is_today,
           paid_at <= now() - case when paid_at < ${MIDNIGHT} then interval '1 day' else interval '0' end as is_so_far,
           extract(hour from paid_at at time zone 'Africa/Accra')::int as hour, count(*)::int as orders,
           sum(amount_pesewas)::bigint as sales,
           coalesce(sum(amount_pesewas - cost_pesewas), 0)::bigint as earned,
           coalesce(sum(amount_pesewas) filter (where cost_pesewas is null), 0)::bigint as uncosted
    from orders
    where id >= ${firstId} and paid_at >= ${MIDNIGHT} - interval '1 day' and status <> 'FAILED'
    group by 1, 2, 3`;
}

async function measureDelivery(db: Db): Promise<DeliveryNow[]> {
  const [rows, times] = await Promise.all([
    db.execute<{ operator: Operator; count: number; median: number; promised: number; in_time: number }>(sql`
      select o.operator, count(*)::int as count,
             percentile_cont(0.5) within group (order by extract(epoch from a.ended_at - o.paid_at)) as median,
             count(o.deliver_by)::int as promised,
             count(*) filter (where a.ended_at <= o.deliver_by)::int as in_time
      from attempts a join orders o on o.id = a.order_id
      where a.state = 'delivered' and a.ended_at > now() - interval '1 hour' and o.paid_at is not null
      group by o.operator`),
    deliveryTimes.deliveryTimes(db),
  ]);
  return operatorCodes().map((operator) => {
    const past = rows.find((row) => row.operator === operator);
    const { waitingCount, waitingSince } = times.find((one) => one.operator === operator)!;
    return {
      operator,
      count: past?.count ?? 0,
      medianSeconds: past ? Math.round(past.median) : null,
      onTimePercent: past && past.promised > 0 ? Math.floor((100 * past.in_time) / past.promised) : null,
      waitingCount,
      waitingSince,
    };
  });
}
