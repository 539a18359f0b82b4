// The states of an order as its agent reads them, and the colour of each. Apart from status-chips.ts, which every page
// of an agent loads.
import type { OrderStatus } from "../domain.ts";
import { CHIP_OF_STATUS } from "./status-chips.ts";

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
