// Reversals of settled payments at the provider: refunds and chargebacks. Each is booked once: from the wallet as far
// as its balance goes, and the rest as a debt. While a chargeback is open, its amount is held in the wallet.
import { and, asc, desc, eq, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { paymentReversals, payments } from "../../../db/schema/payments.ts";
import { limits } from "../../shared/domain.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import * as staffNotices from "../messaging/staff-notices.ts";
import type { Payment } from "./payments.ts";

export type Reversal = typeof paymentReversals.$inferSelect;
export type ReversalRow = Reversal & { reference: string; username: string };

/** The provider's report of a chargeback. */
export type ChargebackReport = {
  /** The provider's id of the chargeback. */
  id: string;
  /** Null: not given, so the whole payment. */
  amountPesewas: number | null;
  state: "open" | "lost" | "won";
  /** The deadline for evidence. */
  dueAt?: Date | null;
  note: string | null;
};

/** Refunds and chargebacks newest first, those before the id `cursor`, for admins. */
export async function list(db: Db, page: { cursor?: number | undefined; limit: number }): Promise<ReversalRow[]> {
  return select(db, page.cursor ? lt(paymentReversals.id, page.cursor) : undefined, page.limit);
}

/** Those that moved money at the provider within these moments, the newest first. */
export async function endedWithin(
  db: Reads,
  { domain, from, until }: { domain: string; from: Date; until: Date },
): Promise<ReversalRow[]> {
  const hasEnded = and(gte(paymentReversals.endedAt, from), lt(paymentReversals.endedAt, until));
  const isBooked = and(eq(paymentReversals.state, "booked"), eq(payments.domain, domain));
  return select(db, and(hasEnded, isBooked), limits.pageSizeMax);
}

async function select(db: Reads, condition: SQL | undefined, countMax: number): Promise<ReversalRow[]> {
  const rows = await db
    .select({ reversal: paymentReversals, reference: payments.reference, username: users.username })
    .from(paymentReversals)
    .innerJoin(payments, eq(payments.id, paymentReversals.paymentId))
    .innerJoin(users, eq(users.id, paymentReversals.userId))
    .where(condition)
    .orderBy(desc(paymentReversals.id))
    .limit(Math.min(countMax, limits.pageSizeMax));
  return rows.map(({ reversal, ...row }) => ({ ...reversal, ...row }));
}

/** The credited amount of a payment, in pesewas: 0 until it is credited. */
export function creditedPesewas(payment: Pick<Payment, "paidAt" | "creditedPesewas" | "amountPesewas">): number {
  return payment.paidAt === null ? 0 : (payment.creditedPesewas ?? payment.amountPesewas);
}

/**
 * Applies a report of a chargeback, in any order and idempotently: an open one is held, a lost one booked, a won one
 * released. Admins are notified of a new one. The caller has locked the wallet and the payment.
 */
export async function applyChargeback(tx: Tx, payment: Payment, report: ChargebackReport): Promise<void> {
  const providerReference = `dispute:${payment.reference}:${report.id}`;
  const amountPesewas = Math.min(report.amountPesewas ?? payment.amountPesewas, payment.amountPesewas);
  const { note, dueAt } = report;
  const [opened] = await tx
    .insert(paymentReversals)
    .values({
      paymentId: payment.id,
      userId: payment.userId,
      kind: "chargeback",
      providerReference,
      amountPesewas,
      note,
      dueAt,
    })
    .onConflictDoNothing()
    .returning();
  const [row] = await tx
    .select()
    .from(paymentReversals)
    .where(eq(paymentReversals.providerReference, providerReference))
    .for("update");
  // A booked or closed one has ended: older reports may arrive after newer ones.
  if (row!.state !== "open") return;
  if (report.state === "open") {
    await change(tx, row!.id, { note, dueAt: dueAt ?? row!.dueAt });
    await holdOpen(tx, payment);
    if (opened) await staffNotices.chargebackOpened(tx, payment, opened);
    return;
  }
  if (report.state === "won") await end(tx, payment, row!, note);
  else {
    const lostPesewas = report.amountPesewas === null ? row!.amountPesewas : amountPesewas;
    await book(tx, payment, row!, lostPesewas, note);
  }
}

/**
 * Books the refunds of a payment so far, less those already booked. The caller has locked the wallet and the payment.
 */
export async function bookRefunds(tx: Tx, payment: Payment, refundedPesewas: number): Promise<void> {
  const amountPesewas = await unbookedPesewas(tx, payment, refundedPesewas);
  if (amountPesewas <= 0) return;
  const { id: paymentId, userId } = payment;
  const providerReference = `refunded:${payment.reference}:${refundedPesewas}`;
  const [row] = await tx
    .insert(paymentReversals)
    .values({ paymentId, userId, kind: "refund", providerReference, amountPesewas, note: "processed" })
    .onConflictDoNothing()
    .returning();
  if (row) await book(tx, payment, row, amountPesewas, row.note);
}

/** The part of a refunded sum that is still to be booked: never more than is left of a credited payment. */
export async function unbookedPesewas(tx: Reads, payment: Payment, refundedPesewas: number): Promise<number> {
  const [known] = await tx
    .select({ sum: sql<number>`coalesce(sum(${paymentReversals.amountPesewas}), 0)::bigint` })
    .from(paymentReversals)
    .where(
      and(
        eq(paymentReversals.paymentId, payment.id),
        eq(paymentReversals.kind, "refund"),
        inArray(paymentReversals.state, ["booked", "due"]),
      ),
    );
  const more = Math.max(0, refundedPesewas - known!.sum);
  return payment.paidAt === null ? more : Math.min(more, await leftPesewas(tx, payment));
}

/** Books the rest of a payment that the provider reports as fully reversed. */
export async function bookWhole(tx: Tx, payment: Payment, note: string | null): Promise<void> {
  // An open chargeback is how it was reversed.
  for (const row of await openOf(tx, payment)) await book(tx, payment, row, row.amountPesewas, note);
  const amountPesewas = await leftPesewas(tx, payment);
  if (amountPesewas <= 0) return;
  const { id: paymentId, userId, reference } = payment;
  const providerReference = `whole:${reference}`;
  const [row] = await tx
    .insert(paymentReversals)
    .values({ paymentId, userId, kind: "refund", providerReference, amountPesewas, note })
    .onConflictDoNothing()
    .returning();
  if (row) await book(tx, payment, row, amountPesewas, note);
}

/** Books reversals from before the payment was credited, in the transaction that credits it. */
export async function bookDue(tx: Tx, payment: Payment): Promise<void> {
  const due = await tx
    .select()
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, payment.id), eq(paymentReversals.state, "due")))
    .orderBy(asc(paymentReversals.id));
  for (const row of due) await book(tx, payment, row, row.amountPesewas, row.note);
}

/**
 * Holds the amounts of the payment's open chargebacks, no more than is left of the credit. The caller has locked the
 * wallet and the payment.
 */
export async function holdOpen(tx: Tx, payment: Payment): Promise<void> {
  let left = await leftPesewas(tx, payment);
  for (const row of await openOf(tx, payment)) {
    const heldPesewas = Math.min(row.amountPesewas, left);
    left -= heldPesewas;
    await change(tx, row.id, { heldPesewas });
  }
  await ledger.hold(tx, payment.userId);
}

/** Reverses an amount, at most what is left of the payment: from the wallet as far as it goes, the rest as a debt. */
async function book(
  tx: Tx,
  payment: Payment,
  row: Reversal,
  wantedPesewas: number,
  note: string | null,
): Promise<void> {
  // Nothing is credited yet to take it from; it is booked with the credit.
  if (payment.paidAt === null) return change(tx, row.id, { state: "due", amountPesewas: wantedPesewas, note });
  const amountPesewas = Math.min(wantedPesewas, await leftPesewas(tx, payment));
  if (amountPesewas <= 0) return end(tx, payment, row, note);
  await change(tx, row.id, {
    state: "booked",
    amountPesewas,
    heldPesewas: 0,
    note,
    endedAt: sql`now()`,
  });
  await holdOpen(tx, payment);
  const { userId, id } = payment;
  const fromWallet = Math.min(amountPesewas, await wallet.balance(tx, userId));
  const about = { userId, credit: "paystack" as const, subjectId: row.id, byUserId: null };
  const parts: ledger.Transfer[] = [
    { ...about, debit: "wallet", reason: "reversal", amountPesewas: fromWallet },
    { ...about, debit: "receivables", reason: "debt", amountPesewas: amountPesewas - fromWallet },
  ];
  await ledger.post(
    tx,
    parts.filter((part) => part.amountPesewas > 0),
  );
  if ((await leftPesewas(tx, payment)) > 0) return;
  await tx.update(payments).set({ state: "reversed", updatedAt: sql`now()` }).where(eq(payments.id, id));
}

/** Closes a reversal without effect. */
async function end(tx: Tx, payment: Payment, row: Reversal, note: string | null): Promise<void> {
  await change(tx, row.id, { state: "closed", heldPesewas: 0, note, endedAt: sql`now()` });
  await holdOpen(tx, payment);
}

/** What is left of the credited payment, in pesewas. */
async function leftPesewas(tx: Reads, payment: Payment): Promise<number> {
  const [row] = await tx
    .select({ sum: sql<number>`coalesce(sum(${paymentReversals.amountPesewas}), 0)::bigint` })
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, payment.id), eq(paymentReversals.state, "booked")));
  return creditedPesewas(payment) - row!.sum;
}

async function openOf(tx: Reads, payment: Payment): Promise<Reversal[]> {
  return tx
    .select()
    .from(paymentReversals)
    .where(
      and(
        eq(paymentReversals.paymentId, payment.id),
        eq(paymentReversals.kind, "chargeback"),
        eq(paymentReversals.state, "open"),
      ),
    )
    .orderBy(asc(paymentReversals.id));
}

async function change(tx: Tx, id: number, set: PgUpdateSetSource<typeof paymentReversals>): Promise<void> {
  await tx.update(paymentReversals).set(set).where(eq(paymentReversals.id, id));
}
