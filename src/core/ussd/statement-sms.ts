// How a wallet stands and what moved it last, as one SMS to its owner's phone.

import type { Db } from "../../../db/connect.ts";
import { accraDay } from "../../shared/accra.ts";
import type { By } from "../../shared/domain.ts";
import * as wallet from "../ledger/wallet.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import * as budgets from "../platform/budgets.ts";
import { type Key, once } from "../platform/idempotency.ts";

const ENTRIES_MAX = 6;

/** Queues the SMS to `msisdn`, which whoever calls knows to be the account's. Throws request.rate_limited. */
export async function send(db: Db, ask: { by: By; key: Key; msisdn: string }): Promise<void> {
  const userId = ask.by.userId!;
  await once(db, userId, ask.key, ["sms statement"], async (tx) => {
    await budgets.spend(tx, "sms.statement", userId);
    const entries = await wallet.history(tx, userId, { limit: ENTRIES_MAX });
    const body = texts.walletStatement(accraDay(new Date()), await wallet.standing(tx, userId), entries);
    await messages.queue(tx, {
      userId,
      kind: "statement",
      channel: "sms",
      recipient: ask.msisdn,
      subject: "",
      body,
    });
    return true;
  });
}
