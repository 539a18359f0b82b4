// The queue of delivery attempts: how an attempt begins, and which of them are due.
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { type AttemptState, DESK } from "../../shared/domain.ts";
import { type Attempt, referenceOf } from "../orders/attempts.ts";
import type { Order } from "../orders/buy.ts";
import { isAmongFound } from "../platform/sql.ts";
import { mayBeSentAlready } from "./restore.ts";

/**
 * Writes a queued attempt for each order, which must be locked and have none alive. After a restore from a backup a vendor
 * is asked first about orders from before it: it may have been sent them.
 */
export async function enqueue(
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
