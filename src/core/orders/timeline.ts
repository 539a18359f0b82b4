// The timeline of an order, as its agent and admins read it. Nothing else writes `order_events`.
import type { Tx } from "../../../db/connect.ts";
import { orderEvents } from "../../../db/schema/orders.ts";
import type { By, OrderStatus } from "../../shared/domain.ts";
import { insertRows } from "../platform/parts.ts";
import type { OrderEvent } from "./buy.ts";

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
export async function appendOne(tx: Tx, by: By, entry: Entry): Promise<OrderEvent> {
  const [event] = await tx.insert(orderEvents).values(rowOf(by, entry)).returning();
  return event!;
}

function rowOf(by: By, { order, isInternal = false, ...entry }: Entry) {
  const { channel, userId: byUserId } = by;
  return { ...entry, isInternal, orderId: order.id, userId: order.userId, channel, byUserId };
}
