// Hand-overs of orders: the rows, who may change them to what, and what is due. Every change of state is made with the
// order locked, so that a vendor's answer, its webhook, a question and an admin never cross.
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { attempts } from "../../db/schema-fulfilment.ts";
import type { AttemptState, OrderStatus } from "../shared/domain.ts";
import { isAmong, isAmongFound } from "./conditions.ts";
import type { Order } from "./orders.ts";
import { mayBeSentAlready } from "./restoration.ts";
import { DESK } from "./vendor.ts";

export type Attempt = typeof attempts.$inferSelect;

/** What an attempt can still come to be when it is in one of these. */
const ENDED: AttemptState[] = ["failed", "refunded", "withdrawn"];

/**
 * Writes a queued attempt for each order, which must be locked and have none alive. After a restore from a backup a vendor
 * is asked first about orders from before it: it may have been sent them.
 */
export async function queue(
  tx: Tx,
  wishes: { order: Order; vendor: string; number: number }[],
): Promise<void> {
  if (wishes.length === 0) return;
  const isAskedFirst = await mayBeSentAlready(tx);
  const asked = { state: "unknown" as const, sentAt: sql`now()` };
  await tx.insert(attempts).values(
    wishes.map(({ order, vendor, number }) => ({
      ...(vendor !== DESK && isAskedFirst(order.id) && asked),
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

/** Claims attempts that can be asked about or have waited too long for an answer, for `leaseSeconds`. */
export async function claimDue(
  db: Db,
  vendor: string,
  states: readonly AttemptState[],
  { countMax, leaseSeconds }: { countMax: number; leaseSeconds: number },
): Promise<Attempt[]> {
  const due = selectDue(db, vendor, states)
    .orderBy(attempts.dueAt, attempts.id)
    .limit(countMax)
    .for("update", { skipLocked: true });
  return db
    .update(attempts)
    .set({
      dueAt: sql`now() + make_interval(secs => ${leaseSeconds})`,
      // It only says how far apart the questions are: more are not told apart, and the column must not overflow.
      lookUps: sql`least(${attempts.lookUps}, 1000) + 1`,
    })
    .where(isAmongFound(attempts.id, due))
    .returning();
}

/** Whether there is something to claim. */
export async function hasDue(db: Db, vendor: string, states: readonly AttemptState[]): Promise<boolean> {
  const [row] = await selectDue(db, vendor, states).limit(1);
  return row !== undefined;
}

function selectDue(db: Db, vendor: string, states: readonly AttemptState[]) {
  const isDelivered = states[0] === "delivered";
  // Of what is delivered only what is still to be compared is ever due.
  const isDue = sql`${attempts.dueAt} <= now() ${isDelivered ? sql`and ${attempts.checksLeft} > 0` : sql``}`;
  return db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.vendor, vendor), isOneOf(states), isDue))
    .$dynamic();
}

/** In words, not as parameters: only then the planner sees that it is what an index holds. */
function isOneOf(states: readonly AttemptState[]) {
  return states.length === 1
    ? sql`${attempts.state} = ${sql.raw(`'${states[0]}'`)}`
    : sql`${attempts.state} in (${sql.raw(states.map((state) => `'${state}'`).join(", "))})`;
}
