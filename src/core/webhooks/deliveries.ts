// Webhook deliveries: a row for each endpoint, written in the commit of the change it reports, so that none is lost and
// none reports what did not happen. dispatch.ts sends them.
import { and, asc, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { hooks, hookDeliveries as table } from "../../../db/schema/webhooks.ts";
import { type ByUser, type HookEvent, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import { isAmong, isAmongFound } from "../platform/sql.ts";

export type HookDelivery = typeof table.$inferSelect;

const DELETED_AT_ONCE = 5000;
/** With microseconds, so that two changes of one commit are ordered; as text they sort chronologically. */
const MOMENT = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** The id of a message, the same on every attempt. */
export function messageIdOf(deliveryId: number): string {
  return `msg_${deliveryId}`;
}

/**
 * Queues a message with `data` about each of these orders, whose status has just changed, for its owner's endpoints.
 * For owners without an endpoint it costs one index scan, however many orders.
 */
export async function orderStatusChanged(
  tx: Tx,
  changes: { userId: number; orderId: number; data: object }[],
): Promise<void> {
  if (changes.length === 0) return;
  const owners = [...new Set(changes.map(({ userId }) => userId))];
  const open = await tx
    .select({ id: hooks.id, userId: hooks.userId, timestamp: MOMENT })
    .from(hooks)
    .innerJoin(users, eq(users.id, hooks.userId))
    .where(and(isAmong(hooks.userId, owners), sql`${hooks.pausedFor} is null`, eq(users.status, "ACTIVE")))
    .orderBy(hooks.id)
    // An endpoint being removed right now must not block the order's transition.
    .for("key share", { of: hooks });
  if (open.length === 0) return;
  const hooksOf = Map.groupBy(open, ({ userId }) => userId);
  const { timestamp } = open[0]!;
  const rows = changes.flatMap(({ userId, orderId, data }) =>
    (hooksOf.get(userId) ?? []).map(({ id }) => ({
      hook_id: id,
      order_id: orderId,
      body: bodyOf("order.status_changed", timestamp, data),
    })),
  );
  await tx.execute(sql`
    insert into hook_deliveries (hook_id, event, order_id, body)
    select hook_id, 'order.status_changed', order_id, body
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(hook_id bigint, order_id bigint, body text)`);
}

/**
 * Queues a `ping` for one of the caller's endpoints, tried once; an unproven endpoint is turned on when it answers.
 * Throws webhook.not_found, webhook.paused, request.rate_limited.
 */
export async function ping(
  db: Db,
  { by, key, hookId }: { by: ByUser; key: Key | null; hookId: number },
): Promise<Answered<HookDelivery>> {
  return onceForOwner(db, by, key, ["hook.ping", hookId], async (tx) => {
    const [hook] = await tx
      .select({ id: hooks.id, pausedFor: hooks.pausedFor })
      .from(hooks)
      .where(and(eq(hooks.id, hookId), eq(hooks.userId, by.userId)))
      .for("key share");
    if (!hook) throw new AppError("webhook.not_found");
    if (hook.pausedFor === "unproven") return queueProof(tx, by, hookId);
    if (hook.pausedFor) throw new AppError("webhook.paused");
    return queuePing(tx, hookId);
  });
}

/** Queues the test that turns an endpoint on once it is answered. Throws request.rate_limited. */
export async function queueProof(tx: Tx, by: ByUser, hookId: number): Promise<HookDelivery> {
  await budgets.spend(tx, "webhook.proofs", by.userId);
  return queuePing(tx, hookId);
}

async function queuePing(tx: Tx, hookId: number): Promise<HookDelivery> {
  const [now] = await tx.execute<{ timestamp: string }>(sql`select ${MOMENT} as timestamp`);
  const body = bodyOf("ping", now!.timestamp, { webhookId: hookId });
  const [delivery] = await tx.insert(table).values({ hookId, event: "ping", body }).returning();
  return delivery!;
}

/**
 * Resends one of the caller's messages now, under the same id and with all its tries. One that is being sent stays as
 * it is. Throws webhook.delivery_not_found, webhook.paused, request.rate_limited.
 */
export async function sendAgain(
  db: Db,
  { by, key, deliveryId }: { by: ByUser; key: Key | null; deliveryId: number },
): Promise<Answered<HookDelivery>> {
  return onceForOwner(db, by, key, ["hook.again", deliveryId], async (tx) => {
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
  });
}

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

function bodyOf(type: HookEvent, timestamp: string, data: object): string {
  return JSON.stringify({ type, timestamp, data });
}

async function onceForOwner(
  db: Db,
  by: ByUser,
  key: Key | null,
  content: unknown[],
  work: (tx: Tx) => Promise<HookDelivery>,
): Promise<Answered<HookDelivery>> {
  const userId = by.userId;
  return once(db, userId, key, content, async (tx) => {
    await budgets.spend(tx, "webhook.messages", userId);
    return work(tx);
  });
}
