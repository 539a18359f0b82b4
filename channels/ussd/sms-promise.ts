// The promise on a screen that an SMS will confirm something; where none will come, why.
import { type NoSms, noSms, type PromisedSms } from "../../src/core/messaging/sms-expected.ts";
import type { Context, Dialog, Facts } from "./conversation.ts";

/** Notes whether the SMS that would confirm something will come to the caller's phone. */
export async function noteSms({ db, context, msisdn }: Dialog, kind: PromisedSms): Promise<void> {
  context.noSms = await noSms(db, { msisdn, kind });
}

/** The promise, as it was noted. */
export function smsIn(t: Facts["t"], { noSms: reason }: Context): string {
  return t(reason ? REASONS[reason] : "part.sms_confirms");
}

const REASONS = {
  stopped: "part.no_sms",
  off: "part.no_sms.off",
  used_up: "part.no_sms.today",
} as const satisfies Record<NonNullable<NoSms>, string>;
