// Admins' notes on an order's timeline. A note is for admins only unless marked for the agent.
import { eq } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import type { OrderEvent } from "./buy.ts";
import * as timeline from "./timeline.ts";

/**
 * Writes a note on an order's timeline, as an admin; the agent reads it only when `isForAgent`.
 * Throws auth.forbidden, order.not_found, request.key_reused.
 */
export async function add(
  db: Db,
  command: { by: ByUser; key: Key | null; orderId: number; note: string; isForAgent: boolean },
): Promise<Answered<OrderEvent>> {
  const { by, orderId, note, isForAgent } = command;
  requireRight(by, "orders.note");
  return once(db, by.userId, command.key, ["note", orderId, note, isForAgent], async (tx) => {
    const [order] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, orderId));
    if (!order) throw new AppError("order.not_found");
    const event = await timeline.appendOne(tx, by, {
      order: { id: orderId, userId: order.userId },
      note,
      isInternal: !isForAgent,
    });
    const after = { note, shownTo: isForAgent ? "agent" : "admins" };
    await auditLog.record(tx, by, [{ action: "order.note", subjectType: "order", subjectId: orderId, after }]);
    return event;
  });
}
