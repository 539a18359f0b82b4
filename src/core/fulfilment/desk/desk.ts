// The desk, where people act as a vendor: an admin takes a batch of waiting orders, sends them by hand, and records the
// results. An order is in one open batch at a time.
import { and, asc, desc, eq, inArray, isNull, not, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { attempts as attemptTable, deskBatches, deskResults } from "../../../../db/schema/fulfilment.ts";
import { users } from "../../../../db/schema/identity.ts";
import { orders as orderTable } from "../../../../db/schema/orders.ts";
import { type ByUser, DESK, type Family, limits, OPEN_STATUSES } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id, Operator, text } from "../../../shared/inputs.ts";
import { hasRight, requireRight } from "../../../shared/rights.ts";
import { createBatch } from "../../orders/desk-batches.ts";
import * as holds from "../../orders/holds.ts";
import type { Order } from "../../orders/order.ts";
import * as timeline from "../../orders/timeline.ts";
import * as transitions from "../../orders/transitions.ts";
import { command } from "../../platform/commands.ts";
import { isAmong } from "../../platform/sql.ts";

export type Batch = typeof deskBatches.$inferSelect & {
  takenBy: string | null;
  /** Its orders without a result. */
  openCount: number;
};

/** A batch is due soon when its deadline is this near. */
const DUE_SOON_MINUTES = 30;

/** SQL: whether a batch has orders without a result. */
const HAS_OPEN = sql`${deskBatches.id} = any(array(
  select desk_batch_id from attempts where vendor = ${DESK} and state = 'processing'))`;

/** Whether an open batch is near its deadline, or past it. */
export function dueState({ deadline }: Pick<Batch, "deadline">): "in time" | "due soon" | "overdue" {
  const leftMs = deadline.getTime() - Date.now();
  if (leftMs <= 0) return "overdue";
  return leftMs <= DUE_SOON_MINUTES * 60_000 ? "due soon" : "in time";
}

/** Orders of one size that wait at the desk. */
export type WaitingSize = {
  /** What `take` takes it by: family and size. */
  key: string;
  family: Family | null;
  productSize: string;
  count: number;
};

export type WaitingNetwork = {
  operator: Operator;
  count: number;
  since: Date;
  /** The nearest delivery deadline; null when none was promised. */
  deadline: Date | null;
  /** Smallest size first. */
  sizes: WaitingSize[];
};

/** SQL: what an order's size is taken by. */
const SIZE_KEY = sql<string>`coalesce(${orderTable.family}, '-') || ' ' || ${orderTable.productSize}`;

/** The orders that wait at the desk by network and size, since when and until when; overdue ones are left out. */
export async function waiting(tx: Reads): Promise<WaitingNetwork[]> {
  const rows = await tx
    .select({
      operator: orderTable.operator,
      key: SIZE_KEY,
      family: orderTable.family,
      productSize: orderTable.productSize,
      count: sql<number>`count(*)::int`,
      since: sql<string>`min(coalesce(${orderTable.paidAt}, ${attemptTable.createdAt}))`,
      deadline: sql<string | null>`min(${orderTable.deliverBy})`,
    })
    .from(attemptTable)
    .innerJoin(orderTable, eq(orderTable.id, attemptTable.orderId))
    .where(IS_WAITING)
    .groupBy(orderTable.operator, orderTable.family, orderTable.productSize)
    .orderBy(orderTable.operator, orderTable.family, sql`min(${orderTable.volumeMb})`, orderTable.productSize);
  return [...Map.groupBy(rows, ({ operator }) => operator)].map(([operator, sizes]) => {
    const deadlines = sizes.flatMap(({ deadline }) => (deadline ? [Date.parse(deadline)] : []));
    return {
      operator,
      count: sizes.reduce((sum, { count }) => sum + count, 0),
      since: new Date(Math.min(...sizes.map(({ since }) => Date.parse(since)))),
      deadline: deadlines.length > 0 ? new Date(Math.min(...deadlines)) : null,
      sizes: sizes.map(({ key, family, productSize, count }) => ({ key, family, productSize, count })),
    };
  });
}

/**
 * Takes up to `countMax` waiting orders of a network from the desk, oldest first, as one batch in the caller's name;
 * with `sizes`, only those sizes, by their keys. They are PROCESSING from then on.
 */
export const take = command({
  name: "batch.take",
  right: "orders.work",
  about: "Take the oldest waiting orders of a network as a batch of yours; nobody else sends them",
  subject: "batch",
  input: {
    operator: Operator,
    countMax: z.int().min(1).max(limits.deskBatchOrders).default(limits.deskBatchOrders),
    sizes: z.array(text(100)).min(1).max(200).optional().describe("The keys of the sizes to take; all without it"),
  },
  errors: ["desk.nothing_waiting"],
  run: async ({ tx, by }, { operator, countMax, sizes }) => {
    const taken = await lockWaiting(tx, operator, countMax, sizes);
    if (taken.length === 0) throw new AppError("desk.nothing_waiting");
    return takeBatch(tx, by, taken);
  },
});

/** Creates a batch of locked orders that are not yet dispatched, and moves them to PROCESSING. */
export async function takeBatch(tx: Tx, by: ByUser, taken: Order[]): Promise<{ batchId: number; orders: number }> {
  const batchId = await createBatch(tx, by, taken);
  // An order from an earlier batch, or one that a vendor failed, is PROCESSING already.
  const fresh = taken.filter(({ status }) => status !== "PROCESSING");
  await transitions.apply(tx, by, fresh, "PROCESSING", null, () => ({
    kind: "sent",
    detail: `Batch ${batchId} of the desk`,
  }));
  return { batchId, orders: taken.length };
}

/** All batches with orders without a result: one's own first, and of those the nearest deadline. */
export async function openBatches(tx: Reads, { userId }: Pick<ByUser, "userId">): Promise<Batch[]> {
  return selectBatches(tx)
    .where(HAS_OPEN)
    .orderBy(desc(sql`${deskBatches.takenByUserId} is not distinct from ${userId}`), asc(deskBatches.deadline));
}

/** The newest batches that are done. */
export async function doneBatches(tx: Reads, limit: number = limits.pageSize): Promise<Batch[]> {
  return selectBatches(tx).where(not(HAS_OPEN)).orderBy(desc(deskBatches.id)).limit(limit);
}

export type BatchOrder = Order & {
  isOpen: boolean;
  /** Its result was entered and waits to be applied. */
  isEntered: boolean;
  /** Refunded while it was in the batch: if it was delivered all the same, it is a loss. */
  isRefunded: boolean;
};

/** A batch with its orders, oldest first. Throws desk.batch_not_found. */
export async function batch(tx: Reads, batchId: number): Promise<{ batch: Batch; orders: BatchOrder[] }> {
  const [found] = await selectBatches(tx).where(eq(deskBatches.id, batchId));
  if (!found) throw new AppError("desk.batch_not_found");
  const entered = await enteredIn(tx, batchId);
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
      isEntered: entered.has(order.id),
      isRefunded: state === "failed" && order.refundedAt !== null,
    })),
  };
}

/** Whether an order of a batch is open, and no result of it waits. */
export function isFree({ isOpen, isEntered }: Pick<BatchOrder, "isOpen" | "isEntered">): boolean {
  return isOpen && !isEntered;
}

/** Whether nothing of a batch can have been sent, as far as is known: no file was downloaded, and no result came. */
export function isUntouched({ exportedAt, openCount, orders }: Batch): boolean {
  return exportedAt === null && openCount === orders;
}

/** Locks a batch, so that an order gets one result, and none while it is returned to the desk. */
export async function lockBatch(tx: Tx, batchId: number): Promise<void> {
  await tx.select().from(deskBatches).where(eq(deskBatches.id, batchId)).for("update");
}

/**
 * Refuses an act on a batch of somebody else that may have been sent in part, unless `by` manages delivery. Throws
 * desk.batch_touched.
 */
export function requireHold(by: ByUser, held: Batch): void {
  if (held.takenByUserId === by.userId || hasRight(by, "delivery.manage")) return;
  if (!isUntouched(held)) throw new AppError("desk.batch_touched");
}

/** The orders of a batch to be sent, oldest first, and notes that they were downloaded. Throws as `batch`. */
export async function download(db: Db, { by, batchId }: { by: ByUser; batchId: number }): Promise<Order[]> {
  requireRight(by, "orders.work");
  const { batch: held, orders } = await batch(db, batchId);
  if (held.exportedAt === null)
    await db
      .update(deskBatches)
      .set({ exportedAt: sql`now()` })
      .where(and(eq(deskBatches.id, batchId), isNull(deskBatches.exportedAt)));
  return orders.filter(isFree);
}

/**
 * Returns a batch's open orders to the desk, for another batch; those whose results wait stay in it. One of somebody
 * else must be untouched, unless the caller manages delivery.
 */
export const release = command({
  name: "batch.release",
  right: "orders.work",
  about: "Return the remaining orders of a batch to the desk",
  subject: "batch",
  input: { batchId: Id },
  errors: ["desk.batch_not_found", "desk.batch_touched"],
  run: async ({ tx, by, audit }, { batchId }) => {
    await lockBatch(tx, batchId);
    const { batch: held, orders } = await batch(tx, batchId);
    requireHold(by, held);
    const ids = orders.filter(isFree).map(({ id }) => id);
    await transitions.lockOrders(tx, ids);
    const returned = await tx
      .update(attemptTable)
      .set({ state: "queued", deskBatchId: null, dueAt: sql`now()` })
      .where(
        and(
          eq(attemptTable.deskBatchId, batchId),
          eq(attemptTable.state, "processing"),
          isAmong(attemptTable.orderId, ids),
        ),
      )
      .returning({ orderId: attemptTable.orderId, userId: attemptTable.userId });
    await tx.update(deskBatches).set({ releasedAt: sql`now()` }).where(eq(deskBatches.id, batchId));
    const note = "Back at the desk, waiting to be sent";
    await timeline.append(
      tx,
      by,
      returned.map(({ orderId: id, userId }) => ({ order: { id, userId }, note })),
    );
    await audit(batchId, { after: { orders: returned.map((row) => row.orderId) } });
    return { batchId, returned: returned.length };
  },
});

/** SQL: not past its deadline, when it is about to be refunded, and not held. */
export const MAY_BE_SENT = sql`(
  (${orderTable.deliverBy} is null or ${orderTable.deliverBy} > now()) and not ${holds.isHeld(orderTable.userId)})`;

/** SQL on an order and its attempt: it waits at the desk, and may be sent. */
const IS_WAITING = and(
  eq(attemptTable.vendor, DESK),
  eq(attemptTable.state, "queued"),
  inArray(orderTable.status, [...OPEN_STATUSES]),
  MAY_BE_SENT,
)!;

/** SQL: `since`, `pesewas` and `deadline` of each order that waits at the desk, the oldest first. */
export const COUNTED = sql`
  select coalesce(${orderTable.paidAt}, ${orderTable.createdAt}) as since, ${orderTable.amountPesewas} as pesewas,
         ${orderTable.deliverBy} as deadline
  from ${attemptTable} join ${orderTable} on ${orderTable.id} = ${attemptTable.orderId}
  where ${IS_WAITING} order by ${attemptTable.dueAt}`;

/** The orders of a batch whose results wait to be applied. */
async function enteredIn(tx: Reads, batchId: number): Promise<Set<number>> {
  const rows = await tx
    .select({ orders: deskResults.orders })
    .from(deskResults)
    .where(and(eq(deskResults.deskBatchId, batchId), isNull(deskResults.appliedAt), isNull(deskResults.undoneAt)));
  return new Set(
    rows.flatMap(({ orders: { delivered, failed, late } }) => [
      ...delivered,
      ...failed.map(({ orderId }) => orderId),
      ...late,
    ]),
  );
}

async function lockWaiting(
  tx: Tx,
  operator: Operator,
  countMax: number,
  sizes: readonly string[] | undefined,
): Promise<Order[]> {
  const rows = await tx
    .select({ order: orderTable })
    .from(orderTable)
    .innerJoin(attemptTable, eq(attemptTable.orderId, orderTable.id))
    .where(
      and(
        IS_WAITING,
        eq(orderTable.operator, operator),
        sizes && sql`${SIZE_KEY} = any(${sql.param([...sizes])}::text[])`,
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
      exportedAt: deskBatches.exportedAt,
      releasedAt: deskBatches.releasedAt,
      takenBy: users.username,
      openCount: sql<number>`(select count(*)::int from ${attemptTable}
        where ${attemptTable.deskBatchId} = ${deskBatches.id} and ${attemptTable.state} = 'processing')`,
    })
    .from(deskBatches)
    .leftJoin(users, eq(users.id, deskBatches.takenByUserId))
    .$dynamic();
}
