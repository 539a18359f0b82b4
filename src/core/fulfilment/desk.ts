// The desk, where people act as a vendor: an admin takes a batch of waiting orders, sends them by hand, and records the
// results. An order is in one open batch at a time.
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { attempts as attemptTable, deskBatches } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { type ByUser, DESK, limits, OPEN_STATUSES, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight } from "../../shared/rights.ts";
import type { Order } from "../orders/buy.ts";
import { createBatch } from "../orders/desk-batches.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmong } from "../platform/sql.ts";

export type Batch = typeof deskBatches.$inferSelect & {
  takenBy: string | null;
  /** Its orders without a result. */
  openCount: number;
};

/** A batch is due soon when its deadline is this near. */
const DUE_SOON_MINUTES = 30;

/** Open batches that are due soon or overdue, nearest deadline first. */
export async function dueBatches(tx: Reads, limit: number): Promise<Batch[]> {
  const rows = await selectBatches(tx)
    .where(
      sql`${deskBatches.deadline} <= now() + make_interval(mins => ${DUE_SOON_MINUTES})
        and exists (select from attempts open where open.desk_batch_id = ${deskBatches.id}
          and open.state = 'processing')`,
    )
    .orderBy(asc(deskBatches.deadline))
    .limit(limit);
  return rows;
}

/** Whether an open batch is near its deadline, or past it. */
export function dueState({ deadline }: Pick<Batch, "deadline">): "in time" | "due soon" | "overdue" {
  const leftMs = deadline.getTime() - Date.now();
  if (leftMs <= 0) return "overdue";
  return leftMs <= DUE_SOON_MINUTES * 60_000 ? "due soon" : "in time";
}

/** The orders waiting at the desk by operator, and since when. */
export async function waiting(tx: Reads): Promise<{ operator: Operator; count: number; since: Date }[]> {
  const rows = await tx.execute<{ operator: Operator; count: number; since: string }>(sql`
    select o.operator, count(*)::int as count, min(coalesce(o.paid_at, a.created_at)) as since
    from attempts a join orders o on o.id = a.order_id
    where a.vendor = ${DESK} and a.state = 'queued' group by o.operator order by o.operator`);
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}

/**
 * Takes up to `countMax` waiting orders of an operator from the desk, oldest first, as one batch in the admin's name.
 * They are PROCESSING from then on.
 * Throws auth.forbidden, desk.nothing_waiting.
 */
export async function take(
  db: Db,
  command: { by: ByUser; key: Key | null; operator: Operator; countMax: number },
): Promise<Answered<{ batchId: number; orders: number }>> {
  requireRight(command.by, "orders.work");
  const countMax = Math.min(command.countMax, limits.deskBatchOrders);
  return once(db, command.by.userId, command.key, ["desk.take", command.operator, countMax], async (tx) => {
    const taken = await lockWaiting(tx, command.operator, countMax);
    if (taken.length === 0) throw new AppError("desk.nothing_waiting");
    return takeBatch(tx, command.by, taken);
  });
}

/** Creates a batch of locked orders that are not yet dispatched, and moves them to PROCESSING. */
export async function takeBatch(
  tx: Tx,
  by: ByUser,
  taken: Order[],
): Promise<{ batchId: number; orders: number }> {
  const batchId = await createBatch(tx, by, taken);
  // An order from an earlier batch, or one that a vendor failed, is PROCESSING already.
  const fresh = taken.filter(({ status }) => status !== "PROCESSING");
  await transitions.apply(tx, by, fresh, "PROCESSING", null, () => ({
    kind: "sent",
    detail: `Batch ${batchId} of the desk`,
  }));
  return { batchId, orders: taken.length };
}

/** The newest batches; those with orders without a result are open. */
export async function batches(tx: Reads, limit: number = limits.pageSize): Promise<Batch[]> {
  return selectBatches(tx).orderBy(desc(deskBatches.id)).limit(limit);
}

export type BatchOrder = Order & {
  isOpen: boolean;
  /** Refunded while it was in the batch: if it was delivered all the same, it is a loss. */
  isRefunded: boolean;
};

/** A batch with its orders, oldest first. Throws desk.batch_not_found. */
export async function batch(tx: Reads, batchId: number): Promise<{ batch: Batch; orders: BatchOrder[] }> {
  const [found] = await selectBatches(tx).where(eq(deskBatches.id, batchId));
  if (!found) throw new AppError("desk.batch_not_found");
  const rows = await tx
    .select({ order: orderTable, state: attemptTable.state })
    .from(attemptTable)
    .innerJoin(orderTable, eq(orderTable.id, attemptTable.orderId))
    .where(eq(attemptTable.deskBatchId, batchId))
    .orderBy(asc(orderTable.id));
  return {
    batch: found,
    orders: rows.map(({ order, state }) => ({
      ...order,
      isOpen: state === "processing",
      isRefunded: state === "failed" && order.refundedAt !== null,
    })),
  };
}

/** Returns a batch's open orders to the desk, for another batch. Throws auth.forbidden, desk.batch_not_found. */
export async function release(db: Db, { by, batchId }: { by: ByUser; batchId: number }): Promise<number> {
  requireRight(by, "orders.work");
  return db.transaction(async (tx) => {
    const { orders } = await batch(tx, batchId);
    const ids = orders.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    await transitions.lockOrders(tx, ids);
    const returned = await tx
      .update(attemptTable)
      .set({ state: "queued", deskBatchId: null, dueAt: sql`now()` })
      .where(and(eq(attemptTable.deskBatchId, batchId), eq(attemptTable.state, "processing")))
      .returning({ orderId: attemptTable.orderId, userId: attemptTable.userId });
    await tx.update(deskBatches).set({ releasedAt: sql`now()` }).where(eq(deskBatches.id, batchId));
    const note = "Back at the desk, waiting to be sent";
    await timeline.append(
      tx,
      by,
      returned.map(({ orderId: id, userId }) => ({ order: { id, userId }, note })),
    );
    await auditLog.record(tx, by, [
      {
        action: "batch.release",
        subjectType: "batch",
        subjectId: batchId,
        after: { orders: returned.map((row) => row.orderId) },
      },
    ]);
    return returned.length;
  });
}

/** SQL: not past its deadline. An overdue order is about to be refunded. */
export const IS_IN_TIME = sql`(${orderTable.deliverBy} is null or ${orderTable.deliverBy} > now())`;

async function lockWaiting(tx: Tx, operator: Operator, countMax: number): Promise<Order[]> {
  const rows = await tx
    .select({ order: orderTable })
    .from(orderTable)
    .innerJoin(attemptTable, eq(attemptTable.orderId, orderTable.id))
    .where(
      and(
        eq(attemptTable.vendor, DESK),
        eq(attemptTable.state, "queued"),
        eq(orderTable.operator, operator),
        inArray(orderTable.status, [...OPEN_STATUSES]),
        IS_IN_TIME,
      ),
    )
    .orderBy(asc(orderTable.id))
    .limit(countMax)
    // Orders that another admin is taking right now are skipped.
    .for("update", { of: orderTable, skipLocked: true });
  const locked = rows.map(({ order }) => order);
  // Read again under the lock: another transaction may have taken one meanwhile.
  const still = await tx
    .select({ orderId: attemptTable.orderId })
    .from(attemptTable)
    .where(
      and(
        isAmong(
          attemptTable.orderId,
          locked.map(({ id }) => id),
        ),
        eq(attemptTable.vendor, DESK),
        eq(attemptTable.state, "queued"),
      ),
    );
  const queued = new Set(still.map(({ orderId }) => orderId));
  return locked.filter(({ id }) => queued.has(id));
}

function selectBatches(tx: Reads) {
  return tx
    .select({
      id: deskBatches.id,
      operator: deskBatches.operator,
      orders: deskBatches.orders,
      takenByUserId: deskBatches.takenByUserId,
      deadline: deskBatches.deadline,
      createdAt: deskBatches.createdAt,
      releasedAt: deskBatches.releasedAt,
      takenBy: users.username,
      openCount: sql<number>`(select count(*)::int from ${attemptTable}
        where ${attemptTable.deskBatchId} = ${deskBatches.id} and ${attemptTable.state} = 'processing')`,
    })
    .from(deskBatches)
    .leftJoin(users, eq(users.id, deskBatches.takenByUserId))
    .$dynamic();
}
