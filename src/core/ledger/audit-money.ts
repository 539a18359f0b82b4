// Rules of the audit about the shop's own money: deposits and the statement, cash with staff, payouts to its bank, and
// to owners of wallets.
import { type SQL, sql } from "drizzle-orm";

export const MONEY_RULES: Record<string, SQL> = {
  approved_claim_has_one_credit: sql`
    select c.id as subject, count(t.id) || ' credits, state ' || c.state as detail
    from deposits c left join transfers t on t.subject_id = c.id and t.user_id = c.user_id and t.reason = 'claim'
    group by c.id
    having count(t.id) <> (c.state = 'approved')::int
        or sum(t.amount_pesewas) <> coalesce(c.credited_pesewas, c.amount_pesewas)`,

  deposit_agrees_with_its_line: sql`
    select c.id as subject, 'credited ' || coalesce(c.credited_pesewas, c.amount_pesewas) || ' for '
           || c.transaction_id || ', the statement says ' || coalesce(l.amount_pesewas || ' for ' || l.transaction_id,
                                                                      'nothing') as detail
    from deposits c
    left join statement_lines l on l.id = c.line_id and l.direction = 'in'
    where (c.line_id is not null or c.credited_pesewas is not null)
      and (l.id is null or l.transaction_id <> c.transaction_id or l.network <> coalesce(c.network, l.network)
           or l.amount_pesewas <> coalesce(c.credited_pesewas, c.amount_pesewas))`,

  deposit_is_not_its_importers: sql`
    select c.id as subject, 'credited by itself for user ' || c.user_id || ', imported by '
           || coalesce(i.by_user_id::text, 'nobody') || ', booked for ' || coalesce(t.by_user_id::text, 'nobody')
           as detail
    from deposits c
    left join statement_lines l on l.id = c.line_id
    left join statement_imports i on i.id = l.import_id
    left join transfers t on t.reason = 'claim' and t.subject_id = c.id
    where c.is_automatic
      and (i.by_user_id is distinct from c.decided_by_user_id or c.decided_by_user_id = c.user_id
           or t.by_user_id is distinct from i.by_user_id)`,

  deposit_reversal_has_its_amount: sql`
    select r.id as subject, 'transfers of ' || coalesce(sum(t.amount_pesewas), 0) || ', state ' || r.state as detail
    from deposit_reversals r
    left join transfers t on t.subject_id = r.id and t.user_id = r.user_id
      and t.reason in ('claim_reversal', 'claim_debt')
    group by r.id
    having coalesce(sum(t.amount_pesewas), 0) <> case r.state when 'booked' then r.amount_pesewas else 0 end`,

  deposit_reversals_within_their_credit: sql`
    select c.id as subject, 'took back ' || sum(r.amount_pesewas) || ' of '
           || coalesce(c.credited_pesewas, c.amount_pesewas) as detail
    from deposit_reversals r join deposits c on c.id = r.deposit_id
    where r.state <> 'dismissed'
    group by c.id
    having sum(r.amount_pesewas) > coalesce(c.credited_pesewas, c.amount_pesewas) or c.state <> 'approved'`,

  momo_equals_deposits: sql`
    select 'momo' as subject, 'account ' || booked || ', deposits ' || due as detail
    from (select coalesce(sum(pesewas), 0) as booked from audit.entry where account_kind = 'momo') a,
         (select -coalesce(sum(t.amount_pesewas) filter (where t.reason = 'claim' and t.debit = 'momo'), 0)
                 + coalesce(sum(t.amount_pesewas) filter (where t.reason <> 'claim'), 0) as due
          from transfers t
          where t.reason in ('claim', 'claim_reversal', 'claim_debt')
            and (exists (select from deposits c where t.reason = 'claim' and c.id = t.subject_id
                           and c.user_id = t.user_id and c.state = 'approved')
                 or exists (select from deposit_reversals r where t.reason <> 'claim' and r.id = t.subject_id
                              and r.user_id = t.user_id and r.state = 'booked'))) d
    where booked <> due`,

  cash_close_has_its_transfers: sql`
    select c.id as subject, 'state ' || c.state || ', counted ' || c.counted_pesewas || ' of ' || c.expected_pesewas
           || ', transfers of ' || coalesce(t.handed_in, 0) || ' and ' || coalesce(t.difference, 0) as detail
    from cash_closes c
    left join lateral (
      select sum(t.amount_pesewas) filter (where t.reason = 'cash_handed_in') as handed_in,
             sum(case t.credit when 'cash' then t.amount_pesewas else -t.amount_pesewas end)
               filter (where t.reason = 'cash_difference') as difference
      from transfers t
      where t.reason in ('cash_handed_in', 'cash_difference') and t.subject_id = c.id and t.user_id = c.user_id
    ) t on true
    where coalesce(t.handed_in, 0) <> case c.state when 'accepted' then c.counted_pesewas else 0 end
       or coalesce(t.difference, 0)
          <> case c.state when 'accepted' then c.expected_pesewas - c.counted_pesewas else 0 end`,

  cash_with_staff_is_taken_less_handed_in: sql`
    select 'cash' as subject, 'account ' || booked || ', taken ' || taken || ', handed in ' || handed_in as detail
    from (select coalesce(sum(case 'cash' when t.credit then t.amount_pesewas else -t.amount_pesewas end), 0) as booked
          from transfers t where t.reason in ('cash_sale', 'cash_handed_in', 'cash_difference')) a,
         (select coalesce(sum(amount_pesewas), 0) as taken from orders
          where payment_method = 'cash' and paid_at is not null) o,
         (select coalesce(sum(expected_pesewas), 0) as handed_in from cash_closes where state = 'accepted') c
    where booked <> handed_in - taken`,

  nobody_hands_in_more_than_they_took: sql`
    select c.user_id as subject, 'handed in ' || sum(c.expected_pesewas) || ' of ' || coalesce(t.taken, 0) as detail
    from cash_closes c
    left join (select by_user_id, sum(amount_pesewas) as taken from transfers where reason = 'cash_sale'
               group by by_user_id) t on t.by_user_id = c.user_id
    where c.state <> 'refused'
    group by c.user_id, t.taken
    having sum(c.expected_pesewas) > coalesce(t.taken, 0)`,

  safe_is_handed_in_less_banked: sql`
    select 'safe' as subject, 'account ' || booked || ', handed in ' || handed_in || ', banked ' || banked
           || ', paid out ' || paid_out as detail
    from (select coalesce(sum(case 'safe' when t.credit then t.amount_pesewas when t.debit then -t.amount_pesewas end),
                          0) as booked
          from transfers t where t.reason in ('cash_handed_in', 'cash_banked', 'wallet_payout')) a,
         (select coalesce(sum(counted_pesewas), 0) as handed_in from cash_closes where state = 'accepted') c,
         (select coalesce(sum(amount_pesewas), 0) as banked from bank_deposits) b,
         (select coalesce(sum(amount_pesewas), 0) as paid_out from wallet_payouts where is_from_safe) p
    where booked <> banked + paid_out - handed_in or banked + paid_out > handed_in`,

  bank_deposit_has_its_transfers: sql`
    select b.id as subject, 'brought ' || b.amount_pesewas || ', seen ' || coalesce(b.seen_pesewas::text, 'by nobody')
           || ', transfers of ' || coalesce(t.banked, 0) || ' and ' || coalesce(t.difference, 0) as detail
    from bank_deposits b
    left join lateral (
      select sum(t.amount_pesewas) filter (where t.reason = 'cash_banked') as banked,
             sum(case t.debit when 'bank' then t.amount_pesewas else -t.amount_pesewas end)
               filter (where t.reason = 'bank_difference') as difference
      from transfers t
      where t.reason in ('cash_banked', 'bank_difference') and t.subject_id = b.id and t.user_id = b.by_user_id
    ) t on true
    where coalesce(t.banked, 0) <> b.amount_pesewas
       or coalesce(t.difference, 0) <> coalesce(b.seen_pesewas - b.amount_pesewas, 0)`,

  bank_is_what_was_brought_and_paid_out: sql`
    select 'bank' as subject, 'account ' || booked || ', due ' || due as detail
    from (select coalesce(sum(case 'bank' when t.credit then t.amount_pesewas else -t.amount_pesewas end), 0) as booked
          from transfers t where t.reason in ('cash_banked', 'bank_difference', 'payout')) a,
         (select -(select coalesce(sum(coalesce(seen_pesewas, amount_pesewas)), 0) from bank_deposits)
                 - (select coalesce(sum(amount_pesewas), 0) from payouts where booked_at is not null) as due) d
    where booked <> due`,

  payout_has_its_transfer: sql`
    select p.id as subject, coalesce(t.pesewas, 0) || ' booked of ' || p.amount_pesewas || ', status ' || p.status
           as detail
    from payouts p
    left join (select subject_id, sum(amount_pesewas) as pesewas from transfers where reason = 'payout'
               group by subject_id) t on t.subject_id = p.id
    where coalesce(t.pesewas, 0) <> case when p.booked_at is null then 0 else p.amount_pesewas end`,

  wallet_payout_equals_its_transfer: sql`
    select coalesce(p.id, t.subject_id) as subject,
           'paid out ' || coalesce(p.amount_pesewas, 0) || ', transfers of ' || coalesce(t.pesewas, 0) as detail
    from wallet_payouts p
    full join (
      select subject_id, user_id, credit, sum(amount_pesewas) as pesewas from transfers where reason = 'wallet_payout'
      group by subject_id, user_id, credit) t on t.subject_id = p.id and t.user_id = p.user_id
        and t.credit = case when p.is_from_safe then 'safe' else 'paid_out' end
    where p.amount_pesewas is distinct from t.pesewas`,
};
