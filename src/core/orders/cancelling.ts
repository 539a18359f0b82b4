// Cancellation by the buyer: the act, whether it is still possible, and for how long that is certain.
import { eq } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { AFA_SIZE } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id } from "../../shared/inputs.ts";
import { CANCELLED } from "../../shared/orders/order-states.ts";
import * as wallet from "../ledger/wallet.ts";
import { command } from "../platform/commands.ts";
import * as settings from "../platform/settings/settings.ts";
import * as switches from "../platform/switches.ts";
import * as attempts from "./attempts.ts";
import type { Order, Spending } from "./order.ts";
import * as transitions from "./transitions.ts";

/** Cancels the caller's own order before it is dispatched; a paid one is refunded in the same commit. */
export const cancel = command({
  name: "order.cancel",
  right: null,
  about: "Cancel an order that has not been sent yet; what was paid is returned to the wallet",
  input: { orderId: Id },
  errors: ["order.not_found", "order.not_cancellable", "service.closed"],
  run: async ({ tx, by }, { orderId }): Promise<Spending> => {
    const order = (await transitions.lockOrders(tx, [orderId])).get(orderId);
    if (!order || order.userId !== by.userId) throw new AppError("order.not_found");
    await switches.requireOpen(tx, "cancelling");
    const isWaiting = order.status === "PENDING" || order.status === "PAID";
    if (!isWaiting || (await attempts.dispatchedAmong(tx, [order.id])).size > 0)
      throw new AppError("order.not_cancellable");
    await transitions.apply(tx, by, [order], "FAILED", CANCELLED);
    const [cancelled] = await tx.select().from(orders).where(eq(orders.id, order.id));
    return { order: cancelled!, balancePesewas: await wallet.balance(tx, by.userId) };
  },
});

/**
 * How an order can be cancelled now. `secondsLeft` counts to the moment when a paid bundle is dispatched; null when
 * that moment is unknown: of an unpaid order, of a registration, and of a bundle that waits longer than it had to.
 */
export type Cancellation = { secondsLeft: number | null };

/** The terms on which `cancel` accepts this order now; null when it does not. */
export async function cancellation(tx: Reads, order: Order): Promise<Cancellation | null> {
  if (order.status !== "PENDING" && order.status !== "PAID") return null;
  if (!order.paidAt) return { secondsLeft: null };
  const [dispatched, holdSeconds] = await Promise.all([
    attempts.dispatchedAmong(tx, [order.id]),
    settings.get(tx, "dispatch_hold_seconds"),
  ]);
  if (dispatched.size > 0) return null;
  const seconds = Math.floor((order.paidAt.getTime() - Date.now()) / 1000) + holdSeconds;
  return { secondsLeft: seconds >= 1 && order.productSize !== AFA_SIZE ? seconds : null };
}
