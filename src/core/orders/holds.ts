// Holds: accounts whose orders are not dispatched for some minutes, so that a person can look first. Whatever
// dispatches orders asks here when it takes them: nothing that is held slips through, and nothing has to be undone at
// the end. Deadlines go on, and so does a buyer's right to cancel.
import { eq, gt, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { orderHolds } from "../../../db/schema/orders-holds.ts";
import { deleteInParts } from "../platform/parts.ts";
import { isAmong } from "../platform/sql.ts";

/** How long a hold lasts, unless somebody ends it. */
const HOLD_MINUTES = 10;

/** A hold in force: its end (null: it lasts as long as the freeze), and the signal that it was begun for. */
export type Hold = { until: Date | null; signalId: number };

const isFrozen = sql`exists (select from wallets w where w.user_id = ${orderHolds.userId}
  and w.is_frozen and coalesce(w.frozen_until > now(), true))`;
const isInForce = sql`(${gt(orderHolds.until, sql`now()`)} or ${orderHolds.whileFrozen} and ${isFrozen})`;

/** SQL: whether the orders of this account are held now. */
export function isHeld(userId: SQLWrapper) {
  return sql`exists (select from ${orderHolds} where ${orderHolds.userId} = ${userId} and ${isInForce})`;
}

/**
 * Holds an account's orders from now on; one that is held already keeps the later end. `whileFrozen`: for as long as
 * the account is frozen, besides.
 */
export async function begin(
  tx: Tx,
  { userId, signalId, whileFrozen }: { userId: number; signalId: number; whileFrozen: boolean },
): Promise<void> {
  const until = sql`now() + make_interval(mins => ${HOLD_MINUTES})`;
  await tx
    .insert(orderHolds)
    .values({ userId, signalId, whileFrozen, until })
    .onConflictDoUpdate({
      target: orderHolds.userId,
      set: {
        until: sql`greatest(${orderHolds.until}, excluded.until)`,
        whileFrozen: sql`${orderHolds.whileFrozen} or excluded.while_frozen`,
        signalId: sql`excluded.signal_id`,
        beganAt: sql`now()`,
      },
    });
}

/** Ends an account's hold: its orders go on at once. False when there is none. */
export async function end(tx: Tx, userId: number): Promise<boolean> {
  const ended = await tx
    .delete(orderHolds)
    .where(sql`${eq(orderHolds.userId, userId)} and ${isInForce}`)
    .returning({ userId: orderHolds.userId });
  return ended.length > 0;
}

/** The hold of an account that is in force; null without one. */
export async function of(tx: Reads, userId: number): Promise<Hold | null> {
  return (await ofAccounts(tx, [userId])).get(userId) ?? null;
}

/** The holds in force of these accounts. */
export async function ofAccounts(tx: Reads, userIds: number[]): Promise<Map<number, Hold>> {
  const rows = await tx
    .select({
      userId: orderHolds.userId,
      until: sql<Date | null>`case when ${orderHolds.whileFrozen} and ${isFrozen} then null
        else ${orderHolds.until} end`.mapWith(orderHolds.until),
      signalId: orderHolds.signalId,
    })
    .from(orderHolds)
    .where(sql`${isAmong(orderHolds.userId, userIds)} and ${isInForce}`);
  return new Map(rows.map(({ userId, ...hold }) => [userId, hold]));
}

/** Those of these orders whose accounts are held. */
export async function among(tx: Reads, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(sql`${isAmong(orders.id, orderIds)} and ${isHeld(orders.userId)}`);
  return new Set(rows.map(({ id }) => id));
}

/** Deletes holds that are over. Each ends by itself, whenever this runs. */
export async function forgetOver(db: Db): Promise<number> {
  return deleteInParts(db, orderHolds, sql`not ${isInForce}`);
}
