// The browsers to which an account's push messages go. Each belongs to a session, and ends with it.
import { and, asc, eq, gt, inArray, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { sessions } from "../../../db/schema/identity.ts";
import { pushSubscriptions } from "../../../db/schema/messaging.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import type { PushGateway, PushTarget } from "./sender.ts";

export type PushDevice = { id: number; sessionId: string; createdAt: Date };

/**
 * Sends the caller's push messages to this browser from now on; of too many browsers the one added first goes. Throws
 * request.invalid for an address that may not be called, request.rate_limited.
 */
export async function subscribe(
  db: Db,
  gateway: PushGateway,
  { by, sessionId, target }: { by: ByUser; sessionId: string; target: PushTarget },
): Promise<void> {
  const { userId } = by;
  await budgets.spend(db, "push.addresses", userId);
  const problem = await gateway.problemOf(target);
  if (problem) throw new AppError("request.invalid", undefined, problem);
  await db.transaction(async (tx) => {
    // Locked, so that concurrent requests count the account's browsers in turn.
    await tx.execute(sql`select 1 from users where id = ${userId} for no key update`);
    // A browser has one address, and its messages go to whoever asked for them there last.
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.endpoint, target.endpoint));
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId));
    const others = await list(tx, userId);
    const surplus = others.slice(0, Math.max(0, others.length + 1 - limits.pushDevices));
    const ids = surplus.map(({ id }) => id);
    if (ids.length > 0) await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, ids));
    const own = { userId, sessionId, ...target };
    // Another account may have asked there at the same time.
    const onConflict = { target: pushSubscriptions.endpoint, set: own };
    await tx.insert(pushSubscriptions).values(own).onConflictDoUpdate(onConflict);
  });
}

/** Removes one of the caller's browsers; no error for another's, or one that is gone. */
export async function unsubscribe(db: Db, { by, id }: { by: ByUser; id: number }): Promise<void> {
  await db.delete(pushSubscriptions).where(and(eq(pushSubscriptions.userId, by.userId), eq(pushSubscriptions.id, id)));
}

/** An account's browsers whose sessions are live, oldest first. */
export async function list(tx: Reads, userId: number): Promise<PushDevice[]> {
  const { id, sessionId, createdAt } = pushSubscriptions;
  return tx
    .select({ id, sessionId, createdAt })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(and(eq(pushSubscriptions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(asc(id))
    .limit(2 * limits.pushDevices);
}
