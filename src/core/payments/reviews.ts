// Reviews of payments: an admin decides, once, and the decision is in the audit log.
import { eq, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { payments } from "../../../db/schema/payments.ts";
import type { ByUser, PaymentDecision } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import * as crediting from "./crediting.ts";
import type { Payment } from "./payments.ts";

/** The result of a decision: the amount credited, and the part of it that the shop bears, in pesewas. */
export type Decided = {
  paymentId: number;
  userId: number;
  decision: PaymentDecision;
  creditedPesewas: number;
  lossPesewas: number;
};

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
 * Decides the review of another user's payment, as an admin: credits the paid amount, or the requested one (the shop
 * bears the difference as a correction), or nothing because the payer is refunded at the provider.
 * Throws auth.forbidden, auth.own_account, payment.not_found, payment.not_in_review, payment.choice_missing,
 * user.closed (for a deleted account, a refund is the only choice), and as secondPerson.require.
 */
export async function decide(
  db: Db,
  command: { by: ByUser; key: Key | null; paymentId: number; decision: PaymentDecision; reason: string },
): Promise<Answered<Decided>> {
  const { by, paymentId, decision } = command;
  requireRight(by, "payments.decide");
  requireConfirmed(by);
  const reason = command.reason.trim();
  if (!reason) throw new AppError("request.invalid", { fields: { reason: REASON_MISSING } }, REASON_MISSING);
  return once(db, by.userId, command.key, ["payment", paymentId, decision, reason], async (tx) => {
    const payment = await lockReviewed(tx, by, paymentId);
    const choice = choices(payment).find((candidate) => candidate.decision === decision);
    if (!choice) throw new AppError("payment.choice_missing");
    if (decision !== "refunded") await refuseClosed(tx, payment.userId);
    await secondPerson.require(tx, by, await askToDecide(tx, payment, choice, reason));
    // After this point the decision must succeed.
    await carryOut(tx, by, payment, choice, reason);
    const { creditedPesewas, lossPesewas } = choice;
    await auditLog.record(tx, by, [
      {
        action: `payment.${decision}`,
        subjectType: "payment",
        subjectId: paymentId,
        before: { state: payment.state, reason: payment.reason },
        after: { credited: show(creditedPesewas), loss: show(lossPesewas), reason },
      },
    ]);
    return { paymentId, userId: payment.userId, decision, creditedPesewas, lossPesewas };
  });
}

/** Sending the money back credits nothing, and counts as nothing. */
async function askToDecide(
  tx: Reads,
  { id, userId, reference, state, paidPesewas, amountPesewas }: Payment,
  { decision, creditedPesewas }: ReturnType<typeof choices>[number],
  reason: string,
): Promise<secondPerson.Ask> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  return {
    ...{ kind: "payment.decide", right: "payments.decide", subject: `payment ${id}`, concerns: [userId] },
    command: { paymentId: id, decision, reason },
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

const REASON_MISSING = "Give a reason for your decision";

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
