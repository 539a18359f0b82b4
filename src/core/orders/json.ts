// The JSON form of an order: the same in /api/v1 and in webhook messages.
import type { Tx } from "../../../db/connect.ts";
import type { OrderStatus } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { failureJson } from "../../shared/orders/order-failures.ts";
import { localMsisdn } from "../../shared/phones/msisdn.ts";
import { queue, type WebhookMessage } from "../platform/webhook-outbox.ts";
import type { Order } from "./order.ts";

/**
 * Amounts in GH₵ as numbers, the phone number in local form, ISO times. An answer that was stored under a key before
 * orders had a reference lacks it.
 */
export function orderJson(order: Order) {
  return {
    id: order.id,
    userId: order.userId,
    operator: order.operator,
    productId: order.productId,
    product: order.productName,
    size: order.productSize,
    msisdn: localMsisdn(order.msisdn),
    quantity: order.quantity,
    amount: toCedis(order.amountPesewas),
    status: order.status,
    paid: order.paidAt !== null,
    paidAt: order.paidAt?.toISOString() ?? null,
    paymentMethod: order.paymentMethod,
    refundedAt: order.refundedAt?.toISOString() ?? null,
    failure: failureJson(order),
    bulkOrderId: order.bulkOrderId,
    reference: order.reference ?? null,
    metadata: order.metadata ?? null,
    note: order.note,
    createdAt: order.createdAt.toISOString(),
  };
}

/** A purchase from the wallet as its buyer's program gets it: the order, and the balance after it in GH₵. */
export function purchaseJson({ order, balancePesewas }: { order: Order; balancePesewas: number }) {
  return { ...orderJson(order), balance: toCedis(balancePesewas) };
}

/** An order in webhook messages: as `orderJson`, with its amount in pesewas as well. */
export function orderData(order: Order) {
  return { ...orderJson(order), amountPesewas: order.amountPesewas };
}

/** Queues webhook messages about orders that have just changed status, and about those of them that were refunded. */
export async function queueStatusWebhooks(
  tx: Tx,
  moved: { order: Order; from: OrderStatus }[],
  refunded: Order[] = [],
): Promise<void> {
  const changes = moved.map(({ order, from }): WebhookMessage => {
    const data = { ...orderData(order), previousStatus: from };
    return { event: "order.status_changed", userId: order.userId, orderId: order.id, data };
  });
  await queue(tx, [...changes, ...refunded.map(refundMessage)]);
}

function refundMessage(order: Order): WebhookMessage {
  const { id: orderId, userId, amountPesewas } = order;
  const refund = { refunded: toCedis(amountPesewas), refundedPesewas: amountPesewas };
  return { event: "order.refunded", userId, orderId, data: { ...orderData(order), ...refund } };
}
