// Crediting of payments: to the wallet, and on to the order that the payment was started for.
import { eq, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { payments } from "../../../db/schema/payments.ts";
import { type By, SYSTEM } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { orderProblem } from "../buying/order-lines.ts";
import * as unfinished from "../buying/unfinished-purchases.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as limits from "../ledger/limits.ts";
import * as newAccounts from "../ledger/new-accounts.ts";
import { queueTopUpWebhook } from "../ledger/top-up-webhooks.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import { countChange } from "../orders/daily-totals.ts";
import { queueStatusWebhooks } from "../orders/json.ts";
import type { Order } from "../orders/order.ts";
import { markPaid } from "../orders/pay.ts";
import * as timeline from "../orders/timeline.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import * as switches from "../platform/switches.ts";
import * as fees from "./fees.ts";
import type { Payment } from "./payments.ts";
import * as reversals from "./reversals.ts";

/**
 * Credits an amount of a payment, in pesewas, to its wallet, and books its fees as far as they are known; `set` holds
 * further columns to change. Returns the updated payment. In the caller's transaction, which has locked the wallet and
 * then the payment.
 */
export async function toWallet(
  tx: Tx,
  payment: Payment,
  amountPesewas: number,
  set: Partial<Payment>,
  by: By = SYSTEM,
): Promise<Payment> {
  const topUp: ledger.Transfer = {
    userId: payment.userId,
    debit: "paystack",
    credit: "wallet",
    amountPesewas,
    reason: "topup",
    subjectId: payment.id,
    byUserId: by.userId,
  };
  // After this point the credit must succeed.
  const [balancePesewas] = await ledger.post(tx, [topUp, ...fees.entriesFor({ ...payment, ...set })]);
  const { id, userId, reference, orderId } = payment;
  const of = { source: "paystack", id, reference, orderId } as const;
  await queueTopUpWebhook(tx, { userId, amountPesewas, balancePesewas: balancePesewas!, ...of });
  const [credited] = await tx
    .update(payments)
    .set({
      ...set,
      state: "paid",
      paidAt: sql`now()`,
      creditedPesewas: amountPesewas === payment.amountPesewas ? null : amountPesewas,
      needsCode: false,
      pollAt: null,
      updatedAt: sql`now()`,
    })
    .where(eq(payments.id, payment.id))
    .returning();
  await newAccounts.liftByPayment(tx, payment.userId, payment.payerMsisdn);
  // A chargeback may have been opened before the credit.
  await reversals.holdOpen(tx, credited!);
  return credited!;
}

/**
 * Uses a credited payment for its purpose: pays its order, or leaves the money in the wallet and notifies the payer.
 * `arrivedPesewas` is the amount credited. In the transaction that credited it.
 */
export async function use(tx: Tx, payment: Payment, arrivedPesewas: number): Promise<void> {
  const { userId, orderId } = payment;
  const arrived = { userId, amountPesewas: arrivedPesewas };
  if (orderId === null) await notifyToppedUp(tx, arrived);
  else {
    const refusal = await payOrder(tx, payment, orderId, arrivedPesewas);
    if (refusal) await notices.orderNotPaid(tx, arrived, orderId, refusal);
  }
  // After the order, which the payer was promised: what the wallet then lacks becomes a debt.
  await reversals.bookDue(tx, payment);
}

/**
 * Notifies an agent of money in the wallet and of the purchase that waits for it. Call it after the money is posted.
 */
export async function notifyToppedUp(tx: Tx, arrived: { userId: number; amountPesewas: number }): Promise<void> {
  await notices.walletToppedUp(tx, arrived, await unfinished.findContinuable(tx, arrived.userId));
}

/** Pays the order from the wallet; returns the reason, as a clause for people, when the money stays in the wallet. */
async function payOrder(tx: Tx, { userId }: Payment, orderId: number, arrivedPesewas: number): Promise<string | null> {
  const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("update");
  const refusal = await refusalReason(tx, order!, arrivedPesewas);
  if (refusal) {
    const arrived = `A payment of ${show(arrivedPesewas)} arrived, but could not pay for this order`;
    const note = `${arrived}: ${refusal}. The money is in the wallet.`;
    await timeline.append(tx, SYSTEM, [{ order: order!, note }]);
    return refusal;
  }
  const { amountPesewas } = order!;
  await limits.spend(tx, userId, { amountPesewas, orders: 1 });
  const {
    paid: [paid],
    balancesPesewas: [balancePesewas],
  } = await markPaid(tx, [order!], { method: "paystack", byUserId: null, set: { status: "PAID" } });
  await countChange(tx, [
    ["PENDING", -1],
    ["PAID", 1],
  ]);
  await timeline.append(tx, SYSTEM, [{ order: order!, fromStatus: "PENDING", toStatus: "PAID" }]);
  await queueStatusWebhooks(tx, [{ order: paid!, from: "PENDING" }]);
  // The balance is what it was before the payment, so there is no low-balance notice.
  // Whoever was sent a prompt by USSD was promised an SMS.
  const accepted = { first: paid!, orders: 1, amountPesewas, balancePesewas: balancePesewas! };
  await notices.ordersAccepted(tx, userId, accepted, order!.channel === "ussd");
  await jobs.enqueue(tx, "dispatch_order", orderId, await settings.get(tx, "dispatch_hold_seconds"));
  return null;
}

/** Why the order cannot be paid with the money that arrived for it; null when it can. */
async function refusalReason(tx: Reads, order: Order, arrivedPesewas: number): Promise<string | null> {
  if (order.paidAt) return "it is already paid";
  if (order.status !== "PENDING") return "it can no longer be paid";
  if (order.amountPesewas !== arrivedPesewas) return "the amount is different";
  const [owner] = await tx.select({ status: users.status }).from(users).where(eq(users.id, order.userId));
  if (owner?.status !== "ACTIVE") return "the account is banned";
  if (await freezing.of(tx, order.userId)) return "the account is frozen for now";
  if (await switches.areClosed(tx, "sales")) return "sales are closed for now";
  const problem = await orderProblem(tx, order);
  if (problem === "product.paused") return "the bundle is paused";
  if (problem === "order.price_changed") return "the price has gone up";
  if (problem) return "the bundle is no longer on sale";
  const { availablePesewas } = await wallet.standing(tx, order.userId);
  if (availablePesewas < order.amountPesewas) return "the money is on hold, or repaid a debt";
  const { amountPesewas } = order;
  const beyond = await limits.hindrance(tx, order.userId, { amountPesewas, orders: 1 });
  return beyond && "it would pass a limit of the account";
}
