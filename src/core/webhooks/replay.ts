// Replay: every message of a span is sent again, for a program that was down or lost what it had taken.
import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { hooks, hookDeliveries as table } from "../../../db/schema/webhooks.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { HookTopic } from "../../shared/hook-topics.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmong, isAnyOf } from "../platform/sql.ts";

/** From `since` on, before `until` (null or left out: now); of these events, or of all. */
export type Span = { since: Date; until?: Date | undefined; events?: readonly HookTopic[] | undefined };

/**
 * Queues the ended messages of a span again, each under its id, with all its tries, and in the order in which they were
 * written; returns how many. Those on their way stay as they are, and tests are left out.
 * Throws webhook.not_found, webhook.paused, webhook.replay_too_many, request.rate_limited, request.key_reused.
 */
export async function replay(
  db: Db,
  { by, key, hookId, ...span }: { by: ByUser; key: Key | null; hookId: number } & Span,
): Promise<Answered<{ count: number }>> {
  const content = ["hook.replay", hookId, span.since, span.until ?? null, span.events ?? null];
  return once(db, by.userId, key, content, async (tx) => {
    await budgets.spend(tx, "webhook.replays", by.userId);
    // Not turned off meanwhile, which fails what waits.
    const [hook] = await tx
      .select({ url: hooks.url, pausedFor: hooks.pausedFor })
      .from(hooks)
      .where(and(eq(hooks.id, hookId), eq(hooks.userId, by.userId)))
      .for("share");
    if (!hook) throw new AppError("webhook.not_found");
    if (hook.pausedFor) throw new AppError("webhook.paused");
    const count = await queueAgain(tx, hookId, span);
    if (count > 0) {
      await budgets.reserve(tx, "webhook.replayed", by.userId, count);
      await budgets.reserve(tx, "webhook.replayed_host", new URL(hook.url).hostname, count);
    }
    return { count };
  });
}

async function queueAgain(tx: Tx, hookId: number, { since, until, events }: Span): Promise<number> {
  const isOver = sql`${table.state} in ('delivered', 'failed')`;
  const found = await tx
    .select({ id: table.id })
    .from(table)
    .where(
      and(
        eq(table.hookId, hookId),
        isOver,
        sql`${table.event} <> 'ping' and not ${table.isTest}`,
        gte(table.createdAt, since),
        until && lt(table.createdAt, until),
        events && isAnyOf(table.event, events),
      ),
    )
    .limit(limits.hookReplay + 1);
  if (found.length > limits.hookReplay) throw new AppError("webhook.replay_too_many");
  const ids = found.map(({ id }) => id);
  const queued = await tx
    .update(table)
    // All are due at once, and are then sent by id.
    .set({ state: "waiting", tries: 0, dueAt: sql`now()`, endedAt: null })
    .where(and(isAmong(table.id, ids), isOver))
    .returning({ id: table.id });
  return queued.length;
}
