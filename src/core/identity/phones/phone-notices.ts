// Notices by SMS of a changed or removed phone, to the numbers themselves, because many read no e-mail. They name no
// account: a number may belong to somebody else by now.
import type { Tx } from "../../../../db/connect.ts";
import { accraDayTime } from "../../../shared/accra.ts";
import * as messages from "../../messaging/messages.ts";
import * as wordings from "../../messaging/texts/wordings.ts";

const KIND = "phone_changed";

/** Tells the number that an account had, if any, and its new one until when nothing is spent by phone. */
export async function replaced(
  tx: Tx,
  userId: number,
  change: { before: string | null; after: string; until: Date },
): Promise<void> {
  const t = await wordings.translateFor(tx, userId);
  const until = accraDayTime(change.until);
  if (change.before) await queue(tx, userId, change.before, t("sms.phone_replaced", { until }));
  await queue(tx, userId, change.after, t("sms.phone_new", { until }));
}

/** Tells a number that it was removed from its account. */
export async function removed(tx: Tx, userId: number, msisdn: string): Promise<void> {
  const t = await wordings.translateFor(tx, userId);
  await queue(tx, userId, msisdn, t("sms.phone_removed"));
}

async function queue(tx: Tx, userId: number, recipient: string, body: string): Promise<void> {
  const sms = { userId, kind: KIND, channel: "sms" as const, recipient, subject: "", body };
  await messages.queue(tx, { ...sms, passesOptOut: true });
}
