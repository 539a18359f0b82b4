// How many mobile money prompts may ring without being approved: of an account, and on a phone, whoever asks it.
import type { Tx } from "../../../db/connect.ts";
import * as budgets from "../platform/budgets.ts";

/** Counts a prompt that nobody has approved yet; `giveBack` takes it back. Throws request.rate_limited. */
export async function count(tx: Tx, userId: number, payerMsisdn: string): Promise<void> {
  await budgets.spend(tx, "prompt.account", userId);
  await budgets.spend(tx, "prompt.phone", payerMsisdn);
}

/** A prompt that was approved is none of those that the budgets are about. */
export async function giveBack(tx: Tx, userId: number, payerMsisdn: string): Promise<void> {
  await budgets.giveBack(tx, "prompt.account", userId);
  await budgets.giveBack(tx, "prompt.phone", payerMsisdn);
}
