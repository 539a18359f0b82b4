// Webhook deliveries: a row for each message and endpoint. platform/webhook-outbox.ts writes those of changes,
// announcing.ts those of prices and pauses, dispatch.ts sends them.
import { and, asc, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { hooks, hookDeliveries as table } from "../../../db/schema/webhooks.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { HookTopic } from "../../shared/hook-topics.ts";
import { Id } from "../../shared/inputs.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmongFound } from "../platform/sql.ts";
import { bodyOf, NOW_TEXT } from "../platform/webhook-outbox.ts";

export type HookDelivery = typeof table.$inferSelect;

const DELETED_AT_ONCE = 5000;
/** The id of a message, the same on every attempt. */
export function messageIdOf(deliveryId: number): string {
  return `msg_${deliveryId}`;
}

/** An event with the data of its example. */
export type Example = { event: HookTopic; data: object };

type Test = { by: ByUser; key: Key | null; hookId: number };

/**
 * Queues a `ping` for one of the caller's endpoints, tried once; an unproven endpoint is turned on when it answers.
 * Throws webhook.not_found, webhook.paused, request.rate_limited.
 */
export async function ping(db: Db, test: Test): Promise<Answered<HookDelivery>> {
  return sendTest(db, test, null);
}

/**
 * Queues the example of an event, marked as a test, whether the endpoint chose the event or not. It is tried once.
 * Throws as `ping`, and webhook.paused for an unproven endpoint.
 */
export async function sendExample(
  db: Db,
  { example, ...test }: Test & { example: Example },
): Promise<Answered<HookDelivery>> {
  return sendTest(db, test, example);
}

async function sendTest(db: Db, { by, key, hookId }: Test, example: Example | null): Promise<Answered<HookDelivery>> {
  return once(db, by.userId, key, ["hook.ping", hookId, ...(example ? [example.event] : [])], async (tx) => {
    await budgets.spend(tx, "webhook.messages", by.userId);
    const [hook] = await tx
      .select({ id: hooks.id, pausedFor: hooks.pausedFor })
      .from(hooks)
      .where(and(eq(hooks.id, hookId), eq(hooks.userId, by.userId)))
      .for("key share");
    if (!hook) throw new AppError("webhook.not_found");
    if (!example && hook.pausedFor === "unproven") return queueProof(tx, by, hookId);
    if (hook.pausedFor) throw new AppError("webhook.paused");
    return example ? queueExample(tx, hookId, example) : queuePing(tx, hookId);
  });
}

/** Queues the test that turns an endpoint on once it is answered. Throws request.rate_limited. */
export async function queueProof(tx: Tx, by: ByUser, hookId: number): Promise<HookDelivery> {
  await budgets.spend(tx, "webhook.proofs", by.userId);
  return queuePing(tx, hookId);
}

async function queuePing(tx: Tx, hookId: number): Promise<HookDelivery> {
  const body = bodyOf("ping", await nowText(tx), { webhookId: hookId });
  const [delivery] = await tx.insert(table).values({ hookId, event: "ping", body }).returning();
  return delivery!;
}

async function queueExample(tx: Tx, hookId: number, { event, data }: Example): Promise<HookDelivery> {
  const body = bodyOf(event, await nowText(tx), data, true);
  const [delivery] = await tx.insert(table).values({ hookId, event, isTest: true, body }).returning();
  return delivery!;
}

async function nowText(tx: Tx): Promise<string> {
  const [now] = await tx.execute<{ timestamp: string }>(sql`select ${NOW_TEXT} as timestamp`);
  return now!.timestamp;
}

/** Resends one of the caller's messages now, with all its tries. One that is being sent stays as it is. */
export const sendAgain = command({
  name: "webhook.resend",
  right: null,
  about: "Send a message again, under the same webhook-id",
  input: { deliveryId: Id },
  errors: ["webhook.delivery_not_found", "webhook.paused", "request.rate_limited"],
  run: async ({ tx, by }, { deliveryId }): Promise<HookDelivery> => {
    await budgets.spend(tx, "webhook.messages", by.userId);
    const [found] = await tx
      .select({ delivery: table, pausedFor: hooks.pausedFor })
      .from(table)
      .innerJoin(hooks, eq(hooks.id, table.hookId))
      .where(and(eq(table.id, deliveryId), eq(hooks.userId, by.userId)))
      .for("update", { of: table });
    if (!found) throw new AppError("webhook.delivery_not_found");
    if (found.pausedFor) throw new AppError("webhook.paused");
    if (found.delivery.state === "sending") return found.delivery;
    const [waiting] = await tx
      .update(table)
      .set({ state: "waiting", tries: 0, dueAt: sql`now()`, endedAt: null })
      .where(eq(table.id, deliveryId))
      .returning();
    return waiting!;
  },
});

/** An endpoint's deliveries, newest first, those before the id `cursor`; the caller has checked its ownership. */
export async function list(
  tx: Reads,
  hookId: number,
  { cursor, limit }: { cursor?: number | undefined; limit: number },
): Promise<HookDelivery[]> {
  return tx
    .select(getTableColumns(table))
    .from(table)
    .where(and(eq(table.hookId, hookId), cursor ? lt(table.id, cursor) : undefined))
    .orderBy(desc(table.id))
    .limit(limit);
}

/** Fails the waiting deliveries of an endpoint in the commit that turns it off. Those being sent end by themselves. */
export async function failWaiting(tx: Tx, hookId: number): Promise<void> {
  await tx
    .update(table)
    .set({
      state: "failed",
      endedAt: sql`now()`,
      lastError: sql`coalesce(${table.lastError}, 'The webhook was turned off')`,
    })
    .where(and(eq(table.hookId, hookId), eq(table.state, "waiting")));
}

/** Deletes deliveries older than they are kept, some thousands at a time; returns how many. */
export async function forgetOld(db: Db): Promise<number> {
  const old = db
    .select({ id: table.id })
    .from(table)
    .where(lt(table.createdAt, sql`now() - make_interval(days => ${limits.hookDeliveryDays})`))
    .orderBy(asc(table.createdAt))
    .limit(DELETED_AT_ONCE);
  return (await db.delete(table).where(isAmongFound(table.id, old)).returning({ id: table.id })).length;
}
