// The outbox of messages to developers' webhooks: rooms of every floor write them here in the commit of the change that
// they report, as JSON of their own, so that none is lost and none reports what did not happen. The room webhooks sends
// them.
import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { hooks } from "../../../db/schema/webhooks.ts";
import type { HookEvent, HookTopic } from "../../shared/hook-topics.ts";
import { isAmong } from "./sql.ts";

/** A message to the account's endpoints that chose the event; `orderId` of the order that it is about. */
export type WebhookMessage = { event: HookTopic; userId: number; orderId?: number; data: object };

/** With microseconds, so that two changes of one commit are ordered; as text they sort chronologically. */
export const NOW_TEXT = sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** SQL: whether endpoints of `hooks` get an event: they are on, and chose it. Their owner must be active as well. */
export const isReader = (event: HookTopic) =>
  and(sql`${hooks.pausedFor} is null`, sql`${hooks.events} && array[${event}, 'all']`);

/**
 * Queues messages in their order. For accounts without an endpoint it costs one index scan, however many messages.
 */
export async function queue(tx: Tx, messages: readonly WebhookMessage[]): Promise<void> {
  if (messages.length === 0) return;
  const owners = [...new Set(messages.map(({ userId }) => userId))];
  const open = await tx
    .select({ id: hooks.id, userId: hooks.userId, events: hooks.events, timestamp: NOW_TEXT })
    .from(hooks)
    .innerJoin(users, eq(users.id, hooks.userId))
    .where(and(isAmong(hooks.userId, owners), sql`${hooks.pausedFor} is null`, eq(users.status, "ACTIVE")))
    .orderBy(hooks.id)
    // An endpoint being removed right now must not block the change.
    .for("key share", { of: hooks });
  if (open.length === 0) return;
  const hooksOf = Map.groupBy(open, ({ userId }) => userId);
  const { timestamp } = open[0]!;
  const rows = messages.flatMap(({ event, userId, orderId = null, data }) => {
    const readers = (hooksOf.get(userId) ?? []).filter(
      ({ events }) => events.includes(event) || events.includes("all"),
    );
    const body = readers.length > 0 ? bodyOf(event, timestamp, data) : "";
    return readers.map(({ id }) => ({ hook_id: id, event, order_id: orderId, body }));
  });
  if (rows.length === 0) return;
  await tx.execute(sql`
    insert into hook_deliveries (hook_id, event, order_id, body)
    select hook_id, event, order_id, body
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as r(hook_id bigint, event text, order_id bigint, body text)`);
}

/** Queues one body for many endpoints that the caller has found. */
export async function insertForAll(tx: Tx, event: HookTopic, body: string, hookIds: readonly number[]): Promise<void> {
  await tx.execute(sql`
    insert into hook_deliveries (hook_id, event, body)
    select id, ${event}, ${body} from unnest(${sql.param(hookIds)}::bigint[]) as id order by id`);
}

/** The exact body of a message; `isTest` marks an example. */
export function bodyOf(type: HookEvent, timestamp: string, data: object, isTest = false): string {
  return JSON.stringify({ type, timestamp, ...(isTest && { test: true }), data });
}
