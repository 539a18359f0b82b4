// Webhook messages about a wallet that has fallen below its low-balance amount: decided with the notice by SMS.
import { and, eq, type SQL } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { availableOf } from "../../shared/funds.ts";
import { toCedis } from "../../shared/money.ts";
import { queue } from "../platform/webhook-outbox.ts";

/** Queues the message if `isLow`, a condition on the wallet, holds. */
export async function queueIfLow(tx: Tx, userId: number, isLow: SQL): Promise<void> {
  const [wallet] = await tx
    .select()
    .from(wallets)
    .where(and(eq(wallets.userId, userId), isLow));
  if (!wallet) return;
  const { balancePesewas, lowBalancePesewas } = wallet;
  const availablePesewas = availableOf(wallet);
  const data = {
    ...{ limit: toCedis(lowBalancePesewas!), limitPesewas: lowBalancePesewas },
    ...{ balance: toCedis(balancePesewas), balancePesewas },
    ...{ available: toCedis(availablePesewas), availablePesewas },
  };
  await queue(tx, [{ event: "wallet.balance_low", userId, data }]);
}
