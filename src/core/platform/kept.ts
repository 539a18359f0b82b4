// Measurements that a process keeps for a while, because many ask for them.

/**
 * Returns a function that measures at most once in `keptMs` for each source, which is a database; all who ask meanwhile
 * share the measurement. `isFresh` measures anew. A failed one is not kept.
 */
export function keptFor<Source extends object, Result>(
  keptMs: number,
  measure: (source: Source) => Promise<Result>,
): (source: Source, options?: { isFresh?: boolean }) => Promise<Result> {
  const kept = new WeakMap<Source, { until: number; result: Promise<Result> }>();
  return (source, { isFresh = false } = {}) => {
    const known = kept.get(source);
    if (!isFresh && known && known.until > Date.now()) return known.result;
    const result = measure(source);
    kept.set(source, { until: Date.now() + keptMs, result });
    result.catch(() => kept.delete(source));
    return result;
  };
}
