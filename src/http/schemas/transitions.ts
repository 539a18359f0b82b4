// API schemas of transitions: the changes of orders' status that admins request.
import { z } from "zod";
import { ADMIN_TARGETS, limits, SENDERS } from "../../shared/domain.ts";
import { Id, text } from "./common.ts";

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
export const BulkStatusChange = StatusChange.extend({
  ids: z
    .array(Id, "Select at least one order")
    .min(1, "Select at least one order")
    .max(limits.bulkMoveOrders),
});
