// What waits, kept for all viewers of a process: pages read it as it was a moment ago, and the streams of open pages
// share one reading every few seconds, which ends with the last of them.
import type { Db } from "../../../db/connect.ts";
import { forgetKept, type Waiting, waiting } from "./waiting.ts";

/** Pages show what is at most this old, besides what their viewer has just done. */
const KEPT_MS = 2_000;
/** How often it is read while somebody watches. */
const POLL_MS = 5_000;

type Watch = {
  /** The last reading, and when it began. */
  last: { at: number; reading: Promise<Waiting[]> } | null;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setTimeout> | null;
};

const watches = new WeakMap<object, Watch>();

/** What waits, as it was at most two seconds ago. */
export function current(db: Db): Promise<Waiting[]> {
  const watch = watchOf(db);
  if (!watch.last || Date.now() - watch.last.at > KEPT_MS) read(db, watch);
  return watch.last!.reading;
}

/** Forgets the last reading, because somebody has done some of the work: pages and streams show it at once. */
export function changed(db: Db): void {
  const watch = watches.get(db);
  if (!watch) return;
  watch.last = null;
  forgetKept(db);
  if (watch.listeners.size > 0) void poll(db, watch);
}

/** Calls `listener` after each reading until the returned function is called; readings go on as long as one listens. */
export function listen(db: Db, listener: () => void): () => void {
  const watch = watchOf(db);
  watch.listeners.add(listener);
  watch.timer ??= setTimeout(() => void poll(db, watch), POLL_MS);
  return () => {
    watch.listeners.delete(listener);
    if (watch.listeners.size > 0 || watch.timer === null) return;
    clearTimeout(watch.timer);
    watch.timer = null;
  };
}

function watchOf(db: Db): Watch {
  const known = watches.get(db);
  if (known) return known;
  const watch: Watch = { last: null, listeners: new Set(), timer: null };
  watches.set(db, watch);
  return watch;
}

function read(db: Db, watch: Watch): Promise<Waiting[]> {
  const last = { at: Date.now(), reading: waiting(db) };
  watch.last = last;
  last.reading.catch(() => {
    if (watch.last === last) watch.last = null;
  });
  return last.reading;
}

/** While the database is away nobody hears anything; the next round tries again. */
async function poll(db: Db, watch: Watch): Promise<void> {
  if (watch.timer !== null) clearTimeout(watch.timer);
  watch.timer = setTimeout(() => void poll(db, watch), POLL_MS);
  const isRead = await read(db, watch).then(
    () => true,
    () => false,
  );
  if (isRead) for (const listener of [...watch.listeners]) listener();
}
