// The statement that moves money: it updates wallets and debts and appends the transfers, all at once.
import { type SQL, sql } from "drizzle-orm";
import type { TransferReason } from "../../../db/schema/ledger.ts";

type AccountCode =
  | ("wallet" | "sales" | "adjustments" | "receivables" | "fees")
  // What owners got back from their wallets when they left.
  | "paid_out"
  // Where the shop's money is. "cash" is with the staff who took it, "safe" what they handed in.
  | ("cash" | "safe" | "bank" | "momo" | "paystack");

export type Transfer = {
  userId: number;
  debit: AccountCode;
  credit: AccountCode;
  amountPesewas: number;
  /** Callers never post `debt_paid`: it follows from money into a wallet with a debt. */
  reason: Exclude<TransferReason, "debt_paid">;
  /** The id of the order, payment, adjustment or reversal behind it. */
  subjectId: number;
  byUserId: number | null;
};

/** A transfer appended for entry `n`: the wallet's balance in pesewas after it, and whether it spent held money. */
export type Posted = { n: number; balance_after: number | null; overspent: boolean };

/**
 * SQL that posts these entries and returns a row (`Posted`) for each transfer in their order. The caller has locked the
 * wallets in an earlier statement, so that this one reads their current state.
 */
export function posting(entries: Transfer[]): SQL {
  const rows = entries.map((e, n) => ({
    n,
    user_id: e.userId,
    debit: e.debit,
    credit: e.credit,
    amount: e.amountPesewas,
    reason: e.reason,
    subject_id: e.subjectId,
    by_user_id: e.byUserId,
  }));
  return sql`
    with entry as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as e(
        n int, user_id bigint, debit text, credit text, amount bigint, reason text, subject_id bigint,
        by_user_id bigint)
    ),
    -- Money into a wallet with a debt pays the debt until nothing is owed.
    owing as materialized (
      select e.*, case when e.credit = 'wallet'
                    then least(w.debt_pesewas, sum(e.amount) filter (where e.credit = 'wallet') over so_far)
                       - least(w.debt_pesewas, sum(e.amount) filter (where e.credit = 'wallet') over so_far - e.amount)
                    else 0 end as pays
      from entry e left join wallets w on w.user_id = e.user_id
      window so_far as (partition by e.user_id order by e.n)
    ),
    -- Each entry, followed by its payment of the debt.
    numbered as materialized (
      select nextval('transfers_id_seq') as id, o.* from (
        select n, 0 as part, user_id, debit, credit, amount, reason, subject_id, by_user_id from owing
        union all
        select n, 1, user_id, 'wallet', 'receivables', pays, 'debt_paid', null, by_user_id from owing where pays > 0
        order by n, part
      ) o
    ),
    running as materialized (
      select p.*, c.change, case when c.change is not null
               then (w.balance_pesewas + sum(c.change) over (partition by p.user_id order by p.id))::bigint end as after
      from numbered p
      cross join lateral (select case 'wallet' when p.credit then p.amount when p.debit then -p.amount end as change) c
      left join wallets w on w.user_id = p.user_id
    ),
    changed as (
      update wallets w
      set balance_pesewas = w.balance_pesewas + c.change, debt_pesewas = w.debt_pesewas + c.owed,
          version = w.version + 1
      from (
        select user_id, coalesce(sum(change), 0) as change,
               coalesce(sum(amount) filter (where debit = 'receivables'), 0)
                 - coalesce(sum(amount) filter (where credit = 'receivables'), 0) as owed
        from running where change is not null or 'receivables' in (debit, credit) group by user_id) c
      where w.user_id = c.user_id
    ),
    appended as (
      insert into transfers
        (id, user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, by_user_id)
      -- The subject of a debt payment is the transfer before it, which brought the money.
      select id, user_id, debit, credit, amount, reason,
             coalesce(subject_id, lag(id) over (partition by user_id order by id)), after, by_user_id
      from running order by id
    )
    select r.n, r.after as balance_after,
           r.reason in ('charge', 'adjustment', 'refund_taken_back', 'wallet_payout') and r.debit = 'wallet'
             and r.after < w.held_pesewas as overspent
    from running r left join wallets w on w.user_id = r.user_id order by r.id`;
}
