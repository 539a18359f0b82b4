// Passing desk batches on: to a colleague, or taking one over from somebody who does not send it.
import { eq } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { deskBatches } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasRight, requireRight } from "../../shared/rights.ts";
import * as auditLog from "../platform/audit-log.ts";
import { isActiveWith } from "../platform/staff.ts";
import { batch, lockBatch, requireHold } from "./desk.ts";

export type Colleague = { id: number; username: string };

/** Those who can be given a batch, by name. */
export async function colleagues(tx: Reads): Promise<Colleague[]> {
  return tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(isActiveWith("orders.work"))
    .orderBy(users.username);
}

/**
 * Puts a batch into the name of another admin, `toUserId`, who may be `by`: its holder gives it away, or somebody takes
 * an untouched one over. Whoever manages delivery may also move one that was sent in part. `fromUserId` is the holder
 * that `by` saw. No effect when it is that admin's already.
 * Throws auth.forbidden, desk.batch_not_found, desk.batch_changed, desk.batch_touched, desk.nobody_to_take_it.
 */
export async function passOn(
  db: Db,
  command: { by: ByUser; batchId: number; fromUserId: number; toUserId: number },
): Promise<Colleague> {
  const { by, batchId, fromUserId, toUserId } = command;
  requireRight(by, "orders.work");
  return db.transaction(async (tx) => {
    await lockBatch(tx, batchId);
    const { batch: held } = await batch(tx, batchId);
    const to = await colleague(tx, toUserId);
    if (held.takenByUserId === toUserId) return to;
    if (held.takenByUserId !== fromUserId || held.openCount === 0) throw new AppError("desk.batch_changed");
    requireHold(by, held);
    await tx.update(deskBatches).set({ takenByUserId: toUserId }).where(eq(deskBatches.id, batchId));
    await auditLog.record(tx, by, [
      {
        action: "batch.pass_on",
        subjectType: "batch",
        subjectId: batchId,
        before: { holder: held.takenBy },
        after: { holder: to.username },
      },
    ]);
    return to;
  });
}

async function colleague(tx: Tx, userId: number): Promise<Colleague> {
  const [found] = await tx.select().from(users).where(eq(users.id, userId));
  if (found?.status !== "ACTIVE" || !hasRight(found, "orders.work")) throw new AppError("desk.nobody_to_take_it");
  return { id: found.id, username: found.username };
}
