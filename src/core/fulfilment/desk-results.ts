// What came of a desk batch: delivered, failed, or delivered although its money had gone back.
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { ResultLine } from "../../shared/result-lines.ts";
import * as losses from "../orders/losses.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as auditLog from "../platform/audit-log.ts";
import { isAmong } from "../platform/sql.ts";
import { batch } from "./desk.ts";
import { type Matched, match } from "./result-matching.ts";

export type Reported = Matched & {
  /** Orders that were delivered after their money went back. */
  lost: number[];
};

/**
 * Takes in what came of a batch: delivered orders are DELIVERED, failed ones FAILED with their money back, and what
 * nobody can say yet stays in the batch. An order whose money went back meanwhile and that was delivered all the same is
 * recorded as a loss. Lines that fit no order change nothing and are returned. The same report twice changes nothing more.
 * Throws auth.forbidden, desk.batch_not_found.
 */
export async function report(
  db: Db,
  ask: { by: By; batchId: number; lines: readonly ResultLine[] },
): Promise<Reported> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { orders } = await batch(db, ask.batchId);
  const matched = match(
    ask.lines,
    orders.filter(({ isOpen }) => isOpen),
  );
  const unknown = new Set(
    matched.unmatched.filter(({ why }) => why === "not_in_batch").map(({ line }) => line),
  );
  const late = match(
    ask.lines.filter(({ line }) => unknown.has(line)),
    orders.filter(({ isRefunded }) => isRefunded),
  );
  const moved = await moveOpen(db, ask.by, matched.delivered, {
    to: "DELIVERED",
    kind: "delivered",
    reason: `Batch ${ask.batchId}`,
  });
  for (const [words, failed] of Map.groupBy(matched.failed, (one) => one.words)) {
    const ids = failed.map(({ orderId }) => orderId);
    // A portal's words are for admins.
    const reason = words ?? `Batch ${ask.batchId}`;
    await moveOpen(db, ask.by, ids, { to: "FAILED", kind: "refused", reason });
  }
  // What was refunded between the look at the batch and the move has been delivered late as well.
  const missed = matched.delivered.filter((id) => !moved.includes(id));
  const lost = await deliverLate(db, ask.by, ask.batchId, [...late.delivered, ...missed]);
  const known = new Set(late.unmatched.map(({ line }) => line));
  return {
    ...matched,
    delivered: moved,
    unmatched: matched.unmatched.filter(({ line }) => !unknown.has(line) || known.has(line)),
    lost,
  };
}

/**
 * Says of everything that is left of a batch that it was delivered, or that it failed, and why. `expectedCount` is how
 * many orders the admin saw open. Throws auth.forbidden, desk.batch_not_found, desk.batch_changed.
 */
export async function closeRest(
  db: Db,
  ask: {
    by: By;
    batchId: number;
    to: "DELIVERED" | "FAILED";
    reason: string | null;
    expectedCount?: number | undefined;
  },
): Promise<number> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const { orders } = await batch(db, ask.batchId);
  const ids = orders.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  if (ask.expectedCount !== undefined && ask.expectedCount !== ids.length)
    throw new AppError("desk.batch_changed");
  return (await moveOpen(db, ask.by, ids, { to: ask.to, reason: ask.reason ?? undefined })).length;
}

/** Moves orders that can still make this move, and returns which; what somebody else moved meanwhile stays as it is. */
async function moveOpen(db: Db, by: By, ids: number[], wish: transitions.MoveWish): Promise<number[]> {
  if (ids.length === 0) return [];
  const { answer } = await transitions.move(db, { by, key: null, ids, ...wish });
  return answer.filter(({ refusal }) => refusal === null).map(({ id }) => id);
}

/** Records those of a batch's refunded orders that were delivered all the same; returns which were not recorded before. */
async function deliverLate(db: Db, by: By, batchId: number, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  return db.transaction(async (tx) => {
    const found = await transitions.lockOrders(tx, ids);
    const refunded = [...found.values()].filter(({ refundedAt }) => refundedAt !== null);
    const arrived = await tx
      .update(attemptTable)
      .set({ state: "delivered", endedAt: sql`now()`, concern: "Delivered after the money went back" })
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
    const note = "Delivered after the refund";
    await timeline.append(
      tx,
      by,
      arrived.map(({ orderId: id, userId }) => ({ order: { id, userId }, note })),
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
  });
}
