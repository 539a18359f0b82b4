// Time that passes for one account's orders and for nobody else, in a sandbox: what was due later falls due now. Orders
// keep the moments at which they were placed and paid, by which they are counted.
import { sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import * as ledger from "../../ledger/ledger.ts";

/** Orders beyond these are left as they are. */
const ORDERS_MAX = 10_000;

const openOrders = (userId: number) => sql`
  select id from orders where user_id = ${userId} and status in ('PENDING', 'PAID', 'PROCESSING', 'DELIVERED')
  order by id desc limit ${ORDERS_MAX}`;

/** Lets the hold of paid orders pass, after which they are dispatched. */
export async function hastenDispatch(db: Db, userId: number, seconds: number): Promise<void> {
  await db.execute(sql`
    update jobs set run_at = run_at - make_interval(secs => ${seconds})
    where kind = 'dispatch_order' and dead_at is null and subject_id in (${openOrders(userId)})`);
}

/** Whether the worker is about to send some of an account's orders. */
export async function isDispatching(db: Reads, userId: number): Promise<boolean> {
  const [row] = await db.execute<{ is_dispatching: boolean }>(sql`
    with open as materialized (${openOrders(userId)})
    -- One that a worker has claimed is due at the end of its lease.
    select exists (select from jobs where kind = 'dispatch_order' and (run_at <= now() or attempts > 0)
                     and dead_at is null and subject_id in (select id from open))
      or exists (select from attempts where order_id in (select id from open) and vendor <> 'desk'
                   and (state = 'sending' or state = 'queued' and due_at <= now())) as is_dispatching`);
  return row!.is_dispatching;
}

/** The references under which vendors may still act on an account's orders, the newest first. */
export async function referencesOf(db: Reads, userId: number): Promise<string[]> {
  const rows = await db.execute<{ reference: string }>(sql`
    select a.reference from orders o join attempts a on a.order_id = o.id
    where o.user_id = ${userId} and a.vendor <> 'desk' and a.state not in ('queued', 'withdrawn')
    order by a.id desc limit ${ORDERS_MAX}`);
  return rows.map(({ reference }) => reference);
}

/**
 * Moves the deadlines of an account's open orders nearer: when they are checked, completed, refunded, or expire unpaid.
 * The delivery promise of an order begins when it is sent, so that it is not refunded before anybody could deliver it;
 * and ends now at the earliest, so that its vendor is asked once more first, as at any deadline.
 */
export async function pass(tx: Tx, userId: number, seconds: number): Promise<void> {
  await ledger.lockWallets(tx, [userId]);
  const ids = sql`select id from open`;
  const open = sql`with open as materialized (${openOrders(userId)})`;
  const by = sql`make_interval(secs => ${seconds})`;
  await tx.execute(sql`
    ${open}
    update orders o set
      deliver_by = case when deliver_by <= now() then deliver_by - ${by} else greatest(deliver_by - ${by}, now()) end,
      created_at = case when paid_at is null then created_at - ${by} else created_at end
    where id in (${ids}) and (paid_at is null or exists (
      select from attempts a where a.order_id = o.id and a.state not in ('queued', 'withdrawn')))`);
  await tx.execute(sql`
    ${open}
    update attempts set due_at = due_at - ${by}, sent_at = sent_at - ${by}, checked_at = checked_at - ${by},
      confirmed_at = confirmed_at - ${by}, hold_until = hold_until - ${by}, overdue_at = overdue_at - ${by}
    where order_id in (${ids}) and state <> 'sending'`);
  await tx.execute(sql`
    ${open}
    update jobs set run_at = run_at - ${by}
    where kind = 'complete_order' and dead_at is null and subject_id in (${ids})`);
}
