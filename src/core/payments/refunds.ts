// Refunds at the provider, booked from its own list, because their events get lost, repeat, or contain too little.
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as ledger from "../ledger/ledger.ts";
import type { GatewayRefund, PaymentGateway } from "./gateway.ts";
import type { Payment } from "./payments.ts";
import * as reversals from "./reversals.ts";

/**
 * Books the refunds that the provider lists for a payment, less those already booked; idempotent. Throws
 * payment.gateway_down when it does not answer.
 */
export async function syncRefunds(db: Db, gateway: PaymentGateway, reference: string): Promise<void> {
  const processed = await processedOf(gateway, reference);
  const [known] = await db.select().from(payments).where(eq(payments.reference, reference));
  await db.transaction(async (tx) => {
    await ledger.lockWallets(tx, [known!.userId]);
    const [payment] = await tx.select().from(payments).where(eq(payments.id, known!.id)).for("update");
    // A refund that settles a chargeback is that chargeback, lost; its own event may come, or have come.
    for (const { chargebackId, amountPesewas } of processed)
      if (chargebackId !== null)
        await reversals.applyChargeback(tx, payment!, {
          id: chargebackId,
          amountPesewas: amountPesewas > 0 ? amountPesewas : null,
          state: "lost",
          note: "refunded",
        });
    await reversals.bookRefunds(tx, payment!, refundedPesewas(processed));
  });
}

/** The refunds that the provider lists for a payment beyond those booked, in pesewas. Throws payment.gateway_down. */
export async function unbookedPesewas(db: Db, gateway: PaymentGateway, payment: Payment): Promise<number> {
  const listed = refundedPesewas(await processedOf(gateway, payment.reference));
  return reversals.unbookedPesewas(db, payment, listed);
}

async function processedOf(gateway: PaymentGateway, reference: string): Promise<GatewayRefund[]> {
  const answer = await gateway.refundsOf(reference);
  if (answer.kind === "unclear") throw new AppError("payment.gateway_down", { reason: answer.reason });
  return answer.kind === "not_found" ? [] : answer.refunds.filter((refund) => refund.isProcessed);
}

/** The total of refunds, without chargebacks. */
function refundedPesewas(refunds: GatewayRefund[]): number {
  return refunds
    .filter((refund) => refund.chargebackId === null)
    .reduce((sum, refund) => sum + refund.amountPesewas, 0);
}
