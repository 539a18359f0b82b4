// Delivery attempts, as an order's transitions need them. Every change of state is made with the order locked, so that a
// vendor's answer, its webhook, a status check and an admin never cross.
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { type AttemptState, DESK, type OrderStatus } from "../../shared/domain.ts";
import { isAmong } from "../platform/sql.ts";

export type Attempt = typeof attempts.$inferSelect;

/** What an attempt can still come to be when it is in one of these. */
const ENDED: AttemptState[] = ["failed", "refunded", "withdrawn"];

/** Vendors want 6 characters at least, and 25 at most: the first orders of a shop are filled up, and later ones never. */
export function referenceOf(orderId: number, number: number): string {
  return `DF${String(orderId).padStart(4, "0")}T${number}`;
}

/** The attempts of these orders, oldest first. */
export async function ofOrders(tx: Tx, orderIds: number[]): Promise<Map<number, Attempt[]>> {
  const rows = await tx
    .select()
    .from(attempts)
    .where(isAmong(attempts.orderId, orderIds))
    .orderBy(attempts.id);
  return Map.groupBy(rows, (attempt) => attempt.orderId);
}

export function isAlive(attempt: Attempt): boolean {
  return !ENDED.includes(attempt.state);
}

/** Whether somebody outside may have been asked to deliver these orders; returns those for which it is so. */
export async function handedOver(tx: Tx, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ orderId: attempts.orderId })
    .from(attempts)
    .where(and(isAmong(attempts.orderId, orderIds), notInArray(attempts.state, [...ENDED, "queued"])));
  return new Set(rows.map((row) => row.orderId));
}

/**
 * What a move of orders by a person or by the clock means for their attempts. What was not sent yet is withdrawn: the
 * person sees to it, or the money is back. What the desk holds ends as the order does. What a vendor holds is still
 * asked about, because it may yet deliver.
 */
export async function follow(tx: Tx, orderIds: number[], to: OrderStatus): Promise<void> {
  await withdrawQueued(tx, orderIds);
  if (to === "PROCESSING") return;
  await tx
    .update(attempts)
    .set({ state: to === "FAILED" ? "failed" : "delivered", endedAt: sql`now()` })
    .where(
      and(
        isAmong(attempts.orderId, orderIds),
        eq(attempts.vendor, DESK),
        inArray(attempts.state, ["processing"]),
      ),
    );
}

/** Takes back what waits to be sent, of orders that are locked. */
export async function withdrawQueued(tx: Tx, orderIds: number[]): Promise<void> {
  await tx
    .update(attempts)
    .set({ state: "withdrawn", endedAt: sql`now()` })
    .where(and(isAmong(attempts.orderId, orderIds), eq(attempts.state, "queued")));
}
