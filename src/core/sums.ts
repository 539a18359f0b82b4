// Sums that dashboards read instead of adding up orders: per user and day, and by status.
import { sql } from "drizzle-orm";
import type { Tx } from "../../db/connect.ts";
import type { OrderStatus } from "../shared/domain.ts";
import type { Order } from "./orders.ts";

/** Adds orders to (or takes them from) the sums of the day they were paid on. */
export async function addToDays(tx: Tx, changed: Order[], sign: 1 | -1): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map((order) => ({
    user_id: order.userId,
    paid_at: order.paidAt!.toISOString(),
    operator: order.operator,
    orders: sign,
    amount: sign * order.amountPesewas,
    mb: sign * (order.volumeMb ?? 0) * order.quantity,
  }));
  // An upsert cannot take away: its inserted half would break the check, so the two directions are two statements.
  const sums = sql`
    select user_id, (paid_at at time zone 'Africa/Accra')::date as day, operator,
           sum(orders) as orders, sum(amount) as amount, sum(mb) as mb
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      user_id bigint, paid_at timestamptz, operator text, orders int, amount bigint, mb bigint)
    group by 1, 2, 3 order by 1, 2, 3`;
  await tx.execute(
    sign === 1
      ? sql`
        insert into user_days as d (user_id, day, operator, orders, amount_pesewas, volume_mb) ${sums}
        on conflict (user_id, day, operator) do update set
          orders = d.orders + excluded.orders, amount_pesewas = d.amount_pesewas + excluded.amount_pesewas,
          volume_mb = d.volume_mb + excluded.volume_mb`
      : sql`
        update user_days d set orders = d.orders + s.orders, amount_pesewas = d.amount_pesewas + s.amount,
          volume_mb = d.volume_mb + s.mb
        from (${sums}) s where d.user_id = s.user_id and d.day = s.day and d.operator = s.operator`,
  );
}

/** Notes that so many orders more (or fewer) have a status; the worker folds the notes. */
export async function countChange(tx: Tx, changes: (readonly [OrderStatus, number])[]): Promise<void> {
  const rows = changes.map(([status, delta]) => ({ status, delta }));
  await tx.execute(sql`
    insert into order_count_deltas (status, delta)
    select status, delta from json_to_recordset(${JSON.stringify(rows)}::json) as r(status text, delta int)
    where delta <> 0`);
}
