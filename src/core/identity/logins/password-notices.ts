// Notices of a changed password. One that was set with a code to the phone goes to every contact of the account,
// because whoever stole the SIM reads those to the phone.
import type { Tx } from "../../../../db/connect.ts";
import { accraDayTime } from "../../../shared/accra.ts";
import type { Translate } from "../../messaging/languages/translate.ts";
import * as messages from "../../messaging/messages.ts";
import * as texts from "../../messaging/texts/texts.ts";

type Owner = { id: number; username: string; email: string | null };

/** Notifies the account's mailbox of a changed password, in the transaction of the change. */
export async function changed(tx: Tx, user: Owner): Promise<void> {
  await messages.queueMail(tx, user, texts.passwordChanged(user.username));
}

/**
 * Notifies mailbox and phone of a password that was set with a code to the phone, in the transaction of the change;
 * `until`: when the account's wait ends, null without one. `isClaim`: the account had none before.
 */
export async function setByPhone(
  tx: Tx,
  user: Owner,
  { until, isClaim }: { until: Date | null; isClaim: boolean },
): Promise<void> {
  const end = until && accraDayTime(until);
  const mail = texts.passwordSetByPhone(user.username, end);
  await messages.queueMail(tx, user, mail);
  const textFor = (t: Translate) => {
    if (end === null) return t(isClaim ? "sms.claimed" : "sms.password_set");
    return t(isClaim ? "sms.claimed.waits" : "sms.password_set.waits", { until: end });
  };
  await messages.queueToPhone(tx, { userId: user.id, kind: mail.kind, passesOptOut: true, textFor });
}
