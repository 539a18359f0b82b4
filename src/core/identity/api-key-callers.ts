// Callers with an API key. The key is looked up for each request, so that a revoked one stops working on every server
// at once.
import { and, eq, isNull, or, sql } from "drizzle-orm";
import { type Db, isOutage, type Tx } from "../../../db/connect.ts";
import { apiKeys } from "../../../db/schema/identity-keys.ts";
import { type KeyMode, modeOfKey, type Scope } from "../../shared/api-keys.ts";
import type { UserStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts/texts.ts";
import { batcher } from "../platform/batcher.ts";
import { isWithin } from "../platform/budgets/address-blocks.ts";
import * as operatorRegistry from "../platform/operator-registry.ts";
import { digestOf } from "./logins/sessions.ts";
import type { User } from "./users.ts";

/** A key that may be used now, and its owner. */
export type KeyCaller = {
  id: number;
  scopes: readonly Scope[];
  userId: number;
  username: string;
  email: string | null;
  isFrozen: boolean;
};

/**
 * The caller with this key, from this address, in a shop whose data has this mode. It is a way in of its own: it works
 * whatever the account's second factor is, which its owner proved when the key was made, and after a change of
 * password, because a program that stops whenever its owner changes a password is why passwords are never changed. A
 * ban ends it. `onFound` gets a key that exists, also one that is then refused. Throws key.malformed before any query,
 * and key.wrong_mode, key.unknown, key.revoked, key.replaced, key.expired, auth.banned, key.address_refused.
 */
export async function identify(
  db: Db,
  { text, address, mode }: { text: string; address: string; mode: KeyMode },
  onFound: (key: Pick<KeyCaller, "id" | "userId">) => void,
): Promise<KeyCaller> {
  const ownMode = modeOfKey(text);
  if (!ownMode) throw new AppError("key.malformed");
  if (ownMode !== mode) throw new AppError("key.wrong_mode", undefined, WRONG_MODE[ownMode]);
  const found = await finderOf(db)(digestOf(text));
  if (!found) throw new AppError("key.unknown");
  onFound({ id: found.id, userId: found.user_id });
  refuseEnded(found);
  if (found.addresses.length > 0 && !isWithin(address, found.addresses)) {
    const message = `This API key may not be used from ${address}. Add the address to it under Profile, Developers.`;
    throw new AppError("key.address_refused", { address }, message);
  }
  if (found.is_use_due) noteUse(db, found.id, address);
  const { id, scopes, user_id: userId, username, email, is_frozen: isFrozen } = found;
  return { id, scopes, userId, username, email, isFrozen };
}

const WRONG_MODE: Record<KeyMode, string> = {
  test: "This is a test key, and this shop has no sandbox. Use a live key: real money is spent with it.",
  live: "This is a live key, and this is the sandbox. Use a test key here.",
};

/** Ends all of an account's keys at once, in the transaction of what ends the account or its trust. */
export async function endAll(tx: Tx, userId: number): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.userId, userId), isNull(apiKeys.revokedAt)));
}

/**
 * Ends all keys of the shop, in the transaction that makes a restored database safe: one that was revoked since,
 * because it had leaked, would be alive again. Notifies their owners; returns how many ended.
 */
export async function endAllAfterRestore(tx: Tx): Promise<number> {
  const ended = await tx.execute<Pick<User, "id" | "username" | "email"> & { shown: string }>(sql`
    update api_keys k set revoked_at = now() from users u
    where u.id = k.user_id and k.revoked_at is null and coalesce(least(k.valid_until, k.ends_at) > now(), true)
    returning u.id, u.username, u.email, k.shown`);
  for (const keys of Map.groupBy(ended, ({ id }) => id).values()) {
    const [owner] = keys;
    const shown = keys.map((key) => key.shown);
    await messages.queueMail(tx, owner!, texts.keysEnded(owner!.username, shown));
  }
  return ended.length;
}

/** Gives all keys of one account to another, with what was spent with them: a fresh start in a sandbox. */
export async function moveAll(tx: Tx, from: number, to: number): Promise<void> {
  await tx.update(apiKeys).set({ userId: to }).where(eq(apiKeys.userId, from));
}

/** Ends all keys of an account that is closed, and forgets what its owner wrote; the books name them by number. */
export async function erase(tx: Tx, userId: number): Promise<void> {
  await endAll(tx, userId);
  await tx
    .update(apiKeys)
    .set({ name: "Deleted", addresses: [], lastUsedAddress: null })
    .where(eq(apiKeys.userId, userId));
}

type Row = {
  digest: string;
  id: number;
  user_id: number;
  scopes: Scope[];
  addresses: string[];
  is_revoked: boolean;
  is_over: boolean;
  is_replaced: boolean;
  is_use_due: boolean;
  status: UserStatus;
  username: string;
  email: string | null;
  is_frozen: boolean;
  operators_version: string;
};

function refuseEnded({ is_revoked, is_replaced, is_over, status }: Row): void {
  if (status === "BANNED") throw new AppError("auth.banned");
  if (is_revoked || status !== "ACTIVE") throw new AppError("key.revoked");
  if (is_replaced) throw new AppError("key.replaced");
  if (is_over) throw new AppError("key.expired");
}

type Finder = (digest: string) => Promise<Row | null>;
const finders = new WeakMap<Db, Finder>();
let next = 0;

/** Concurrent calls share one query. */
function finderOf(db: Db): Finder {
  let finder = finders.get(db);
  if (!finder) {
    finder = batcher((digests: string[]) => findAll(db, digests), isOutage, {
      batchMax: 200,
      partitionOf: () => next++ % 2,
    });
    finders.set(db, finder);
  }
  return finder;
}

async function findAll(db: Db, digests: string[]): Promise<(Row | null)[]> {
  const rows = await db.$client.unsafe<Row[]>(
    `select k.digest, k.id, k.user_id, k.scopes, k.addresses, k.revoked_at is not null as is_revoked,
       coalesce(k.valid_until <= now(), false) as is_replaced, coalesce(k.ends_at <= now(), false) as is_over,
       coalesce(k.last_used_at < now() - interval '1 minute', true) as is_use_due,
       u.status, u.username, u.email, ${operatorRegistry.VERSION} as operators_version,
       exists (select from freezes f
               where f.user_id = u.id and f.ended_at is null and coalesce(f.until > now(), true)) as is_frozen
     from api_keys k join users u on u.id = k.user_id
     where k.digest = any($1::text[])`,
    [digests],
    { prepare: db.$client.options.prepare },
  );
  if (rows[0]) await operatorRegistry.at(db, rows[0].operators_version);
  const byDigest = new Map(rows.map((row) => [row.digest, row]));
  return digests.map((digest) => byDigest.get(digest) ?? null);
}

const beingNoted = new WeakMap<Db, Set<number>>();

/** Notes the use once a minute, off the request's way: nothing waits for it, and a failure costs only the note. */
function noteUse(db: Db, keyId: number, address: string): void {
  const underWay = beingNoted.get(db) ?? new Set();
  beingNoted.set(db, underWay);
  if (underWay.has(keyId)) return;
  underWay.add(keyId);
  const isDue = or(isNull(apiKeys.lastUsedAt), sql`${apiKeys.lastUsedAt} < now() - interval '1 minute'`);
  void db
    .update(apiKeys)
    .set({ lastUsedAt: sql`now()`, lastUsedAddress: address.slice(0, ADDRESS_CHARS) })
    .where(and(eq(apiKeys.id, keyId), isDue))
    .catch(() => {})
    .finally(() => underWay.delete(keyId));
}

/** The longest IPv6 address in text. */
const ADDRESS_CHARS = 45;
