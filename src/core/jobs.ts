// The queue: rows of work written in the commit that calls for it. A claim is a lease, so that the job of a worker
// that died comes back; a handler must therefore be able to run twice with one effect.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/connect.ts";
import { limits } from "../shared/domain.ts";
import { isAmongFound } from "./conditions.ts";

export type Job = { id: number; kind: JobKind; subjectId: number; attempts: number };
export type JobKind =
  | "dispatch_order"
  | "complete_order"
  | "process_webhook"
  | "process_vendor_event"
  | "send_message"
  | "answer_reset_ask"
  | "tell_accepted"
  | "tell_balance_low"
  | "ask_payer"
  | "hand_in_voucher";

/** More are not told apart: the column would overflow under a job that comes back for weeks. */
const ATTEMPTS_COUNTED = 1000;

/** Queues work on `subjectId` in the caller's transaction, to be done after `delaySeconds`. */
export async function enqueue(tx: Tx, kind: JobKind, subjectId: number, delaySeconds = 0): Promise<void> {
  await enqueueAll(tx, kind, [subjectId], delaySeconds);
}

/** The same for many subjects. */
export async function enqueueAll(
  tx: Tx,
  kind: JobKind,
  subjectIds: number[],
  delaySeconds = 0,
): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx.execute(sql`
    insert into jobs (kind, subject_id, run_at)
    select ${kind}, id, now() + make_interval(secs => ${delaySeconds})
    from unnest(${sql.param(subjectIds)}::bigint[]) as id`);
}

/** Takes up to `countMax` due jobs for `leaseSeconds`; no other worker gets them meanwhile. */
export async function claim(db: Db, kind: JobKind, countMax: number, leaseSeconds: number): Promise<Job[]> {
  const rows = await db.execute<{ id: number; subject_id: number; attempts: number }>(sql`
    update jobs set run_at = now() + make_interval(secs => ${leaseSeconds}),
      attempts = least(attempts, ${ATTEMPTS_COUNTED}) + 1
    where ${isAmongFound(
      sql`id`,
      sql`select id from jobs where kind = ${kind} and run_at <= now() and dead_at is null
          order by run_at, id limit ${countMax} for update skip locked`,
    )}
    returning id, subject_id, attempts`);
  return rows.map((row) => ({ id: row.id, kind, subjectId: row.subject_id, attempts: row.attempts }));
}

/** Ends jobs, in the transaction that records what they did. */
export async function finish(tx: Tx, ids: number[]): Promise<void> {
  await tx.execute(sql`delete from jobs where id = any(${sql.param(ids)}::bigint[])`);
}

/** Ends a job in the transaction that does it; false when another worker has done so, and nothing is left to do. */
export async function take(tx: Tx, id: number): Promise<boolean> {
  return (await tx.execute(sql`delete from jobs where id = ${id} returning id`)).length > 0;
}

/** Puts a job off by so many seconds: it did not fail, it is only not its time. */
export async function postpone(tx: Tx, id: number, seconds: number): Promise<void> {
  await tx.execute(sql`update jobs set run_at = now() + make_interval(secs => ${seconds}) where id = ${id}`);
}

/** Puts jobs back with a growing wait (attempts to the fourth power, in seconds) and, after the last try, to rest. */
export async function fail(tx: Tx, ids: number[], reason: string): Promise<void> {
  await tx.execute(sql`
    update jobs set last_error = ${reason.slice(0, 500)},
      run_at = now() + make_interval(secs => power(least(attempts, ${limits.jobAttempts}), 4)),
      dead_at = case when attempts >= ${limits.jobAttempts} then now() end
    where id = any(${sql.param(ids)}::bigint[])`);
}

/**
 * Works claimed jobs off together by `act`, which finishes them. When that fails, each is tried by itself: one that cannot
 * be done keeps no other from it, and rests after its last try. Throws what the last of those failed with.
 */
export async function workOff(db: Db, due: Job[], act: (due: Job[]) => Promise<void>): Promise<void> {
  try {
    return await act(due);
  } catch (error) {
    const failures = due.length === 1 ? [{ job: due[0]!, error }] : await eachAlone(due, act);
    for (const { job, error } of failures)
      await fail(db, [job.id], error instanceof Error ? error.message : "fault");
    if (failures.length > 0) throw failures.at(-1)!.error;
  }
}

async function eachAlone(
  due: Job[],
  act: (due: Job[]) => Promise<void>,
): Promise<{ job: Job; error: unknown }[]> {
  const failures = [];
  for (const job of due) {
    try {
      await act([job]);
    } catch (error) {
      failures.push({ job, error });
    }
  }
  return failures;
}
