// Settled money that went back at the provider: refunds and lost disputes. Each is booked once. The money leaves the
// wallet when the wallet has it; otherwise the shop bears it until an admin corrects the wallet.
import { and, asc, desc, eq, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { users, wallets } from "../../db/schema.ts";
import { paymentReversals, payments } from "../../db/schema-payments.ts";
import { limits } from "../shared/domain.ts";
import * as ledger from "./ledger.ts";
import type { Payment } from "./payments.ts";

export type ReversalNews = {
  kind: "refund" | "dispute";
  /** The provider's name for it: news with the same name are about the same reversal. */
  providerReference: string;
  amountPesewas: number;
  /** open: it may still come to nothing; booked: the money is gone; closed: it came to nothing. */
  state: "open" | "booked" | "closed";
  note: string | null;
};

export type ReversalRow = typeof paymentReversals.$inferSelect & { reference: string; username: string };

/** Refunds and disputes newest first, from below `cursor` on, for admins. */
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

/** Takes in news of a reversal, in any order and any number of times. The caller holds the wallet's lock. */
export async function take(tx: Tx, payment: Payment, news: ReversalNews): Promise<void> {
  const { kind, providerReference, note } = news;
  const left = payment.amountPesewas - (await bookedPesewas(tx, payment.id));
  const amountPesewas = Math.min(news.amountPesewas, payment.amountPesewas);
  await tx
    .insert(paymentReversals)
    .values({ paymentId: payment.id, userId: payment.userId, kind, providerReference, amountPesewas, note })
    .onConflictDoNothing();
  const [row] = await tx
    .select()
    .from(paymentReversals)
    .where(eq(paymentReversals.providerReference, providerReference))
    .for("update");
  // What is booked or closed has ended: older news may arrive after newer ones.
  if (row!.state !== "open" || news.state === "open") return;
  if (news.state === "closed" || left <= 0) return mark(tx, row!.id, "closed");
  // There is nothing yet to take it from; what is credited later was this much less.
  if (payment.paidAt === null) return mark(tx, row!.id, "due");
  await book(tx, payment, row!.id, Math.min(amountPesewas, left));
}

/** Books whatever of the payment has not gone back yet: the provider says that all of it has. */
export async function bookWhole(tx: Tx, payment: Payment, note: string | null): Promise<void> {
  const left = payment.amountPesewas - (await bookedPesewas(tx, payment.id));
  if (left <= 0) return;
  await take(tx, payment, {
    kind: "refund",
    providerReference: `whole:${payment.reference}`,
    amountPesewas: left,
    state: "booked",
    note,
  });
}

/** Books what went back before the payment was credited, in the transaction that credits it. */
export async function bookDue(tx: Tx, payment: Payment): Promise<void> {
  const due = await tx
    .select()
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, payment.id), eq(paymentReversals.state, "due")))
    .orderBy(asc(paymentReversals.id));
  for (const { id, amountPesewas } of due) {
    const left = payment.amountPesewas - (await bookedPesewas(tx, payment.id));
    if (left <= 0) await mark(tx, id, "closed");
    else await book(tx, payment, id, Math.min(amountPesewas, left));
  }
}

async function book(tx: Tx, payment: Payment, reversalId: number, amountPesewas: number): Promise<void> {
  const { userId } = payment;
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.userId, userId));
  const isCovered = (wallet?.balancePesewas ?? 0) >= amountPesewas;
  await ledger.post(tx, [
    {
      userId,
      debit: isCovered ? "wallet" : "adjustments",
      credit: "paystack",
      amountPesewas,
      reason: "reversal",
      subjectId: reversalId,
      byUserId: null,
    },
  ]);
  await tx
    .update(paymentReversals)
    .set({ state: "booked", amountPesewas })
    .where(eq(paymentReversals.id, reversalId));
  if ((await bookedPesewas(tx, payment.id)) < payment.amountPesewas) return;
  await tx
    .update(payments)
    .set({ state: "reversed", updatedAt: sql`now()` })
    .where(eq(payments.id, payment.id));
}

async function bookedPesewas(tx: Tx, paymentId: number): Promise<number> {
  const [row] = await tx
    .select({ sum: sql<number>`coalesce(sum(${paymentReversals.amountPesewas}), 0)::bigint` })
    .from(paymentReversals)
    .where(and(eq(paymentReversals.paymentId, paymentId), eq(paymentReversals.state, "booked")));
  return row!.sum;
}

async function mark(tx: Tx, id: number, state: "due" | "closed"): Promise<void> {
  await tx.update(paymentReversals).set({ state }).where(eq(paymentReversals.id, id));
}
