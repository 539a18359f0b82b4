// The colour of each order status's chip: one of the four meanings that colours have.
import type { OrderStatus } from "./domain.ts";

export const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};
