// API keys as their owner keeps them: made, changed, replaced and revoked. api-key-callers.ts lets programs in by them.
import { and, asc, eq, gt, isNotNull, isNull, lte, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { apiKeyDays, apiKeys } from "../../../db/schema/identity-keys.ts";
import { type KeyMode, newKey, SCOPE_LABELS, SCOPES, type Scope, shownKey } from "../../shared/api-keys.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireConfirmed } from "../../shared/rights.ts";
import * as waits from "../ledger/waits.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts/texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { stateOf } from "./logins/second-factor.ts";
import { digestOf } from "./logins/sessions.ts";
import * as users from "./users.ts";

/** What its owner chooses for a key. */
export type KeySettings = {
  name: string;
  scopes: Scope[];
  /** Addresses and blocks that it may be used from, as readBlock gives them; none: any. */
  addresses: string[];
  /** The most that it may spend in a day; null: no limit of its own. */
  dayMaxPesewas: number | null;
  /** When it ends by itself; null: never. */
  endsAt: Date | null;
};

/** `replaced`: works until `validUntil` beside the key that replaced it. */
export type KeyState = "live" | "replaced" | "over" | "revoked";

/** A key without the key itself, which only its making shows. */
export type ApiKey = KeySettings & {
  id: number;
  mode: KeyMode;
  shown: string;
  state: KeyState;
  spentTodayPesewas: number;
  lastUsedAt: Date | null;
  lastUsedAddress: string | null;
  createdAt: Date;
  revokedAt: Date | null;
  replacedById: number | null;
  validUntil: Date | null;
};

/** The key as text is only in the first answer: null when a request is repeated. */
export type KeyWithSecret = { apiKey: ApiKey; secret: string | null };

/** Keeps an account's keys of one mode: the core those of its shop, the sandbox those for trying out. */
export type KeyKeeper = {
  list: (by: ByUser) => Promise<ApiKey[]>;
  get: (by: ByUser, keyId: number) => Promise<ApiKey>;
  create: (command: { by: ByUser; key: Key | null } & KeySettings) => Promise<Answered<KeyWithSecret>>;
  change: (command: { by: ByUser; keyId: number } & Partial<KeySettings>) => Promise<ApiKey>;
  rotate: (command: { by: ByUser; key: Key | null; keyId: number }) => Promise<Answered<KeyWithSecret>>;
  revoke: (command: { by: ByUser; keyId: number }) => Promise<void>;
};

/** The keys of the mode that is not the shop's own; null: the sandbox is not set up. */
export type OtherMode = KeyKeeper | null;

/** The keys of this database, which have the shop's mode. */
export function keeperOf(db: Db, mode: KeyMode): KeyKeeper {
  return {
    list: async (by) => (await list(db, by)).map((row) => ({ ...row, mode })),
    get: async (by, keyId) => ({ ...(await get(db, by, keyId)), mode }),
    create: (command) => create(db, mode, command),
    change: async (command) => ({ ...(await change(db, mode, command)), mode }),
    rotate: (command) => rotate(db, mode, command),
    revoke: (command) => revoke(db, command),
  };
}

type Row = Omit<ApiKey, "mode">;

const IS_REVOKED = sql`${apiKeys.revokedAt} is not null`;
const FIRST_ID = sql<number>`coalesce(${apiKeys.firstId}, ${apiKeys.id})`.mapWith(Number);

const visible = {
  id: apiKeys.id,
  name: apiKeys.name,
  shown: apiKeys.shown,
  scopes: apiKeys.scopes,
  addresses: apiKeys.addresses,
  dayMaxPesewas: apiKeys.dayMaxPesewas,
  endsAt: apiKeys.endsAt,
  state: sql<KeyState>`case when ${IS_REVOKED} then 'revoked'
    when ${apiKeys.validUntil} <= now() or ${apiKeys.endsAt} <= now() then 'over'
    when ${apiKeys.replacedById} is not null then 'replaced' else 'live' end`,
  spentTodayPesewas: sql<number>`coalesce((
    select s.amount_pesewas from ${apiKeyDays} s where s.key_id = ${FIRST_ID}
      and s.day = (now() at time zone 'Africa/Accra')::date), 0)`.mapWith(Number),
  lastUsedAt: apiKeys.lastUsedAt,
  lastUsedAddress: apiKeys.lastUsedAddress,
  createdAt: apiKeys.createdAt,
  revokedAt: apiKeys.revokedAt,
  replacedById: apiKeys.replacedById,
  validUntil: apiKeys.validUntil,
};

/** Whether a key ended so long ago that its owner no longer sees it. */
const IS_LONG_OVER = sql`coalesce(least(${apiKeys.revokedAt}, ${apiKeys.validUntil}, ${apiKeys.endsAt}),
  now()) <= now() - make_interval(days => ${limits.apiKeyShownDays})`;

/** An account's keys, oldest first; those that ended stay for 30 days. */
async function list(tx: Reads, by: ByUser): Promise<Row[]> {
  return tx
    .select(visible)
    .from(apiKeys)
    .where(and(eq(apiKeys.userId, by.userId), not(IS_LONG_OVER)))
    .orderBy(asc(apiKeys.id));
}

/**
 * Forgets the addresses of keys that are no longer shown; returns of how many. The rows stay, because orders, days of
 * spending and the log of changes name them.
 */
export async function forgetEnded(db: Db): Promise<number> {
  const hasAddress = or(isNotNull(apiKeys.lastUsedAddress), sql`cardinality(${apiKeys.addresses}) > 0`);
  const forgotten = await db
    .update(apiKeys)
    .set({ addresses: [], lastUsedAddress: null })
    .where(and(IS_LONG_OVER, hasAddress))
    .returning({ id: apiKeys.id });
  return forgotten.length;
}

/** One of the caller's keys. Throws key.not_found, also for somebody else's. */
async function get(tx: Reads, by: ByUser, keyId: number): Promise<Row> {
  const [row] = await tx.select(visible).from(apiKeys).where(isOwn(by, keyId));
  if (!row) throw new AppError("key.not_found");
  return row;
}

/**
 * Makes a key, which cannot be shown again. Throws key.factor_missing, auth.confirm_needed, key.too_many, key.end_past,
 * request.rate_limited, request.key_reused.
 */
async function create(
  db: Db,
  mode: KeyMode,
  { by, key, ...chosen }: { by: ByUser; key: Key | null } & KeySettings,
): Promise<Answered<KeyWithSecret>> {
  const { userId } = by;
  const settings = { ...chosen, scopes: inOrder(chosen.scopes) };
  const secret = newKey(mode);
  const content = ["key.create", { ...settings, endsAt: settings.endsAt?.toISOString() ?? null }];
  const { answer, replayed } = await once(db, userId, key, content, async (tx) => {
    await requireProof(tx, mode, by);
    refusePast(settings.endsAt);
    // Locked, so that concurrent requests count the account's keys in turn.
    await tx.execute(sql`select 1 from users where id = ${userId} for no key update`);
    if ((await tx.$count(apiKeys, and(eq(apiKeys.userId, userId), isCurrent()))) >= limits.apiKeys)
      throw new AppError("key.too_many");
    const made = await insert(tx, by, secret, settings);
    await record(tx, by, "key.create", { id: made, after: settings });
    await notify(tx, by, { ...settings, shown: shownKey(secret) }, "made");
    return { id: made };
  });
  return { answer: await withSecret(db, mode, by, answer.id, replayed ? null : secret), replayed };
}

/**
 * Changes what a key may do, and with it the key that it replaced, while that works. Wider scopes, addresses, limits or
 * a later end take a proof, as making one does. Throws key.not_found, key.ended, key.end_past, and for those
 * key.factor_missing, auth.confirm_needed.
 */
async function change(
  db: Db,
  mode: KeyMode,
  { by, keyId, ...wanted }: { by: ByUser; keyId: number } & Partial<KeySettings>,
): Promise<Row> {
  return db.transaction(async (tx) => {
    const before = await lockCurrent(tx, by, keyId);
    const after = { ...settingsOf(before), ...withoutUndefined(wanted) };
    after.scopes = inOrder(after.scopes);
    if (Bun.deepEquals(settingsOf(before), after)) return get(tx, by, keyId);
    const isWider = widens(before, after);
    if (isWider) await requireProof(tx, mode, by);
    if (wanted.endsAt) refusePast(wanted.endsAt);
    await tx
      .update(apiKeys)
      .set(after)
      .where(and(eq(FIRST_ID, before.firstId), isNull(apiKeys.revokedAt)));
    await record(tx, by, "key.change", { id: keyId, before: settingsOf(before), after });
    await notify(tx, by, { ...after, shown: before.shown }, isWider ? "widened" : "changed");
    return get(tx, by, keyId);
  });
}

/**
 * Makes a key in place of another, with the same settings; the old one works for another day, so that a program can
 * change over without losing a request, and both count against one limit of the day. Throws key.not_found, key.ended,
 * key.factor_missing, auth.confirm_needed, request.rate_limited, request.key_reused.
 */
async function rotate(
  db: Db,
  mode: KeyMode,
  { by, key, keyId }: { by: ByUser; key: Key | null; keyId: number },
): Promise<Answered<KeyWithSecret>> {
  const secret = newKey(mode);
  const { answer, replayed } = await once(db, by.userId, key, ["key.rotate", keyId], async (tx) => {
    const before = await lockCurrent(tx, by, keyId);
    await requireProof(tx, mode, by);
    const id = await insert(tx, by, secret, settingsOf(before), before.firstId);
    const validUntil = sql`now() + make_interval(hours => ${limits.apiKeyOverlapHours})`;
    await tx.update(apiKeys).set({ replacedById: id, validUntil }).where(eq(apiKeys.id, keyId));
    await record(tx, by, "key.rotate", { id: keyId, after: { replacedBy: id } });
    await notify(tx, by, before, "replaced");
    return { id };
  });
  return { answer: await withSecret(db, mode, by, answer.id, replayed ? null : secret), replayed };
}

/**
 * Ends a key at once, and with it those that it replaced; the session is proof enough, because waiting costs more. A
 * key that has ended stays ended. Throws key.not_found.
 */
async function revoke(db: Db, { by, keyId }: { by: ByUser; keyId: number }): Promise<void> {
  await db.transaction(async (tx) => {
    const [found] = await tx
      .select({ ...visible, firstId: FIRST_ID })
      .from(apiKeys)
      .where(isOwn(by, keyId))
      .for("no key update");
    if (!found) throw new AppError("key.not_found");
    if (found.state === "revoked") return;
    await tx
      .update(apiKeys)
      .set({ revokedAt: sql`now()` })
      .where(and(eq(FIRST_ID, found.firstId), lte(apiKeys.id, keyId), isNull(apiKeys.revokedAt)));
    await record(tx, by, "key.revoke", { id: keyId, before: settingsOf(found) });
    await notify(tx, by, found, "revoked");
  });
}

/**
 * Refuses whoever has not proved lately by their second factor who they are: a key outlives the session that makes it.
 * Test keys spend no money, so that a login suffices. Throws key.factor_missing, auth.confirm_needed, account.waits.
 */
async function requireProof(tx: Reads, mode: KeyMode, by: ByUser): Promise<void> {
  if (mode === "test") return;
  if (!(await stateOf(tx, by.userId))) throw new AppError("key.factor_missing");
  requireConfirmed(by);
  await waits.refuseChange(tx, by.userId);
}

async function insert(
  tx: Tx,
  { userId }: ByUser,
  secret: string,
  settings: KeySettings,
  firstId: number | null = null,
): Promise<number> {
  await budgets.spend(tx, "key.made", userId);
  const [row] = await tx
    .insert(apiKeys)
    .values({ userId, firstId, digest: digestOf(secret), shown: shownKey(secret), ...settings })
    .returning({ id: apiKeys.id });
  return row!.id;
}

/** The key, locked. Throws key.not_found, and key.ended for one that was replaced, revoked or is over. */
async function lockCurrent(tx: Tx, by: ByUser, keyId: number): Promise<Row & { firstId: number }> {
  const [row] = await tx
    .select({ ...visible, firstId: FIRST_ID })
    .from(apiKeys)
    .where(isOwn(by, keyId))
    .for("no key update");
  if (!row) throw new AppError("key.not_found");
  if (row.state !== "live") throw new AppError("key.ended");
  return row;
}

async function withSecret(
  db: Db,
  mode: KeyMode,
  by: ByUser,
  keyId: number,
  secret: string | null,
): Promise<KeyWithSecret> {
  return { apiKey: { ...(await get(db, by, keyId)), mode }, secret };
}

/** Whether more can be done with a key after a change than before. */
function widens(before: KeySettings, after: KeySettings): boolean {
  const isAnywhere = after.addresses.length === 0;
  const hasMorePlaces = isAnywhere || after.addresses.some((one) => !before.addresses.includes(one));
  return (
    after.scopes.some((scope) => !before.scopes.includes(scope)) ||
    (before.addresses.length > 0 && hasMorePlaces) ||
    (after.dayMaxPesewas ?? Infinity) > (before.dayMaxPesewas ?? Infinity) ||
    (after.endsAt?.getTime() ?? Infinity) > (before.endsAt?.getTime() ?? Infinity)
  );
}

function settingsOf({ name, scopes, addresses, dayMaxPesewas, endsAt }: KeySettings): KeySettings {
  return { name, scopes, addresses, dayMaxPesewas, endsAt };
}

function refusePast(endsAt: Date | null): void {
  if (endsAt && endsAt.getTime() <= Date.now()) throw new AppError("key.end_past");
}

function inOrder(scopes: readonly Scope[]): Scope[] {
  return SCOPES.filter((scope) => scopes.includes(scope));
}

function withoutUndefined<T extends object>(given: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never;
}

/** Keys that count against the limit: a replaced one is on its way out. */
function isCurrent(): SQL | undefined {
  const isNotOver = or(isNull(apiKeys.endsAt), gt(apiKeys.endsAt, sql`now()`));
  return and(isNull(apiKeys.revokedAt), isNull(apiKeys.replacedById), isNotOver);
}

const isOwn = (by: ByUser, keyId: number) => and(eq(apiKeys.id, keyId), eq(apiKeys.userId, by.userId));

function record(
  tx: Tx,
  by: ByUser,
  action: string,
  { id, ...states }: { id: number; before?: unknown; after?: unknown },
): Promise<void> {
  return auditLog.record(tx, by, [{ action, subjectType: "key", subjectId: id, ...states }]);
}

async function notify(
  tx: Tx,
  { userId }: ByUser,
  key: KeySettings & { shown: string },
  how: Parameters<typeof texts.keyChanged>[2],
): Promise<void> {
  const user = await users.get(tx, userId);
  const can = key.scopes.map((scope) => SCOPE_LABELS[scope]);
  await messages.queueMail(tx, user, texts.keyChanged(user.username, key, how, can));
}
