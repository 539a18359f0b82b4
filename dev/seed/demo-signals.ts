// Signals in the demonstration shop, raised by the rules that every shop has: an agent who reports what never came, and
// at last a transfer of somebody else.

import type { Db } from "../../db/connect.ts";
import * as deposits from "../../src/core/payments/deposits/deposits.ts";
import * as agentNotes from "../../src/core/signals/agent-notes.ts";
import * as raising from "../../src/core/signals/raising.ts";
import type { ByUser } from "../../src/shared/domain.ts";

/** Reports them now; `support` has asked the agent about it. */
export async function raiseSignals(
  db: Db,
  { admin, support, kofi }: { admin: ByUser; support: ByUser; kofi: ByUser },
): Promise<void> {
  const file = (transactionId: string, cedis: number) =>
    deposits.file(db, { by: kofi, transactionId, amountPesewas: cedis * 100 });
  for (const [transactionId, cedis] of [
    ["40125569101", 40],
    ["40125569102", 60],
    ["40125569103", 55],
  ] as const) {
    const { id: depositId } = await file(transactionId, cedis);
    const reason = "The statement does not show this transfer";
    await deposits.refuse(db, { by: admin, key: null, depositId, reason });
  }
  // Ama's transfer, which was credited to her.
  await file("40125560001", 120);
  await raising.raiseDue(db);
  const note = "Called Kofi. He says that a customer gave him the codes, and brings the customer's messages.";
  await agentNotes.add(db, { by: support, key: null, userId: kofi.userId, note });
}
