// Rules of the audit about refunds: one for each failed order, those that were taken back, and what was delivered after
// one. An order is refunded, has that taken back, and is refunded again at most once each.
import { type SQL, sql } from "drizzle-orm";

export const REFUND_RULES: Record<string, SQL> = {
  failed_order_has_one_refund: sql`
    select o.id as subject, count(t.id) filter (where t.credit = 'wallet') || ' refunds, '
           || count(t.id) filter (where t.debit = 'wallet') || ' taken back, status ' || o.status as detail
    from orders o
    left join transfers t on t.subject_id = o.id and t.user_id = o.user_id
      and t.reason in ('refund', 'refund_taken_back', 'refund_again')
    group by o.id, o.status, o.paid_at, o.amount_pesewas
    having count(t.id) filter (where t.credit = 'wallet') - count(t.id) filter (where t.debit = 'wallet')
             <> (o.status = 'FAILED' and o.paid_at is not null)::int
        or bool_or(t.amount_pesewas <> o.amount_pesewas)`,

  refund_follows_the_one_before: sql`
    select t.id as subject, t.reason || ' of order ' || t.subject_id || ' without what it follows' as detail
    from transfers t
    left join public.transfers before on before.subject_id = t.subject_id and before.user_id = t.user_id
      and before.id < t.id
      and before.reason = case t.reason when 'refund_again' then 'refund_taken_back' else 'refund' end
    where t.reason in ('refund_taken_back', 'refund_again') and before.id is null`,

  loss_is_a_refunded_order: sql`
    select l.order_id as subject, 'a loss of ' || l.amount_pesewas || ', order ' || coalesce(o.status, 'missing')
           || case when l.recovered_at is null then '' else ', recovered' end as detail
    from losses l
    left join orders o on o.id = l.order_id and o.user_id = l.user_id and o.amount_pesewas = l.amount_pesewas
    left join transfers t on t.subject_id = l.order_id and t.reason = 'refund_taken_back'
    where o.id is null or (l.recovered_at is not null and t.id is null)
       or (l.recovered_at is null and (o.status <> 'FAILED' or o.refunded_at is null))`,
};
