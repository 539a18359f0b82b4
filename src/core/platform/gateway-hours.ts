// Counters of what came from the gateways of USSD and SMS, by hour: requests that could not be read, errors, and how
// sessions ended.
import { lt, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { gatewayHours } from "../../../db/schema/platform.ts";
import { deleteInParts } from "./parts.ts";

export type Counted = { channel: "ussd" | "sms"; gateway: string; kind: string };

/** A year, and the month that it is compared with. */
export const KEPT_DAYS = 400;

/** Counts one, in this hour. */
export async function count({ $client: query }: Pick<Db, "$client">, counted: Counted): Promise<void> {
  const { channel, gateway, kind } = counted;
  await query`
    insert into gateway_hours as h (hour, channel, gateway, kind, count)
    values (date_trunc('hour', now()), ${channel}, ${gateway}, ${kind}, 1)
    on conflict (hour, channel, gateway, kind) do update set count = h.count + 1`;
}

/** Deletes old counts. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, gatewayHours, lt(gatewayHours.hour, sql`now() - make_interval(days => ${KEPT_DAYS})`));
}
