// Delivery attempts, as transitions of orders need them. Every change of state happens with the order locked, so that a
// vendor's answer, its webhook, a status check and an admin never interfere.
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { type AttemptState, DESK, type OrderStatus } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";

export type Attempt = typeof attempts.$inferSelect;

/** The states of attempts that are over without a delivery. */
const ENDED: AttemptState[] = ["failed", "refunded", "withdrawn"];

/** The reference of an order's n-th attempt. Vendors require 6 to 25 characters, so short order ids are padded. */
export function referenceOf(orderId: number, n: number): string {
  return `DF${String(orderId).padStart(4, "0")}T${n}`;
}

/** The attempts of these orders, oldest first. */
export async function ofOrders(tx: Reads, orderIds: number[]): Promise<Map<number, Attempt[]>> {
  const rows = await tx.select().from(attempts).where(isAmong(attempts.orderId, orderIds)).orderBy(attempts.id);
  return Map.groupBy(rows, (attempt) => attempt.orderId);
}

/** Whether an attempt has delivered, or still may. */
export function isAlive(attempt: Attempt): boolean {
  return !ENDED.includes(attempt.state);
}

/** Those of these orders that may have been dispatched to a vendor or the desk. */
export async function dispatchedAmong(tx: Reads, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(and(isAmong(attempts.orderId, orderIds), notInArray(attempts.state, [...ENDED, "queued"])));
  return new Set(rows.map((row) => row.orderId));
}

/**
 * Applies a transition by a person or a deadline to the orders' attempts. Queued ones are withdrawn: the person takes
 * over, or the order was refunded. Those at the desk end as the order does. Those at a vendor keep their status checks,
 * because the vendor may still deliver.
 */
export async function followTransition(tx: Tx, orderIds: number[], to: OrderStatus): Promise<void> {
  await withdrawQueued(tx, orderIds);
  if (to === "PROCESSING") return;
  await tx
    .update(attempts)
    .set({ state: to === "FAILED" ? "failed" : "delivered", endedAt: sql`now()` })
    .where(
      and(isAmong(attempts.orderId, orderIds), eq(attempts.vendor, DESK), inArray(attempts.state, ["processing"])),
    );
}

/** Withdraws the queued attempts of locked orders. */
export async function withdrawQueued(tx: Tx, orderIds: number[]): Promise<void> {
  await tx
    .update(attempts)
    .set({ state: "withdrawn", endedAt: sql`now()` })
    .where(and(isAmong(attempts.orderId, orderIds), eq(attempts.state, "queued")));
}
