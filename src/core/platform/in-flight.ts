// Work that is under way in this process, shared by everybody who asks for it meanwhile.
import type { Db } from "../../../db/connect.ts";

/** Returns what does `work` for a key, unless that is being done at the moment: then its result is this asker's, too. */
export function inFlight<Key, Result>(): (db: Db, key: Key, work: () => Promise<Result>) => Promise<Result> {
  const running = new WeakMap<Db, Map<Key, Promise<Result>>>();
  return (db, key, work) => {
    const ours = running.get(db) ?? new Map<Key, Promise<Result>>();
    running.set(db, ours);
    const known = ours.get(key);
    if (known) return known;
    const begun = work().finally(() => ours.delete(key));
    ours.set(key, begun);
    return begun;
  };
}
