// Acts: work that moves money, done in one commit or not at all, and answered in time with whether it was done. A
// caller that gets service.busy has been charged nothing, and will not be later.
import { databaseError } from "../../../db/connect.ts";
import { currentWait, inWait, Wait, WaitOver } from "../../../db/waits.ts";
import { AppError } from "../../shared/errors/app-error.ts";

/**
 * The result of `work`, or after `ms` milliseconds that of `late`. Work still running by then commits nothing any more;
 * `isUndone` is true when it was an act of which certainly nothing was or will be done.
 */
export async function answerWithin<T>(
  ms: number,
  work: () => Promise<T>,
  late: (isUndone: boolean) => T | Promise<T>,
): Promise<T> {
  const wait = new Wait(performance.now() + ms);
  const over = Promise.withResolvers<T>();
  const timer = setTimeout(() => over.resolve(late(wait.end())), ms);
  try {
    return await Promise.race([inWait(wait, work), over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Runs `work` as an act. Throws service.busy when it was abandoned before anything was done. */
export async function act<T>(work: () => Promise<T>): Promise<T> {
  const wait = currentWait();
  wait?.beginAct();
  try {
    return await work();
  } catch (error) {
    if (isUndone(error)) throw new AppError("service.busy");
    throw error;
  } finally {
    wait?.endAct();
  }
}

/** Time an act reserves after its locks, to do its work and to answer. */
const SPARE_MS = 1_500;
const LOCK_WAIT_MAX_MS = 5_000;
const LOCK_WAIT_MIN_MS = 500;

/** How long an act may wait for a lock, in ms: never beyond the moment its answer is due. */
export function lockWaitMs(waits: (Wait | null)[] = [currentWait()]): number {
  const left = waits.map((wait) => (wait ? wait.msLeft() - SPARE_MS : LOCK_WAIT_MAX_MS));
  return Math.round(Math.max(LOCK_WAIT_MIN_MS, Math.min(LOCK_WAIT_MAX_MS, ...left)));
}

/** Whether enough time is left for an act to start something that cannot be undone. */
export function isInTime(wait: Wait | null): boolean {
  return !wait || wait.msLeft() >= SPARE_MS + LOCK_WAIT_MIN_MS;
}

/**
 * True when a lock or a statement timed out (55P03, 57014), or a transaction was broken up again and again (40001,
 * 40P01): Postgres reports these before a commit, never after.
 */
export function isUndone(error: unknown): boolean {
  return error instanceof WaitOver || /^(55P03|57014|40001|40P01)$/.test(databaseError(error)?.code ?? "");
}
