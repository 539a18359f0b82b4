// Prepared statements for Drizzle: a connection parses each text once, and is sent it in one trip instead of two.
import type postgres from "postgres";

/**
 * A text is prepared from its fifth use on, as JDBC's driver for Postgres does, and 500 of a pool at most: a connection
 * keeps the plans of what it has prepared, and a text that follows from the caller's list, such as one parameter for
 * each id, may never come again.
 */
const USES_BEFORE = 4;
const PREPARED_MAX = 500;
const COUNTED_MAX = 4_000;
const LENGTH_MAX = 20_000;

/** The texts of a pool: how often each came, and those that are prepared. */
class Texts {
  private readonly uses = new Map<string, number>();
  private readonly prepared = new Set<string>();

  /** Counts a use of a text; true when it is to be prepared. */
  use(text: string): boolean {
    if (this.prepared.has(text)) return true;
    if (this.prepared.size >= PREPARED_MAX || text.length > LENGTH_MAX) return false;
    const before = this.uses.get(text) ?? 0;
    if (before >= USES_BEFORE) {
      this.uses.delete(text);
      this.prepared.add(text);
      return true;
    }
    if (this.uses.size >= COUNTED_MAX) this.uses.clear();
    this.uses.set(text, before + 1);
    return false;
  }
}

/**
 * The driver's handle for Drizzle, which asks for no preparation of its own. What is written by hand decides for
 * itself, on `plain`. Where the pool has `prepare: false`, nothing is prepared.
 */
export class PreparingHandle {
  constructor(
    readonly plain: postgres.ISql,
    private readonly texts = new Texts(),
  ) {}

  get options(): unknown {
    return (this.plain as postgres.Sql).options;
  }

  unsafe(text: string, parameters: never[], options: postgres.UnsafeQueryOptions = {}): unknown {
    const prepare = parameters.length > 0 && this.texts.use(text);
    return this.plain.unsafe(text, parameters, { ...options, prepare });
  }

  begin(work: (sql: PreparingHandle) => unknown): Promise<unknown> {
    return (this.plain as postgres.Sql).begin((sql) => work(new PreparingHandle(sql, this.texts)));
  }

  savepoint(work: (sql: PreparingHandle) => unknown): Promise<unknown> {
    return (this.plain as postgres.TransactionSql).savepoint((sql) => work(new PreparingHandle(sql, this.texts)));
  }
}
