// A forecast of whether an SMS will be sent, before a screen promises it.
import { sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { hasRoomFor } from "./sms-budget.ts";

/** The kinds of message that screens promise. */
export type PromisedSms = "order_accepted" | "wallet_topped_up";

/** Why no such SMS comes: the number stopped notices, its owner turned these off, or the day's are used up. */
export type NoSms = "stopped" | "off" | "used_up" | null;

/** Why no SMS of this kind will come to an account's phone (233541234567); null when one will, as far as is known. */
export async function noSms(tx: Reads, { msisdn, kind }: { msisdn: string; kind: PromisedSms }): Promise<NoSms> {
  const [found] = await tx.execute<{ stopped: boolean; off: boolean }>(sql`
    select exists (select from sms_opt_outs where msisdn = ${msisdn} and ended_at is null) as stopped,
      ${kind === "wallet_topped_up"}::bool
        and exists (select from phones where msisdn = ${msisdn} and not wants_top_ups) as off`);
  if (found!.stopped) return "stopped";
  if (found!.off) return "off";
  return (await hasRoomFor(tx, kind)) ? null : "used_up";
}
