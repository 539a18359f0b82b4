// The timeline of an order, as its agent and admins read it, with the notes of staff. Nothing else writes
// `order_events`.
import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Tx } from "../../../db/connect.ts";
import { orderEvents, orders } from "../../../db/schema/orders.ts";
import { type By, limits, type OrderStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import { command } from "../platform/commands.ts";
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

/** Writes a note on an order's timeline; the agent reads it only when `isForAgent`. Answers with it. */
export const addNote = command({
  name: "order.note",
  right: "orders.note",
  about: "Add a note to an order's timeline; the agent sees it only with forAgent",
  subject: "order",
  input: {
    orderId: Id,
    note: requiredText(limits.noteChars, "Write a note"),
    isForAgent: as(
      "forAgent",
      z.boolean().default(false).describe("Shows it to the agent; otherwise only staff see it"),
    ),
  },
  errors: ["order.not_found"],
  run: async ({ tx, by, audit }, { orderId, note, isForAgent }) => {
    const [order] = await tx.select({ userId: orders.userId }).from(orders).where(eq(orders.id, orderId));
    if (!order) throw new AppError("order.not_found");
    const event = await appendOne(tx, by, {
      order: { id: orderId, userId: order.userId },
      note,
      isInternal: !isForAgent,
    });
    await audit(orderId, { after: { note, shownTo: isForAgent ? "agent" : "admins" } });
    return event;
  },
});

function rowOf(by: By, { order, isInternal = false, ...entry }: Entry) {
  const { channel, userId: byUserId } = by;
  return { ...entry, isInternal, orderId: order.id, userId: order.userId, channel, byUserId };
}
