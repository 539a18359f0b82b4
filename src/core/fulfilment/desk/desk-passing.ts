// Passing desk batches on: to a colleague, or taking one over from somebody who does not send it.
import { eq } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { deskBatches } from "../../../../db/schema/fulfilment.ts";
import { users } from "../../../../db/schema/identity.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id } from "../../../shared/inputs.ts";
import { hasRight } from "../../../shared/rights.ts";
import { isActiveWith } from "../../platform/colleagues/staff.ts";
import { command } from "../../platform/commands.ts";
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
 * Puts a batch into the name of another of the staff, `toUserId`, who may be the caller: its holder gives it away, or
 * somebody takes an untouched one over. Whoever manages delivery may also move one that was sent in part. `fromUserId`
 * is the holder that the caller saw. No effect when it is theirs already.
 */
export const passOn = command({
  name: "batch.pass_on",
  right: "orders.work",
  about: "Put a batch into a colleague's name, or take an untouched one over",
  subject: "batch",
  input: { batchId: Id, fromUserId: Id.describe("Its holder, as you saw"), toUserId: Id },
  errors: ["desk.batch_not_found", "desk.batch_changed", "desk.batch_touched", "desk.nobody_to_take_it"],
  run: async ({ tx, by, audit }, { batchId, fromUserId, toUserId }) => {
    await lockBatch(tx, batchId);
    const { batch: held } = await batch(tx, batchId);
    const to = await colleague(tx, toUserId);
    if (held.takenByUserId === toUserId) return held;
    if (held.takenByUserId !== fromUserId || held.openCount === 0) throw new AppError("desk.batch_changed");
    requireHold(by, held);
    await tx.update(deskBatches).set({ takenByUserId: toUserId }).where(eq(deskBatches.id, batchId));
    await audit(batchId, { before: { holder: held.takenBy }, after: { holder: to.username } });
    return { ...held, takenByUserId: toUserId, takenBy: to.username };
  },
});

async function colleague(tx: Tx, userId: number): Promise<Colleague> {
  const [found] = await tx.select().from(users).where(eq(users.id, userId));
  if (found?.status !== "ACTIVE" || !hasRight(found, "orders.work")) throw new AppError("desk.nobody_to_take_it");
  return { id: found.id, username: found.username };
}
