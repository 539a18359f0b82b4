// Refunds by mistake: an order that failed and was refunded turns out to be delivered. Its refund is taken back while
// the money is in the wallet, and the order counts as paid again.
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { orders } from "../../../db/schema/orders.ts";
import { TAKE_BACK_TARGETS } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { maskCards } from "../../shared/ghana-card.ts";
import { At, Cedis, errorCode, Id, requiredText } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed } from "../../shared/rights.ts";
import * as refunds from "../ledger/refunds.ts";
import * as wallet from "../ledger/wallet.ts";
import * as refundNotices from "../messaging/refund-notices.ts";
import { command, type Work } from "../platform/commands.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import * as afaHolds from "./afa-holds.ts";
import * as automaticRefunds from "./automatic-refunds.ts";
import { addToDays, countChange } from "./daily-totals.ts";
import * as decisions from "./dispute-decisions.ts";
import { queueStatusWebhooks } from "./json.ts";
import * as losses from "./losses.ts";
import type { Order } from "./order.ts";
import * as orderCosts from "./order-costs.ts";
import * as timeline from "./timeline.ts";
import * as transitions from "./transitions.ts";

/** How long after its refund an order can be corrected in this way. */
export const TAKE_BACK_DAYS = 30;

type Target = (typeof TAKE_BACK_TARGETS)[number];

/**
 * Takes the refund of a failed order out of its agent's wallet and sets the order to its actual status; the order is
 * answered. It counts as paid again, a loss that was recorded for it is settled, and the agent is notified. Held money
 * is not touched, and a wallet never falls below zero. Only the refund that was seen is taken back.
 */
export const takeBack = command({
  name: "order.take_back_refund",
  right: "orders.refund",
  about: "Take back the refund of an order that was delivered after all, while the money is in the wallet",
  subject: "order",
  input: {
    orderId: Id,
    to: z.string().toUpperCase().pipe(z.enum(TAKE_BACK_TARGETS)).describe("The actual status of the delivery"),
    reason: requiredText(300, errorCode("order.evidence_missing"))
      .overwrite(maskCards)
      .describe("What shows that it was delivered; the agent reads it"),
    refundedAt: At.describe("The order's refundedAt, as you read it"),
    amountPesewas: as("amount", Cedis.describe("The order's amount, as you read it")),
  },
  errors: [
    ...(["order.not_found", "order.not_refunded", "order.refund_changed", "order.refund_too_old"] as const),
    ...(["order.refund_final", "order.refund_spent", "order.evidence_missing", "auth.own_account"] as const),
    ...(["afa.card_registered", "afa.number_registered"] as const),
  ],
  asks: "Refund taken back",
  run: async (work, { orderId, to, reason, ...seen }) => {
    const { tx, by, agree } = work;
    const order = (await transitions.lockOrders(tx, [orderId])).get(orderId);
    if (!order) throw new AppError("order.not_found");
    if (order.userId === by.userId) throw new AppError("auth.own_account");
    const refusal = refusalOf(order);
    if (refusal) throw new AppError(refusal);
    const { id, userId, status, refundedAt, amountPesewas } = order;
    if (refundedAt!.getTime() !== seen.refundedAt.getTime() || amountPesewas !== seen.amountPesewas)
      throw new AppError("order.refund_changed");
    requireConfirmed(by);
    await agree({
      ...{ subject: `order ${id}`, concerns: [userId] },
      seen: { state: { Status: status, Amount: show(amountPesewas) }, version: refundedAt!.toISOString() },
      summary: `take the refund of ${show(amountPesewas)} for order ${id} back`,
      reason,
      counts: [{ limit: "alone_late_refunds_pesewas", userId, pesewas: amountPesewas }],
      amountPesewas,
    });
    await refunds.takeBack(tx, by, order);
    return correct(work, order, to, reason);
  },
});

/** What the agent has of an order's refund: whether it can be taken back now, and why not. */
export type Outlook = {
  refusal: ErrorCode | null;
  amountPesewas: number;
  /** What can be taken from the wallet, in pesewas. */
  availablePesewas: number;
};

/** Whether the refund of this order can be taken back now; null for an order without one. Takes no lock. */
export async function outlook(tx: Reads, order: Order): Promise<Outlook | null> {
  if (!order.refundedAt) return null;
  const { amountPesewas } = order;
  const [{ availablePesewas }, before] = [
    await wallet.standing(tx, order.userId),
    await refunds.takenBackAmong(tx, [order.id]),
  ];
  const spent = availablePesewas < amountPesewas ? ("order.refund_spent" as const) : null;
  const refusal = before.has(order.id) ? ("order.refund_final" as const) : (refusalOf(order) ?? spent);
  return { refusal, amountPesewas, availablePesewas };
}

function refusalOf({ status, refundedAt }: Order): ErrorCode | null {
  if (status !== "FAILED" || !refundedAt) return "order.not_refunded";
  const isOld = refundedAt.getTime() < Date.now() - TAKE_BACK_DAYS * 86_400_000;
  return isOld ? "order.refund_too_old" : null;
}

/** Sets the order to its true status, and everything that follows from it. The money is taken already. */
async function correct({ tx, by, audit }: Work, order: Order, to: Target, reason: string): Promise<Order> {
  const { id, userId, status: fromStatus } = order;
  const note = `Refund of ${show(order.amountPesewas)} taken back: ${reason}`;
  const [corrected] = await tx
    .update(orders)
    .set({ status: to, refundedAt: null, failure: null, note, updatedAt: sql`now()` })
    .where(eq(orders.id, id))
    .returning();
  await addToDays(tx, [order], 1);
  await countChange(tx, [
    [to, 1],
    [fromStatus, -1],
  ]);
  await afaHolds.holdAgain(tx, id);
  await believeDelivered(tx, id);
  await losses.recover(tx, by, id, note);
  await automaticRefunds.forget(tx, id);
  await orderCosts.settle(tx, [id]);
  await decisions.correct(tx, by, corrected!, note);
  await timeline.append(tx, by, [{ order: { id, userId }, fromStatus, toStatus: to, note }]);
  await queueStatusWebhooks(tx, [{ order: corrected!, from: fromStatus }]);
  if (to === "DELIVERED") {
    await jobs.enqueue(tx, "complete_order", id, await settings.get(tx, "complete_after_seconds"));
  }
  await refundNotices.refundTakenBack(tx, order, reason);
  await audit(id, {
    before: { status: fromStatus, refundedAt: order.refundedAt!.toISOString() },
    after: { status: to, amount: show(order.amountPesewas), reason },
  });
  return corrected!;
}

/**
 * The attempt that was reported as delivered late, or else the last one that was sent, delivered it, unless another
 * still may: its costs are the order's. Concerns about a late delivery are dealt with.
 */
async function believeDelivered(tx: Tx, orderId: number): Promise<void> {
  await tx
    .update(attempts)
    .set({ concern: null })
    .where(and(eq(attempts.orderId, orderId), sql`${attempts.concern} ~ ${losses.CONCERNS}`));
  await tx.execute(sql`
    update attempts set state = 'delivered' where id = (
      select a.id from attempts a left join losses l on l.attempt_id = a.id
      where a.order_id = ${orderId} and a.state in ('failed', 'refunded') and a.sent_at is not null
        and not exists (
          select from attempts other
          where other.order_id = a.order_id and other.state not in ('failed', 'refunded', 'withdrawn'))
      order by l.id is not null desc, a.id desc limit 1)`);
}
