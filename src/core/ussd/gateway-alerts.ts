// Alerts about gateways of USSD and SMS: when more of their requests cannot be read, or more of them fail, than the
// settings allow in an hour. Admins get an e-mail, and the page about USSD says so.
import { sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { SMS_GATEWAY_NAMES, type SmsGateway } from "../../shared/domain.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import type { GatewayTrouble } from "../messaging/texts/gateway-texts.ts";
import * as settings from "../platform/settings/settings.ts";
import { gatewayInSql, nameOf } from "./gateways.ts";

/** Of fewer, a share says nothing. */
const TOTAL_MIN = 20;

type Hour = { channel: "ussd" | "sms"; gateway: string; total: number; failed: number; unreadable: number };

/** What is wrong with the gateways in this hour. */
export async function troubles(db: Db): Promise<GatewayTrouble[]> {
  const { gateway_unreadable_max: unreadableMax, gateway_failures_percent: percentMax } = await settings.all(db);
  return (await thisHour(db)).flatMap(({ channel, gateway, total, failed, unreadable }) => {
    const name = channel === "sms" ? SMS_GATEWAY_NAMES[gateway as SmsGateway] : nameOf(gateway);
    const isFailing = total >= TOTAL_MIN && failed * 100 > percentMax * total;
    return [
      ...(unreadable > unreadableMax ? [{ channel, name, kind: "unreadable" as const, count: unreadable }] : []),
      ...(isFailing ? [{ channel, name, kind: "failures" as const, count: failed, total }] : []),
    ];
  });
}

/** Sends admins an e-mail about each trouble, once an hour at most. */
export async function alertAdmins(db: Db): Promise<void> {
  for (const trouble of await troubles(db)) await db.transaction((tx) => staffNotices.gatewayFails(tx, trouble));
}

/**
 * The hour so far. A failure by USSD is an error of our own, or a session that the gateway reports as failed; by SMS an
 * attempt that was not accepted. Unreadable requests are counted apart, so that they cause one alert and not two.
 */
async function thisHour(db: Db): Promise<Hour[]> {
  const start = sql`date_trunc('hour', now())`;
  return db.execute<Hour>(sql`
    select channel, gateway, coalesce(sum(total), 0)::int as total, coalesce(sum(failed), 0)::int as failed,
           coalesce(sum(unreadable), 0)::int as unreadable
    from (
      select 'ussd' as channel, ${gatewayInSql} as gateway, sum(hops) as total,
             count(*) filter (where end_status = 'Failed') as failed, 0 as unreadable
      from ussd_sessions where started_at >= ${start} group by 2
      union all
      select channel, gateway, sum(count) filter (where channel = 'ussd'),
             sum(count) filter (where kind = 'failure'), sum(count) filter (where kind = 'unreadable')
      from gateway_hours where hour = ${start} and kind in ('unreadable', 'failure') group by channel, gateway
      union all
      select 'sms', gateway, count(*), count(*) filter (where outcome <> 'accepted'), 0
      from sms_attempts where started_at >= ${start} and outcome is not null group by gateway) parts
    group by channel, gateway order by channel, gateway`);
}
