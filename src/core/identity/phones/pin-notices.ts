// The records of a changed or locked PIN: an entry in the audit log, an e-mail, and an SMS where it may warn somebody.
import type { Tx } from "../../../../db/connect.ts";
import { accraDayTime } from "../../../shared/accra.ts";
import type { ByUser } from "../../../shared/domain.ts";
import type { Translate } from "../../messaging/languages/translate.ts";
import * as messages from "../../messaging/messages.ts";
import * as smsTexts from "../../messaging/texts/sms-texts.ts";
import * as texts from "../../messaging/texts/texts.ts";
import * as wordings from "../../messaging/texts/wordings.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as rateLimits from "../../platform/budgets/rate-limits.ts";
import * as settings from "../../platform/settings/settings.ts";
import * as users from "../users.ts";

const ACTIONS = {
  set: "user.pin",
  changed: "user.pin",
  forgotten: "user.pin_forgotten",
  removed: "user.pin_remove",
  reset: "user.pin_reset",
} as const;

const NOTICES_A_DAY = 5;

/**
 * Records the change in the audit log and notifies mailbox and phone; none of them contains the PIN. A "forgotten" one
 * was replaced with a code by SMS, and spends from `spendsFrom` on.
 */
export async function record(
  tx: Tx,
  by: ByUser,
  userId: number,
  how: keyof typeof ACTIONS,
  spendsFrom: Date = new Date(),
): Promise<void> {
  const user = await users.get(tx, userId);
  const until = accraDayTime(spendsFrom);
  const mail = texts.pinChanged(user.username, how, until);
  await messages.queueMail(tx, user, mail);
  if (await isNotifiedByPhone(tx, userId, how)) {
    const textFor = (t: Translate) =>
      how === "forgotten" ? t("sms.pin_forgotten", { until }) : t(`sms.pin_${how as TextedChange}`);
    await messages.queueToPhone(tx, { userId, kind: mail.kind, passesOptOut: true, textFor });
  }
  const state = { before: { pin: how !== "set" }, after: { pin: how !== "removed" && how !== "reset" } };
  await auditLog.record(tx, by, [{ action: ACTIONS[how], subjectType: "user", subjectId: userId, ...state }]);
}

/** Notifies the phone, in the transaction that locks the PIN, until when and how to get a new one. */
export async function notifyLocked(
  tx: Tx,
  userId: number,
  channel: "ussd" | "sms",
  lock: { msisdn: string; until: Date; isForGood: boolean },
): Promise<void> {
  const t = await wordings.translateFor(tx, userId);
  await messages.queue(tx, {
    ...{ userId, kind: "pin_locked", channel: "sms", recipient: lock.msisdn, subject: "" },
    passesOptOut: true,
    body: smsTexts.pinLocked(t, channel, lock, await settings.get(tx, "ussd_code")),
  });
}

type TextedChange = Exclude<keyof typeof ACTIONS, "set" | "forgotten">;

/**
 * Each SMS costs money, and somebody with the password could change the PIN without end. A first PIN needs no warning.
 * A forgotten one always does; the codes have a budget of their own.
 */
async function isNotifiedByPhone(tx: Tx, userId: number, how: keyof typeof ACTIONS): Promise<boolean> {
  if (how === "set" || how === "forgotten") return how === "forgotten";
  const limit = { bucket: `pin_changed_sms:${userId}`, countMax: NOTICES_A_DAY, windowSeconds: 86_400 };
  return rateLimits.isWithin(tx, limit);
}
