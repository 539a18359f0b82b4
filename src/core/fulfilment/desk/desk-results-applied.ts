// The effect of a batch's results once they are applied: orders move, failed ones are refunded, and what was delivered
// after its refund is a loss.
import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../../db/connect.ts";
import { attempts as attemptTable, type deskResults, type ResultCounts } from "../../../../db/schema/fulfilment.ts";
import type { ByUser } from "../../../shared/domain.ts";
import * as losses from "../../orders/losses.ts";
import * as timeline from "../../orders/timeline.ts";
import * as transitions from "../../orders/transitions.ts";
import * as auditLog from "../../platform/audit-log.ts";
import { isAmong } from "../../platform/sql.ts";

type Result = Pick<
  typeof deskResults.$inferSelect,
  "deskBatchId" | "byUserId" | "byRoles" | "channel" | "isRest" | "reason" | "orders"
>;

/**
 * Applies results in the caller's transaction, in the name of whoever entered them. Orders that somebody else moved
 * meanwhile stay as they are; one that was refunded meanwhile and is reported as delivered is a loss.
 */
export async function applyResult(tx: Tx, result: Result): Promise<ResultCounts> {
  const { deskBatchId: batchId, isRest, reason, orders } = result;
  const by: ByUser = { userId: result.byUserId, roles: result.byRoles, channel: result.channel };
  const failedIds = orders.failed.map(({ orderId }) => orderId);
  // All locks at once and in the core's order, because what follows moves them in groups.
  const found = await transitions.lockOrders(tx, [...orders.delivered, ...failedIds, ...orders.late]);
  const open = await stillInBatch(tx, batchId, [...orders.delivered, ...failedIds]);
  const move = async (ids: readonly number[], request: transitions.TransitionRequest) => {
    const some = ids.filter((id) => open.has(id));
    const results = some.length > 0 ? await transitions.moveAll(tx, by, some, request) : [];
    return results.filter(({ refusal }) => refusal === null).map(({ id }) => id);
  };
  const ofBatch = `Batch ${batchId}`;
  const delivered = await move(
    orders.delivered,
    isRest ? { to: "DELIVERED" } : { to: "DELIVERED", kind: "delivered", reason: ofBatch },
  );
  const failed: number[] = [];
  for (const [message, group] of Map.groupBy(orders.failed, (failure) => failure.message)) {
    const ids = group.map(({ orderId }) => orderId);
    // A portal's message is for admins; the reason for the rest is written for their buyers.
    const request = isRest
      ? { to: "FAILED" as const, reason: reason ?? undefined }
      : { to: "FAILED" as const, kind: "refused" as const, reason: message ?? ofBatch };
    failed.push(...(await move(ids, request)));
  }
  const notMoved = orders.delivered.filter((id) => !delivered.includes(id));
  const lost = await deliverLate(tx, by, batchId, [...orders.late, ...notMoved]);
  const refunded = failed.map((id) => found.get(id)!).filter(({ paidAt }) => paidAt !== null);
  return {
    delivered: delivered.length,
    failed: failed.length,
    lost: lost.length,
    left: orders.delivered.length + failedIds.length - delivered.length - failed.length,
    refundPesewas: refunded.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0),
  };
}

/** Those of these locked orders that are still out in this batch. */
async function stillInBatch(tx: Tx, batchId: number, ids: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ orderId: attemptTable.orderId })
    .from(attemptTable)
    .where(
      and(
        eq(attemptTable.deskBatchId, batchId),
        eq(attemptTable.state, "processing"),
        isAmong(attemptTable.orderId, ids),
      ),
    );
  return new Set(rows.map(({ orderId }) => orderId));
}

/** Records those of a batch's refunded orders that were delivered; returns the ids not recorded before. */
async function deliverLate(tx: Tx, by: ByUser, batchId: number, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const found = await transitions.lockOrders(tx, ids);
  const refunded = [...found.values()].filter(({ refundedAt }) => refundedAt !== null);
  const arrived = await tx
    .update(attemptTable)
    .set({ state: "delivered", endedAt: sql`now()`, concern: losses.CONCERN })
    .where(
      and(
        eq(attemptTable.deskBatchId, batchId),
        eq(attemptTable.state, "failed"),
        isAmong(
          attemptTable.orderId,
          refunded.map(({ id }) => id),
        ),
      ),
    )
    .returning({ id: attemptTable.id, orderId: attemptTable.orderId, userId: attemptTable.userId });
  if (arrived.length === 0) return [];
  await losses.record(
    tx,
    arrived.map(({ id }) => id),
  );
  await timeline.append(
    tx,
    by,
    arrived.map(({ orderId: id, userId }) => ({ order: { id, userId }, note: losses.CONCERN })),
  );
  const orderIds = arrived.map(({ orderId }) => orderId);
  await auditLog.record(tx, by, [
    {
      action: "batch.delivered_late",
      subjectType: "batch",
      subjectId: batchId,
      after: { orders: orderIds },
    },
  ]);
  return orderIds;
}
