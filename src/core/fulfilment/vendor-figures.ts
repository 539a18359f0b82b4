// Recent performance of vendors, for routes by cost: the time of nine in ten deliveries, and the share of results that
// were unknown at first. By family, because a vendor can be quick with one network and slow with another.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import type { Family } from "../../shared/domain.ts";
import { keptFor } from "../platform/kept.ts";
import { DEFAULTS } from "../platform/settings/settings.ts";

/** The measured period: a vendor that was slow before it is tried again. */
export const FIGURE_DAYS = 3;
/** Fewer attempts than this say nothing, and keep nobody out. */
const COUNT_MIN = 10;
/** Only the newest attempts are read, so that the shop's size does not count. */
const ATTEMPTS_READ = 20_000;
const KEPT_MS = 60_000;

export type VendorFigures = {
  vendor: string;
  family: Family;
  /**
   * From sending to delivery, of nine of ten; null when there were too few. What is still out counts as soon as it is
   * late: otherwise a vendor that delivers nothing would not be slow.
   */
  slowSeconds: number | null;
  /** Of the attempts sent, in per cent; null when there were too few. */
  unknownPercent: number | null;
};

/** The figures of each vendor and family, measured at most once a minute per process, because routing reads them. */
export const vendorFigures = keptFor(KEPT_MS, measure);

/** As `vendorFigures`, measured now. */
async function measure(db: Reads): Promise<VendorFigures[]> {
  const rows = await db.execute<{
    vendor: string;
    family: Family;
    sent: number;
    timed: number;
    slow: number | null;
    unclear: number;
  }>(sql`
    select a.vendor, o.family, count(*)::int as sent, (count(*) filter (where ${IS_TIMED}))::int as timed,
           percentile_cont(0.9) within group (
             order by extract(epoch from coalesce(a.ended_at, now()) - a.sent_at)) filter (where ${IS_TIMED}) as slow,
           (count(*) filter (where a.state = 'unknown' or exists (
              select from order_events e
              where e.order_id = a.order_id and e.kind = 'checking' and e.created_at >= a.sent_at
                and e.created_at <= coalesce(a.ended_at, now()))))::int as unclear
    from (select * from attempts order by id desc limit ${ATTEMPTS_READ}) a join orders o on o.id = a.order_id
    where a.sent_at > now() - make_interval(days => ${FIGURE_DAYS}) and a.vendor <> 'desk' and o.family is not null
    group by a.vendor, o.family`);
  return rows.map(({ vendor, family, sent, timed, slow, unclear }) => ({
    vendor,
    family,
    slowSeconds: timed >= COUNT_MIN && slow !== null ? Math.round(slow) : null,
    unknownPercent: sent >= COUNT_MIN ? (100 * unclear) / sent : null,
  }));
}

/** SQL: whether an attempt says how quick its vendor is: delivered, or still out and late. */
const IS_TIMED = sql`(a.state = 'delivered' or a.ended_at is null and a.sent_at < now() - make_interval(
  mins => setting_number('slow_delivery_minutes', ${DEFAULTS.slow_delivery_minutes})::int))`;
