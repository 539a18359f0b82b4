// What the nightly audit reads: of each rule only what has come since a checkpoint, so that a night costs a day and not
// the whole past. A rule without an entry here is applied to everything.
import { type SQL, sql } from "drizzle-orm";

/**
 * How far the run before has looked: the newest ids of rows that were surely all there, and what had gone from each
 * account to each other by then.
 */
export type Checkpoint = { transferId: number; orderId: number; eventId: number; at: string; flows: Flow[] };
export type Flow = { debit: string; credit: string; pesewas: number };

/** A query in place of the rule's own, a narrower one of it, or null: only a full run can tell. */
type Scope = (rule: SQL, since: Checkpoint) => SQL | null;

/**
 * In a rule that is looked at through one of these, the table's name means its new rows alone. What a rule compares
 * them with is found by index.
 */
const newTransfers: Scope = (rule, since) => sql`
  with transfers as materialized (select * from public.transfers where id > ${since.transferId}) ${rule}`;
/** New orders, and those that something has happened to or that money was moved for. */
const touchedOrders: Scope = (rule, since) => sql`
  with orders as materialized (select * from public.orders where ${isTouched(since)}) ${rule}`;
const touchedPayments: Scope = (rule, since) => sql`
  with payments as materialized (
    select * from public.payments where updated_at > ${since.at}::timestamptz
      or id in (select subject_id from public.transfers where id > ${since.transferId} and reason = 'topup')) ${rule}`;
const onlyFull: Scope = () => null;

export const SCOPES: Record<string, Scope> = {
  // Each transfer is both of its sides: new ones cannot break this.
  accounts_sum_to_zero: onlyFull,
  // With the rule below it, that says the same of all transfers that the full one says.
  wallet_equals_its_transfers: () => sql`
    select w.user_id as subject,
           'wallet ' || w.balance_pesewas || ', after its newest transfer ' || coalesce(t.balance_after_pesewas, 0) as detail
    from wallets w left join lateral (
      select balance_after_pesewas from transfers t
      where t.user_id = w.user_id and 'wallet' in (t.debit, t.credit) order by t.id desc limit 1) t on true
    where w.balance_pesewas <> coalesce(t.balance_after_pesewas, 0)`,
  balance_after_is_the_running_sum: (_, since) => sql`
    select id as subject, 'says ' || balance_after_pesewas || ', adds up to ' || before + change as detail
    from (
      select n.*, case when n.credit = 'wallet' then n.amount_pesewas else -n.amount_pesewas end as change,
             coalesce(lag(n.balance_after_pesewas) over (partition by n.user_id order by n.id), o.balance_after_pesewas, 0)
               as before
      from (select * from transfers where id > ${since.transferId} and 'wallet' in (debit, credit)) n
      left join lateral (
        select balance_after_pesewas from transfers t
        where t.user_id = n.user_id and t.id <= ${since.transferId} and 'wallet' in (t.debit, t.credit)
        order by t.id desc limit 1) o on true) t
    where balance_after_pesewas <> before + change`,
  // The orders of old days are in the sums of those days; what a full run has shown to agree is carried on.
  sales_equals_paid_orders: (_, since) => sql`
    select 'sales' as subject, 'account ' || booked || ', sums of all days ' || sold as detail
    from (
      select ${salesOf(since.flows)}::bigint + coalesce(sum(case 'sales' when credit then amount_pesewas else -amount_pesewas end), 0)
        as booked
      from transfers where id > ${since.transferId} and 'sales' in (debit, credit)) a,
      (select coalesce(sum(amount_pesewas), 0) as sold from (
         select amount_pesewas from shop_days union all select amount_pesewas from shop_day_deltas) d) o
    where booked <> sold`,
  paid_order_has_one_charge: touchedOrders,
  failed_order_has_one_refund: touchedOrders,
  afa_registration_follows_its_order: touchedOrders,
  charge_has_its_order: newTransfers,
  credit_has_its_subject: newTransfers,
  settled_payment_has_one_credit: touchedPayments,
  // Whatever is lost from the sums of days shows in the rule about sales.
  day_sums_equal_orders: onlyFull,
  shop_days_equal_user_days: onlyFull,
  status_counts_equal_orders: onlyFull,
};

/** As an array, so that each is found by its key: an `or` would read every order there is. */
export function isTouched(since: Checkpoint): SQL {
  return sql`id = any(array(
    select id from public.orders where id > ${since.orderId}
    union select subject_id from public.transfers
      where id > ${since.transferId} and reason in ('charge', 'cash_sale', 'refund')
    union select order_id from public.order_events where id > ${since.eventId} and to_status is not null))`;
}

function salesOf(flows: Flow[]): number {
  return flows.reduce(
    (sum, { debit, credit, pesewas }) =>
      sum + (credit === "sales" ? pesewas : 0) - (debit === "sales" ? pesewas : 0),
    0,
  );
}
