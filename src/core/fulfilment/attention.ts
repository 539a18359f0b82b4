// The list of what needs an admin: overdue orders, unknown outcomes, concerns, late orders, dead jobs.
import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { attempts } from "../../../db/schema/fulfilment.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders } from "../../../db/schema/orders.ts";
import { limits, OPEN_STATUSES } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { Id, requiredText } from "../../shared/inputs.ts";
import type { Attempt } from "../orders/attempts.ts";
import * as losses from "../orders/losses.ts";
import type { OrderRow } from "../orders/queries.ts";
import * as timeline from "../orders/timeline.ts";
import { command } from "../platform/commands.ts";
import * as settings from "../platform/settings/settings.ts";
import { isBundle, isDue } from "../platform/sql.ts";
import { IS_FOR_PERSON } from "./deadlines.ts";
import * as holders from "./holders.ts";

/** An outcome unknown for longer than this is listed. */
const UNKNOWN_MINUTES = 10;
/** The most orders of each status that are looked at when late ones are counted. */
const OLDEST_COUNTED = 250;
/** An order counts as late after this part of its promised time, while there is time left to act. */
const LATE_AFTER = 0.75;

/** An order that somebody should push: who has it, and by when. */
export type LateOrder = {
  order: OrderRow;
  holder: holders.Holder | undefined;
  deadline: Date | null;
  /** It is not refunded automatically: too many losses of its agent, or above the bound. */
  isForPerson: boolean;
};

export type Attention = {
  /** Past their deadline and not refunded automatically: an admin decides. */
  overdue: LateOrder[];
  /** Attempts with a concern: a vendor's report contradicts what we did, and it is no open loss. */
  concerns: { attempt: Attempt; order: OrderRow }[];
  /** Attempts whose outcome is unknown. */
  unknown: { attempt: Attempt; order: OrderRow }[];
  /** Paid, not delivered, and late by the setting or by their own promise. */
  late: LateOrder[];
  /** Jobs that failed for good. */
  deadJobs: { id: number; kind: string; subjectId: number; lastError: string | null }[];
};

/** Everything that needs attention, oldest first. */
export async function attention(db: Db): Promise<Attention> {
  const stuckMinutes = await settings.get(db, "stuck_after_minutes");
  const [overdue, concerns, unknown, late, deadJobs] = await Promise.all([
    lateOrders(db, and(MAY_BE_OVERDUE, IS_OVERDUE)!),
    withOrder(db, IS_CONCERN),
    withOrder(db, IS_UNKNOWN),
    lateOrders(db, and(isStuck(stuckMinutes), sql`not ${IS_OVERDUE}`, sql`not ${IS_IN_BATCH}`)!),
    db.execute<{ id: number; kind: string; subject_id: number; last_error: string | null }>(sql`
      select id, kind, subject_id, last_error from jobs where dead_at is not null
      order by id limit ${limits.waitingRows}`),
  ]);
  return {
    overdue,
    concerns,
    unknown,
    late,
    deadJobs: deadJobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      subjectId: job.subject_id,
      lastError: job.last_error,
    })),
  };
}

/**
 * SQL: paid bundle orders that are late: undelivered for longer than this many minutes, or for most of their promised
 * time, whichever is earlier.
 */
export function isStuck(minutes: number | SQL): SQL {
  const isLate = sql`now() >= least(
    ${orders.paidAt} + make_interval(mins => ${minutes}),
    ${orders.paidAt} + (${orders.deliverBy} - ${orders.paidAt}) * ${LATE_AFTER}::float8)`;
  return and(inArray(orders.status, [...OPEN_STATUSES]), isNotNull(orders.paidAt), isLate, isBundle)!;
}

/** SQL on an order and its live attempt: it is in an admin's batch, which is listed instead. */
const IS_IN_BATCH = sql`coalesce(${attempts.vendor} = 'desk' and ${attempts.state} = 'processing', false)`;

/** SQL, likewise: its vendor has held it too long, or it is past its deadline and a person decides about it. */
const IS_OVERDUE = sql`(
  ${orders.paidAt} is not null and ${isBundle} and (
    coalesce(${attempts.vendor} <> 'desk' and ${attempts.state} in ('accepted', 'processing', 'held')
      and ${attempts.holdUntil} <= now(), false)
    or coalesce(${orders.deliverBy} <= now(), false) and not ${IS_IN_BATCH}
      and ${IS_FOR_PERSON}))`;

/** SQL: past its deadline or its vendor's, as two indexes find it. IS_OVERDUE alone would read every open order. */
const MAY_BE_OVERDUE = sql`${orders.id} = any(array(
  select order_id from ${attempts} where ${attempts.state} in ('accepted', 'processing', 'held')
    and ${attempts.holdUntil} <= now()
  union all
  select id from ${orders} where ${isDue} and ${orders.deliverBy} <= now()))`;

/** SQL, likewise: its outcome is unknown for too long, and somebody waits for it. */
const IS_UNKNOWN = and(
  eq(attempts.state, "unknown"),
  inArray(orders.status, [...OPEN_STATUSES]),
  lte(attempts.sentAt, sql`now() - make_interval(mins => ${UNKNOWN_MINUTES})`),
)!;

/** SQL, likewise: a report contradicts our records. A loss has a concern as well, and is listed as a loss. */
const IS_CONCERN = and(isNotNull(attempts.concern), sql`not ${losses.isOpenFor(attempts.id)}`)!;

/**
 * SQL for counting what the lists hold: each a query of `since`, `pesewas` and `deadline`, without a limit of its own.
 * Late are at most the oldest orders of each status, because everything that is open may be late in a bad hour.
 */
export const COUNTED = {
  overdue: counted(sql`${MAY_BE_OVERDUE} and ${IS_OVERDUE}`),
  late: counted(sql`
    ${orders.id} = any(array(${oldest("PENDING")} union all ${oldest("PAID")} union all ${oldest("PROCESSING")}))
    and ${isStuck(sql`setting_number('stuck_after_minutes', ${settings.DEFAULTS.stuck_after_minutes})::int`)}
    and not ${IS_OVERDUE} and not ${IS_IN_BATCH}`),
  unknown: sql`
    select ${attempts.sentAt} as since, ${orders.amountPesewas} as pesewas, ${orders.deliverBy} as deadline
    from ${attempts} join ${orders} on ${orders.id} = ${attempts.orderId} where ${IS_UNKNOWN}`,
  concerns: sql`
    select coalesce(${attempts.endedAt}, ${attempts.createdAt}) as since, ${orders.amountPesewas} as pesewas,
           null::timestamptz as deadline
    from ${attempts} join ${orders} on ${orders.id} = ${attempts.orderId} where ${IS_CONCERN}`,
};

function counted(condition: SQL): SQL {
  return sql`
    select ${orders.paidAt} as since, ${orders.amountPesewas} as pesewas, ${orders.deliverBy} as deadline
    from ${orders} left join ${attempts} on ${attempts.orderId} = ${orders.id} and ${holders.IS_ALIVE}
    where ${isDue} and ${condition}`;
}

function oldest(status: string): SQL {
  return sql`(select id from orders where status = ${sql.raw(`'${status}'`)} order by id limit ${OLDEST_COUNTED})`;
}

async function lateOrders(db: Db, condition: SQL): Promise<LateOrder[]> {
  const rows = await db
    .select({
      order: orders,
      username: users.username,
      isForPerson: IS_FOR_PERSON,
    })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .leftJoin(attempts, and(eq(attempts.orderId, orders.id), holders.IS_ALIVE))
    .where(and(isDue, condition))
    .orderBy(asc(orders.deliverBy), asc(orders.id))
    .limit(limits.waitingRows);
  const held = await holders.ofOrders(
    db,
    rows.map(({ order }) => order.id),
  );
  return rows.map(({ order, username, isForPerson }) => {
    const holder = held.get(order.id);
    const waitsForVendor = holder?.deadline && holders.mayDeliver(holder) && !isForPerson;
    const isPastPromise = order.deliverBy && order.deliverBy <= new Date();
    const deadline = waitsForVendor && (isPastPromise || !order.deliverBy) ? holder.deadline : order.deliverBy;
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
    .limit(limits.waitingRows);
  return rows.map(({ attempt, order, username }) => ({ attempt, order: { ...order, username } }));
}

/**
 * Settles a concern with a note, which goes into the audit log, the order's timeline (for staff only) and its loss, if
 * any.
 */
export const settleConcern = command({
  name: "order.concern_settled",
  right: "delivery.manage",
  about: "Settle a concern about an order's delivery with a note",
  subject: "order",
  input: { attemptId: as("id", Id), note: requiredText(limits.noteChars, "Write a note") },
  errors: ["order.not_found"],
  run: async ({ tx, by, audit }, { attemptId, note }) => {
    const [before] = await tx.select().from(attempts).where(eq(attempts.id, attemptId)).for("update");
    if (!before) throw new AppError("order.not_found");
    if (before.concern === null) return;
    await tx.update(attempts).set({ concern: null }).where(eq(attempts.id, attemptId));
    await losses.settle(tx, by, attemptId, note);
    const order = { id: before.orderId, userId: before.userId };
    await timeline.append(tx, by, [{ order, note: `${before.concern}. ${note}`, isInternal: true }]);
    await audit(before.orderId, { before: { concern: before.concern }, after: { note } });
  },
});

/** Puts an attempt's status check at the front of the worker's queue. */
export const checkFirst = command({
  name: "order.check_first",
  right: "orders.work",
  about: "Ask an order's supplier about it before others",
  subject: "order",
  input: { attemptId: as("id", Id) },
  errors: [],
  run: async ({ tx }, { attemptId }) => {
    await tx
      .update(attempts)
      .set({ dueAt: sql`now() - interval '1 day'` })
      .where(
        and(
          eq(attempts.id, attemptId),
          inArray(attempts.state, ["unknown", "accepted", "processing", "held"]),
          sql`${attempts.vendor} <> 'desk'`,
        ),
      );
  },
});

/** Queues a dead job again; no effect when it is not dead. */
export const retryJob = command({
  name: "job.retry",
  right: "delivery.manage",
  about: "Queue a job again that failed for good",
  subject: "job",
  input: { jobId: as("id", Id) },
  errors: [],
  run: async ({ tx, audit }, { jobId }) => {
    const [before] = await tx.execute<{ kind: string; subject_id: number; last_error: string | null }>(sql`
      update jobs set dead_at = null, attempts = 0, run_at = now() where id = ${jobId} and dead_at is not null
      returning kind, subject_id, last_error`);
    // Another admin was first.
    if (!before) return;
    const { kind, subject_id: about, last_error: lastError } = before;
    await audit(jobId, { before: { kind, about, lastError } });
  },
});
