// Results of desk batches: delivered, failed, or delivered after the refund.
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts as attemptTable } from "../../../db/schema/fulfilment.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { ResultLine } from "../../shared/result-lines.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as losses from "../orders/losses.ts";
import * as timeline from "../orders/timeline.ts";
import * as transitions from "../orders/transitions.ts";
import * as auditLog from "../platform/audit-log.ts";
import { ApprovalNeeded } from "../platform/second-person.ts";
import { isAmong } from "../platform/sql.ts";
import { batch } from "./desk.ts";
import { type Matched, match } from "./result-matching.ts";

export type Reported = Matched & {
  /** Orders that were delivered after their refund. */
  lost: number[];
};

/**
 * Applies the results of a batch: delivered orders become DELIVERED, failed ones FAILED and refunded, pending ones stay
 * in the batch. An order that was refunded meanwhile and delivered all the same is recorded as a loss. Lines that match
 * no order are returned. Idempotent.
 * Throws auth.forbidden, desk.batch_not_found, and as secondPerson.require for refunds above the limit; all other lines
 * are applied even so.
 */
export async function report(
  db: Db,
  command: { by: ByUser; batchId: number; lines: readonly ResultLine[] },
): Promise<Reported> {
  requireRight(command.by, "orders.work");
  const { orders } = await batch(db, command.batchId);
  const matched = match(
    command.lines,
    orders.filter(({ isOpen }) => isOpen),
  );
  // Before anything is done: what is sent again must match the same orders.
  if (matched.failed.length > 0) requireConfirmed(command.by);
  const unknown = new Set(
    matched.unmatched.filter(({ reason }) => reason === "not_in_batch").map(({ line }) => line),
  );
  const late = match(
    command.lines.filter(({ line }) => unknown.has(line)),
    orders.filter(({ isRefunded }) => isRefunded),
  );
  const moved = await moveOpen(db, command.by, matched.delivered, {
    to: "DELIVERED",
    kind: "delivered",
    reason: `Batch ${command.batchId}`,
  });
  let needed: ApprovalNeeded | null = null;
  for (const [message, failed] of Map.groupBy(matched.failed, (failure) => failure.message)) {
    const ids = failed.map(({ orderId }) => orderId);
    // A portal's message is for admins.
    const reason = message ?? `Batch ${command.batchId}`;
    try {
      await moveOpen(db, command.by, ids, { to: "FAILED", kind: "refused", reason });
    } catch (error) {
      if (!(error instanceof ApprovalNeeded)) throw error;
      needed ??= error;
    }
  }
  // An order refunded between reading the batch and moving it was delivered late as well.
  const notMoved = matched.delivered.filter((id) => !moved.includes(id));
  const lost = await deliverLate(db, command.by, command.batchId, [...late.delivered, ...notMoved]);
  const known = new Set(late.unmatched.map(({ line }) => line));
  // Everything else is done; the rest of the refunds can be sent again.
  if (needed) throw needed;
  return {
    ...matched,
    delivered: moved,
    unmatched: matched.unmatched.filter(({ line }) => !unknown.has(line) || known.has(line)),
    lost,
  };
}

/**
 * Marks all open orders of a batch as delivered, or as failed with a reason. `expectedCount` is the number of open
 * orders that the admin saw. Throws auth.forbidden, desk.batch_not_found, desk.batch_changed.
 */
export async function closeRest(
  db: Db,
  command: {
    by: ByUser;
    batchId: number;
    to: "DELIVERED" | "FAILED";
    reason: string | null;
    expectedCount?: number | undefined;
  },
): Promise<number> {
  requireRight(command.by, "orders.work");
  const { orders } = await batch(db, command.batchId);
  const ids = orders.filter(({ isOpen }) => isOpen).map(({ id }) => id);
  if (command.expectedCount !== undefined && command.expectedCount !== ids.length)
    throw new AppError("desk.batch_changed");
  return (await moveOpen(db, command.by, ids, { to: command.to, reason: command.reason ?? undefined }))
    .length;
}

/** Takes those of these orders that still can be, and returns their ids; others, moved meanwhile, stay as they are. */
async function moveOpen(
  db: Db,
  by: ByUser,
  ids: number[],
  request: transitions.TransitionRequest,
): Promise<number[]> {
  if (ids.length === 0) return [];
  const { answer } = await transitions.move(db, { by, key: null, ids, ...request });
  return answer.filter(({ refusal }) => refusal === null).map(({ id }) => id);
}

/** Records those of a batch's refunded orders that were delivered; returns the ids not recorded before. */
async function deliverLate(db: Db, by: ByUser, batchId: number, ids: number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  return db.transaction(async (tx) => {
    const found = await transitions.lockOrders(tx, ids);
    const refunded = [...found.values()].filter(({ refundedAt }) => refundedAt !== null);
    const arrived = await tx
      .update(attemptTable)
      .set({ state: "delivered", endedAt: sql`now()`, concern: "Delivered after the refund" })
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
