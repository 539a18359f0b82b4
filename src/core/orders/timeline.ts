// The timeline of an order, as its agent and admins read it, with the notes of staff. Nothing else writes
// `order_events`.
import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { orderEvents, orders } from "../../../db/schema/orders.ts";
import type { By, ByUser, OrderStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { insertRows } from "../platform/parts.ts";
import type { OrderEvent } from "./order.ts";

/** An event of an order, with a `note` for everybody, or a `kind` for the agent and a `detail` for admins. */
export type Entry = {
  order: { id: number; userId: number };
  fromStatus?: OrderStatus;
  toStatus?: OrderStatus;
  /** Only admins read it. */
  isInternal?: boolean;
} & EntryText;
export type EntryText = Partial<Pick<typeof orderEvents.$inferInsert, "note" | "kind" | "detail">>;

/** Adds entries to the orders' timelines, in the transaction of the event. */
export async function append(tx: Tx, by: By, entries: Entry[]): Promise<void> {
  const rows = entries.map((entry) => rowOf(by, entry));
  await insertRows(tx, orderEvents, rows);
}

/** Adds one entry and returns it as stored. */
async function appendOne(tx: Tx, by: By, entry: Entry): Promise<OrderEvent> {
  const [event] = await tx.insert(orderEvents).values(rowOf(by, entry)).returning();
  return event!;
}

/**
 * Writes a note on an order's timeline, as an admin; the agent reads it only when `isForAgent`.
 * Throws auth.forbidden, order.not_found, request.key_reused.
 */
export async function addNote(
  db: Db,
  command: { by: ByUser; key: Key | null; orderId: number; note: string; isForAgent: boolean },
): Promise<Answered<OrderEvent>> {
  const { by, orderId, note, isForAgent } = command;
  requireRight(by, "orders.note");
  return once(db, by.userId, command.key, ["note", orderId, note, isForAgent], async (tx) => {
    const [order] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, orderId));
    if (!order) throw new AppError("order.not_found");
    const event = await appendOne(tx, by, {
      order: { id: orderId, userId: order.userId },
      note,
      isInternal: !isForAgent,
    });
    const after = { note, shownTo: isForAgent ? "agent" : "admins" };
    await auditLog.record(tx, by, [{ action: "order.note", subjectType: "order", subjectId: orderId, after }]);
    return event;
  });
}

function rowOf(by: By, { order, isInternal = false, ...entry }: Entry) {
  const { channel, userId: byUserId } = by;
  return { ...entry, isInternal, orderId: order.id, userId: order.userId, channel, byUserId };
}
