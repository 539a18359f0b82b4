// Reconciliation with the provider: its list of payments against our credits, line by line.
import { and, eq, gte, inArray, isNotNull, lt } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireRight } from "../../shared/rights.ts";
import * as accounts from "../ledger/accounts.ts";
import * as bookedFees from "../ledger/fees.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import * as fees from "./fees.ts";
import type { GatewayRefund, GatewayTransaction, PaymentGateway, Unclear } from "./gateway.ts";
import * as openDifferences from "./open-differences.ts";
import type { Payment } from "./payments.ts";
import { syncRefunds, unbookedPesewas } from "./refunds.ts";
import { creditedPesewas } from "./reversals.ts";
import { settle } from "./settlement.ts";

/** Both amounts are those of the payment, or those of its fee where the difference is about that. */
export type Difference = {
  reference: string;
  /** The kind of difference, with a sentence for people. */
  kind:
    | "not_ours"
    | "not_credited"
    | "not_at_provider"
    | "other_amount"
    | "not_reversed"
    | "not_refunded"
    | "fee_not_booked"
    | "other_fee";
  message: string;
  providerPesewas: number | null;
  creditedPesewas: number | null;
};
export type Reconciliation = {
  from: Date;
  to: Date;
  providerCount: number;
  providerPesewas: number;
  creditedCount: number;
  creditedPesewas: number;
  differences: Difference[];
  /** The booked fees of the provider's successful payments. */
  feesPesewas: number;
  /** What Paystack holds by our books after its fees, over all time. */
  heldPesewas: number;
};

/** The most pages of the provider's list in one reconciliation. */
const PAGES_MAX = 200;
const NOT_ANSWERED = "Paystack is not answering, so not everything was compared. Compare again in a minute.";

/** Reconciles and settles what differs, for somebody who decides payments. Throws as `reconcile`, auth.forbidden. */
export async function settleDifferences(
  db: Db,
  gateway: PaymentGateway,
  { by, from, to }: { by: ByUser; from: Date; to: Date },
): Promise<Reconciliation> {
  requireRight(by, "payments.decide");
  await budgets.spend(db, "reconcile.account", by.userId);
  return reconcile(db, gateway, { from, to, fix: true });
}

/** `reconcile` for somebody who looks, without settling anything. Throws as that, and request.rate_limited. */
export async function compare(
  db: Db,
  gateway: PaymentGateway,
  { by, from, to }: { by: ByUser; from: Date; to: Date },
): Promise<Reconciliation> {
  await budgets.spend(db, "reconcile.account", by.userId);
  return reconcile(db, gateway, { from, to, fix: false });
}

/**
 * Compares the provider's successful payments within a period, and their fees, with our credits. With `fix`, our
 * payments that were not credited, have been refunded since in full or in part, or lack their fee are settled first.
 * Throws payment.gateway_down when the list cannot be read completely: a partial comparison would look like missing
 * money.
 */
export async function reconcile(
  db: Db,
  gateway: PaymentGateway,
  command: { from: Date; to: Date; fix: boolean },
): Promise<Reconciliation> {
  const listed = await listAll(gateway, command.from, command.to);
  const successful = listed.filter((row) => row.status === "success");
  const reversed = listed.filter((row) => row.status === "reversed");
  if (command.fix) await settleDiffering(db, gateway, successful, reversed);
  const refunds = await partlyRefunded(db, gateway, command);
  const references = successful.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  const differences = successful.flatMap((row) => differenceOf(row, ours.get(row.reference) ?? null));
  const ofFees = await compareFees(db, [...successful, ...reversed]);
  differences.push(...ofFees.differences);
  const missing = (await creditedBetween(db, command.from, command.to)).filter((row) => !ours.has(row.reference));
  const unpaid = await notPaidAt(gateway, missing);
  for (const payment of (await stillPaid(db, reversed)).values()) {
    const message = "Fully reversed at Paystack, but still credited here";
    differences.push({ ...baseOf(payment), kind: "not_reversed", message, providerPesewas: 0 });
  }
  for (const { payment, missingPesewas } of refunds) {
    if (missingPesewas <= 0) continue;
    const message = `${show(missingPesewas)} was refunded at Paystack, but not taken back here`;
    const providerPesewas = creditedPesewas(payment) - missingPesewas;
    differences.push({ ...baseOf(payment), kind: "not_reversed", message, providerPesewas });
  }
  for (const payment of unpaid) {
    const message = "Credited here, but not paid at Paystack";
    differences.push({ ...baseOf(payment), kind: "not_at_provider", message, providerPesewas: null });
  }
  const compared = [
    ...listed.map((row) => row.reference),
    ...missing.map((payment) => payment.reference),
    ...refunds.map(({ payment }) => payment.reference),
  ];
  await openDifferences.keep(db, { compared, differences });
  const credited = [...[...ours.values()].filter(isCredited), ...unpaid];
  const sum = (amounts: (number | null)[]) => amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
  return {
    from: command.from,
    to: command.to,
    providerCount: successful.length,
    providerPesewas: sum(successful.map(paidFor)),
    creditedCount: credited.length,
    creditedPesewas: sum(credited.map(creditedPesewas)),
    differences,
    feesPesewas: sum([...ours.values()].map(({ id }) => ofFees.booked.get(id) ?? 0)),
    heldPesewas: await accounts.heldByPaystack(db),
  };
}

/** The amount paid to us, without a fee that was passed on to the payer. */
function paidFor({ amountPesewas, requestedPesewas }: GatewayTransaction): number {
  return Math.min(amountPesewas ?? 0, requestedPesewas ?? Number.POSITIVE_INFINITY);
}

const isCredited = (payment: Payment) => payment.paidAt !== null;
const baseOf = (payment: Payment) => ({
  reference: payment.reference,
  creditedPesewas: creditedPesewas(payment),
});

/**
 * Of payments missing from the list, those that a status check does not show as paid either. A payment started at the
 * edge of the period is in one list and not in the other, and a reversed one is listed as such.
 */
async function notPaidAt(gateway: PaymentGateway, missing: Payment[]): Promise<Payment[]> {
  const unpaid: Payment[] = [];
  for (const payment of missing) {
    const answer = await gateway.verify(payment.reference);
    if (answer.kind === "unclear") throw incomplete(answer.reason);
    const wasPaid =
      answer.kind === "found" && ["success", "reversed", "reversal-pending"].includes(answer.transaction.status);
    if (!wasPaid) unpaid.push(payment);
  }
  return unpaid;
}

async function listAll(gateway: PaymentGateway, from: Date, to: Date): Promise<GatewayTransaction[]> {
  return allPages(async (page) => {
    const answer = await gateway.list({ from, to, page });
    return answer.kind === "unclear" ? answer : { ...answer, rows: answer.transactions };
  });
}

/** All rows of a paged list. Throws payment.gateway_down when it cannot be read completely. */
async function allPages<T>(
  read: (page: number) => Promise<{ kind: "listed"; rows: T[]; hasMore: boolean } | Unclear>,
): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await read(page);
    if (answer.kind === "unclear") throw incomplete(answer.reason);
    rows.push(...answer.rows);
    if (!answer.hasMore) return rows;
  }
  throw incomplete("the list is too long", "Too many payments for one comparison. Choose a shorter period.");
}

function incomplete(reason: string, message = NOT_ANSWERED): AppError {
  return new AppError("payment.gateway_down", { reason }, message);
}

async function settleDiffering(
  db: Db,
  gateway: PaymentGateway,
  successful: GatewayTransaction[],
  reversed: GatewayTransaction[],
): Promise<void> {
  const references = successful.map((row) => row.reference);
  for (const [reference, payment] of await paymentsNamed(db, references)) {
    if (!isCredited(payment)) await settle(db, gateway, reference);
  }
  for (const reference of (await stillPaid(db, reversed)).keys()) await settle(db, gateway, reference);
  const { differences } = await compareFees(db, [...successful, ...reversed]);
  for (const { kind, reference } of differences) if (kind === "fee_not_booked") await settle(db, gateway, reference);
}

/** Of payments reversed at the provider, those still credited here. */
async function stillPaid(db: Db, reversed: GatewayTransaction[]): Promise<Map<string, Payment>> {
  const references = reversed.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  return new Map([...ours].filter(([, payment]) => payment.state === "paid"));
}

/** Covers the time that processing a refund may take (Paystack: up to ten working days). */
const REFUND_DAYS = 30;

/** Payments with partial refunds, and what of those is not booked here; with `fix` it is booked first. */
async function partlyRefunded(
  db: Db,
  gateway: PaymentGateway,
  { from, to, fix }: { from: Date; to: Date; fix: boolean },
): Promise<{ payment: Payment; missingPesewas: number }[]> {
  const since = new Date(from.getTime() - REFUND_DAYS * 86_400_000);
  const listed = await listAllRefunds(gateway, since, to);
  const ids = listed.filter((refund) => refund.isProcessed).map((refund) => refund.transactionId);
  const known = await db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.domain, gateway.domain),
        inArray(payments.providerId, [...new Set(ids)]),
        eq(payments.state, "paid"),
      ),
    );
  const refunded: { payment: Payment; missingPesewas: number }[] = [];
  for (const payment of known) {
    if (fix) await syncRefunds(db, gateway, payment.reference);
    refunded.push({ payment, missingPesewas: await unbookedPesewas(db, gateway, payment) });
  }
  return refunded;
}

async function listAllRefunds(gateway: PaymentGateway, from: Date, to: Date): Promise<GatewayRefund[]> {
  return allPages(async (page) => {
    const answer = await gateway.listRefunds({ from, to, page });
    return answer.kind === "unclear" ? answer : { ...answer, rows: answer.refunds };
  });
}

async function paymentsNamed(db: Db, references: string[]): Promise<Map<string, Payment>> {
  if (references.length === 0) return new Map();
  const rows = await db.select().from(payments).where(inArray(payments.reference, references));
  return new Map(rows.map((row) => [row.reference, row]));
}

async function creditedBetween(db: Db, from: Date, to: Date): Promise<Payment[]> {
  return db
    .select()
    .from(payments)
    .where(and(isNotNull(payments.paidAt), gte(payments.createdAt, from), lt(payments.createdAt, to)));
}

/** Why a payment was not credited, by its state here. */
const NOT_CREDITED: Record<string, string> = {
  review: "Paid at Paystack, but waiting for a decision here",
  failed: "Paid at Paystack, but marked as failed here",
  expired: "Paid at Paystack, but marked as expired here",
};

function differenceOf(row: GatewayTransaction, ours: Payment | null): Difference[] {
  const base = { reference: row.reference, providerPesewas: row.amountPesewas };
  if (!ours) {
    const message = "Paid at Paystack, but no payment here has this reference";
    return [{ ...base, kind: "not_ours", message, creditedPesewas: null }];
  }
  if (ours.state === "closed") {
    // Any other decision is a loss that is in the books.
    if (ours.decision !== "refunded") return [];
    const message = "Marked as refunded here, but not refunded at Paystack";
    return [{ ...base, kind: "not_refunded", message, creditedPesewas: null }];
  }
  if (!isCredited(ours)) {
    const message = NOT_CREDITED[ours.state] ?? "Paid at Paystack, but still waiting here";
    return [{ ...base, kind: "not_credited", message, creditedPesewas: null }];
  }
  const credited = creditedPesewas(ours);
  // More than requested is paid where the fee is passed on to the payer.
  const isAsRequested = row.requestedPesewas === credited && (row.amountPesewas ?? 0) >= credited;
  if (row.amountPesewas === credited || isAsRequested) return [];
  const message = "The paid and credited amounts differ";
  return [{ ...base, kind: "other_amount", message, creditedPesewas: credited }];
}

/** The booked fees of these payments by their id, and of credited ones those that the provider reports otherwise. */
async function compareFees(
  db: Db,
  rows: GatewayTransaction[],
): Promise<{ booked: Map<number, number>; differences: Difference[] }> {
  const references = rows.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  const ids = [...ours.values()].map(({ id }) => id);
  const booked = await bookedFees.bookedFor(db, ids);
  const differences = rows.flatMap((row): Difference[] => {
    const payment = ours.get(row.reference);
    if (!payment || !isCredited(payment)) return [];
    const bookedPesewas = booked.get(payment.id) ?? 0;
    const difference = fees.differenceOf(row, payment, bookedPesewas);
    if (!difference) return [];
    const { message, isBookable, reportedPesewas: providerPesewas } = difference;
    const kind = isBookable ? "fee_not_booked" : "other_fee";
    return [{ reference: row.reference, kind, message, providerPesewas, creditedPesewas: bookedPesewas }];
  });
  return { booked, differences };
}
