// Which of the four meanings of colour the mark of a status has.
import type { OrderStatus } from "./domain.ts";

export const CHIP_OF_STATUS: Record<OrderStatus, string> = {
  PENDING: "warn",
  PAID: "info",
  PROCESSING: "info",
  DELIVERED: "good",
  COMPLETED: "good",
  FAILED: "bad",
};
