// What an admin asks for when orders are to be moved.
import { z } from "zod";
import { ADMIN_TARGETS, limits, SENDERS } from "../../shared/domain.ts";
import { Id, text } from "./index.ts";

export const StatusChange = z.object({
  status: z.string().toUpperCase().pipe(z.enum(ADMIN_TARGETS)),
  reason: text(300).optional(),
  paidInCash: z
    .boolean()
    .default(false)
    .describe("The admin took the money in cash; their name goes into the ledger"),
  via: z
    .enum(SENDERS)
    .optional()
    .describe(
      "Who sends bundles that go to PROCESSING: you, as a desk batch under your name (when left out), or their route, with the status changing once somebody has them",
    ),
});
export const BulkStatusChange = StatusChange.extend({
  ids: z
    .array(Id, "Select at least one order")
    .min(1, "Select at least one order")
    .max(limits.bulkMoveOrders),
});
