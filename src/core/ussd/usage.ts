// Usage figures of USSD sessions: counted by day, by screen, and by gateway and ending, once they can no longer
// continue, then deleted.
import { sql as query } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { ussdSessions } from "../../../db/schema/ussd.ts";
import { deleteInParts } from "../platform/parts.ts";
import { FIRST_GATEWAY, GATEWAY_PATTERN } from "./gateways.ts";
import { SESSION_MINUTES } from "./sessions.ts";

export const KEPT_DAYS = 3;
const COUNTED_AT_ONCE = 1000;
/** The shortest limit of a session at a gateway in Ghana is two minutes; whoever was left waiting this long hit it. */
const TIMED_OUT_MS = 110_000;

/**
 * Adds ended sessions to the figures of their day, each once; returns how many. A session counts as left when its last
 * screen waited for an input, unless that was the receipt of a purchase. An unfinished change of PIN or registration
 * is forgotten.
 */
export async function countOver({ $client: sql }: Db): Promise<number> {
  const [row] = await sql`
    with over as (
      update ussd_sessions set counted_at = now(), context = context - 'pinChange' - 'registering'
      where id = any(array(
        select id from ussd_sessions
        -- A minute more, so that one still being answered when it grew too old has been written.
        where counted_at is null and started_at < now() - make_interval(mins => ${SESSION_MINUTES + 1})
        order by started_at limit ${COUNTED_AT_ONCE} for update skip locked))
      returning (started_at at time zone 'Africa/Accra')::date as day, state, hops, path, stumbles,
                path && array['bought', 'bought_another', 'order_paid'] as has_bought,
                state <> 'bought_another'
                  and (ended_at is null or coalesce(end_status in ('Release', 'Timeout'), false)) as is_left,
                coalesce(end_status = 'Failed', false) as is_failed, date_trunc('hour', started_at) as hour,
                coalesce(substring(id from ${GATEWAY_PATTERN}), ${FIRST_GATEWAY}) as gateway,
                coalesce(end_status = 'Timeout' or duration_ms >= ${TIMED_OUT_MS}, false) as is_timed_out),
    days as (
      insert into ussd_days as d (day, sessions, hops, bought, "left", stumbles, failed)
      select day, count(*), sum(hops), count(*) filter (where has_bought),
             count(*) filter (where is_left), sum(cardinality(stumbles)), count(*) filter (where is_failed)
      from over group by day order by day
      on conflict (day) do update set sessions = d.sessions + excluded.sessions, hops = d.hops + excluded.hops,
        bought = d.bought + excluded.bought, "left" = d."left" + excluded."left",
        stumbles = d.stumbles + excluded.stumbles, failed = d.failed + excluded.failed),
    ended as (
      select hour, gateway, hops, case
        when state = 'short' then 'short'
        when has_bought then 'bought'
        when is_failed or state = 'failure' or is_left and 'failure' = any(stumbles) then 'error'
        when state in ('stranger', 'no_pin', 'banned', 'wait', 'locked') then 'refused'
        when is_left and is_timed_out then 'timed_out'
        when is_left then 'left'
        else 'finished' end as ending
      from over),
    hours as (
      insert into gateway_hours as h (hour, channel, gateway, kind, count)
      select hour, 'ussd', gateway, kind, sum(count) from (
        select hour, gateway, ending as kind, 1 as count from ended
        union all select hour, gateway, 'requests', hops from ended where hops > 0) counted
      group by hour, gateway, kind order by hour, gateway, kind
      on conflict (hour, channel, gateway, kind) do update set count = h.count + excluded.count),
    seen as (
      select day, screen, 1 as shown, 0 as "left", 0 as stumbles from over, unnest(path) screen
      union all select day, state, 0, 1, 0 from over where is_left
      union all select day, screen, 0, 0, 1 from over, unnest(stumbles) screen),
    screens as (
      insert into ussd_screen_days as d (day, screen, shown, "left", stumbles)
      select day, screen, sum(shown), sum("left"), sum(stumbles) from seen group by day, screen order by day, screen
      on conflict (day, screen) do update set shown = d.shown + excluded.shown, "left" = d."left" + excluded."left",
        stumbles = d.stumbles + excluded.stumbles)
    select count(*)::int as count from over`;
  return row!.count;
}

/**
 * Counts a request that was answered with "please dial again", whether or not it belongs to a session: an unreadable
 * one, or a failure of our own.
 */
export async function countFailure(
  { $client: sql }: Pick<Db, "$client">,
  { gateway, kind }: { gateway: string; kind: "unreadable" | "failure" },
): Promise<void> {
  await sql`
    with hour as (
      insert into gateway_hours as h (hour, channel, gateway, kind, count)
      values (date_trunc('hour', now()), 'ussd', ${gateway}, ${kind}, 1)
      on conflict (hour, channel, gateway, kind) do update set count = h.count + 1)
    insert into ussd_days as d (day, sessions, hops, bought, "left", stumbles, failures)
    values ((now() at time zone 'Africa/Accra')::date, 0, 0, 0, 0, 0, 1)
    on conflict (day) do update set failures = d.failures + 1`;
}

const IS_OLD = query`started_at < now() - make_interval(days => ${KEPT_DAYS}) and counted_at is not null`;
/** Deletes old sessions that are counted. */
export const forgetOld = (db: Db) => deleteInParts(db, ussdSessions, IS_OLD);

export type DayFigures = {
  day: string;
  sessions: number;
  hops: number;
  bought: number;
  left: number;
  stumbles: number;
  /** Sessions that the gateway says have failed. */
  failed: number;
  /** Requests that were answered with "please dial again". */
  failures: number;
};
export type ScreenFigures = { screen: string; shown: number; left: number; stumbles: number };

export type Figures = { days: DayFigures[]; screens: ScreenFigures[] };

/**
 * Sessions by day, newest first, and by screen over the same days, the one that most were left at first. `first` and
 * `last` are days such as 2026-11-21, in Accra.
 */
export async function figures(
  { $client: sql }: Db,
  { first, last }: { first: string; last: string },
): Promise<Figures> {
  const [days, screens] = await Promise.all([
    sql<DayFigures[]>`
      select day::text, sessions, hops, bought, "left", stumbles, failed, failures from ussd_days
      where day between ${first}::text::date and ${last}::text::date order by day desc`,
    sql<ScreenFigures[]>`
      select screen, sum(shown)::int as shown, sum("left")::int as "left", sum(stumbles)::int as stumbles
      from ussd_screen_days where day between ${first}::text::date and ${last}::text::date
      group by screen order by 3 desc, 2 desc, 1`,
  ]);
  return { days: [...days], screens: [...screens] };
}
