// Refunds by the clock of orders that may have been delivered: reports that nobody decided, and overdue orders whose
// outcome nobody knows. They have a bound for each account, so that nobody lives on them while no one is looking: an
// amount in 24 hours, and a share of what it bought in 30 days. Above it, a person decides.
import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { type AUTOMATIC_REFUNDS, automaticRefunds } from "../../../db/schema/orders.ts";
import * as settings from "../platform/settings/settings.ts";
import type { Order } from "./order.ts";

/** So far back the refunds and losses of an account count, and what it bought. */
const COUNTED_DAYS = 30;

/** SQL: the most, in pesewas, that the clock refunds to an account within 24 hours. */
export const DAY_MAX = sql`setting_number('automatic_refunds_pesewas', ${settings.DEFAULTS.automatic_refunds_pesewas})`;

/**
 * SQL: whether this account may have this number of orders, of these pesewas together, refunded by the clock now. For
 * lists and for what agents read; `take` alone decides.
 */
export function fits(userId: SQLWrapper, { orders, pesewas }: { orders: SQL; pesewas: SQL }): SQL<boolean> {
  return sql<boolean>`(
    select ${orders} <= l.orders and ${pesewas} <= l.pesewas from (${leftOf(userId)}) l)`;
}

/**
 * Records which of these orders, one after the other, the clock may refund, and returns them: the caller has locked
 * them with their wallets, and refunds them in the same transaction.
 */
export async function take(
  tx: Tx,
  overdue: readonly Order[],
  kind: (typeof AUTOMATIC_REFUNDS)[number],
): Promise<Order[]> {
  if (overdue.length === 0) return [];
  const owners = [...new Set(overdue.map(({ userId }) => userId))];
  const rows = await tx.execute<{ userId: number; orders: number; pesewas: number }>(sql`
    select u.id as "userId", l.orders, l.pesewas
    from unnest(${sql.param(owners)}::bigint[]) u (id) cross join lateral (${leftOf(sql`u.id`)}) l`);
  const left = new Map(rows.map(({ userId, ...own }) => [userId, own]));
  const taken = overdue.filter(({ userId, amountPesewas }) => {
    const own = left.get(userId)!;
    if (own.orders < 1 || own.pesewas < amountPesewas) return false;
    own.orders -= 1;
    own.pesewas -= amountPesewas;
    return true;
  });
  if (taken.length > 0)
    await tx
      .insert(automaticRefunds)
      .values(taken.map(({ id: orderId, userId, amountPesewas }) => ({ orderId, userId, kind, amountPesewas })))
      .onConflictDoNothing();
  return taken;
}

/** The refund of an order was taken back: if it was one of these, it counts no more. */
export async function forget(tx: Tx, orderId: number): Promise<void> {
  await tx.delete(automaticRefunds).where(eq(automaticRefunds.orderId, orderId));
}

/**
 * SQL: how many orders of an account may be lost or refunded by the clock within 30 days. What it bought today does
 * not count: it may still be cancelled.
 */
export function allowedOrders(userId: SQLWrapper): SQL<number> {
  const { automatic_refunds_orders: least, automatic_refunds_percent: percent } = settings.DEFAULTS;
  return sql<number>`greatest(
    setting_number('automatic_refunds_orders', ${least}),
    setting_number('automatic_refunds_percent', ${percent}) * (
      select coalesce(sum(d.orders), 0) from user_days d
      where d.user_id = ${userId} and d.day >= ${TODAY} - ${COUNTED_DAYS}::int and d.day < ${TODAY}) / 100)`;
}

const TODAY = sql`(now() at time zone 'Africa/Accra')::date`;

/** SQL, a query of `orders` and `pesewas`: what the clock may still refund to an account now. */
function leftOf(userId: SQLWrapper): SQL {
  const isCounted = sql`created_at > now() - make_interval(days => ${COUNTED_DAYS})`;
  return sql`
    select (${allowedOrders(userId)} - count(*))::int as orders,
           (${DAY_MAX} - coalesce(sum(g.pesewas) filter (
              where g.created_at > now() - interval '24 hours'), 0))::bigint as pesewas
    from (
      select amount_pesewas as pesewas, created_at from automatic_refunds r
      where r.user_id = ${userId} and ${isCounted}
      union all
      select 0, created_at from losses r
      where r.user_id = ${userId} and ${isCounted} and recovered_at is null
        and not exists (select from automatic_refunds a where a.order_id = r.order_id)) g`;
}
