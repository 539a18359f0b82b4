// Limits on mobile money prompts without approval, by account and by phone.
import type { Tx } from "../../../db/connect.ts";
import * as budgets from "../platform/budgets/budgets.ts";

/** Counts a prompt until `giveBack` reports its approval. Throws request.rate_limited. */
export async function count(tx: Tx, userId: number, payerMsisdn: string): Promise<void> {
  await budgets.spend(tx, "prompt.account", userId);
  await budgets.spend(tx, "prompt.phone", payerMsisdn);
}

/** Takes an approved prompt out of the count. */
export async function giveBack(tx: Tx, userId: number, payerMsisdn: string): Promise<void> {
  await budgets.giveBack(tx, "prompt.account", userId);
  await budgets.giveBack(tx, "prompt.phone", payerMsisdn);
}
