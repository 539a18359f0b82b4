// The states of an order as people read them, and the colour of each: one of the stylesheet's four chip classes.
import type { OrderStatus } from "./domain.ts";

export const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};

/** The note of a cancelled order as its buyer reads it; admins see who cancelled. */
export const CANCELLED = "You cancelled this order";

/**
 * What its agent reads about an order: its status, or that it has not been paid, that they cancelled it, or that they
 * reported it as not received and wait for the answer.
 */
export type OrderState = OrderStatus | "NOT PAID" | "CANCELLED" | "REPORTED";

export const CHIP_OF_STATE: Record<OrderState, string> = {
  ...CHIP_OF_STATUS,
  "NOT PAID": "warn",
  CANCELLED: "",
  REPORTED: "warn",
};

/** What an order's state follows from. */
export type Stated = { status: OrderStatus; paidAt: Date | null; note: string | null; isReported: boolean };

export function stateOf({ status, paidAt, note, isReported }: Stated): OrderState {
  if (status === "PENDING" && !paidAt) return "NOT PAID";
  if (status === "FAILED" && note === CANCELLED) return "CANCELLED";
  return isReported && (status === "DELIVERED" || status === "COMPLETED") ? "REPORTED" : status;
}

/** Whether an order's state cannot change any more by itself. */
export function isFinal(state: OrderState): boolean {
  return state === "COMPLETED" || state === "FAILED" || state === "CANCELLED";
}
