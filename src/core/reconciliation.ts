// Our books against the provider's list: what they say was paid and what we credited, line by line.
import { and, gte, inArray, lt, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { payments } from "../../db/schema-payments.ts";
import { AppError } from "../shared/errors.ts";
import type { GatewayTransaction, PaymentGateway } from "./gateway.ts";
import * as ledger from "./ledger.ts";
import { settle } from "./settlement.ts";

export type Difference = {
  reference: string;
  /** What is wrong, in a word for filters and a sentence for people. */
  kind: "not_ours" | "not_credited" | "not_at_provider" | "other_amount" | "not_reversed";
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
 * ours and was not credited, or has gone back since, is settled first. Throws payment.gateway_down when the list cannot
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
  const references = theirs.map((row) => row.reference);
  const ours = await paymentsNamed(db, references);
  const differences = theirs.flatMap((row) => differenceOf(row, ours.get(row.reference) ?? null));
  const missing = (await creditedBetween(db, ask.from, ask.to)).filter((row) => !ours.has(row.reference));
  const unheardOf = await notPaidAt(gateway, missing);
  for (const [reference, payment] of await stillPaid(db, goneBack)) {
    differences.push({
      reference,
      kind: "not_reversed",
      words: "Gone back at the provider, and here it is paid",
      providerPesewas: 0,
      creditedPesewas: payment.amountPesewas,
    });
  }
  for (const payment of unheardOf) {
    differences.push({
      reference: payment.reference,
      kind: "not_at_provider",
      words: "Credited here, and not paid at the provider",
      providerPesewas: null,
      creditedPesewas: payment.amountPesewas,
    });
  }
  const credited = [...[...ours.values()].filter(isCredited), ...unheardOf];
  const sum = (amounts: (number | null)[]) =>
    amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
  return {
    from: ask.from,
    to: ask.to,
    providerCount: theirs.length,
    providerPesewas: sum(theirs.map((row) => row.requestedPesewas)),
    creditedCount: credited.length,
    creditedPesewas: sum(credited.map((row) => row.amountPesewas)),
    differences,
    heldPesewas: await ledger.heldByPaystack(db),
  };
}

type Ours = { reference: string; amountPesewas: number; state: string };
const isCredited = (payment: Ours) => payment.state === "paid" || payment.state === "reversed";

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
  const all: GatewayTransaction[] = [];
  for (let page = 1; page <= PAGES_MAX; page++) {
    const answer = await gateway.list({ from, to, page });
    if (answer.kind === "unclear") throw new AppError("payment.gateway_down", { reason: answer.reason });
    all.push(...answer.transactions);
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

async function paymentsNamed(db: Db, references: string[]): Promise<Map<string, Ours>> {
  if (references.length === 0) return new Map();
  const { reference, amountPesewas, state } = payments;
  const rows = await db
    .select({ reference, amountPesewas, state })
    .from(payments)
    .where(inArray(reference, references));
  return new Map(rows.map((row) => [row.reference, row]));
}

async function creditedBetween(db: Db, from: Date, to: Date): Promise<Ours[]> {
  const { reference, amountPesewas, state, createdAt } = payments;
  return db
    .select({ reference, amountPesewas, state })
    .from(payments)
    .where(and(sql`${state} in ('paid', 'reversed')`, gte(createdAt, from), lt(createdAt, to)));
}

function differenceOf(row: GatewayTransaction, ours: Ours | null): Difference[] {
  const base = { reference: row.reference, providerPesewas: row.amountPesewas };
  if (!ours) {
    const words = "Paid at the provider, and no payment of ours has this reference";
    return [{ ...base, kind: "not_ours", words, creditedPesewas: null }];
  }
  if (!isCredited(ours)) {
    const words = `Paid at the provider, and here it is ${ours.state}`;
    return [{ ...base, kind: "not_credited", words, creditedPesewas: null }];
  }
  if (row.requestedPesewas === ours.amountPesewas) return [];
  const words = "Paid and credited with different amounts";
  return [{ ...base, kind: "other_amount", words, creditedPesewas: ours.amountPesewas }];
}
