// What needs a person in delivery: orders whose deadline has passed, batches that are due, outcomes that nobody
// knows, cases, losses.
import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type By, isAdmin, limits, OPEN_STATUSES } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { Attempt } from "../orders/attempts.ts";
import * as disputes from "../orders/disputes.ts";
import * as losses from "../orders/losses.ts";
import type { OrderRow } from "../orders/queries.ts";
import * as timeline from "../orders/timeline.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as settings from "../platform/settings.ts";
import { isBundle } from "../platform/sql.ts";
import * as desk from "./desk.ts";
import * as holders from "./holders.ts";

/** So many of each are listed; the oldest come first, and what is dealt with makes room. */
const SHOWN = 50;
/** An outcome that is unknown for longer than this needs a person. */
const UNKNOWN_MINUTES = 10;
/** A case is shown when its deadline is no further off than this. */
const CASE_HOURS = 4;
/** An order is late when this part of its promise has passed: there is time left to do something. */
const LATE_AFTER = 0.75;

/** An order that should be moved on by somebody: who has it, and by when. */
export type LateOrder = {
  order: OrderRow;
  holder: holders.Holder | undefined;
  deadline: Date | null;
  /** The clock does not refund it, because its agent had too much delivered after refunds. */
  isForPerson: boolean;
};

export type Attention = {
  /** Their deadline has passed, and no clock refunds them: a person decides. */
  overdue: LateOrder[];
  /** Batches of the desk that are due soon or overdue, the nearest deadline first. */
  batches: desk.Batch[];
  /** Attempts with a concern: what a vendor said against what we did. */
  concerns: { attempt: Attempt; order: OrderRow }[];
  /** Nobody knows whether these were delivered. */
  unknown: { attempt: Attempt; order: OrderRow }[];
  /** Paid, not delivered, and late by the setting or soon by their own promise. */
  late: LateOrder[];
  /** Said not to have arrived, and the deadline is near or past. */
  cases: disputes.DisputeRow[];
  /** Work that the shop has given up trying. */
  deadJobs: { id: number; kind: string; subjectId: number; lastError: string | null }[];
};

/** Everything that needs a person, the oldest first. */
export async function attention(db: Db): Promise<Attention> {
  const stuckMinutes = await settings.get(db, "stuck_after_minutes");
  const [overdue, batches, concerns, unknown, late, dueCases, deadJobs] = await Promise.all([
    lateOrders(db, IS_OVERDUE),
    desk.dueBatches(db, SHOWN),
    withOrder(db, isNotNull(attempts.concern)),
    withOrder(
      db,
      and(
        eq(attempts.state, "unknown"),
        // Once somebody has decided about the order, or the clock has, nobody waits for the answer.
        inArray(orders.status, [...OPEN_STATUSES]),
        lte(attempts.sentAt, sql`now() - make_interval(mins => ${UNKNOWN_MINUTES})`),
      ),
    ),
    lateOrders(db, and(isStuck(stuckMinutes), sql`not ${IS_OVERDUE}`, sql`not ${IS_IN_BATCH}`)!),
    disputes.listOpen(db, { limit: SHOWN, withinHours: CASE_HOURS }),
    db.execute<{ id: number; kind: string; subject_id: number; last_error: string | null }>(sql`
      select id, kind, subject_id, last_error from jobs where dead_at is not null order by id limit ${SHOWN}`),
  ]);
  return {
    overdue,
    batches,
    concerns,
    unknown,
    late,
    cases: dueCases,
    deadJobs: deadJobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      subjectId: job.subject_id,
      lastError: job.last_error,
    })),
  };
}

export type Counts = Record<keyof Attention, number>;

/** How many of each kind need a person, as far as they are listed. */
export async function counts(db: Db): Promise<Counts> {
  const lengths = Object.entries(await attention(db)).map(([kind, list]) => [kind, list.length]);
  return Object.fromEntries(lengths) as Counts;
}

/**
 * Paid orders of bundles that are late: not delivered for longer than so many minutes, or for the better part of the time
 * that they were promised in, whichever is earlier.
 */
export function isStuck(minutes: number): SQL {
  const isLate = sql`now() >= least(
    ${orders.paidAt} + make_interval(mins => ${minutes}),
    ${orders.paidAt} + (${orders.deliverBy} - ${orders.paidAt}) * ${LATE_AFTER}::float8)`;
  return and(inArray(orders.status, [...OPEN_STATUSES]), isNotNull(orders.paidAt), isLate, isBundle)!;
}

/** SQL, of an order with its living attempt: an admin is sending it by hand, and the batch is listed instead. */
const IS_IN_BATCH = sql`coalesce(${attempts.vendor} = 'desk' and ${attempts.state} = 'processing', false)`;

/** SQL, likewise: its vendor has held it for too long, or its promise has passed and only a person refunds it. */
const IS_OVERDUE = sql`(
  ${orders.paidAt} is not null and ${isBundle} and (
    coalesce(${attempts.vendor} <> 'desk' and ${attempts.state} in ('accepted', 'processing', 'held')
      and ${attempts.holdUntil} <= now(), false)
    or coalesce(${orders.deliverBy} <= now(), false) and not ${IS_IN_BATCH}
      and ${losses.needsManualRefund(orders.userId)}))`;

async function lateOrders(db: Db, condition: SQL): Promise<LateOrder[]> {
  const rows = await db
    .select({
      order: orders,
      username: users.username,
      isForPerson: losses.needsManualRefund(orders.userId),
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(attempts, and(eq(attempts.orderId, orders.id), holders.IS_ALIVE))
    .where(and(inArray(orders.status, [...OPEN_STATUSES]), condition))
    .orderBy(sql`${orders.deliverBy} nulls last`, asc(orders.id))
    .limit(SHOWN);
  const held = await holders.ofOrders(
    db,
    rows.map(({ order }) => order.id),
  );
  return rows.map(({ order, username, isForPerson }) => {
    const holder = held.get(order.id);
    const waitsForVendor = holder?.until && holders.mayDeliver(holder) && !isForPerson;
    const isPastPromise = order.deliverBy && order.deliverBy <= new Date();
    const deadline = waitsForVendor && (isPastPromise || !order.deliverBy) ? holder.until : order.deliverBy;
    return { order: { ...order, username }, holder, deadline, isForPerson };
  });
}

async function withOrder(db: Db, condition: SQL | undefined) {
  const rows = await db
    .select({ attempt: attempts, order: orders, username: users.username })
    .from(attempts)
    .innerJoin(orders, eq(orders.id, attempts.orderId))
    .innerJoin(users, eq(users.id, orders.userId))
    .where(condition)
    .orderBy(asc(attempts.id))
    .limit(SHOWN);
  return rows.map(({ attempt, order, username }) => ({ attempt, order: { ...order, username } }));
}

/**
 * Takes a concern off the list, with a note of what a person found out: the log of changes, the order's timeline (for
 * admins only) and the loss, if it is one, keep it. Throws auth.forbidden, attention.note_missing, order.not_found.
 */
export async function settleConcern(db: Db, ask: { by: By; attemptId: number; note: string }): Promise<void> {
  const { by, attemptId } = ask;
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  const note = ask.note.trim().slice(0, limits.noteChars);
  if (note === "") throw new AppError("attention.note_missing");
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(attempts).where(eq(attempts.id, attemptId)).for("update");
    if (!before) throw new AppError("order.not_found");
    if (before.concern === null) return;
    await tx.update(attempts).set({ concern: null }).where(eq(attempts.id, attemptId));
    await losses.settle(tx, by, attemptId, note);
    const order = { id: before.orderId, userId: before.userId };
    await timeline.append(tx, by, [{ order, note: `${before.concern}. ${note}`, isInternal: true }]);
    await auditLog.record(tx, by, [
      {
        action: "order.concern_settled",
        subjectType: "order",
        subjectId: before.orderId,
        before: { concern: before.concern },
        after: { note },
      },
    ]);
  });
}

/** Has the vendor that holds an order asked about it before all others, by the worker. Throws auth.forbidden. */
export async function askVendor(db: Db, { by, attemptId }: { by: By; attemptId: number }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db
    .update(attempts)
    .set({ dueAt: sql`now() - interval '1 day'` })
    .where(
      and(
        eq(attempts.id, attemptId),
        inArray(attempts.state, ["unknown", "accepted", "processing", "held"]),
        sql`${attempts.vendor} <> 'desk'`,
      ),
    );
}

/** Lets the worker try given-up work again, with an entry in the audit log; does nothing else twice. Throws auth.forbidden. */
export async function retryJob(db: Db, { by, jobId }: { by: By; jobId: number }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    const [before] = await tx.execute<{ kind: string; subject_id: number; last_error: string | null }>(sql`
      update jobs set dead_at = null, attempts = 0, run_at = now() where id = ${jobId} and dead_at is not null
      returning kind, subject_id, last_error`);
    // Another admin has done it.
    if (!before) return;
    const { kind, subject_id: about, last_error: lastError } = before;
    await auditLog.record(tx, by, [
      { action: "job.retry", subjectType: "job", subjectId: jobId, before: { kind, about, lastError } },
    ]);
  });
}
