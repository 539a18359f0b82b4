// The colour of each order status: one of the stylesheet's four chip classes.
import type { OrderStatus } from "../domain.ts";

export const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};
