// What an admin should look at: orders that nobody moves, outcomes that nobody knows, cases that are due, and losses.
import { and, asc, eq, inArray, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { orders } from "../../db/schema.ts";
import { attempts } from "../../db/schema-fulfilment.ts";
import { type By, isAdmin, OPEN_STATUSES } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import type { Attempt } from "./attempts.ts";
import * as cases from "./cases.ts";
import { isBundle } from "./conditions.ts";
import type { Order } from "./orders.ts";
import * as settings from "./settings.ts";
import * as trail from "./trail.ts";

/** So many of each are listed; the oldest come first, and what is dealt with makes room. */
const SHOWN = 50;
/** An outcome that is unknown for longer than this wants a person. */
const UNKNOWN_MINUTES = 10;
/** A case is shown when its deadline is no further off than this. */
const CASE_HOURS = 4;

export type Attention = {
  /** Attempts with a concern: what a vendor said against what we did. */
  concerns: { attempt: Attempt; order: Order }[];
  /** Nobody knows whether these were delivered. */
  unknown: { attempt: Attempt; order: Order }[];
  /** Paid, and not delivered for longer than the setting allows. */
  stuck: Order[];
  /** Said not to have arrived, and the deadline is near or past. */
  cases: cases.CaseRow[];
  /** Work that the shop has given up trying. */
  deadJobs: { id: number; kind: string; subjectId: number; lastError: string | null }[];
};

/** Everything that wants a person, the oldest first. */
export async function attention(db: Db): Promise<Attention> {
  const stuckMinutes = await settings.get(db, "stuck_after_minutes");
  const withOrder = (condition: ReturnType<typeof and>) =>
    db
      .select({ attempt: attempts, order: orders })
      .from(attempts)
      .innerJoin(orders, eq(orders.id, attempts.orderId))
      .where(condition)
      .orderBy(asc(attempts.id))
      .limit(SHOWN);
  const [concerns, unknown, stuck, dueCases, deadJobs] = await Promise.all([
    withOrder(isNotNull(attempts.concern)),
    withOrder(
      and(
        eq(attempts.state, "unknown"),
        // Once somebody has decided about the order, or the clock has, nobody waits for the answer.
        inArray(orders.status, [...OPEN_STATUSES]),
        lte(attempts.sentAt, sql`now() - make_interval(mins => ${UNKNOWN_MINUTES})`),
      ),
    ),
    db.select().from(orders).where(isStuck(stuckMinutes)).orderBy(asc(orders.id)).limit(SHOWN),
    cases.undecided(db, { limit: SHOWN, withinHours: CASE_HOURS }),
    db.execute<{ id: number; kind: string; subject_id: number; last_error: string | null }>(sql`
      select id, kind, subject_id, last_error from jobs where dead_at is not null order by id limit ${SHOWN}`),
  ]);
  return {
    concerns,
    unknown,
    stuck,
    cases: dueCases,
    deadJobs: deadJobs.map((job) => ({
      id: job.id,
      kind: job.kind,
      subjectId: job.subject_id,
      lastError: job.last_error,
    })),
  };
}

/** Paid orders of bundles that are not delivered for longer than so many minutes. */
export function isStuck(minutes: number): SQL {
  const isLate = lte(orders.paidAt, sql`now() - make_interval(mins => ${minutes})`);
  return and(inArray(orders.status, [...OPEN_STATUSES]), isLate, isBundle)!;
}

/** Takes a concern off the list, once a person has dealt with it. Throws auth.forbidden, order.not_found. */
export async function settleConcern(db: Db, { by, attemptId }: { by: By; attemptId: number }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(attempts).where(eq(attempts.id, attemptId)).for("update");
    if (!before) throw new AppError("order.not_found");
    if (before.concern === null) return;
    await tx.update(attempts).set({ concern: null }).where(eq(attempts.id, attemptId));
    await trail.record(tx, by, [
      {
        action: "order.concern_settled",
        subjectType: "order",
        subjectId: before.orderId,
        before: { concern: before.concern },
      },
    ]);
  });
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
    await trail.record(tx, by, [
      { action: "job.retry", subjectType: "job", subjectId: jobId, before: { kind, about, lastError } },
    ]);
  });
}
