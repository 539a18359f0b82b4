// Hand-overs of orders: the rows, who may change them to what, and what is due. Every change of state is made with the
// order locked, so that a vendor's answer, its webhook, a question and an admin never cross.
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { attempts } from "../../db/schema-fulfilment.ts";
import type { AttemptState, OrderStatus } from "../shared/domain.ts";
import type { Order } from "./orders.ts";
import { DESK } from "./vendor.ts";

export type Attempt = typeof attempts.$inferSelect;

/** What an attempt can still come to be when it is in one of these. */
const ENDED: AttemptState[] = ["failed", "refunded", "withdrawn"];

/** Writes a queued attempt for each order, which must be locked and have none alive. */
export async function queue(
  tx: Tx,
  wishes: { order: Order; vendor: string; number: number }[],
): Promise<void> {
  if (wishes.length === 0) return;
  await tx.insert(attempts).values(
    wishes.map(({ order, vendor, number }) => ({
      orderId: order.id,
      userId: order.userId,
      vendor,
      reference: referenceOf(order.id, number),
    })),
  );
}

/** Vendors want 6 characters at least, and 25 at most: the first orders of a shop are filled up, and later ones never. */
export function referenceOf(orderId: number, number: number): string {
  return `DF${String(orderId).padStart(4, "0")}T${number}`;
}

/** The attempts of these orders, oldest first. */
export async function ofOrders(tx: Tx, orderIds: number[]): Promise<Map<number, Attempt[]>> {
  const rows = await tx
    .select()
    .from(attempts)
    .where(sql`${attempts.orderId} = any(${sql.param(orderIds)}::bigint[])`)
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
    .where(
      and(
        sql`${attempts.orderId} = any(${sql.param(orderIds)}::bigint[])`,
        notInArray(attempts.state, [...ENDED, "queued"]),
      ),
    );
  return new Set(rows.map((row) => row.orderId));
}

/**
 * What a move of orders by a person or by the clock means for their attempts. What was not sent yet is withdrawn: the
 * person sees to it, or the money is back. What the desk holds ends as the order does. What a vendor holds is still
 * asked about, because it may yet deliver.
 */
export async function follow(tx: Tx, orderIds: number[], to: OrderStatus): Promise<void> {
  const ids = sql`${attempts.orderId} = any(${sql.param(orderIds)}::bigint[])`;
  await tx
    .update(attempts)
    .set({ state: "withdrawn", endedAt: sql`now()` })
    .where(and(ids, eq(attempts.state, "queued")));
  if (to === "PROCESSING") return;
  await tx
    .update(attempts)
    .set({ state: to === "FAILED" ? "failed" : "delivered", endedAt: sql`now()` })
    .where(and(ids, eq(attempts.vendor, DESK), inArray(attempts.state, ["processing"])));
}

/** Claims attempts that can be asked about or have waited too long for an answer, for `leaseSeconds`. */
export async function claimDue(
  db: Db,
  vendor: string,
  states: AttemptState[],
  { countMax, leaseSeconds }: { countMax: number; leaseSeconds: number },
): Promise<Attempt[]> {
  const due = db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.vendor, vendor), inArray(attempts.state, states), sql`${attempts.dueAt} <= now()`))
    .orderBy(attempts.dueAt, attempts.id)
    .limit(countMax)
    .for("update", { skipLocked: true });
  return db
    .update(attempts)
    .set({
      dueAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
      lookUps: sql`${attempts.lookUps} + 1`,
    })
    .where(inArray(attempts.id, due))
    .returning();
}
