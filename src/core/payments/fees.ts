// Fees of payments: what Paystack keeps of each, booked once, as far as it is the shop's cost.
import { eq } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { show } from "../../shared/money.ts";
import * as bookedFees from "../ledger/fees.ts";
import * as ledger from "../ledger/ledger.ts";
import type { GatewayTransaction } from "./gateway.ts";
import type { Payment } from "./payments.ts";
import { creditedPesewas } from "./reversals.ts";

type Fees = Pick<Payment, "feesPesewas" | "feesByPayerPesewas">;
type Reported = Pick<GatewayTransaction, "feesPesewas" | "amountPesewas">;

/**
 * The fees of a transaction of which `creditedPesewas` is credited. Paystack holds what was paid less its fees, and
 * where fees are passed on, the payer pays them on top: of 40333 paid for 30050 requested it keeps 10283 (Paystack,
 * "Verify Transaction": sample). So only what was not paid on top is the shop's cost. Implausible fees are unknown.
 */
export function feesOf(reported: Reported, creditedPesewas: number): Fees {
  const { feesPesewas, amountPesewas } = reported;
  if (feesPesewas === null || isImplausible(reported)) return { feesPesewas: null, feesByPayerPesewas: 0 };
  const onTopPesewas = Math.max(0, (amountPesewas ?? 0) - creditedPesewas);
  return { feesPesewas, feesByPayerPesewas: Math.min(feesPesewas, onTopPesewas) };
}

/** Whether the reported fees cannot be right: below zero, or more than was paid. */
export function isImplausible({ feesPesewas, amountPesewas }: Reported): boolean {
  return feesPesewas !== null && (feesPesewas < 0 || feesPesewas > (amountPesewas ?? 0));
}

/** The transfer of a payment's known fees, to be posted with its credit; none where they cost the shop nothing. */
export function entriesFor(payment: Pick<Payment, "id" | "userId"> & Fees): ledger.Transfer[] {
  const amountPesewas = shopsPesewas(payment);
  if (amountPesewas <= 0) return [];
  const { id: subjectId, userId } = payment;
  const accounts = { debit: "fees", credit: "paystack", reason: "payment_fee" } as const;
  return [{ ...accounts, userId, amountPesewas, subjectId, byUserId: null }];
}

/**
 * Books the fees of a credited payment that were not known when it was credited, once; idempotent. A booked fee stays,
 * also when the payment is reversed: Paystack does not return it. The caller has locked the wallet and the payment.
 */
export async function bookReported(tx: Tx, payment: Payment, transaction: GatewayTransaction): Promise<void> {
  if (!isOf(payment, transaction)) return;
  const known = feesOf(transaction, creditedPesewas(payment));
  if (known.feesPesewas === null || (await bookedFees.bookedFor(tx, [payment.id])).has(payment.id)) return;
  const { feesPesewas, feesByPayerPesewas } = payment;
  if (known.feesPesewas !== feesPesewas || known.feesByPayerPesewas !== feesByPayerPesewas)
    await tx.update(payments).set(known).where(eq(payments.id, payment.id));
  await ledger.post(tx, entriesFor({ ...payment, ...known }));
}

/**
 * How the fees in the provider's record of a credited payment differ from those booked, in pesewas: as a sentence for
 * people, and whether booking ends it. Null when they agree or the provider reports none.
 */
export function differenceOf(
  transaction: GatewayTransaction,
  payment: Payment,
  bookedPesewas: number,
): { message: string; isBookable: boolean; reportedPesewas: number } | null {
  const { feesPesewas } = transaction;
  if (feesPesewas === null || !isOf(payment, transaction)) return null;
  if (isImplausible(transaction)) {
    const message = `Paystack reports a fee of ${show(feesPesewas)}, which cannot be right: it is not booked`;
    return { message, isBookable: false, reportedPesewas: feesPesewas };
  }
  const reportedPesewas = shopsPesewas(feesOf(transaction, creditedPesewas(payment)));
  const isBooked = bookedPesewas === reportedPesewas && bookedPesewas === shopsPesewas(payment);
  if (isBooked) return null;
  const kept = `Paystack kept a fee of ${show(reportedPesewas)}`;
  return bookedPesewas === 0
    ? { message: `${kept}, which is not booked here`, isBookable: true, reportedPesewas }
    : { message: `${kept}, but ${show(bookedPesewas)} is booked here`, isBookable: false, reportedPesewas };
}

/** The shop's part of a payment's known fees, in pesewas. */
function shopsPesewas({ feesPesewas, feesByPayerPesewas }: Fees): number {
  return (feesPesewas ?? 0) - feesByPayerPesewas;
}

/** Whether a transaction is the one that brought a payment's money. */
function isOf(payment: Payment, { reference, status, currency, domain }: GatewayTransaction): boolean {
  const isPaid = ["success", "reversed", "reversal-pending"].includes(status);
  return isPaid && reference === payment.reference && currency === "GHS" && domain === payment.domain;
}
