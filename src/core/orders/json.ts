// An order as programs read it: the same in the answers of /api/v1 and in the messages to developers' webhooks.
import type { Tx } from "../../../db/connect.ts";
import type { OrderStatus } from "../../shared/domain.ts";
import { toCedis } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import * as webhookDeliveries from "../webhooks/deliveries.ts";
import type { Order } from "./buy.ts";

/** GH₵ as a number, the local phone number, ISO times. */
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
    bulkOrderId: order.bulkOrderId,
    note: order.note,
    createdAt: order.createdAt.toISOString(),
  };
}

/** Tells the owners' webhooks that orders have just gone from a status to the one that they have now. */
export async function announce(tx: Tx, moved: { order: Order; from: OrderStatus }[]): Promise<void> {
  await webhookDeliveries.orderStatusChanged(
    tx,
    moved.map(({ order, from }) => ({
      userId: order.userId,
      orderId: order.id,
      data: { ...orderJson(order), amountPesewas: order.amountPesewas, previousStatus: from },
    })),
  );
}
