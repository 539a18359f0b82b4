// Idempotency keys: the first answer to a request with a key is stored, so that a repeat gets the same answer.
import { and, eq, lt, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { idempotency } from "../../../db/schema/platform.ts";
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { act, lockWaitMs } from "./acts.ts";
import { deleteInParts } from "./parts.ts";
import { transact } from "./transactions.ts";

/** A key chosen by the caller. `scope` is the route it was sent to; keys belong to a user and a scope. */
export type Key = { scope: string; key: string };
export type Remembered = {
  fingerprint: string;
  orderId: number | null;
  bulkOrderId: number | null;
  answer: unknown;
};
export type Answered<T> = { answer: T; replayed: boolean };

/** A short digest of a request's content, which tells a repeat from a different request under the same key. */
export function fingerprint(content: unknown): string {
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(content)).digest("base64url").slice(0, 22);
}

/**
 * Runs `work` in a transaction at most once per key. A repeat with the same content gets the first answer, also when
 * both arrive at once: the second waits for the first. A refusal stores nothing, so the same request may succeed later.
 * Without a key `work` simply runs.
 * `lockFirst` runs before the key is written, for locks that all code takes before keys (a buyer's wallet).
 * Throws request.key_reused when the content differs, request.in_progress when the first does not finish in time, and
 * service.busy when a lock or statement timed out; then nothing is done, and will not be later.
 */
export async function once<T>(
  db: Db,
  userId: number,
  key: Key | null,
  content: unknown,
  work: (tx: Tx) => Promise<T>,
  lockFirst: (tx: Tx) => Promise<void> = async () => {},
): Promise<Answered<T>> {
  const contentFingerprint = key && fingerprint(content);
  const runOnce = async (tx: Tx): Promise<Answered<T>> => {
    await tx.execute(sql.raw(`set local lock_timeout = ${lockWaitMs()}`));
    await lockFirst(tx);
    if (!key) return { answer: await work(tx), replayed: false };
    if (!(await isFirst(tx, userId, key, contentFingerprint!))) {
      const first = await recall(tx, userId, key, contentFingerprint!);
      return { answer: withDates(first!.answer) as T, replayed: true };
    }
    const answer = await work(tx);
    await tx
      .update(idempotency)
      .set({ answer: marked(answer) ?? null })
      .where(matches(userId, key));
    return { answer, replayed: false };
  };
  return act(() => transact(db, runOnce));
}

/** Inserts the key; false when it exists. Waits for an uncommitted insert of the same key. */
async function isFirst(tx: Tx, userId: number, key: Key, contentFingerprint: string): Promise<boolean> {
  try {
    const inserted = await tx
      .insert(idempotency)
      .values({ userId, ...key, fingerprint: contentFingerprint })
      .onConflictDoNothing()
      .returning({ key: idempotency.key });
    return inserted.length > 0;
  } catch (error) {
    if (databaseError(error)?.code === "55P03") throw new AppError("request.in_progress", { retryAfterSeconds: 1 });
    throw error;
  }
}

/** What is stored under a key, or null. Throws request.key_reused when its request had a different fingerprint. */
export async function recall(
  tx: Reads,
  userId: number,
  key: Key,
  contentFingerprint: string,
): Promise<Remembered | null> {
  const [row] = await tx.select().from(idempotency).where(matches(userId, key));
  if (!row) return null;
  if (row.fingerprint !== contentFingerprint) throw new AppError("request.key_reused");
  return row;
}

/** Deletes answers older than keys are valid; returns how many. */
export async function forgetOld(db: Db): Promise<number> {
  const cutoff = sql`now() - make_interval(hours => ${limits.idempotencyHours})`;
  return deleteInParts(db, idempotency, lt(idempotency.createdAt, cutoff));
}

function matches(userId: number, { scope, key }: Key) {
  return and(eq(idempotency.userId, userId), eq(idempotency.scope, scope), eq(idempotency.key, key));
}

/** How a date is stored: JSON has none of its own. */
type StoredDate = { $date: string };

/** An answer as it is stored, with its dates marked. */
function marked(answer: unknown): unknown {
  if (answer instanceof Date) return { $date: answer.toISOString() } satisfies StoredDate;
  return mapped(answer, marked);
}

/** A stored answer with its dates. */
function withDates(stored: unknown): unknown {
  const isDate = stored !== null && typeof stored === "object" && "$date" in stored;
  return isDate ? new Date((stored as StoredDate).$date) : mapped(stored, withDates);
}

function mapped(value: unknown, one: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(one);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, one(part)]));
}
