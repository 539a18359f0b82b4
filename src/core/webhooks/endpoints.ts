// Webhooks: the endpoints at which an agent's own program hears what becomes of their orders. What is sent to them is in
// hook-deliveries.ts, sending it in hook-dispatch.ts; what providers send to us is in webhooks.ts.
import { hkdfSync } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { type By, type HookPause, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets.ts";
import { resealed, type SealingKeys, seal, unsealUnder } from "../platform/encryption.ts";
import { type Answered, fingerprint, type Key, once, recall } from "../platform/idempotency.ts";
import * as hookDeliveries from "./deliveries.ts";
import type { HookSender } from "./sender.ts";
import { newSecret } from "./signature.ts";

/** What a process needs to deal in webhooks: the key that seals their secrets, and who calls endpoints. */
export type WebhookKeys = SealingKeys & { sender: HookSender };

type Row = typeof hooks.$inferSelect;
/** A webhook as its owner may see it: never with a secret. */
export type Hook = Pick<Row, "id" | "url" | "description" | "pausedFor" | "failingSince" | "createdAt">;
/** The secret is in the first answer alone: null where a request comes again. */
export type HookWithSecret = { hook: Hook; secret: string | null };

const visible = {
  id: hooks.id,
  url: hooks.url,
  description: hooks.description,
  pausedFor: hooks.pausedFor,
  failingSince: hooks.failingSince,
  createdAt: hooks.createdAt,
};

/** The key that seals the secrets, from the secret that signs sessions. */
export function hookKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "datafie webhook secrets", 32));
}

export function webhookKeysOf(
  sender: HookSender,
  secret: string,
  previous: string | null = null,
): WebhookKeys {
  return { key: hookKey(secret), previousKey: previous === null ? undefined : hookKey(previous), sender };
}

/** Seals anew what is still sealed under the previous key; returns how many webhooks. To be called at the start. */
export async function reseal(db: Db, keys: SealingKeys): Promise<number> {
  if (!keys.previousKey) return 0;
  let count = 0;
  for (const { id, userId, sealedSecret, previousSealedSecret } of await db.select().from(hooks)) {
    const fresh = resealed(keys, sealedSecret, contextOf(userId));
    if (fresh === null) continue;
    const before = previousSealedSecret && resealed(keys, previousSealedSecret, contextOf(userId));
    await db
      .update(hooks)
      .set({ sealedSecret: fresh, previousSealedSecret: before ?? previousSealedSecret })
      .where(and(eq(hooks.id, id), eq(hooks.sealedSecret, sealedSecret)));
    count += 1;
  }
  return count;
}

/** The asker's webhooks, the oldest first. */
export async function list(tx: Tx, by: By): Promise<Hook[]> {
  return tx.select(visible).from(hooks).where(eq(hooks.userId, by.userId!)).orderBy(asc(hooks.id));
}

/** One of the asker's webhooks. Throws webhook.not_found, also for somebody else's. */
export async function get(tx: Tx, by: By, hookId: number): Promise<Hook> {
  const [hook] = await tx.select(visible).from(hooks).where(isOwn(by, hookId));
  if (!hook) throw new AppError("webhook.not_found");
  return hook;
}

/**
 * Registers an endpoint and makes its secret, which nobody can see again. It is off until it has answered a test, and the
 * first one is on its way. Throws webhook.url_refused, webhook.too_many, webhook.exists, request.rate_limited,
 * request.key_reused.
 */
export async function create(
  db: Db,
  keys: WebhookKeys,
  { by, key, url, description }: { by: By; key: Key | null; url: string; description: string },
): Promise<Answered<HookWithSecret>> {
  const userId = by.userId!;
  const content = ["hook.create", url, description];
  const isKnown = key && (await recall(db, userId, key, fingerprint(content)));
  // The network is asked before the transaction, which would hold its connection meanwhile.
  if (!isKnown) await checkUrl(db, keys, by, url);
  const secret = newSecret();
  const sealedSecret = seal(keys.key, secret, contextOf(userId));
  const { answer, replayed } = await once(db, userId, key, content, async (tx) => {
    // Whoever counts an account's webhooks does it alone.
    await tx.execute(sql`select 1 from users where id = ${userId} for no key update`);
    if ((await list(tx, by)).length >= limits.hooks) throw new AppError("webhook.too_many");
    const [hook] = await unlessTaken(() =>
      tx
        .insert(hooks)
        .values({ userId, url, description, sealedSecret, pausedFor: "unproven" })
        .returning(visible),
    );
    await hookDeliveries.queueProof(tx, by, hook!.id);
    return hook!;
  });
  return { answer: { hook: revived(answer), secret: replayed ? null : secret }, replayed };
}

/**
 * Changes where a webhook goes, what it is called, or whether it is on. One that goes elsewhere or is turned on is sent a
 * test, and is on when it has answered. What waits for one that is turned off has failed, and can be sent again. Throws webhook.not_found, webhook.url_refused, webhook.exists, request.rate_limited.
 */
export async function change(
  db: Db,
  keys: WebhookKeys,
  ask: {
    by: By;
    hookId: number;
    url?: string | undefined;
    description?: string | undefined;
    isOn?: boolean | undefined;
  },
): Promise<Hook> {
  const { by, hookId, url, description, isOn } = ask;
  const before = await get(db, by, hookId);
  if (url !== undefined && url !== before.url) await checkUrl(db, keys, by, url);
  return db.transaction(async (tx) => {
    const [locked] = await tx.select(visible).from(hooks).where(isOwn(by, hookId)).for("no key update");
    if (!locked) throw new AppError("webhook.not_found");
    const isElsewhere = url !== undefined && url !== locked.url;
    const isTurnedOn = isOn === true && locked.pausedFor !== null;
    // An address that nobody has shown to be theirs is sent nothing of anybody's orders.
    const mustProve = isTurnedOn || (isElsewhere && locked.pausedFor === null);
    const [changed] = await unlessTaken(() =>
      tx
        .update(hooks)
        .set({
          url: url ?? locked.url,
          description: description ?? locked.description,
          // Whoever turns it on again begins anew.
          ...(isOn === true && { failingSince: null }),
          ...(mustProve && { pausedFor: "unproven" as const }),
        })
        .where(eq(hooks.id, hookId))
        .returning(visible),
    );
    if (isOn === false && (locked.pausedFor === null || locked.pausedFor === "unproven")) {
      await pause(tx, hookId, "owner");
      return { ...changed!, pausedFor: "owner" as const };
    }
    if (mustProve) await hookDeliveries.queueProof(tx, by, hookId);
    return changed!;
  });
}

/** Removes a webhook with all that was and is to be sent to it. Throws webhook.not_found. */
export async function remove(db: Db, { by, hookId }: { by: By; hookId: number }): Promise<void> {
  const gone = await db.delete(hooks).where(isOwn(by, hookId)).returning({ id: hooks.id });
  if (gone.length === 0) throw new AppError("webhook.not_found");
}

/**
 * A new secret in place of the old one, which signs beside it for a day: a program can change over without losing a
 * message. Throws webhook.not_found, request.key_reused.
 */
export async function rotateSecret(
  db: Db,
  keys: WebhookKeys,
  { by, key, hookId }: { by: By; key: Key | null; hookId: number },
): Promise<Answered<HookWithSecret>> {
  const userId = by.userId!;
  const secret = newSecret();
  const sealedSecret = seal(keys.key, secret, contextOf(userId));
  const { answer, replayed } = await once(db, userId, key, ["hook.rotate", hookId], async (tx) => {
    const [hook] = await tx
      .update(hooks)
      .set({
        sealedSecret,
        previousSealedSecret: hooks.sealedSecret,
        previousUntil: sql`now() + make_interval(hours => ${limits.hookSecretHours})`,
      })
      .where(isOwn(by, hookId))
      .returning(visible);
    if (!hook) throw new AppError("webhook.not_found");
    return hook;
  });
  return { answer: { hook: revived(answer), secret: replayed ? null : secret }, replayed };
}

/** Turns a webhook off, in the caller's transaction, which holds its row: what waits for it has failed. */
export async function pause(tx: Tx, hookId: number, why: HookPause): Promise<void> {
  await tx.update(hooks).set({ pausedFor: why }).where(eq(hooks.id, hookId));
  await hookDeliveries.failWaiting(tx, hookId);
}

/**
 * The secrets that a webhook's messages are signed with now, the newest first. Empty when they were sealed under another
 * key: then only a new secret helps.
 */
export function secretsOf(keys: WebhookKeys, hook: Pick<Row, "userId"> & { sealed: string[] }): string[] {
  const secrets = hook.sealed.map((one) => unsealUnder(keys, one, contextOf(hook.userId)));
  return secrets.every((secret) => secret !== null) ? secrets : [];
}

async function checkUrl(db: Db, { sender }: WebhookKeys, by: By, url: string): Promise<void> {
  await budgets.spend(db, "webhook.addresses", by.userId!);
  const problem = await sender.problemOf(url);
  if (problem) throw new AppError("webhook.url_refused", { fields: { url: problem } }, problem);
}

async function unlessTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (databaseError(error)?.code === "23505") throw new AppError("webhook.exists");
    throw error;
  }
}

/** Dates that went through a stored answer are text again; this makes them dates. */
function revived(hook: Hook): Hook {
  const { failingSince, createdAt } = hook;
  return { ...hook, failingSince: failingSince && new Date(failingSince), createdAt: new Date(createdAt) };
}

const isOwn = (by: By, hookId: number) => and(eq(hooks.id, hookId), eq(hooks.userId, by.userId!));
const contextOf = (userId: number) => `webhook secret of ${userId}`;
