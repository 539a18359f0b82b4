// The job queue: rows written in the commit that causes the work. A claim is a lease, so the job of a worker that died
// comes back; handlers must therefore be idempotent.
import { sql } from "drizzle-orm";
import type { Db, Tx, TxOrDb } from "../../../db/connect.ts";
import { limits } from "../../shared/domain.ts";
import { isAmongFound } from "./sql.ts";

/** How long a claim lasts without renewal: the jobs of a killed process are free again after it. */
export const LEASE_SECONDS = 30;
/** Frequent enough that one renewal may fail. */
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;
/** A job claimed this often without finishing kills or hangs its worker: it waits for an admin. */
const CLAIMS_MAX = 1000;

export type Job = { id: number; kind: JobKind; subjectId: number; attempts: number };
export type JobKind =
  | "dispatch_order"
  | "complete_order"
  | "apply_desk_result"
  | "process_webhook"
  | "process_vendor_event"
  | "send_message"
  | "send_push"
  | "batch_push"
  | "answer_reset_ask"
  | "tell_accepted"
  | "tell_balance_low"
  | "ask_payer"
  | "hand_in_voucher"
  | "mail_lone_act";

/** Queues a job for `subjectId` in the caller's transaction, due after `delaySeconds`. */
export async function enqueue(tx: Tx, kind: JobKind, subjectId: number, delaySeconds = 0): Promise<void> {
  await enqueueAll(tx, kind, [subjectId], delaySeconds);
}

/** Like `enqueue`, for many subjects. */
export async function enqueueAll(tx: Tx, kind: JobKind, subjectIds: number[], delaySeconds = 0): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx.execute(sql`
    insert into jobs (kind, subject_id, run_at)
    select ${kind}, id, now() + make_interval(secs => ${delaySeconds})
    from unnest(${sql.param(subjectIds)}::bigint[]) as id`);
}

/** Claims up to `countMax` due jobs for `leaseSeconds`; no other worker gets them meanwhile. */
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
        then coalesce(last_error || '; ', '') || 'started ' || ${CLAIMS_MAX} || ' times and never finished'
        else last_error end
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

/** Runs work that may outlast a lease, renewing the claims on these jobs until it ends. */
export function whileHolding<T>(db: Db, held: readonly Job[], work: () => Promise<T>, everyMs = RENEW_MS): Promise<T> {
  return whileRenewing(() => renew(db, held), work, everyMs);
}

/** Runs `work`, calling `renew` every `everyMs` until it ends. A failed renewal is left to the lease. */
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

/** Leaves alone what has been finished, postponed or claimed by another worker meanwhile. */
async function renew(db: Db, held: readonly Job[]): Promise<void> {
  const ids = sql.param(held.map(({ id }) => id));
  const attempts = sql.param(held.map((job) => job.attempts));
  await db.execute(sql`
    update jobs j set run_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from unnest(${ids}::bigint[], ${attempts}::int[]) as h(id, attempts)
    where j.id = h.id and j.attempts = h.attempts and j.dead_at is null
      and j.run_at < now() + make_interval(secs => ${LEASE_SECONDS})`);
}

/** Deletes finished jobs, in the transaction that records their effect. */
export async function finish(tx: TxOrDb, ids: number[]): Promise<void> {
  await tx.execute(sql`delete from jobs where id = any(${sql.param(ids)}::bigint[])`);
}

/** Deletes a job in the transaction that does its work; false when another worker has already done it. */
export async function take(tx: Tx, id: number): Promise<boolean> {
  return (await tx.execute(sql`delete from jobs where id = ${id} returning id`)).length > 0;
}

/** Postpones a job by this many seconds: it did not fail, it is only too early. */
export async function postpone(tx: TxOrDb, id: number, seconds: number): Promise<void> {
  await tx.execute(sql`update jobs set run_at = now() + make_interval(secs => ${seconds}) where id = ${id}`);
}

/** Reschedules failed jobs with a growing wait (attempts⁴ seconds), and marks them dead after the last attempt. */
export async function fail(tx: TxOrDb, ids: number[], reason: string): Promise<void> {
  await tx.execute(sql`
    update jobs set last_error = ${reason.slice(0, 500)},
      run_at = now() + make_interval(secs => power(least(attempts, ${limits.jobAttempts}), 4)),
      dead_at = case when attempts >= ${limits.jobAttempts} then now() end
    where id = any(${sql.param(ids)}::bigint[])`);
}

/**
 * Handles claimed jobs together with `handle`, which finishes them. When that fails, each is tried alone, so that one
 * bad job does not hold up the others; it is marked dead after its last attempt. Throws the last error of those.
 */
export async function handleAll(db: Db, due: Job[], handle: (due: Job[]) => Promise<void>): Promise<void> {
  try {
    return await handle(due);
  } catch (error) {
    const failures = due.length === 1 ? [{ job: due[0]!, error }] : await handleEachAlone(due, handle);
    for (const { job, error } of failures) await fail(db, [job.id], error instanceof Error ? error.message : "fault");
    if (failures.length > 0) throw failures.at(-1)!.error;
  }
}

async function handleEachAlone(
  due: Job[],
  handle: (due: Job[]) => Promise<void>,
): Promise<{ job: Job; error: unknown }[]> {
  const failures = [];
  for (const job of due) {
    try {
      await handle([job]);
    } catch (error) {
      failures.push({ job, error });
    }
  }
  return failures;
}
