// Our books against the provider's list: what they say was paid and what we credited, line by line.
import { and, eq, gte, inArray, isNotNull, lt } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { payments } from "../../../db/schema/payments.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import type { GatewayRefund, GatewayTransaction, PaymentGateway, Unclear } from "./gateway.ts";
import type { Payment } from "./payments.ts";
import { syncRefunds, unbookedPesewas } from "./refunds.ts";
import { creditedPesewas } from "./reversals.ts";
import { settle } from "./settlement.ts";

export type Difference = {
  reference: string;
  /** What is wrong, in a word for filters and a sentence for people. */
  kind: "not_ours" | "not_credited" | "not_at_provider" | "other_amount" | "not_reversed" | "not_refunded";
  words: string;
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
  /** What the account `paystack` holds by our books, over all time. */
  heldPesewas: number;
};

/** Pages of the provider's list that one comparison reads at most. */
const PAGES_MAX = 200;

/**
 * Compares the provider's successful payments in a span of time with what we credited. With `mend`, everything that is
 * ours and was not credited, or has gone back since (all of it, or a part), is settled first. Throws payment.gateway_down when the list cannot
 * be read whole: half a comparison would look like missing money.
 */
export async function reconcile(
  db: Db,
  gateway: PaymentGateway,
  ask: { from: Date; to: Date; mend: boolean },
): Promise<Reconciliation> {
  const listed = await listAll(gateway, ask.from, ask.to);
  const theirs = listed.filter((row) => row.status === "success");
  const goneBack = listed.filter((row) => row.status === "reversed");
  if (ask.mend) await settleDiffering(db, gateway, theirs, goneBack);
  const refunds = await partlyRefunded(db, gateway, ask);
  const references = theirs.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  const differences = theirs.flatMap((row) => differenceOf(row, ours.get(row.reference) ?? null));
  const missing = (await creditedBetween(db, ask.from, ask.to)).filter((row) => !ours.has(row.reference));
  const unheardOf = await notPaidAt(gateway, missing);
  for (const payment of (await stillPaid(db, goneBack)).values()) {
    const words = "All of it went back at Paystack, and here it is still credited";
    differences.push({ ...about(payment), kind: "not_reversed", words, providerPesewas: 0 });
  }
  for (const { payment, missingPesewas } of refunds) {
    const words = `${show(missingPesewas)} was refunded at Paystack, and is not taken back here`;
    const providerPesewas = creditedPesewas(payment) - missingPesewas;
    differences.push({ ...about(payment), kind: "not_reversed", words, providerPesewas });
  }
  for (const payment of unheardOf) {
    const words = "Credited here, and not paid at Paystack";
    differences.push({ ...about(payment), kind: "not_at_provider", words, providerPesewas: null });
  }
  const credited = [...[...ours.values()].filter(isCredited), ...unheardOf];
  const sum = (amounts: (number | null)[]) =>
    amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
  return {
    from: ask.from,
    to: ask.to,
    providerCount: theirs.length,
    providerPesewas: sum(theirs.map(paidFor)),
    creditedCount: credited.length,
    creditedPesewas: sum(credited.map(creditedPesewas)),
    differences,
    heldPesewas: await ledger.heldByPaystack(db),
  };
}

type Ours = Payment;

/** What was paid for us: not the fee, where that is passed on to the payer on top. */
function paidFor({ amountPesewas, requestedPesewas }: GatewayTransaction): number {
  return Math.min(amountPesewas ?? 0, requestedPesewas ?? Number.POSITIVE_INFINITY);
}

const isCredited = (payment: Ours) => payment.paidAt !== null;
const about = (payment: Ours) => ({
  reference: payment.reference,
  creditedPesewas: creditedPesewas(payment),
});

/**
 * Of payments that the list does not name, those that the provider does not call paid either. A payment that was started
 * at the edge of the time is in one list and not in the other, and a reversed one is listed as such.
 */
async function notPaidAt(gateway: PaymentGateway, missing: Ours[]): Promise<Ours[]> {
  const unheardOf: Ours[] = [];
  for (const payment of missing) {
    const answer = await gateway.verify(payment.reference);
    if (answer.kind === "unclear") throw new AppError("payment.gateway_down", { reason: answer.reason });
    const wasPaid =
      answer.kind === "found" &&
      ["success", "reversed", "reversal-pending"].includes(answer.transaction.status);
    if (!wasPaid) unheardOf.push(payment);
  }
  return unheardOf;
}

async function listAll(gateway: PaymentGateway, from: Date, to: Date): Promise<GatewayTransaction[]> {
  return allPages(async (page) => {
    const answer = await gateway.list({ from, to, page });
    return answer.kind === "unclear" ? answer : { ...answer, rows: answer.transactions };
  });
}

/** Every row of a list. Throws payment.gateway_down when it cannot be read whole. */
async function allPages<T>(
  read: (page: number) => Promise<{ kind: "listed"; rows: T[]; hasMore: boolean } | Unclear>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await read(page);
    if (answer.kind === "unclear") throw new AppError("payment.gateway_down", { reason: answer.reason });
    all.push(...answer.rows);
    if (!answer.hasMore) return all;
  }
  throw new AppError("payment.gateway_down", { reason: "the list is too long; choose a shorter time" });
}

async function settleDiffering(
  db: Db,
  gateway: PaymentGateway,
  theirs: GatewayTransaction[],
  goneBack: GatewayTransaction[],
): Promise<void> {
  const references = theirs.map((row) => row.reference);
  for (const [reference, payment] of await paymentsNamed(db, references)) {
    if (!isCredited(payment)) await settle(db, gateway, reference);
  }
  for (const reference of (await stillPaid(db, goneBack)).keys()) await settle(db, gateway, reference);
}

/** Of payments that have gone back at the provider, those that we still hold for paid. */
async function stillPaid(db: Db, goneBack: GatewayTransaction[]): Promise<Map<string, Ours>> {
  const references = goneBack.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  return new Map([...ours].filter(([, payment]) => payment.state === "paid"));
}

/** A refund may be processed so long after it was asked for (Paystack: up to ten working days). */
const REFUND_DAYS = 30;

/** Payments of which more was refunded in part than is booked here; with `mend` it is booked first. */
async function partlyRefunded(
  db: Db,
  gateway: PaymentGateway,
  { from, to, mend }: { from: Date; to: Date; mend: boolean },
): Promise<{ payment: Ours; missingPesewas: number }[]> {
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
  const missing: { payment: Ours; missingPesewas: number }[] = [];
  for (const payment of known) {
    if (mend) await syncRefunds(db, gateway, payment.reference);
    const missingPesewas = await unbookedPesewas(db, gateway, payment);
    if (missingPesewas > 0) missing.push({ payment, missingPesewas });
  }
  return missing;
}

async function listAllRefunds(gateway: PaymentGateway, from: Date, to: Date): Promise<GatewayRefund[]> {
  return allPages(async (page) => {
    const answer = await gateway.listRefunds({ from, to, page });
    return answer.kind === "unclear" ? answer : { ...answer, rows: answer.refunds };
  });
}

async function paymentsNamed(db: Db, references: string[]): Promise<Map<string, Ours>> {
  if (references.length === 0) return new Map();
  const rows = await db.select().from(payments).where(inArray(payments.reference, references));
  return new Map(rows.map((row) => [row.reference, row]));
}

async function creditedBetween(db: Db, from: Date, to: Date): Promise<Ours[]> {
  return db
    .select()
    .from(payments)
    .where(and(isNotNull(payments.paidAt), gte(payments.createdAt, from), lt(payments.createdAt, to)));
}

/** Why it was not credited, by the state that it has here. */
const NOT_CREDITED: Record<string, string> = {
  review: "Paid at Paystack, and waiting for a decision here",
  failed: "Paid at Paystack, and marked as failed here",
  expired: "Paid at Paystack, and marked as expired here",
};

function differenceOf(row: GatewayTransaction, ours: Ours | null): Difference[] {
  const base = { reference: row.reference, providerPesewas: row.amountPesewas };
  if (!ours) {
    const words = "Paid at Paystack, and no payment here has this reference";
    return [{ ...base, kind: "not_ours", words, creditedPesewas: null }];
  }
  if (ours.state === "closed") {
    // What was decided otherwise is a loss that stands in the books.
    if (ours.decision !== "refunded") return [];
    const words = "Noted here as refunded, and not refunded at Paystack";
    return [{ ...base, kind: "not_refunded", words, creditedPesewas: null }];
  }
  if (!isCredited(ours)) {
    const words = NOT_CREDITED[ours.state] ?? "Paid at Paystack, and still waiting here";
    return [{ ...base, kind: "not_credited", words, creditedPesewas: null }];
  }
  const credited = creditedPesewas(ours);
  // More than was asked for is paid where the fee is passed on to the payer.
  const isAsAsked = row.requestedPesewas === credited && (row.amountPesewas ?? 0) >= credited;
  if (row.amountPesewas === credited || isAsAsked) return [];
  const words = "Paid and credited with different amounts";
  return [{ ...base, kind: "other_amount", words, creditedPesewas: credited }];
}
