// Desk batches: orders that an admin takes to send by hand.
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { deskBatches, attempts as table } from "../../../db/schema/fulfilment.ts";
import { type ByUser, DESK, type Operator } from "../../shared/domain.ts";
import * as auditLog from "../platform/audit-log.ts";
import { insertRows } from "../platform/parts.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as attempts from "./attempts.ts";
import type { Order } from "./order.ts";

/**
 * Creates a batch in the name of the admin who sends it, in the caller's transaction; returns its id. The orders are
 * locked and not yet dispatched; attempts queued for a vendor are withdrawn.
 */
export async function createBatch(tx: Tx, by: ByUser, orders: Order[]): Promise<number> {
  const minutes = await settings.get(tx, "desk_batch_minutes");
  const operators = new Set(orders.map(({ operator }) => operator));
  const [only] = operators;
  const operator: Operator | null = operators.size === 1 ? only! : null;
  const [batch] = await tx
    .insert(deskBatches)
    .values({
      operator,
      orders: orders.length,
      takenByUserId: by.userId,
      deadline: sql`now() + make_interval(mins => ${minutes})`,
    })
    .returning();
  const ids = orders.map(({ id }) => id);
  await withdrawFromVendors(tx, ids);
  const dispatched = {
    state: "processing" as const,
    deskBatchId: batch!.id,
    sentAt: sql`now()`,
    vendorMessage: `Batch ${batch!.id}`,
  };
  const atDesk = await tx
    .update(table)
    .set({ ...dispatched, sends: sql`${table.sends} + 1` })
    .where(and(isAmong(table.orderId, ids), eq(table.vendor, DESK), eq(table.state, "queued")))
    .returning({ orderId: table.orderId });
  const queued = new Set(atDesk.map(({ orderId }) => orderId));
  const tried = await attempts.ofOrders(tx, ids);
  const rows = orders
    .filter(({ id }) => !queued.has(id))
    .map(({ id: orderId, userId }) => ({
      orderId,
      userId,
      vendor: DESK,
      sends: 1,
      reference: attempts.referenceOf(orderId, (tried.get(orderId)?.length ?? 0) + 1),
    }));
  await insertRows(tx, table, rows, dispatched);
  await auditLog.record(tx, by, [
    { action: "batch.take", subjectType: "batch", subjectId: batch!.id, after: { orders: ids } },
  ]);
  return batch!.id;
}

async function withdrawFromVendors(tx: Tx, orderIds: number[]): Promise<void> {
  await tx
    .update(table)
    .set({ state: "withdrawn", endedAt: sql`now()` })
    .where(and(isAmong(table.orderId, orderIds), sql`${table.vendor} <> ${DESK}`, inArray(table.state, ["queued"])));
}
