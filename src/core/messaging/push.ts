// Push messages about deliveries and refunds. The change's commit only notes what happened; a minute later a worker
// turns an account's notes into one message for each of its browsers. They appear on locked screens, so they name
// neither a price nor a whole number.
import { and, eq, gt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { sessions, users } from "../../../db/schema/identity.ts";
import { pushNotices, pushSubscriptions } from "../../../db/schema/messaging.ts";
import { orders } from "../../../db/schema/orders.ts";

import { orderedBundle } from "../../shared/operators.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import * as jobs from "../platform/jobs.ts";
import * as operatorRegistry from "../platform/operator-registry.ts";
import * as messages from "./messages.ts";
import * as devices from "./push-devices.ts";
import type { PushGateway, Sender } from "./sender.ts";

type Kind = "order_delivered" | "order_refunded";
type Notice = typeof pushNotices.$inferSelect;

/** How long changes are collected for one message. */
const BATCH_SECONDS = 60;

/** Notes that these orders have changed, by owner, for those owners who have a browser that wants to know. */
export async function ordersChanged(tx: Tx, kind: Kind, byOwner: Map<number, { id: number }[]>): Promise<void> {
  if (byOwner.size === 0) return;
  const rows = [...byOwner].map(([userId, some]) => ({
    user_id: userId,
    orders: some.length,
    order_id: some[0]!.id,
  }));
  await tx.execute(sql`
    with noted as (
      insert into push_notices (user_id, kind, orders, order_id)
      select user_id, ${kind}, orders, order_id
      from json_to_recordset(${JSON.stringify(rows)}::json) as n(user_id bigint, orders int, order_id bigint)
      where exists (select from push_subscriptions s where s.user_id = n.user_id)
      returning id)
    insert into jobs (kind, subject_id, run_at)
    select 'batch_push', id, now() + make_interval(secs => ${BATCH_SECONDS}) from noted`);
}

/** Queues the messages of up to `countMax` due notes and of their accounts' other notes; returns how many were due. */
export async function batchDue(db: Db, countMax: number): Promise<number> {
  const due = await jobs.claim(db, "batch_push", countMax);
  for (const job of due)
    await db.transaction(async (tx) => {
      if (await jobs.take(tx, job.id)) await batch(tx, job.subjectId);
    });
  return due.length;
}

/** The sender for `messages.sendDue`: a recipient is the id of a subscription. */
export function senderTo(db: Db, gateway: PushGateway): Sender {
  return {
    send: async ({ id, recipient, body }) => {
      const isLive = and(eq(pushSubscriptions.id, Number(recipient)), gt(sessions.expiresAt, sql`now()`));
      const [found] = await db
        .select({ target: pushSubscriptions })
        .from(pushSubscriptions)
        .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
        .where(isLive);
      if (!found) return { kind: "refused", reason: "alerts were turned off there" };
      const content = { title: "DataFie", body, path: "/orders", tag: `message ${id}` };
      const sent = await gateway.send(found.target, content);
      if (sent.kind !== "gone") return sent;
      await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, found.target.id));
      return { kind: "refused", reason: "the browser has ended its subscription" };
    },
  };
}

async function batch(tx: Tx, noticeId: number): Promise<void> {
  // The account is locked, so that two workers never batch its notes at once.
  const [owner] = await tx
    .select({ id: users.id, status: users.status })
    .from(users)
    .innerJoin(pushNotices, eq(pushNotices.userId, users.id))
    .where(eq(pushNotices.id, noticeId))
    .for("no key update", { of: users });
  if (!owner) return;
  const noted = await tx.delete(pushNotices).where(eq(pushNotices.userId, owner.id)).returning();
  if (noted.length === 0 || owner.status !== "ACTIVE") return;
  const browsers = await devices.list(tx, owner.id);
  if (browsers.length === 0 || !(await budgets.trySpend(tx, "push.account", owner.id))) return;
  for (const [kind, some] of Map.groupBy(noted, (notice) => notice.kind)) {
    const body = await textOf(tx, kind as Kind, some);
    await messages.queueAll(
      tx,
      browsers.map(({ id }) => ({
        ...{ userId: owner.id, kind, channel: "push", recipient: String(id), subject: "", body },
      })),
    );
  }
}

async function textOf(tx: Tx, kind: Kind, noted: Notice[]): Promise<string> {
  const count = noted.reduce((sum, notice) => sum + notice.orders, 0);
  const isDelivered = kind === "order_delivered";
  if (count > 1)
    return isDelivered ? `${count} orders delivered.` : `${count} orders failed. The money is back in your wallet.`;
  await operatorRegistry.renew(tx);
  const [order] = await tx.select().from(orders).where(eq(orders.id, noted[0]!.orderId));
  const bundle = `${orderedBundle(order!, order!.quantity)} to … ${order!.msisdn.slice(-4)}`;
  return isDelivered ? `${bundle} was delivered.` : `${bundle} failed. The money is back in your wallet.`;
}
