// The colour of each order status: one of the stylesheet's four chip classes.
import type { OrderStatus } from "./domain.ts";

export const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};

/** What a row of an agent's list says about an order: its status, or that it has not been paid. */
export type OrderState = OrderStatus | "NOT PAID";

export const CHIP_OF_STATE: Record<OrderState, string> = { ...CHIP_OF_STATUS, "NOT PAID": "warn" };

export function stateOf({ status, paidAt }: { status: OrderStatus; paidAt: Date | null }): OrderState {
  return status === "PENDING" && !paidAt ? "NOT PAID" : status;
}

/** Whether an order's state cannot change any more by itself. */
export function isFinal(state: OrderState): boolean {
  return state === "COMPLETED" || state === "FAILED";
}
