// Cancellation by the buyer: whether it is still possible, and for how long that is certain.
import type { Reads } from "../../../db/connect.ts";
import { AFA_SIZE } from "../../shared/domain.ts";
import * as settings from "../platform/settings.ts";
import * as attempts from "./attempts.ts";
import type { Order } from "./order.ts";

/**
 * How an order can be cancelled now. `secondsLeft` counts to the moment when a paid bundle is dispatched; null when
 * that moment is unknown: of an unpaid order, of a registration, and of a bundle that waits longer than it had to.
 */
export type Cancellation = { secondsLeft: number | null };

/** The terms on which `transitions.cancel` accepts this order now; null when it does not. */
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
