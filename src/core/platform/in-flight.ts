// Work in flight in this process, shared by all who request it meanwhile.
import type { Db } from "../../../db/connect.ts";

/** Returns a function that runs `work` for a key, or joins the run that is already in flight for it. */
export function inFlight<Key, Result>(): (db: Db, key: Key, work: () => Promise<Result>) => Promise<Result> {
  const running = new WeakMap<Db, Map<Key, Promise<Result>>>();
  return (db, key, work) => {
    const byKey = running.get(db) ?? new Map<Key, Promise<Result>>();
    running.set(db, byKey);
    const joined = byKey.get(key);
    if (joined) return joined;
    const started = work().finally(() => byKey.delete(key));
    byKey.set(key, started);
    return started;
  };
}
