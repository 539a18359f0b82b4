// Scopes of the nightly audit: each rule narrowed to the rows since a checkpoint, so that a night costs one day's rows
// and not all history. A rule without an entry here is applied to everything.
import { type SQL, sql } from "drizzle-orm";
import { firstOrderIdSince } from "../platform/sql.ts";

/**
 * How far the previous run read: the newest ids below which all rows were certainly committed, and the sums that had
 * moved between each pair of accounts by then.
 */
export type Checkpoint = { transferId: number; orderId: number; eventId: number; at: string; flows: Flow[] };
export type Flow = { debit: string; credit: string; pesewas: number };

/** Replaces or narrows a rule's query; null for a rule that only a full run can check. */
type Scope = (rule: SQL, since: Checkpoint) => SQL | null;

/**
 * Under these scopes the table's name in a rule means its new rows alone. The rows it compares them with are found by
 * index.
 */
const newTransfers: Scope = (rule, since) => sql`
  with transfers as materialized (select * from public.transfers where id > ${since.transferId}) ${rule}`;
/** New orders, and those with a new status event or transfer. */
const touchedOrders: Scope = (rule, since) => sql`
  with orders as materialized (select * from public.orders where ${isTouched(since)}) ${rule}`;
const touchedPayments: Scope = (rule, since) => sql`
  with payments as materialized (
    select * from public.payments where updated_at > ${since.at}::timestamptz
      or id in (select subject_id from public.transfers
                where id > ${since.transferId} and reason in ('topup', 'payment_fee'))) ${rule}`;
const onlyFull: Scope = () => null;

/**
 * The last week and a random earlier day, with the orders that can have been paid on them, by their ids. Each day's
 * orders are read apart ("offset 0"): joined, the planner would read all orders there are.
 */
const someDays: Scope = (rule) => sql`
  with checked as materialized (
    select (now() at time zone 'Africa/Accra')::date - n as day from generate_series(0, 7) n
    union (select day from (select distinct day from public.profit_days) d order by random() limit 1)),
  orders as materialized (
    select o.* from checked c
    cross join lateral (${firstOrderIdSince(sql`(c.day - 2)::timestamp at time zone 'Africa/Accra'`)}) low
    cross join lateral (${firstOrderIdSince(sql`(c.day + interval '25 hours') at time zone 'Africa/Accra'`)}) high
    cross join lateral (
      select * from public.orders
      where id >= low.id and id < high.id and (paid_at at time zone 'Africa/Accra')::date = c.day offset 0) o),
  profit_days as materialized (select * from public.profit_days where day in (select day from checked)),
  profit_agent_days as materialized (
    select * from public.profit_agent_days where day in (select day from checked)) ${rule}`;

export const SCOPES: Record<string, Scope> = {
  // Each transfer is both of its sides, so new ones cannot break this.
  accounts_sum_to_zero: onlyFull,
  // Together with the next rule this proves what the full rule proves of all transfers.
  wallet_equals_its_transfers: () => sql`
    select w.user_id as subject, 'wallet ' || w.balance_pesewas || ', after its newest transfer '
           || coalesce(t.balance_after_pesewas, 0) as detail
    from wallets w left join lateral (
      select balance_after_pesewas from transfers t
      where t.user_id = w.user_id and 'wallet' in (t.debit, t.credit) order by t.id desc limit 1) t on true
    where w.balance_pesewas <> coalesce(t.balance_after_pesewas, 0)`,
  balance_after_is_the_running_sum: (_, since) => sql`
    select id as subject, 'records ' || balance_after_pesewas || ', adds up to ' || before + change as detail
    from (
      select n.*, case when n.credit = 'wallet' then n.amount_pesewas else -n.amount_pesewas end as change,
             coalesce(lag(n.balance_after_pesewas) over (partition by n.user_id order by n.id),
                      o.balance_after_pesewas, 0) as before
      from (select * from transfers where id > ${since.transferId} and 'wallet' in (debit, credit)) n
      left join lateral (
        select balance_after_pesewas from transfers t
        where t.user_id = n.user_id and t.id <= ${since.transferId} and 'wallet' in (t.debit, t.credit)
        order by t.id desc limit 1) o on true) t
    where balance_after_pesewas <> before + change`,
  // Orders of past days are in the daily totals; the flows that the last run proved are carried forward.
  sales_equals_paid_orders: (_, since) => sql`
    select 'sales' as subject, 'account ' || booked || ', sums of all days ' || sold as detail
    from (
      select ${salesOf(since.flows)}::bigint
        + coalesce(sum(case 'sales' when credit then amount_pesewas else -amount_pesewas end), 0) as booked
      from transfers where id > ${since.transferId} and 'sales' in (debit, credit)) a,
      (select coalesce(sum(amount_pesewas), 0) as sold from (
         select amount_pesewas from shop_days union all select amount_pesewas from shop_day_deltas) d) o
    where booked <> sold`,
  paid_order_has_one_charge: touchedOrders,
  failed_order_has_one_refund: touchedOrders,
  afa_registration_follows_its_order: touchedOrders,
  order_has_a_price_of_the_list: touchedOrders,
  charge_has_its_order: newTransfers,
  refund_follows_the_one_before: newTransfers,
  credit_has_its_subject: newTransfers,
  settled_payment_has_one_credit: touchedPayments,
  credited_payment_has_its_fee: touchedPayments,
  // The rules of each payment and reversal prove the same of new ones.
  paystack_and_fees_equal_payments: onlyFull,
  // The rules of each deposit, close and payout prove the same of new ones.
  momo_equals_deposits: onlyFull,
  cash_with_staff_is_taken_less_handed_in: onlyFull,
  // A loss from the daily totals shows in the rule about sales.
  day_sums_equal_orders: onlyFull,
  shop_days_equal_user_days: onlyFull,
  key_days_equal_orders: onlyFull,
  status_counts_equal_orders: onlyFull,
  profit_days_equal_orders: someDays,
  profit_agent_days_equal_orders: someDays,
};

/** As an array of ids, so that each order is found by its key: an `or` would scan them all. */
export function isTouched(since: Checkpoint): SQL {
  return sql`id = any(array(
    select id from public.orders where id > ${since.orderId}
    union select subject_id from public.transfers
      where id > ${since.transferId}
        and reason in ('charge', 'cash_sale', 'refund', 'refund_taken_back', 'refund_again')
    union select order_id from public.order_events where id > ${since.eventId} and to_status is not null))`;
}

function salesOf(flows: Flow[]): number {
  return flows.reduce(
    (sum, { debit, credit, pesewas }) => sum + (credit === "sales" ? pesewas : 0) - (debit === "sales" ? pesewas : 0),
    0,
  );
}
