// The wallet statement as one SMS.

import type { Db } from "../../../db/connect.ts";
import { accraDay } from "../../shared/accra.ts";
import type { ByUser } from "../../shared/domain.ts";
import * as wallet from "../ledger/wallet.ts";
import * as messages from "../messaging/messages.ts";
import * as smsTexts from "../messaging/texts/sms-texts.ts";
import * as wordings from "../messaging/texts/wordings.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Key, once } from "../platform/idempotency.ts";

const ENTRIES_MAX = 6;

/** Queues the SMS to `msisdn`, which the caller has checked to be the account's. Throws request.rate_limited. */
export async function send(db: Db, command: { by: ByUser; key: Key; msisdn: string }): Promise<void> {
  const userId = command.by.userId;
  await once(db, userId, command.key, ["sms statement"], async (tx) => {
    await budgets.spend(tx, "sms.statement", userId);
    const entries = await wallet.history(tx, userId, { limit: ENTRIES_MAX });
    const t = await wordings.translateFor(tx, userId);
    const body = smsTexts.walletStatement(t, accraDay(new Date()), await wallet.standing(tx, userId), entries);
    await messages.queue(tx, {
      userId,
      kind: "statement",
      channel: "sms",
      recipient: command.msisdn,
      subject: "",
      body,
      passesOptOut: true,
    });
    return true;
  });
}
