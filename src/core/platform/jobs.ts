// The queue: rows of work written in the commit that calls for it. A claim is a lease, so that the job of a worker
// that died comes back; a handler must therefore be able to run twice with one effect.
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { limits } from "../../shared/domain.ts";
import { isAmongFound } from "./sql.ts";

/** How long a claim holds without a sign of life: what a killed process had taken is free again after it. */
export const LEASE_SECONDS = 30;
/** Often enough that one renewal may fail. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** A job that was claimed so often and never ended kills or hangs whoever takes it: it waits for a person. */
const CLAIMS_MAX = 1000;

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
export async function claim(
  db: Db,
  kind: JobKind,
  countMax: number,
  leaseSeconds: number = LEASE_SECONDS,
): Promise<Job[]> {
  const rows = await db.execute<{ id: number; subject_id: number; attempts: number; is_dead: boolean }>(sql`
    update jobs set run_at = now() + make_interval(secs => ${leaseSeconds}), attempts = attempts + 1,
      dead_at = case when attempts + 1 >= ${CLAIMS_MAX} then now() end,
      last_error = case when attempts + 1 >= ${CLAIMS_MAX}
        then coalesce(last_error || '; ', '') || 'begun ' || ${CLAIMS_MAX} || ' times and never ended' else last_error end
    where ${isAmongFound(
      sql`id`,
      sql`select id from jobs where kind = ${kind} and run_at <= now() and dead_at is null
          order by run_at, id limit ${countMax} for update skip locked`,
    )}
    returning id, subject_id, attempts, dead_at is not null as is_dead`);
  return rows
    .filter((row) => !row.is_dead)
    .map((row) => ({ id: row.id, kind, subjectId: row.subject_id, attempts: row.attempts }));
}

/** Does work that may take longer than a lease, and keeps these jobs for this worker until it ends. */
export function holding<T>(
  db: Db,
  held: readonly Job[],
  work: () => Promise<T>,
  everyMs = RENEW_MS,
): Promise<T> {
  return whileRenewing(() => renew(db, held), work, everyMs);
}

/** Does `work`, and `renew` again and again until it ends. A renewal that fails is what a lease is for. */
export async function whileRenewing<T>(
  renew: () => Promise<unknown>,
  work: () => Promise<T>,
  everyMs = RENEW_MS,
): Promise<T> {
  const timer = setInterval(() => void renew().catch(() => {}), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/** What has been ended, put off or taken by another worker meanwhile is left as it is. */
async function renew(db: Db, held: readonly Job[]): Promise<void> {
  const ids = sql.param(held.map(({ id }) => id));
  const attempts = sql.param(held.map((job) => job.attempts));
  await db.execute(sql`
    update jobs j set run_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from unnest(${ids}::bigint[], ${attempts}::int[]) as h(id, attempts)
    where j.id = h.id and j.attempts = h.attempts and j.dead_at is null
      and j.run_at < now() + make_interval(secs => ${LEASE_SECONDS})`);
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
