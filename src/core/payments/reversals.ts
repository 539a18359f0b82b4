// Settled money that goes back at the provider: refunds and chargebacks. Each is booked once. What the wallet holds is
// taken at once, and the rest is a debt of the account. While a chargeback is open its amount is held in the wallet.
import { and, asc, desc, eq, inArray, lt, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { paymentReversals, payments } from "../../../db/schema/payments.ts";
import { limits } from "../../shared/domain.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import type { Payment } from "./payments.ts";

export type Reversal = typeof paymentReversals.$inferSelect;
export type ReversalRow = Reversal & { reference: string; username: string };

/** What the provider tells of a chargeback. */
export type ChargebackReport = {
  /** The provider's id for it: reports with the same id are about the same chargeback. */
  id: string;
  /** Null: it does not say, so all of the payment. */
  amountPesewas: number | null;
  state: "open" | "lost" | "won";
  /** Until when evidence is taken. */
  dueAt?: Date | null;
  note: string | null;
};

/** Refunds and chargebacks newest first, from below `cursor` on, for admins. */
export async function list(
  db: Db,
  page: { cursor?: number | undefined; limit: number },
): Promise<ReversalRow[]> {
  const rows = await db
    .select({ reversal: paymentReversals, reference: payments.reference, username: users.username })
    .from(paymentReversals)
    .innerJoin(payments, eq(payments.id, paymentReversals.paymentId))
    .innerJoin(users, eq(users.id, paymentReversals.userId))
    .where(page.cursor ? lt(paymentReversals.id, page.cursor) : undefined)
    .orderBy(desc(paymentReversals.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map(({ reversal, ...row }) => ({ ...reversal, ...row }));
}

/** What a payment has brought into its wallet, in pesewas: nothing until it is credited. */
export function creditedPesewas(
  payment: Pick<Payment, "paidAt" | "creditedPesewas" | "amountPesewas">,
): number {
  return payment.paidAt === null ? 0 : (payment.creditedPesewas ?? payment.amountPesewas);
}

/**
 * Takes in a report of a chargeback, in any order and any number of times: an open one is held, a lost one is booked, a
 * won one holds nothing any more. Admins are told of a new one. The caller has locked the wallet and the payment.
 */
export async function takeChargeback(tx: Tx, payment: Payment, report: ChargebackReport): Promise<void> {
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
  // What is booked or closed has ended: older reports may arrive after newer ones.
  if (row!.state !== "open") return;
  if (report.state === "open") {
    await change(tx, row!.id, { note, dueAt: dueAt ?? row!.dueAt });
    await holdOpen(tx, payment);
    if (opened) await notices.chargebackOpened(tx, payment, opened);
    return;
  }
  if (report.state === "won") await end(tx, payment, row!, note);
  else {
    const lostPesewas = report.amountPesewas === null ? row!.amountPesewas : amountPesewas;
    await book(tx, payment, row!, lostPesewas, note);
  }
}

/**
 * Books what the provider has refunded of a payment so far, less what is booked of it already. The caller has locked the
 * wallet and the payment.
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

/** What of a refunded sum is not booked yet, and can be: never more than is left of a payment that was credited. */
export async function unbookedPesewas(tx: Tx, payment: Payment, refundedPesewas: number): Promise<number> {
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

/** Books whatever of the payment has not gone back yet: the provider says that all of it has. */
export async function bookWhole(tx: Tx, payment: Payment, note: string | null): Promise<void> {
  // A chargeback that is open is how it went back.
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

/** Books what went back before the payment was credited, in the transaction that credits it. */
export async function bookDue(tx: Tx, payment: Payment): Promise<void> {
  const due = await tx
    .select()
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, payment.id), eq(paymentReversals.state, "due")))
    .orderBy(asc(paymentReversals.id));
  for (const row of due) await book(tx, payment, row, row.amountPesewas, row.note);
}

/**
 * Holds what the payment's open chargebacks may take: no more than is left of what was credited. The caller has locked
 * the wallet and the payment.
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

/** Takes an amount back, at most what is left of the payment: from the wallet what it has, and the rest is owed. */
async function book(
  tx: Tx,
  payment: Payment,
  row: Reversal,
  wantedPesewas: number,
  note: string | null,
): Promise<void> {
  // There is nothing yet to take it from; what is credited later was this much less.
  if (payment.paidAt === null)
    return change(tx, row.id, { state: "due", amountPesewas: wantedPesewas, note });
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

/** It came to nothing. */
async function end(tx: Tx, payment: Payment, row: Reversal, note: string | null): Promise<void> {
  await change(tx, row.id, { state: "closed", heldPesewas: 0, note, endedAt: sql`now()` });
  await holdOpen(tx, payment);
}

/** What of the credited payment has not gone back. */
async function leftPesewas(tx: Tx, payment: Payment): Promise<number> {
  const [row] = await tx
    .select({ sum: sql<number>`coalesce(sum(${paymentReversals.amountPesewas}), 0)::bigint` })
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, payment.id), eq(paymentReversals.state, "booked")));
  return creditedPesewas(payment) - row!.sum;
}

async function openOf(tx: Tx, payment: Payment): Promise<Reversal[]> {
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
