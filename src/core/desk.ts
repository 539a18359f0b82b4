// The desk: people as a vendor. An admin takes a batch of what waits, sends it by hand, and says what came of it. While
// a batch is out, no other batch holds its orders.
import { and, asc, desc, eq, inArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { orderEvents, orders as orderTable, users } from "../../db/schema.ts";
import { attempts as attemptTable, deskBatches } from "../../db/schema-fulfilment.ts";
import {
  type By,
  isAdmin,
  limits,
  OPEN_STATUSES,
  type Operator,
  type OrderStatus,
} from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import type { ResultLine } from "../shared/result-lines.ts";
import { isAmong } from "./conditions.ts";
import { type Answered, type Key, once } from "./idempotency.ts";
import * as moves from "./moves.ts";
import type { Order } from "./orders.ts";
import * as trail from "./trail.ts";
import { DESK } from "./vendor.ts";

export type Batch = typeof deskBatches.$inferSelect & {
  takenBy: string | null;
  /** Its orders that nobody has said anything about yet. */
  openCount: number;
};

/** How many orders wait at the desk, by operator, and since when. */
export async function waiting(tx: Tx): Promise<{ operator: Operator; count: number; since: Date }[]> {
  const rows = await tx.execute<{ operator: Operator; count: number; since: string }>(sql`
    select o.operator, count(*)::int as count, min(coalesce(o.paid_at, a.created_at)) as since
    from attempts a join orders o on o.id = a.order_id
    where a.vendor = ${DESK} and a.state = 'queued' group by o.operator order by o.operator`);
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}

/**
 * Takes up to `countMax` waiting orders of an operator out of the desk, the oldest first, as one batch. They are
 * PROCESSING from then on, and the admin is named in the log of changes.
 * Throws auth.forbidden, desk.nothing_waiting.
 */
export async function take(
  db: Db,
  ask: { by: By; key: Key | null; operator: Operator; countMax: number },
): Promise<Answered<{ batchId: number; orders: number }>> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const countMax = Math.min(ask.countMax, limits.deskBatchOrders);
  return once(db, ask.by.userId!, ask.key, ["desk.take", ask.operator, countMax], async (tx) => {
    const taken = await lockWaiting(tx, ask.operator, countMax);
    if (taken.length === 0) throw new AppError("desk.nothing_waiting");
    const [batch] = await tx
      .insert(deskBatches)
      .values({ operator: ask.operator, orders: taken.length, takenByUserId: ask.by.userId! })
      .returning();
    const ids = taken.map(({ id }) => id);
    await tx
      .update(attemptTable)
      .set({
        state: "processing",
        deskBatchId: batch!.id,
        sends: sql`${attemptTable.sends} + 1`,
        sentAt: sql`now()`,
        words: `Batch ${batch!.id}`,
      })
      .where(
        and(
          isAmong(attemptTable.orderId, ids),
          eq(attemptTable.vendor, DESK),
          eq(attemptTable.state, "queued"),
        ),
      );
    // An order that comes back from an earlier batch, or from a vendor that failed at it, is PROCESSING already.
    const fresh = taken.filter(({ status }) => status !== "PROCESSING");
    await moves.apply(tx, ask.by, fresh, "PROCESSING", `Batch ${batch!.id} of the desk`);
    await trail.record(tx, ask.by, [
      { action: "batch.take", subjectType: "batch", subjectId: batch!.id, after: { orders: ids } },
    ]);
    return { batchId: batch!.id, orders: taken.length };
  });
}

/** The newest batches; open ones are those with orders that nobody has said anything about. */
export async function batches(tx: Tx, limit: number = limits.pageSize): Promise<Batch[]> {
  return selectBatches(tx).orderBy(desc(deskBatches.id)).limit(limit);
}

export type BatchOrder = Order & { isOpen: boolean };

/** A batch with its orders, in the order in which they were placed. Throws desk.batch_not_found. */
export async function batch(tx: Tx, batchId: number): Promise<{ batch: Batch; orders: BatchOrder[] }> {
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
    orders: rows.map(({ order, state }) => ({ ...order, isOpen: state === "processing" })),
  };
}

/** Puts what is left of a batch back to the desk, for another batch. Throws auth.forbidden, desk.batch_not_found. */
export async function release(db: Db, { by, batchId }: { by: By; batchId: number }): Promise<number> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  return db.transaction(async (tx) => {
    const { orders } = await batch(tx, batchId);
    const ids = orders.filter(({ isOpen }) => isOpen).map(({ id }) => id);
    await moves.lockOrders(tx, ids);
    const back = await tx
      .update(attemptTable)
      .set({ state: "queued", deskBatchId: null, dueAt: sql`now()` })
      .where(and(eq(attemptTable.deskBatchId, batchId), eq(attemptTable.state, "processing")))
      .returning({ orderId: attemptTable.orderId, userId: attemptTable.userId });
    await tx.update(deskBatches).set({ releasedAt: sql`now()` }).where(eq(deskBatches.id, batchId));
    if (back.length > 0) {
      const note = "Back at the desk, waiting to be sent";
      await tx
        .insert(orderEvents)
        .values(back.map((row) => ({ ...row, note, channel: by.channel, byUserId: by.userId })));
    }
    await trail.record(tx, by, [
      {
        action: "batch.release",
        subjectType: "batch",
        subjectId: batchId,
        after: { orders: back.map((row) => row.orderId) },
      },
    ]);
    return back.length;
  });
}

export type Matched = {
  delivered: number[];
  failed: { orderId: number; words: string | null }[];
  /** Lines that change nothing: for no open order, for one of several, or for a part of one. */
  unmatched: { line: number; msisdn: string; why: "not_in_batch" | "ambiguous" | "partly" }[];
};

/**
 * Which order each line is about. The file of a batch has a line for each bundle, so an order for three has three lines;
 * whoever reports may also use one line for the whole order. Several orders for one number are told apart by their
 * size, or need as many lines as they have bundles, all with the same outcome. Nothing is guessed.
 */
export function match(lines: readonly ResultLine[], orders: readonly BatchOrder[]): Matched {
  const matched: Matched = { delivered: [], failed: [], unmatched: [] };
  const open = Map.groupBy(
    orders.filter(({ isOpen }) => isOpen),
    ({ msisdn }) => msisdn,
  );
  for (const [msisdn, told] of Map.groupBy(lines, (line) => line.msisdn)) {
    let rest = open.get(msisdn) ?? [];
    for (const group of Map.groupBy(told, (line) => line.volumeMb).values()) {
      const { settled, why } = matchGroup(group, rest);
      rest = rest.filter((order) => !settled.includes(order));
      for (const { id: orderId } of settled) {
        if (group[0]!.outcome === "delivered") matched.delivered.push(orderId);
        else matched.failed.push({ orderId, words: group[0]!.words });
      }
      if (why) matched.unmatched.push(...group.map(({ line }) => ({ line, msisdn, why })));
    }
  }
  return matched;
}

type GroupMatch = { settled: BatchOrder[]; why?: "not_in_batch" | "ambiguous" | "partly" };

/** Lines for one number and of one size (or of none), against the orders that are open for that number. */
function matchGroup(group: readonly ResultLine[], orders: readonly BatchOrder[]): GroupMatch {
  const sizeMb = group[0]!.volumeMb;
  const isAgreed = new Set(group.map(({ outcome }) => outcome)).size === 1;
  const whole = orders.filter((order) => sizeMb === null || totalMb(order) === sizeMb);
  if (group.length === 1 && whole.length === 1) return { settled: whole };
  const fitting = orders.filter((order) => sizeMb === null || order.volumeMb === sizeMb);
  if (fitting.length === 0) return { settled: [], why: "not_in_batch" };
  const bundles = fitting.reduce((sum, { quantity }) => sum + quantity, 0);
  if (isAgreed && group.length === bundles) return { settled: fitting };
  return { settled: [], why: fitting.length === 1 ? "partly" : "ambiguous" };
}

function totalMb({ volumeMb, quantity }: Order): number | null {
  return volumeMb === null ? null : volumeMb * quantity;
}

/**
 * Takes in what came of a batch: delivered orders are DELIVERED, failed ones FAILED with their money back. Lines that
 * fit no open order change nothing and are returned. The same report twice finds nothing open and changes nothing.
 * Throws auth.forbidden, desk.batch_not_found.
 */
export async function report(
  db: Db,
  ask: { by: By; batchId: number; lines: readonly ResultLine[] },
): Promise<Matched> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { orders } = await batch(db, ask.batchId);
  const matched = match(ask.lines, orders);
  await moveOpen(db, ask.by, matched.delivered, "DELIVERED", `Batch ${ask.batchId}: delivered`);
  for (const [words, failed] of Map.groupBy(matched.failed, (one) => one.words)) {
    const ids = failed.map(({ orderId }) => orderId);
    await moveOpen(db, ask.by, ids, "FAILED", words ?? "Could not be delivered");
  }
  return matched;
}

/** Says of everything that is left of a batch that it was delivered, or that it failed, and why. */
export async function closeRest(
  db: Db,
  ask: { by: By; batchId: number; to: "DELIVERED" | "FAILED"; reason: string | null },
): Promise<number> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { orders } = await batch(db, ask.batchId);
  const ids = orders.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  return moveOpen(db, ask.by, ids, ask.to, ask.reason);
}

/** Moves orders that can still make this move; what somebody else moved meanwhile stays as it is. */
async function moveOpen(
  db: Db,
  by: By,
  ids: number[],
  to: OrderStatus,
  reason: string | null,
): Promise<number> {
  if (ids.length === 0) return 0;
  const { answer } = await moves.move(db, { by, key: null, ids, to, ...(reason && { reason }) });
  return answer.filter(({ refusal }) => refusal === null).length;
}

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
        // One whose promise is broken is about to be paid back.
        sql`(${orderTable.deliverBy} is null or ${orderTable.deliverBy} > now())`,
      ),
    )
    .orderBy(asc(orderTable.id))
    .limit(countMax)
    // What another admin is taking at this moment is theirs.
    .for("update", { of: orderTable, skipLocked: true });
  const locked = rows.map(({ order }) => order);
  // Locked now; whoever held one of them before may have taken its attempt meanwhile.
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

function selectBatches(tx: Tx) {
  return tx
    .select({
      id: deskBatches.id,
      operator: deskBatches.operator,
      orders: deskBatches.orders,
      takenByUserId: deskBatches.takenByUserId,
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
