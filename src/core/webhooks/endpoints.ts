// Webhook endpoints, at which an agent's own program receives the events that it chose. dispatch.ts sends them.
import { hkdfSync } from "node:crypto";
import { and, asc, eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import { type ByUser, type HookPause, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { HOOK_CHOICES, type HookChoice } from "../../shared/hook-topics.ts";
import { Id } from "../../shared/inputs.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import { resealed, type SealingKeys, seal, unsealUnder } from "../platform/encryption.ts";
import { type Answered, fingerprint, type Key, once, recall } from "../platform/idempotency.ts";
import * as hookDeliveries from "./deliveries.ts";
import type { HookSender } from "./sender.ts";
import { newSecret } from "./signature.ts";

/** What a process needs for webhooks: the keys that encrypt their secrets, and the sender. */
export type WebhookKeys = SealingKeys & { sender: HookSender };

type Row = typeof hooks.$inferSelect;
/** A webhook without its secret. */
export type Hook = Pick<Row, "id" | "url" | "description" | "events" | "pausedFor" | "failingSince" | "createdAt">;
/** The secret is only in the first answer: null when a request is repeated. */
export type HookWithSecret = { hook: Hook; secret: string | null };

const visible = {
  id: hooks.id,
  url: hooks.url,
  description: hooks.description,
  events: hooks.events,
  pausedFor: hooks.pausedFor,
  failingSince: hooks.failingSince,
  createdAt: hooks.createdAt,
};

/** The encryption key, derived from the secret that signs sessions. */
export function hookKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "datafie webhook secrets", 32));
}

export function webhookKeysOf(sender: HookSender, secret: string, previous: string | null = null): WebhookKeys {
  return { key: hookKey(secret), previousKey: previous === null ? undefined : hookKey(previous), sender };
}

/** Re-encrypts secrets that are still under the previous key; returns how many webhooks. Runs at the start. */
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

/** The caller's webhooks, oldest first. */
export async function list(tx: Reads, by: ByUser): Promise<Hook[]> {
  return tx.select(visible).from(hooks).where(eq(hooks.userId, by.userId)).orderBy(asc(hooks.id));
}

/** One of the caller's webhooks. Throws webhook.not_found, also for somebody else's. */
export async function get(tx: Reads, by: ByUser, hookId: number): Promise<Hook> {
  const [hook] = await tx.select(visible).from(hooks).where(isOwn(by, hookId));
  if (!hook) throw new AppError("webhook.not_found");
  return hook;
}

type NewHook = {
  by: ByUser;
  key: Key | null;
  url: string;
  description: string;
  /** At least one; left out: changes of orders' status. */
  events?: readonly HookChoice[] | undefined;
};

const DEFAULT_EVENTS = ["order.status_changed"] as const satisfies HookChoice[];

/**
 * Registers an endpoint and creates its secret, which cannot be shown again. It is off until it answers a test, which
 * is queued. Throws webhook.url_refused, webhook.too_many, webhook.exists, request.rate_limited, request.key_reused.
 */
export async function create(
  db: Db,
  keys: WebhookKeys,
  { by, key, url, description, events = DEFAULT_EVENTS }: NewHook,
): Promise<Answered<HookWithSecret>> {
  const userId = by.userId;
  const content = ["hook.create", url, description, ...(events === DEFAULT_EVENTS ? [] : [events])];
  const isKnown = key && (await recall(db, userId, key, fingerprint(content)));
  // The DNS lookup comes before the transaction, which would hold its connection meanwhile.
  if (!isKnown) await checkUrl(db, keys, by, url);
  const secret = newSecret();
  const sealedSecret = seal(keys.key, secret, contextOf(userId));
  const { answer, replayed } = await once(db, userId, key, content, async (tx) => {
    // Locked, so that concurrent requests count the account's webhooks in turn.
    await tx.execute(sql`select 1 from users where id = ${userId} for no key update`);
    if ((await list(tx, by)).length >= limits.hooks) throw new AppError("webhook.too_many");
    const [hook] = await unlessTaken(() =>
      tx
        .insert(hooks)
        .values({ userId, url, description, events: tidy(events), sealedSecret, pausedFor: "unproven" })
        .returning(visible),
    );
    await hookDeliveries.queueProof(tx, by, hook!.id);
    return hook!;
  });
  return { answer: { hook: answer, secret: replayed ? null : secret }, replayed };
}

/**
 * Changes a webhook's address, description or events, or turns it on or off. With a new address, or turned on, it is
 * sent a test and is on once that is answered. Waiting deliveries of one turned off fail, and can be resent. Throws
 * webhook.not_found, webhook.url_refused, webhook.exists, request.rate_limited.
 */
export async function change(
  db: Db,
  keys: WebhookKeys,
  command: {
    by: ByUser;
    hookId: number;
    url?: string | undefined;
    description?: string | undefined;
    events?: readonly HookChoice[] | undefined;
    isOn?: boolean | undefined;
  },
): Promise<Hook> {
  const { by, hookId, url, description, events, isOn } = command;
  const before = await get(db, by, hookId);
  if (url !== undefined && url !== before.url) await checkUrl(db, keys, by, url);
  return db.transaction(async (tx) => {
    const [locked] = await tx.select(visible).from(hooks).where(isOwn(by, hookId)).for("no key update");
    if (!locked) throw new AppError("webhook.not_found");
    const isElsewhere = url !== undefined && url !== locked.url;
    const isTurnedOn = isOn === true && locked.pausedFor !== null;
    // No order data goes to an address whose owner has not shown that they want it.
    const mustProve = isTurnedOn || (isElsewhere && locked.pausedFor === null);
    const [changed] = await unlessTaken(() =>
      tx
        .update(hooks)
        .set({
          url: url ?? locked.url,
          description: description ?? locked.description,
          ...(events && { events: tidy(events) }),
          // Turning it on clears its failures.
          ...(isOn === true && { failingSince: null, failures: 0, heldUntil: null }),
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

export const remove = command({
  name: "webhook.remove",
  right: null,
  about: "Remove a webhook with all its deliveries",
  input: { hookId: Id },
  errors: ["webhook.not_found"],
  run: async ({ tx, by }, { hookId }) => {
    const gone = await tx.delete(hooks).where(isOwn(by, hookId)).returning({ id: hooks.id });
    if (gone.length === 0) throw new AppError("webhook.not_found");
  },
});

/**
 * Replaces the secret; the old one signs as well for a day, so that a program can change over without losing a message.
 * Throws webhook.not_found, request.key_reused.
 */
export async function rotateSecret(
  db: Db,
  keys: WebhookKeys,
  { by, key, hookId }: { by: ByUser; key: Key | null; hookId: number },
): Promise<Answered<HookWithSecret>> {
  const userId = by.userId;
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
  return { answer: { hook: answer, secret: replayed ? null : secret }, replayed };
}

/** Turns a webhook off in the caller's transaction, which has locked its row, and fails its waiting deliveries. */
export async function pause(tx: Tx, hookId: number, reason: HookPause): Promise<void> {
  await tx.update(hooks).set({ pausedFor: reason }).where(eq(hooks.id, hookId));
  await hookDeliveries.failWaiting(tx, hookId);
}

/**
 * The secrets that currently sign a webhook's messages, newest first. Empty when they were encrypted under a lost key:
 * then the webhook needs a new secret.
 */
export function secretsOf(keys: WebhookKeys, hook: Pick<Row, "userId"> & { sealed: string[] }): string[] {
  const secrets = hook.sealed.map((sealed) => unsealUnder(keys, sealed, contextOf(hook.userId)));
  return secrets.every((secret) => secret !== null) ? secrets : [];
}

/** Each once, in the order of the list; "all" stands for every other. */
function tidy(events: readonly HookChoice[]): HookChoice[] {
  return events.includes("all") ? ["all"] : HOOK_CHOICES.filter((choice) => events.includes(choice));
}

async function checkUrl(db: Db, { sender }: WebhookKeys, by: ByUser, url: string): Promise<void> {
  await budgets.spend(db, "webhook.addresses", by.userId);
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

const isOwn = (by: ByUser, hookId: number) => and(eq(hooks.id, hookId), eq(hooks.userId, by.userId));
const contextOf = (userId: number) => `webhook secret of ${userId}`;
