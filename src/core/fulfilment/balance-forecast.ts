// Forecast of our balances at vendors: until when each lasts, if the next days sell as the last ones did at each hour.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { DESK } from "../../shared/domain.ts";
import { keptFor } from "../platform/kept.ts";

const DAYS_READ = 7;
/** Fewer deliveries than this say nothing of the next days. */
const COUNT_MIN = 20;
/** Of deliveries without a known cost, in per cent: with more of them, the sums are too low. */
const UNKNOWN_PERCENT_MAX = 10;
/** Nobody plans further ahead. */
const HOURS_AHEAD = 7 * 24;
const HOUR_MS = 60 * 60_000;
const KEPT_MS = 60_000;

/** What each vendor takes in each hour of an average day, from 0 to 23. Too few deliveries leave one out. */
export type HourlyCosts = ReadonlyMap<string, readonly number[]>;

/** The hourly costs of the last days, measured at most once a minute per process. */
export const hourlyCosts = keptFor(KEPT_MS, measure);

/** As `hourlyCosts`, measured now. */
export async function measure(db: Reads): Promise<HourlyCosts> {
  const rows = await db.execute<{ vendor: string; hour: number; sent: number; unknown: number; perDay: number }>(sql`
    select vendor, extract(hour from ended_at at time zone 'UTC')::int as hour, count(*)::int as sent,
           (count(*) filter (where cost_pesewas is null))::int as unknown,
           coalesce(sum(cost_pesewas), 0)::float8 / greatest(1, ceil(extract(epoch from
             now() - min(min(ended_at)) over (partition by vendor)) / 86400))::float8 as "perDay"
    from attempts
    where state = 'delivered' and ended_at > now() - make_interval(days => ${DAYS_READ}) and vendor <> ${DESK}
    group by vendor, 2`);
  const known = new Map<string, number[]>();
  for (const [vendor, hours] of Map.groupBy(rows, (row) => row.vendor)) {
    const sent = hours.reduce((sum, row) => sum + row.sent, 0);
    const unknown = hours.reduce((sum, row) => sum + row.unknown, 0);
    if (sent < COUNT_MIN || (100 * unknown) / sent > UNKNOWN_PERCENT_MAX) continue;
    const costs = new Array<number>(24).fill(0);
    for (const { hour, perDay } of hours) costs[hour] = perDay;
    known.set(vendor, costs);
  }
  return known;
}

/**
 * When a balance will have been used up, to the hour that it is in; null if it lasts for a week or more. `costs` are an
 * average day's by the hour, in pesewas.
 */
export function usedUpAt(balancePesewas: number, at: Date, costs: readonly number[]): Date | null {
  let left = balancePesewas;
  const start = at.getTime();
  const firstHour = Math.floor(start / HOUR_MS);
  for (let n = 0; n < HOURS_AHEAD; n++) {
    const begins = Math.max(start, (firstHour + n) * HOUR_MS);
    const ends = (firstHour + n + 1) * HOUR_MS;
    const cost = costs[(firstHour + n) % 24]! * ((ends - begins) / HOUR_MS);
    if (cost > 0 && cost >= left) return new Date(begins + (left / cost) * (ends - begins));
    left -= cost;
  }
  return null;
}
