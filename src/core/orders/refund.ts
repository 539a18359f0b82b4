// Refunds of orders by staff, and what one person may refund: one limit for orders under way, a lower one for completed
// orders. All failures are counted here first, so that many small refunds count as much as a large one.
import { z } from "zod";
import type { Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { maskCards } from "../../shared/ghana-card.ts";
import { Id, text } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed } from "../../shared/rights.ts";
import * as secondPerson from "../platform/colleagues/second-person.ts";
import { command, type Question, type Work } from "../platform/commands.ts";
import { fingerprint } from "../platform/idempotency.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import type { Order } from "./order.ts";
import { moveAll, moved, type TransitionResult } from "./transitions.ts";

/** Why an order fails, which its buyer reads. */
export const FailureReason = text(300).overwrite(maskCards).optional();
export const OrderIds = z.array(Id, "Select at least one order").max(limits.bulkMoveOrders);

/** Fails an order and refunds what was paid for it, in one commit; the order is answered. */
export const refund = command({
  name: "order.refund",
  right: "orders.refund",
  about: "Fail an order, and refund what was paid for it",
  subject: "order",
  input: { orderId: Id, reason: FailureReason },
  errors: [
    ...(["order.not_found", "order.move_not_allowed", "auth.own_account", "afa.reason_missing"] as const),
    "service.closed",
  ],
  asks: "Refund of an order",
  run: async (work, { orderId, reason }) => moved(work.tx, await failAll(work, [orderId], reason)),
});

/** As `refund`, of many orders, with the result of each. */
export const refundMany = command({
  name: "order.refund_many",
  right: "orders.refund",
  about: "Fail many orders, and refund what was paid for them, with a result for each",
  subject: "order",
  input: { ids: OrderIds, reason: FailureReason },
  errors: ["service.closed"],
  asks: "Refund of many orders",
  run: (work, { ids, reason }) => failAll(work, [...new Set(ids)], reason),
});

function failAll(work: Work, ids: number[], reason: string | undefined): Promise<TransitionResult[]> {
  return moveAll(work.tx, work.by, ids, { to: "FAILED", reason }, (moving) =>
    requireRefunds(work, moving, { reason: reason ?? null }),
  );
}

type Options = Pick<Question, "reason" | "right"> & {
  /** Small sums need no proof of who it is: whoever types a password all day types it anywhere. */
  isDaily?: boolean;
};

/**
 * Passes when these orders, which are locked and about to fail, may be refunded; unpaid ones count nothing. `isDaily`
 * work needs no proof of who it is up to `unproven_refunds_pesewas` in 24 hours. Throws
 * auth.confirm_needed, service.closed, and as secondPerson.require.
 */
export async function requireRefunds(
  { tx, by, agree }: Pick<Work, "tx" | "by" | "agree">,
  failing: readonly Order[],
  { isDaily = false, ...act }: Options,
): Promise<void> {
  const refunded = failing.filter(({ paidAt }) => paidAt !== null);
  if (refunded.length === 0 && !by.approval) return;
  const amountPesewas = refunded.reduce((sum, order) => sum + order.amountPesewas, 0);
  if (!isDaily || !(await isSmall(tx, by, refunded, amountPesewas))) requireConfirmed(by);
  await switches.requireOpen(tx, "refunds");
  const concerns = [...new Set(refunded.map(({ userId }) => userId))];
  const statuses = [...new Set(refunded.map(({ status }) => status))].sort().join(", ");
  await agree({
    ...act,
    concerns,
    subject: subjectOf(failing),
    seen: {
      state: { Orders: refunded.length, Status: statuses, Amount: show(amountPesewas) },
      version: fingerprint(failing.map(({ id, status }) => [id, status])),
    },
    summary: await summaryOf(tx, refunded, amountPesewas),
    counts: refunded.map((order) => ({
      limit: order.status === "COMPLETED" ? "alone_late_refunds_pesewas" : "alone_refunds_pesewas",
      ...{ userId: order.userId, pesewas: order.amountPesewas },
    })),
    amountPesewas,
  });
}

/** Whether these and what the same person refunded before stay within what is refunded without a proof. */
async function isSmall(tx: Tx, by: ByUser, refunded: readonly Order[], pesewas: number): Promise<boolean> {
  if (refunded.some(({ status }) => status === "COMPLETED")) return false;
  const { unproven_refunds_pesewas, alone_refunds_pesewas } = await settings.all(tx);
  const before = await secondPerson.doneAlone(tx, by, "alone_refunds_pesewas");
  return before + pesewas <= Math.min(unproven_refunds_pesewas, alone_refunds_pesewas);
}

function subjectOf(failing: readonly Order[]): string {
  return failing.length === 1 ? `order ${failing[0]!.id}` : `orders ${fingerprint(failing.map(({ id }) => id))}`;
}

async function summaryOf(tx: Tx, refunded: readonly Order[], amountPesewas: number): Promise<string> {
  const amount = show(amountPesewas);
  const owners = [...new Set(refunded.map(({ userId }) => userId))];
  const [first] = await tx
    .select()
    .from(users)
    .where(isAmong(users.id, owners.slice(0, 1)));
  const [only] = refunded;
  if (refunded.length === 1)
    return `fail order ${only!.id}, which is ${only!.status}, and refund ${amount} to ${first!.username}`;
  const whose = owners.length === 1 ? `of ${first?.username}` : `of ${owners.length} agents`;
  return `fail ${refunded.length} orders ${whose} and refund ${amount}`;
}
