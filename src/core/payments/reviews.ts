// Reviews of payments: an admin decides, once, and the decision is in the audit log.
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import { type ByUser, PAYMENT_DECISIONS, type PaymentDecision } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id, Reason } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import { command, type Question } from "../platform/commands.ts";
import * as crediting from "./crediting.ts";
import type { Payment } from "./payments.ts";

/** The possible decisions about a payment in review, with what each credits and costs, in pesewas. */
export function choices(
  payment: Pick<Payment, "paidPesewas" | "amountPesewas">,
): { decision: PaymentDecision; creditedPesewas: number; lossPesewas: number }[] {
  const paid = payment.paidPesewas ?? 0;
  const requested = payment.amountPesewas;
  return [
    { decision: "credit_paid" as const, creditedPesewas: paid, lossPesewas: 0, isOffered: paid > 0 },
    {
      decision: "credit_asked" as const,
      creditedPesewas: requested,
      lossPesewas: requested - paid,
      isOffered: paid < requested,
    },
    { decision: "refunded" as const, creditedPesewas: 0, lossPesewas: 0, isOffered: true },
  ].flatMap(({ isOffered, ...choice }) => (isOffered ? [choice] : []));
}

/** The number of payments in review. */
export function count(db: Db): Promise<number> {
  return db.$count(payments, eq(payments.state, "review"));
}

/**
 * Decides the review of another user's payment: credits the paid amount, or the requested one (the shop bears the
 * difference as a correction), or nothing because the payer is refunded at the provider, which is the only choice for a
 * deleted account. Gives the amount credited, and the part of it that the shop bears.
 */
export const decide = command({
  name: "payment.decide",
  right: "payments.decide",
  about:
    "Decide a payment in review: credit what was paid, credit what was asked for (the shop bears the difference), " +
    "or note that it is refunded at Paystack",
  subject: "payment",
  input: { paymentId: Id, decision: z.enum(PAYMENT_DECISIONS), reason: Reason },
  errors: [
    ...(["payment.not_found", "payment.not_in_review", "payment.choice_missing"] as const),
    ...(["auth.own_account", "user.closed"] as const),
  ],
  isConfirmed: true,
  asks: "Payment in review",
  run: async ({ tx, by, audit, agree }, { paymentId, decision, reason }) => {
    const payment = await lockReviewed(tx, by, paymentId);
    const choice = choices(payment).find((candidate) => candidate.decision === decision);
    if (!choice) throw new AppError("payment.choice_missing");
    if (decision !== "refunded") await refuseClosed(tx, payment.userId);
    await agree(await questionAbout(tx, payment, choice, reason));
    // After this point the decision must succeed.
    await carryOut(tx, by, payment, choice, reason);
    const { creditedPesewas, lossPesewas } = choice;
    await audit(paymentId, {
      action: `payment.${decision}`,
      before: { state: payment.state, reason: payment.reason },
      after: { credited: show(creditedPesewas), loss: show(lossPesewas), reason },
    });
    return { paymentId, userId: payment.userId, decision, creditedPesewas, lossPesewas };
  },
});

/** Sending the money back credits nothing, and counts as nothing. */
async function questionAbout(
  tx: Reads,
  { id, userId, reference, state, paidPesewas, amountPesewas }: Payment,
  { creditedPesewas }: ReturnType<typeof choices>[number],
  reason: string,
): Promise<Question> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  return {
    ...{ subject: `payment ${id}`, concerns: [userId] },
    seen: {
      state: { Payment: state, Requested: show(amountPesewas), Paid: show(paidPesewas ?? 0) },
      version: owner!.status,
    },
    summary: `credit ${show(creditedPesewas)} to ${owner!.username} for payment ${reference}`,
    reason,
    counts: [{ limit: "alone_reviews_pesewas", userId, pesewas: creditedPesewas }],
    amountPesewas: creditedPesewas,
  };
}

/** Locks the wallet and the payment, which must be in review and not the admin's own. */
async function lockReviewed(tx: Tx, by: ByUser, paymentId: number): Promise<Payment> {
  const [found] = await tx.select().from(payments).where(eq(payments.id, paymentId));
  if (!found) throw new AppError("payment.not_found");
  if (found.userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [found.userId]);
  const [payment] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for("update");
  if (payment!.state !== "review") throw new AppError("payment.not_in_review");
  return payment!;
}

async function refuseClosed(tx: Reads, userId: number): Promise<void> {
  const [owner] = await tx.select({ status: users.status }).from(users).where(eq(users.id, userId));
  if (owner?.status === "CLOSED") throw new AppError("user.closed");
}

async function carryOut(
  tx: Tx,
  by: ByUser,
  payment: Payment,
  { decision, creditedPesewas, lossPesewas }: ReturnType<typeof choices>[number],
  reason: string,
): Promise<void> {
  const { userId, reference } = payment;
  const decided = {
    decision,
    decidedByUserId: by.userId,
    decidedAt: new Date(),
    reason: reason.slice(0, 300),
  };
  const fromProvider = creditedPesewas - lossPesewas;
  const credited = fromProvider > 0 ? await crediting.toWallet(tx, payment, fromProvider, decided, by) : null;
  if (!credited) {
    await tx
      .update(payments)
      .set({ ...decided, state: "closed", updatedAt: sql`now()` })
      .where(eq(payments.id, payment.id));
  }
  if (lossPesewas > 0) {
    const correction = { userId, amountPesewas: lossPesewas, reason: `${reason} (payment ${reference})` };
    await wallet.correct(tx, by, correction);
  }
  if (credited) await crediting.use(tx, credited, creditedPesewas);
  else if (creditedPesewas > 0) await crediting.notifyToppedUp(tx, { userId, amountPesewas: creditedPesewas });
}
