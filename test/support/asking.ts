// Helpers for tests of the core: outcomes as codes, raw counts, fresh numbers, a second server.
import { type SQL, sql } from "drizzle-orm";
import { connect, type Db, databaseError, disconnect } from "../../db/connect.ts";
import type { Product } from "../../src/core/catalog/products.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import type { World } from "./world.ts";

/** The error's code, or "done". Throws anything that is not an AppError: a fault is never an outcome. */
export async function outcome(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
}

/**
 * The outcome of an act once it is decided. "service.busy" is none: a lock was not there within its five seconds, as on
 * a machine that runs much else, and nothing was done.
 */
export async function decided(act: () => Promise<unknown>): Promise<string> {
  for (;;) {
    const done = await outcome(act());
    if (done !== "service.busy") return done;
  }
}

/** The error itself, for its details. */
export async function refusal(work: Promise<unknown>): Promise<AppError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

/** The constraint that refused a statement, or its SQLSTATE if none is named. */
export async function databaseRefusal(work: PromiseLike<unknown>): Promise<string> {
  try {
    await work;
    return "accepted";
  } catch (error) {
    const fault = databaseError(error);
    if (!fault) throw error;
    return fault.constraint ?? fault.code;
  }
}

/** The number of rows that a query finds: count(db, sql`from orders where …`). */
export async function count(db: Db, from: SQL): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`select count(*)::int as count ${from}`);
  return row!.count;
}

/** How often each outcome occurs. */
export function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of outcomes) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

let used = 0;
/** A number that no test of this file has used: otherwise the ten-minute rule would see duplicates everywhere. */
export function freshNumber(): string {
  used += 1;
  return `054${String(1_000_000 + used)}`;
}

/** Begins anew with the numbers, in a database where none was used. */
export function forgetNumbers(): void {
  used = 0;
}

/** A line for a bundle, to a fresh number by default. */
export function lineFor(
  product: Pick<Product, "id">,
  more: { msisdn?: string; quantity?: number; operator?: "MTN" | "TELECEL"; expectedPesewas?: number } = {},
) {
  return { productId: product.id, msisdn: freshNumber(), quantity: 1, ...more };
}

export function key(text: string, scope = "POST /api/v1/orders") {
  return { scope, key: text };
}

/** Does something with a second pool on the same database, like another server process. */
export async function withSecondServer<T>(world: World, work: (db: Db) => Promise<T>): Promise<T> {
  const db = connect(world.url, { max: 10 });
  try {
    return await work(db);
  } finally {
    await disconnect(db);
  }
}

/** Holds a wallet's lock, so that commands of its owner can be brought to the same point before any continues. */
export async function holdWallet(db: Db, userId: number) {
  return hold(db, sql`select 1 from wallets where user_id = ${userId} for update`);
}

/**
 * Holds what a statement locks. `waiting` resolves once that many wait in the database; `release` lets them continue.
 */
export async function hold(db: Db, locking: SQL) {
  const gate = Promise.withResolvers<void>();
  const isHeld = Promise.withResolvers<void>();
  const holder = db.transaction(async (tx) => {
    await tx.execute(locking);
    isHeld.resolve();
    await gate.promise;
  });
  await isHeld.promise;
  const waiters = sql`from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    waiting: async (howMany: number) => {
      while ((await count(db, waiters)) < howMany) await Bun.sleep(5);
    },
    release: () => {
      gate.resolve();
      return holder;
    },
  };
}

/**
 * Which of these digits occur in a text, but for timestamps, phone numbers and random ids, also of requests and of
 * USSD sessions, which show any digits.
 */
export function digitsIn(text: string, ...secrets: string[]): string[] {
  const left = text
    .replace(/"time":\d+|(?<=:\d\d)\.\d{1,6}|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "")
    .replace(/"requestId":"[^"]*"|\bATUid_\w+/g, "")
    .replace(/\b(0|233)\d{9}\b|\b(?=\d*[a-f])[0-9a-f]{8,}\b/g, "");
  return secrets.filter((secret) => left.includes(secret));
}

/** The seed of a random test; it is part of the test's name, and TEST_SEED repeats the run. */
export const seed = Number(process.env.TEST_SEED ?? Math.floor(Math.random() * 1_000_000));

/** Random numbers that a seed reproduces (mulberry32). */
export function randomFrom(start: number): (below: number) => number {
  let state = start;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** How much of something random a test tries: `count`, and TEST_SIZE times as much in a search. */
export function sized(count: number): number {
  return Math.max(1, Math.round(count * Number(process.env.TEST_SIZE ?? 1)));
}

/** A list of the results of `make` for 0, 1, 2 … */
export function times<T>(length: number, make: (index: number) => T): T[] {
  return Array.from({ length }, (_, index) => make(index));
}
