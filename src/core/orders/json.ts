// The JSON form of an order: the same in /api/v1 and in webhook messages.
import type { Tx } from "../../../db/connect.ts";
import type { OrderStatus } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { failureJson } from "../../shared/order-failures.ts";
import * as webhookDeliveries from "../webhooks/deliveries.ts";
import type { Order } from "./buy.ts";

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

/** Queues webhook messages about orders that have just changed status. */
export async function queueStatusWebhooks(
  tx: Tx,
  moved: { order: Order; from: OrderStatus }[],
): Promise<void> {
  await webhookDeliveries.orderStatusChanged(
    tx,
    moved.map(({ order, from }) => ({
      userId: order.userId,
      orderId: order.id,
      data: { ...orderJson(order), amountPesewas: order.amountPesewas, previousStatus: from },
    })),
  );
}
