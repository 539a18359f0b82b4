// Webhook messages about money that has come into a wallet, whichever way.
import type { Tx } from "../../../db/connect.ts";
import type { TopUpSource } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { queue } from "../platform/webhook-outbox.ts";

export type TopUp = {
  userId: number;
  amountPesewas: number;
  /** The wallet's balance right after it, a debt that it paid taken off. */
  balancePesewas: number;
  source: TopUpSource;
  /** Of the payment, the deposit or the correction. */
  id: number;
  /** The payment's reference, or the mobile money transaction; null for a correction. */
  reference: string | null;
  /** The order that the payment was started for. */
  orderId?: number | null;
};

/** Queues the message about a top-up, in the commit that posts it. */
export async function queueTopUpWebhook(tx: Tx, topUp: TopUp): Promise<void> {
  const { userId, amountPesewas, balancePesewas, source, id, reference, orderId = null } = topUp;
  const data = {
    ...{ source, id, reference, orderId },
    ...{ amount: toCedis(amountPesewas), amountPesewas },
    ...{ balance: toCedis(balancePesewas), balancePesewas },
  };
  await queue(tx, [{ event: "wallet.topped_up", userId, data }]);
}
