// API schemas of transitions: the changes of orders' status that admins request.
import { z } from "zod";
import { ADMIN_TARGETS, limits, SENDERS, TAKE_BACK_TARGETS } from "../../shared/domain.ts";
import { Cedis, Id, requiredText, text } from "../../shared/inputs.ts";
import { moment } from "./common.ts";

export const StatusChange = z.object({
  status: z.string().toUpperCase().pipe(z.enum(ADMIN_TARGETS)),
  reason: text(300).optional(),
  paidInCash: z.boolean().default(false).describe("You took the money in cash; the ledger records your name"),
  via: z
    .enum(SENDERS)
    .optional()
    .describe(
      "Who delivers bundles set to PROCESSING: you, as a desk batch under your name (the default), or the vendor of " +
        "their route; then the status changes once the vendor has accepted them",
    ),
});
/** The refund of an order that was delivered after all, taken back. */
export const TakeBackFields = z.object({
  to: z.string().toUpperCase().pipe(z.enum(TAKE_BACK_TARGETS)).describe("The actual status of the delivery"),
  reason: requiredText(300, "Say what shows that it was delivered").describe(
    "What shows that it was delivered; the agent reads it",
  ),
});
export const TakeBackRefund = TakeBackFields.extend({
  refundedAt: moment.describe("The order's refundedAt, as you read it"),
  amount: Cedis.describe("The order's amount, as you read it"),
});

export const BulkStatusChange = StatusChange.extend({
  ids: z.array(Id, "Select at least one order").min(1, "Select at least one order").max(limits.bulkMoveOrders),
});
