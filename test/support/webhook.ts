// A webhook that is on: its endpoint has answered the test.
import { eq, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { hookDeliveries, hooks as table } from "../../db/schema/webhooks.ts";
import * as hooks from "../../src/core/webhooks/endpoints.ts";
import type { ByUser } from "../../src/shared/domain.ts";
import type { HookChoice } from "../../src/shared/hook-topics.ts";

type Opened = { by: ByUser; url: string; description?: string; events?: readonly HookChoice[] | undefined };

/** Adds a webhook and turns it on without calling anybody; returns it with its secret. */
export async function openHook(
  db: Db,
  keys: hooks.WebhookKeys,
  { by, url, description = "", events }: Opened,
): Promise<{ hook: hooks.Hook; secret: string }> {
  const { hook, secret } = (await hooks.create(db, keys, { by, key: null, url, description, events })).answer;
  await haveAnswered(db, hook.id);
  return { hook: await hooks.get(db, by, hook.id), secret: secret! };
}

/** Marks endpoints, one or all, as having answered their tests. */
export async function haveAnswered(db: Db, hookId?: number): Promise<void> {
  await db
    .delete(hookDeliveries)
    .where(sql`${hookDeliveries.event} = 'ping' and ${hookId ? eq(hookDeliveries.hookId, hookId) : sql`true`}`);
  await db
    .update(table)
    .set({ pausedFor: null })
    .where(sql`${table.pausedFor} = 'unproven' and ${hookId ? eq(table.id, hookId) : sql`true`}`);
}
