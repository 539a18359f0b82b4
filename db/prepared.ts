// Prepared statements for Drizzle: a connection parses each text once, and is sent it in one trip instead of two.
import type postgres from "postgres";

/**
 * A text is prepared from its fifth use on, as JDBC's driver for Postgres does, and 500 of them at most: a connection
 * keeps the plans of what it has prepared, and a text that follows from the caller's list, such as one parameter for
 * each id, may never come again.
 */
const USES_BEFORE = 4;
const PREPARED_MAX = 500;
const COUNTED_MAX = 4_000;
const LENGTH_MAX = 20_000;

const uses = new Map<string, number>();
const prepared = new Set<string>();

/**
 * The driver's handle for Drizzle, which asks for no preparation of its own. What is written by hand decides for
 * itself, on `plain`. Where the pool has `prepare: false`, nothing is prepared.
 */
export class PreparingHandle {
  constructor(readonly plain: postgres.ISql) {}

  get options(): unknown {
    return (this.plain as postgres.Sql).options;
  }

  unsafe(text: string, parameters: never[], options: postgres.UnsafeQueryOptions = {}): unknown {
    return this.plain.unsafe(text, parameters, { ...options, prepare: parameters.length > 0 && isPrepared(text) });
  }

  begin(work: (sql: PreparingHandle) => unknown): Promise<unknown> {
    return (this.plain as postgres.Sql).begin((sql) => work(new PreparingHandle(sql)));
  }

  savepoint(work: (sql: PreparingHandle) => unknown): Promise<unknown> {
    return (this.plain as postgres.TransactionSql).savepoint((sql) => work(new PreparingHandle(sql)));
  }
}

function isPrepared(text: string): boolean {
  if (prepared.has(text)) return true;
  if (prepared.size >= PREPARED_MAX || text.length > LENGTH_MAX) return false;
  const before = uses.get(text) ?? 0;
  if (before >= USES_BEFORE) {
    uses.delete(text);
    prepared.add(text);
    return true;
  }
  if (uses.size >= COUNTED_MAX) uses.clear();
  uses.set(text, before + 1);
  return false;
}
