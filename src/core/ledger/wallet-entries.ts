// The movements of wallets as their owners see them: each with its order, payment or other cause, and in words.
import { and, eq, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { adjustments, transfers, type WalletReason } from "../../../db/schema/ledger.ts";
import { orders } from "../../../db/schema/orders.ts";
import { deposits, payments } from "../../../db/schema/payments.ts";
import { walletPayouts } from "../../../db/schema/payments-leavers.ts";
import { bundleName } from "../../shared/operators.ts";
import { localMsisdn } from "../../shared/phones/msisdn.ts";

/** One movement of a wallet as its owner sees it. `changePesewas` is negative for money out. */
export type WalletEntry = {
  id: number;
  type: "TOPUP" | "SPEND" | "REFUND" | "ADJUST" | "REVERSAL" | "PAYOUT";
  changePesewas: number;
  balanceAfterPesewas: number;
  orderId: number | null;
  /** Our reference of the payment behind it. */
  paymentReference: string | null;
  /** The bundle of its order and the number that it was for; null without an order. */
  sale: { bundle: string; msisdn: string } | null;
  /** Its order's refund was a mistake, and is spent on it again. */
  isTakenBack: boolean;
  /** What it was for, as its owner reads it. */
  description: string;
  createdAt: Date;
};

/** The movements with what is behind each, for conditions on `transfers`. */
export function selectEntries(tx: Reads) {
  return tx
    .select({
      transfer: transfers,
      order: {
        operator: orders.operator,
        family: orders.family,
        size: orders.productSize,
        quantity: orders.quantity,
        msisdn: orders.msisdn,
      },
      adjustment: adjustments.reason,
      paymentReference: payments.reference,
      mobileMoneyId: deposits.transactionId,
      payout: { method: walletPayouts.method, reference: walletPayouts.reference },
    })
    .from(transfers)
    .leftJoin(
      orders,
      and(
        eq(orders.id, transfers.subjectId),
        sql`${transfers.reason} in ('charge', 'refund', 'refund_taken_back', 'refund_again')`,
      ),
    )
    .leftJoin(adjustments, and(eq(adjustments.id, transfers.subjectId), eq(transfers.reason, "adjustment")))
    .leftJoin(payments, and(eq(payments.id, transfers.subjectId), eq(transfers.reason, "topup")))
    .leftJoin(deposits, and(eq(deposits.id, transfers.subjectId), eq(transfers.reason, "claim")))
    .leftJoin(walletPayouts, and(eq(walletPayouts.id, transfers.subjectId), eq(transfers.reason, "wallet_payout")))
    .$dynamic();
}

/** Precedes the sale whose refund was a mistake. */
const TAKEN_BACK = "Refund taken back: ";

type EntryRow = Awaited<ReturnType<typeof selectEntries>>[number];

const DESCRIPTIONS: Partial<Record<WalletReason, string>> = {
  topup: "Paid through Paystack",
  reversal: "Taken back by Paystack",
  claim_reversal: "Taken back by the mobile money network",
  debt_paid: "Repaid money that was taken back",
};

const TYPES: Record<WalletReason, WalletEntry["type"]> = {
  charge: "SPEND",
  refund: "REFUND",
  refund_taken_back: "SPEND",
  refund_again: "REFUND",
  adjustment: "ADJUST",
  topup: "TOPUP",
  claim: "TOPUP",
  reversal: "REVERSAL",
  debt_paid: "REVERSAL",
  claim_reversal: "REVERSAL",
  wallet_payout: "PAYOUT",
};

/** A row of `selectEntries` as its owner sees it. */
export function presentEntry(row: EntryRow): WalletEntry {
  const { transfer, order, paymentReference } = row;
  const reason = transfer.reason as WalletReason;
  const isTakenBack = reason === "refund_taken_back";
  const sale = order && { bundle: bundleName(order, order.quantity), msisdn: order.msisdn };
  return {
    id: transfer.id,
    type: TYPES[reason],
    changePesewas: transfer.credit === "wallet" ? transfer.amountPesewas : -transfer.amountPesewas,
    balanceAfterPesewas: transfer.balanceAfterPesewas!,
    orderId: order ? transfer.subjectId : null,
    paymentReference,
    sale,
    isTakenBack,
    description: sale
      ? `${isTakenBack ? TAKEN_BACK : ""}${sale.bundle} for ${localMsisdn(sale.msisdn)}`
      : otherDescription(row),
    createdAt: transfer.createdAt,
  };
}

/** What an entry without an order was for. */
function otherDescription({ transfer, adjustment, mobileMoneyId, payout }: EntryRow): string {
  if (adjustment !== null) return adjustment;
  if (mobileMoneyId !== null) return `Mobile money ${mobileMoneyId}`;
  if (payout) {
    const { method, reference } = payout;
    return method === "momo"
      ? `Paid out by mobile money, transaction ${reference}`
      : `Paid out in cash, receipt ${reference}`;
  }
  return DESCRIPTIONS[transfer.reason as WalletReason] ?? "";
}
