// The queue of delivery attempts: enqueues them, and claims those that are due.
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { type AttemptState, DESK } from "../../shared/domain.ts";
import { type Attempt, referenceOf } from "../orders/attempts.ts";
import type { Order } from "../orders/order.ts";
import { insertRows } from "../platform/parts.ts";
import { isAmongFound } from "../platform/sql.ts";
import { mayBeSentAlready } from "./restore.ts";

/**
 * Inserts a queued attempt for each order, which must be locked and have no live one. After a restore from a backup,
 * orders from before it begin with a status check instead, because the vendor may have them.
 */
export async function enqueue(tx: Tx, routed: { order: Order; vendor: string; number: number }[]): Promise<void> {
  if (routed.length === 0) return;
  const needsCheck = await mayBeSentAlready(tx);
  const rows = routed.map(({ order, vendor, number }) => ({
    orderId: order.id,
    userId: order.userId,
    vendor,
    reference: referenceOf(order.id, number),
  }));
  const isUnknown = (row: (typeof rows)[number]) => row.vendor !== DESK && needsCheck(row.orderId);
  const [unknown = [], queued = []] = [true, false].map((is) => rows.filter((row) => isUnknown(row) === is));
  await insertRows(tx, attempts, unknown, { state: "unknown", sentAt: sql`now()` });
  await insertRows(tx, attempts, queued);
}

/** Claims due attempts in these states for `leaseSeconds`. */
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
      // Capped, because it only determines the interval of checks, and the column must not overflow.
      statusChecks: sql`least(${attempts.statusChecks}, 1000) + 1`,
    })
    .where(isAmongFound(attempts.id, due))
    .returning();
}

/** Whether there is anything to claim. */
export async function hasDue(db: Db, vendor: string, states: readonly AttemptState[]): Promise<boolean> {
  const [row] = await selectDue(db, vendor, states).limit(1);
  return row !== undefined;
}

function selectDue(db: Db, vendor: string, states: readonly AttemptState[]) {
  const isDelivered = states[0] === "delivered";
  // Delivered attempts are due only for delivery checks.
  const isDue = sql`${attempts.dueAt} <= now() ${isDelivered ? sql`and ${attempts.checksLeft} > 0` : sql``}`;
  return db
    .select({ id: attempts.id })
    .from(attempts)
    .where(and(eq(attempts.vendor, vendor), isOneOf(states), isDue))
    .$dynamic();
}

/** As literals, not parameters, so that the planner can match the partial index. */
function isOneOf(states: readonly AttemptState[]) {
  return states.length === 1
    ? sql`${attempts.state} = ${sql.raw(`'${states[0]}'`)}`
    : sql`${attempts.state} in (${sql.raw(states.map((state) => `'${state}'`).join(", "))})`;
}
