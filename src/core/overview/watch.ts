// A shared reading of what waits, for all viewers of a process: a page reads it anew, and the streams of open pages
// share one reading every few seconds, which ends with the last of them.
import type { Db } from "../../../db/connect.ts";
import { type Waiting, waiting } from "./waiting.ts";

/** How often it is read while somebody watches. */
const POLL_MS = 5_000;

type Watch = {
  /** The last reading. */
  last: { at: number; isUnderWay: boolean; reading: Promise<Waiting[]> } | null;
  /** Somebody has done some of the work since. */
  isChanged: boolean;
  listeners: Set<() => void>;
  timer: ReturnType<typeof setTimeout> | null;
};

const watches = new WeakMap<object, Watch>();

/** What waits now. Readers at the same moment share one reading. */
export function current(db: Db): Promise<Waiting[]> {
  const watch = watchOf(db);
  return watch.last?.isUnderWay ? watch.last.reading : read(db, watch);
}

/** What waits, as it was when it was last read for those who listen. */
export function latest(db: Db): Promise<Waiting[]> {
  const watch = watchOf(db);
  return watch.last && Date.now() - watch.last.at < POLL_MS ? watch.last.reading : read(db, watch);
}

/** Forgets the last reading, because somebody has done some of the work: pages and streams show it at once. */
export function changed(db: Db): void {
  const watch = watches.get(db);
  if (!watch) return;
  watch.last = null;
  watch.isChanged = true;
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
  const watch: Watch = { last: null, isChanged: false, listeners: new Set(), timer: null };
  watches.set(db, watch);
  return watch;
}

function read(db: Db, watch: Watch): Promise<Waiting[]> {
  const reading = waiting(db, { isFresh: watch.isChanged });
  const last = { at: Date.now(), isUnderWay: true, reading };
  watch.last = last;
  watch.isChanged = false;
  reading
    .catch(() => {
      if (watch.last === last) watch.last = null;
    })
    .finally(() => {
      last.isUnderWay = false;
    });
  return reading;
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
