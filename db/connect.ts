// The connection pool: one postgres.js client for both Drizzle and handwritten statements.
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { PreparingHandle } from "./prepared.ts";
import * as schema from "./schema/index.ts";
import { commitInTime } from "./waits.ts";

export type Sql = postgres.Sql<{ bigint: number }>;
export type Db = PostgresJsDatabase<typeof schema> & { $client: Sql };
/** A connection inside a transaction: what locks or writes takes one. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];
/** A connection inside a transaction or outside of one: what only reads. */
export type Reads = Tx | Db;
/** The caller's transaction, or a connection on which a write of one statement commits alone. */
export type TxOrDb = Tx | Db;

export type ConnectOptions = {
  /** Connections in the pool. */
  max?: number;
  /** False behind a pooler without support for prepared statements. */
  prepare?: boolean;
  /** How long one statement may run before Postgres stops it. */
  statementTimeoutMs?: number;
  /** A role that each connection assumes as it starts. */
  role?: string;
};

/** Default time limits of statements and idle transactions, in ms. */
export const TIME_LIMITS = {
  statement_timeout: 8_000,
  idle_in_transaction_session_timeout: 15_000,
};

/**
 * Opens a pool to `url`; connections are made when first needed. A bigint is returned as a number: ids and pesewas stay
 * far below 2^53, and a larger one throws.
 */
export function connect(url: string, options: ConnectOptions = {}): Db {
  const client = postgres(url, {
    max: options.max ?? 16,
    prepare: options.prepare ?? true,
    connect_timeout: 5,
    // A constant short wait: the default grows to many seconds, and then a restarted server stays unused.
    backoff: () => 0.2,
    connection: {
      application_name: `datafie ${process.pid}`,
      ...TIME_LIMITS,
      ...(options.statementTimeoutMs !== undefined && { statement_timeout: options.statementTimeoutMs }),
      ...(options.role !== undefined && { role: options.role }),
    },
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: safeInteger } },
  });
  fetchTypesOnce(client);
  const handle = new PreparingHandle(commitInTime(client)) as unknown as Sql;
  return Object.assign(drizzle(handle, { schema, casing: "snake_case" }), { $client: client as Sql });
}

const INT8_ARRAY_OID = 1016;

/** Every new connection would ask Postgres for all array types again; the answer to the first one serves them all. */
function fetchTypesOnce({ options }: Sql): void {
  const isUnknown = () => options.parsers[INT8_ARRAY_OID] === undefined;
  Object.defineProperty(options, "fetch_types", { get: isUnknown });
}

/** The driver's handle of a transaction, for statements that are written by hand and prepared once. */
export function handleOf(tx: Tx): Sql {
  return (tx._.session as unknown as { client: PreparingHandle }).client.plain as Sql;
}

/** Ends the pool, waiting up to five seconds for running statements. */
export async function disconnect(db: Db): Promise<void> {
  await db.$client.end({ timeout: 5 });
}

/** The SQLSTATE and constraint of a database error, also when Drizzle has wrapped it; null for anything else. */
export function databaseError(error: unknown): { code: string; constraint: string | null } | null {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e.name === "PostgresError" && "code" in e) {
      const constraint = "constraint_name" in e ? String(e.constraint_name) : null;
      return { code: String(e.code), constraint };
    }
  }
  return null;
}

const CONNECTION_FAULTS = /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|EPIPE|ENOTFOUND|ENOENT|EHOSTUNREACH|FailedToOpenSocket)/;

/**
 * True when an error says that the database cannot be reached or is starting, stopping or overloaded, so that the same
 * request may succeed later. Codes: postgres.js errors, and SQLSTATE classes 08, 53, 57P and 57014
 * (https://www.postgresql.org/docs/18/errcodes-appendix.html).
 */
export function isOutage(error: unknown): boolean {
  const fault = databaseError(error);
  if (fault) return /^(08|53|57P|57014|25006)/.test(fault.code);
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && CONNECTION_FAULTS.test(String(e.code))) return true;
  }
  return false;
}

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`the database returned ${text}, which is past 2^53`);
  return value;
}
