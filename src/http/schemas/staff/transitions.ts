// API schemas of transitions: the changes of orders' status that admins request.
import { z } from "zod";
import { OrderIds } from "../../../core/orders/refund.ts";
import { HOW } from "../../../core/orders/status-changes.ts";
import { ADMIN_TARGETS } from "../../../shared/domain.ts";

export const StatusChange = z.object({ status: z.string().toUpperCase().pipe(z.enum(ADMIN_TARGETS)), ...HOW });
export const BulkStatusChange = StatusChange.extend({
  ids: OrderIds.min(1, "Select at least one order"),
});
