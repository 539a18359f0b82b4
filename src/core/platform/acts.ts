// Acts: what moves money, whole in one commit or not at all, and is answered in time with whether it was done. Whoever
// hears service.busy has been charged nothing, and will not be later.
import { databaseError } from "../../../db/connect.ts";
import { currentWait, inWait, Wait, WaitOver } from "../../../db/waits.ts";
import { AppError } from "../../shared/errors/app-error.ts";

/**
 * Answers with what `work` gives, or after `ms` with what `late` gives. Of work that is still going on by then no
 * transaction commits; `isUndone` says that it was an act, and that surely nothing of it was or will be done.
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

/** Does an act. Throws service.busy when it was given up before anything was done. */
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

/** What an act keeps free at its end, in ms: to do its work and to answer. */
const SPARE_MS = 1_500;
const LOCK_WAIT_MAX_MS = 5_000;
const LOCK_WAIT_MIN_MS = 500;

/** How long an act may wait for a lock, in ms: never past the moment at which its answer is due. */
export function lockWaitMs(waits: (Wait | null)[] = [currentWait()]): number {
  const left = waits.map((wait) => (wait ? wait.msLeft() - SPARE_MS : LOCK_WAIT_MAX_MS));
  return Math.round(Math.max(LOCK_WAIT_MIN_MS, Math.min(LOCK_WAIT_MAX_MS, ...left)));
}

/** Whether there is time enough left for an act to begin with what cannot be undone. */
export function isInTime(wait: Wait | null): boolean {
  return !wait || wait.msLeft() >= SPARE_MS + LOCK_WAIT_MIN_MS;
}

/** A lock or a statement took too long (55P03, 57014): Postgres answers so before it commits, and never after. */
export function isUndone(error: unknown): boolean {
  return error instanceof WaitOver || /^(55P03|57014)$/.test(databaseError(error)?.code ?? "");
}
