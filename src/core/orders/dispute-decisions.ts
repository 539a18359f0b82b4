// Decisions of disputes, with the webhook messages about them.
import type { Tx } from "../../../db/connect.ts";
import type { By } from "../../shared/domain.ts";
import { queue } from "../platform/webhook-outbox.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import { orderData } from "./json.ts";
import type { Order } from "./order.ts";

/** Decides the open disputes of these orders, if any; the orders are as they are after the decision. */
export async function decide(
  tx: Tx,
  by: By,
  orders: readonly Order[],
  decision: { outcome: "delivered" | "refunded"; note: string | null },
): Promise<void> {
  const ids = orders.map(({ id }) => id);
  await queueWebhooks(tx, orders, await disputedOrders.end(tx, by, ids, decision));
}

/** As `disputedOrders.correct`, for an order as it is after the correction. */
export async function correct(tx: Tx, by: By, order: Order, proof: string): Promise<void> {
  const corrected = await disputedOrders.correct(tx, by, order.id, proof);
  if (corrected) await queueWebhooks(tx, [order], [corrected]);
}

async function queueWebhooks(
  tx: Tx,
  orders: readonly Order[],
  decided: readonly disputedOrders.Decided[],
): Promise<void> {
  const byId = new Map(orders.map((order) => [order.id, order]));
  await queue(
    tx,
    decided.map(({ requestId, orderId, outcome, message }) => {
      const order = byId.get(orderId)!;
      const data = { ...orderData(order), case: { id: requestId, outcome, message } };
      return { event: "order.case_decided", userId: order.userId, orderId, data };
    }),
  );
}
