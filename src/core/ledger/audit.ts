// The audit of the books: rules that hold between wallets, transfers, orders and payments, whatever wrote them.
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { STATUSES } from "../../shared/domain.ts";
import { LIMIT_RULES } from "./audit-limits.ts";
import { MONEY_RULES } from "./audit-money.ts";
import { ORDER_PRICES } from "./audit-prices.ts";
import { PROFIT_RULES } from "./audit-profit.ts";
import { REFUND_RULES } from "./audit-refunds.ts";

export type AuditFinding = { rule: string; subject: string; detail: string };
export type Audit = { ok: boolean; findings: AuditFinding[]; checked: Record<string, number> };

/**
 * Checks the books against themselves and against the orders, in one snapshot. No findings means: all accounts sum to
 * zero, each wallet (with its debt and held amount) equals its transfers, sales equals the paid orders that are not
 * FAILED, every paid order was charged once and every FAILED paid one refunded once more than taken back, every
 * credited payment has its fee, Paystack's account equals the payments, every PROCESSING order is being delivered, and
 * the daily totals agree with the orders.
 * Each rule reports at most 20 rows.
 */
export async function audit(db: Db): Promise<Audit> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = '10min'`);
      const findings: AuditFinding[] = [];
      for (const [rule, query] of Object.entries(RULES)) {
        const rows = await tx.execute<{ subject: string; detail: string }>(sql`${query} limit 20`);
        for (const row of rows) findings.push(findingOf(rule, row));
      }
      const [checked] = await tx.execute<Record<string, number>>(sql`
        select (select count(*) from transfers) as transfers, (select count(*) from wallets) as wallets,
               (select count(*) from orders) as orders`);
      return { ok: findings.length === 0, findings, checked: { ...checked } };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

/** Daily totals that are off can be rebuilt from the orders. */
const REPAIRS: Record<string, string> = {
  day_sums_equal_orders: "bun run repair-sums",
  shop_days_equal_user_days: "bun run repair-sums",
  key_days_equal_orders: "bun run repair-sums",
  status_counts_equal_orders: "bun run repair-sums",
};

/** A rule's row as a finding, with the command that repairs it where there is one. */
export function findingOf(rule: string, row: { subject: unknown; detail: unknown }): AuditFinding {
  const repair = REPAIRS[rule] ? `; repair with: ${REPAIRS[rule]}` : "";
  return { rule, subject: String(row.subject), detail: `${row.detail}${repair}` };
}

/**
 * Rules by name: each a query with a row per violation, its `subject` and a readable `detail`. Each is self-contained
 * so that a run can narrow its tables (audit-scopes.ts), and therefore groups by every column it shows.
 */
export const RULES: Record<string, SQL> = {
  accounts_sum_to_zero: sql`
    select 'all accounts' as subject, 'the sum is ' || sum(pesewas) as detail
    from audit.entry having coalesce(sum(pesewas), 0) <> 0`,

  wallet_equals_its_transfers: sql`
    select coalesce(w.user_id, e.user_id) as subject,
           'wallet ' || coalesce(w.pesewas::text, 'missing') || ', transfers ' || coalesce(e.pesewas, 0) as detail
    from audit.wallet w
    full join (
      select user_id, sum(pesewas) as pesewas from audit.entry where account_kind = 'wallet' group by user_id) e
      using (user_id)
    where w.pesewas is null or w.pesewas <> coalesce(e.pesewas, 0)`,

  balance_after_is_the_running_sum: sql`
    select id as subject, 'records ' || balance_after_pesewas || ', adds up to ' || running as detail
    from (
      select id, balance_after_pesewas,
             sum(case when credit = 'wallet' then amount_pesewas else -amount_pesewas end)
               over (partition by user_id order by id) as running
      from transfers where 'wallet' in (debit, credit)) t
    where balance_after_pesewas <> running`,

  sales_equals_paid_orders: sql`
    select 'sales' as subject, 'account ' || booked || ', orders ' || sold as detail
    from (select coalesce(sum(pesewas), 0) as booked from audit.entry where account_kind = 'sales') a,
         (select coalesce(sum(amount_pesewas), 0) as sold from orders
          where paid_at is not null and status <> 'FAILED') o
    where booked <> sold`,

  paid_order_has_one_charge: sql`
    select o.id as subject, count(t.id) || ' charges of ' || coalesce(sum(t.amount_pesewas), 0)
           || ' for an order of ' || o.amount_pesewas as detail
    from orders o
    left join transfers t on t.subject_id = o.id and t.user_id = o.user_id
      and t.reason = case o.payment_method when 'cash' then 'cash_sale' else 'charge' end
    group by o.id, o.paid_at, o.amount_pesewas
    having count(t.id) <> (o.paid_at is not null)::int
        or coalesce(sum(t.amount_pesewas), o.amount_pesewas) <> o.amount_pesewas`,

  charge_has_its_order: sql`
    select t.id as subject, t.reason || ' for order ' || t.subject_id || ', which it does not pay' as detail
    from transfers t
    left join orders o on o.id = t.subject_id and o.user_id = t.user_id and o.paid_at is not null
    where t.reason in ('charge', 'cash_sale') and o.id is null`,

  ...REFUND_RULES,

  order_has_a_price_of_the_list: sql`
    ${ORDER_PRICES}`,

  adjustment_has_one_transfer: sql`
    select a.id as subject, count(t.id) || ' transfers' as detail
    from adjustments a
    left join transfers t on t.subject_id = a.id and t.reason = 'adjustment' and t.user_id = a.user_id
    group by a.id
    having count(t.id) <> 1
        or sum(case t.credit when 'wallet' then t.amount_pesewas else -t.amount_pesewas end) <> a.amount_pesewas`,

  settled_payment_has_one_credit: sql`
    select p.id as subject, count(t.id) || ' credits, state ' || p.state as detail
    from payments p left join transfers t on t.subject_id = p.id and t.user_id = p.user_id and t.reason = 'topup'
    group by p.id, p.state, p.paid_at, p.amount_pesewas, p.credited_pesewas
    having count(t.id) <> (p.paid_at is not null)::int
        or coalesce(sum(t.amount_pesewas), 0) <> case when p.paid_at is null then 0
                                                       else coalesce(p.credited_pesewas, p.amount_pesewas) end`,

  credited_payment_has_its_fee: sql`
    select p.id as subject, count(t.id) || ' fees of ' || coalesce(sum(t.amount_pesewas), 0) || ', reported '
           || coalesce(p.fees_pesewas::text, 'none') || ', by the payer ' || p.fees_by_payer_pesewas
           || case when p.paid_at is null then ', not credited' else '' end as detail
    from payments p
    left join transfers t on t.subject_id = p.id and t.user_id = p.user_id and t.reason = 'payment_fee'
    cross join lateral (
      select case when p.paid_at is null then 0
                  else coalesce(p.fees_pesewas - p.fees_by_payer_pesewas, 0) end as pesewas) due
    group by p.id, p.paid_at, p.fees_pesewas, p.fees_by_payer_pesewas, due.pesewas
    having count(t.id) <> (due.pesewas > 0)::int or coalesce(sum(t.amount_pesewas), 0) <> due.pesewas`,

  paystack_and_fees_equal_payments: sql`
    select a.account as subject, 'account ' || a.booked || ', payments ' || a.due as detail
    from (
      select coalesce(sum(pesewas) filter (where account_kind = 'paystack'), 0) as paystack,
             coalesce(sum(pesewas) filter (where account_kind = 'fees'), 0) as fees
      from audit.entry where account_kind in ('paystack', 'fees')) booked,
      (select coalesce(sum(coalesce(credited_pesewas, amount_pesewas)), 0) as credited,
              coalesce(sum(coalesce(fees_pesewas - fees_by_payer_pesewas, 0)), 0) as fees
       from payments where paid_at is not null) p,
      (select coalesce(sum(amount_pesewas), 0) as back from payment_reversals where state = 'booked') r,
      (select coalesce(sum(amount_pesewas), 0) as paid_out from payouts where booked_at is not null) o,
      lateral (values ('paystack', booked.paystack, r.back + p.fees + o.paid_out - p.credited),
                      ('fees', booked.fees, -p.fees)) as a (account, booked, due)
    where a.booked <> a.due`,

  booked_reversal_has_its_amount: sql`
    select r.id as subject, 'transfers of ' || coalesce(sum(t.amount_pesewas), 0) || ', state ' || r.state as detail
    from payment_reversals r
    left join transfers t on t.subject_id = r.id and t.user_id = r.user_id and t.reason in ('reversal', 'debt')
    group by r.id
    having coalesce(sum(t.amount_pesewas), 0) <> case r.state when 'booked' then r.amount_pesewas else 0 end`,

  reversals_within_their_credit: sql`
    select p.id as subject, 'took back ' || sum(r.amount_pesewas) || ' of '
           || case when p.paid_at is null then 0 else coalesce(p.credited_pesewas, p.amount_pesewas) end as detail
    from payment_reversals r join payments p on p.id = r.payment_id
    where r.state = 'booked'
    group by p.id
    having sum(r.amount_pesewas) > case when p.paid_at is null then 0
                                        else coalesce(p.credited_pesewas, p.amount_pesewas) end`,

  debt_equals_its_transfers: sql`
    select w.user_id as subject, 'owes ' || w.debt_pesewas || ', transfers ' || coalesce(e.pesewas, 0) as detail
    from wallets w
    full join (
      select user_id, -sum(pesewas) as pesewas from audit.entry where account_kind = 'receivables' group by user_id) e
      using (user_id)
    where coalesce(w.debt_pesewas, -1) <> coalesce(e.pesewas, 0)`,

  debt_paid_by_what_came_in: sql`
    select d.id as subject, d.amount_pesewas || ' by transfer ' || d.subject_id
           || case when t.id is null then ', which brought no money' else ' of ' || t.amount_pesewas end as detail
    from transfers d
    left join transfers t on t.id = d.subject_id and t.user_id = d.user_id and t.credit = 'wallet'
    where d.reason = 'debt_paid' and (t.id is null or t.amount_pesewas < d.amount_pesewas)`,

  held_equals_open_chargebacks: sql`
    select coalesce(w.user_id, r.user_id) as subject,
           'held ' || coalesce(w.held_pesewas, 0) || ', chargebacks ' || coalesce(r.pesewas, 0) as detail
    from wallets w
    full join (
      select user_id, sum(held_pesewas) as pesewas from (
        select user_id, held_pesewas from payment_reversals
        union all select user_id, held_pesewas from deposit_reversals) reversals
      group by user_id) r using (user_id)
    where coalesce(w.held_pesewas, 0) <> coalesce(r.pesewas, 0)`,

  open_chargeback_is_held: sql`
    select p.id as subject,
           'holds ' || sum(r.held_pesewas) || ' of chargebacks over ' || sum(r.amount_pesewas) as detail
    from payment_reversals r
    join payments p on p.id = r.payment_id and p.paid_at is not null
    cross join lateral (
      select coalesce(p.credited_pesewas, p.amount_pesewas) - coalesce(sum(b.amount_pesewas), 0) as pesewas
      from payment_reversals b where b.payment_id = p.id and b.state = 'booked') rest
    where r.kind = 'chargeback' and r.state = 'open'
    group by p.id, rest.pesewas
    having sum(r.held_pesewas) <> least(sum(r.amount_pesewas), rest.pesewas)`,

  credit_has_its_subject: sql`
    select t.id as subject, t.reason || ' of ' || t.subject_id || ', which does not exist' as detail
    from transfers t
    where t.reason in ('topup', 'payment_fee')
          and not exists (select 1 from payments p where p.id = t.subject_id and p.user_id = t.user_id)
       or t.reason = 'claim'
          and not exists (select 1 from deposits c where c.id = t.subject_id and c.user_id = t.user_id)
       or t.reason in ('reversal', 'debt')
          and not exists (select 1 from payment_reversals r where r.id = t.subject_id and r.user_id = t.user_id)`,

  day_sums_equal_orders: sql`
    select coalesce(s.user_id, o.user_id) || ' ' || coalesce(s.day, o.day) || ' ' || coalesce(s.operator, o.operator)
             as subject,
           'sums ' || coalesce(s.orders, 0) || '/' || coalesce(s.amount_pesewas, 0)
             || ', orders ' || coalesce(o.orders, 0) || '/' || coalesce(o.amount_pesewas, 0) as detail
    from (select * from user_days where orders > 0 or amount_pesewas > 0) s
    full join (
      select user_id, (paid_at at time zone 'Africa/Accra')::date as day, operator, count(*) as orders,
             sum(amount_pesewas) as amount_pesewas, sum(coalesce(volume_mb, 0)::bigint * quantity) as volume_mb
      from orders where paid_at is not null and status <> 'FAILED' group by 1, 2, 3) o
      on o.user_id = s.user_id and o.day = s.day and o.operator = s.operator
    where s.orders is distinct from o.orders or s.amount_pesewas is distinct from o.amount_pesewas
       or s.volume_mb is distinct from o.volume_mb`,

  shop_days_equal_user_days: sql`
    select coalesce(s.day, u.day) || ' ' || coalesce(s.operator, u.operator) as subject,
           'shop ' || coalesce(s.orders, 0) || '/' || coalesce(s.amount_pesewas, 0)
             || ', users ' || coalesce(u.orders, 0) || '/' || coalesce(u.amount_pesewas, 0) as detail
    from (
      select day, operator, sum(orders) as orders, sum(amount_pesewas) as amount_pesewas, sum(volume_mb) as volume_mb
      from (select day, operator, orders, amount_pesewas, volume_mb from shop_days
            union all select day, operator, orders, amount_pesewas, volume_mb from shop_day_deltas) n
      group by 1, 2) s
    full join (
      select day, operator, sum(orders) as orders, sum(amount_pesewas) as amount_pesewas, sum(volume_mb) as volume_mb
      from user_days group by 1, 2) u using (day, operator)
    where coalesce(s.orders, 0) <> coalesce(u.orders, 0)
       or coalesce(s.amount_pesewas, 0) <> coalesce(u.amount_pesewas, 0)
       or coalesce(s.volume_mb, 0) <> coalesce(u.volume_mb, 0)`,

  key_days_equal_orders: sql`
    select coalesce(d.key_id, o.key_id) || ' ' || coalesce(d.day, o.day) as subject,
           'spent ' || coalesce(d.pesewas, 0) || ', orders ' || coalesce(o.pesewas, 0) as detail
    from (select key_id, day, amount_pesewas as pesewas from api_key_days) d
    full join (
      select coalesce(k.first_id, k.id) as key_id, (o.paid_at at time zone 'Africa/Accra')::date as day,
             sum(o.amount_pesewas) as pesewas
      from orders o join api_keys k on k.id = o.key_id where o.status <> 'FAILED' group by 1, 2) o using (key_id, day)
    where coalesce(d.pesewas, 0) <> coalesce(o.pesewas, 0)`,

  afa_registration_follows_its_order: sql`
    select o.id as subject, 'order ' || o.status || ', registration '
           || case when r.order_id is null then 'missing' when r.refused_at is null then 'held'
                   else 'freed' end as detail
    from orders o
    left join afa_registrations r on r.order_id = o.id and r.user_id = o.user_id and r.msisdn = o.msisdn
    where (r.order_id is not null or o.product_id in (select id from products where line = 'afa'))
      and (r.order_id is null or o.paid_at is null
           or (coalesce(r.refused_at, r.kept_at) is not null) <> (o.status = 'FAILED'))`,

  processing_bundle_is_with_somebody: sql`
    select o.id as subject, 'PROCESSING, but nothing is delivering it' as detail
    from orders o
    where o.status = 'PROCESSING'
      and not exists (select from afa_registrations r where r.order_id = o.id)
      and not exists (
        select from attempts a where a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn'))
      and not exists (select from jobs j where j.kind = 'dispatch_order' and j.subject_id = o.id)`,

  expected_cost_follows_from_costs: sql`
    select p.id as subject, 'expected cost ' || coalesce(p.cost_pesewas::text, 'unknown') || ', lowest price '
           || coalesce(p.lowest_price_pesewas::text, 'none') || '; costs, routes and margins say '
           || coalesce(e.cost::text, 'unknown') || ' and ' || coalesce(e.lowest::text, 'none') as detail
    from products p join expected_costs() e on e.product_id = p.id
    where (p.cost_pesewas, p.lowest_price_pesewas) is distinct from (e.cost, e.lowest)`,
  ...PROFIT_RULES,
  ...LIMIT_RULES,
  ...MONEY_RULES,

  status_counts_equal_orders: sql`
    select s.status as subject, 'counted ' || coalesce((b.count + coalesce(d.delta, 0))::text, 'nothing')
           || ', orders ' || coalesce(o.count, 0) as detail
    from unnest(${sql.param([...STATUSES])}::text[]) as s(status)
    left join order_counts b using (status)
    left join (select status, sum(delta) as delta from order_count_deltas group by status) d using (status)
    left join (select status, count(*) as count from orders group by status) o using (status)
    where b.count is null or b.count + coalesce(d.delta, 0) <> coalesce(o.count, 0)`,
};
