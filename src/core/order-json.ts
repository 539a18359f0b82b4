// An order as programs read it, in the answers of /api/v1 as in what is sent to developers' endpoints.
import { toCedis } from "../shared/money.ts";
import { localMsisdn } from "../shared/msisdn.ts";
import type { Order } from "./orders.ts";

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
