// Orders as their buyers first got them, regardless of what became of them: the answers to repeated requests.
import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { transfers } from "../../../db/schema/ledger.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { Order } from "../orders/order.ts";

/** A purchase from the wallet as its buyer first got it; null when the order is not one. */
export async function placedPurchase(
  tx: Reads,
  orderId: number,
): Promise<{ order: Order; balancePesewas: number } | null> {
  const [row] = await chargedOrders(tx, eq(orders.id, orderId));
  return row ? { order: asPlaced(row.order), balancePesewas: row.balanceAfterPesewas! } : null;
}

/** The order as its buyer first got it, regardless of later changes. */
export function asPlaced(order: Order): Order {
  return {
    ...order,
    status: "PENDING",
    refundedAt: null,
    failure: null,
    note: null,
    updatedAt: order.createdAt,
  };
}

/** Orders that were charged, the oldest first, each with the balance after it. */
export async function chargedOrders(tx: Reads, condition: SQL) {
  return tx
    .select({ order: orders, balanceAfterPesewas: transfers.balanceAfterPesewas })
    .from(orders)
    .innerJoin(transfers, and(eq(transfers.subjectId, orders.id), eq(transfers.reason, "charge")))
    .where(condition)
    .orderBy(asc(orders.id));
}
