// The books. Besides the purchase statement, this is the only place that writes wallets and transfers,
// and `audit` proves them from outside the code that wrote them.
import { sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../db/connect.ts";
import type { TransferReason } from "../../db/schema.ts";
import { STATUSES } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";

export type Transfer = {
  userId: number;
  debit: "wallet" | "sales" | "adjustments" | "cash" | "paystack";
  credit: "wallet" | "sales" | "adjustments" | "cash" | "paystack";
  amountPesewas: number;
  reason: TransferReason;
  /** The id of the order, payment or adjustment that it is about. */
  subjectId: number;
  byUserId: number | null;
};

/**
 * Locks wallets in the one order that everybody uses. Whoever also locks orders must call this first, because a
 * purchase holds a wallet before it touches orders.
 */
export async function lockWallets(tx: Tx, userIds: number[]): Promise<void> {
  const ids = sql.param([...new Set(userIds)]);
  await tx.execute(
    sql`select 1 from wallets where user_id = any(${ids}::bigint[]) order by user_id for update`,
  );
}

/**
 * Moves money: updates the wallets (and their version, by which a purchase that waited for this sees that it has looked too
 * early) and appends the transfers, inside the caller's transaction.
 * Returns the wallet balance after each transfer, in their order (null where no wallet is touched).
 * Throws wallet.insufficient_balance when a wallet would fall below zero. A transfer that was posted before (same
 * reason and subject) breaks transfers_once_per_subject, and the transaction with it.
 */
export async function post(tx: Tx, entries: Transfer[]): Promise<(number | null)[]> {
  if (entries.length === 0) return [];
  const walletUsers = entries
    .filter((e) => e.debit === "wallet" || e.credit === "wallet")
    .map((e) => e.userId);
  await lockWallets(tx, walletUsers);
  const rows = entries.map((e, n) => ({
    n,
    user_id: e.userId,
    debit: e.debit,
    credit: e.credit,
    amount: e.amountPesewas,
    change: e.credit === "wallet" ? e.amountPesewas : e.debit === "wallet" ? -e.amountPesewas : null,
    reason: e.reason,
    subject_id: e.subjectId,
    by_user_id: e.byUserId,
  }));
  try {
    const posted = await tx.execute<{ balance_after: number | null }>(sql`
      with entry as materialized (
        select * from json_to_recordset(${JSON.stringify(rows)}::json) as e(
          n int, user_id bigint, debit text, credit text, amount bigint, change bigint, reason text,
          subject_id bigint, by_user_id bigint)
      ),
      running as materialized (
        select e.*, (w.balance_pesewas + sum(e.change) over (partition by e.user_id order by e.n))::bigint as after
        from entry e left join wallets w on w.user_id = e.user_id and e.change is not null
      ),
      changed as (
        update wallets w set balance_pesewas = w.balance_pesewas + c.change, version = w.version + 1
        from (select user_id, sum(change) as change from entry where change is not null group by user_id) c
        where w.user_id = c.user_id
      ),
      appended as (
        insert into transfers (user_id, debit, credit, amount_pesewas, reason, subject_id, balance_after_pesewas, by_user_id)
        select user_id, debit, credit, amount, reason, subject_id, after, by_user_id from running order by n
      )
      select after as balance_after from running order by n`);
    return posted.map((row) => row.balance_after);
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === "wallets_never_below_zero" || constraint === "transfers_balance_not_below_zero") {
      throw new AppError("wallet.insufficient_balance");
    }
    throw error;
  }
}

/** What the payment provider holds for us by our books: top-ups, less what was taken back. It waits for no lock. */
export async function heldByPaystack(tx: Tx): Promise<number> {
  const [row] = await tx.execute<{ pesewas: number }>(sql`
    select coalesce(sum(case reason when 'topup' then amount_pesewas else -amount_pesewas end), 0)::bigint as pesewas
    from transfers where reason in ('topup', 'reversal')`);
  return row!.pesewas;
}

export type Account = { code: string; name: string; inPesewas: number; outPesewas: number };

/** What went into and out of each account of the books, over all time; all together, in equals out. */
export async function accounts(tx: Tx): Promise<Account[]> {
  const rows = await tx.execute<{ code: string; name: string; came: number; went: number }>(sql`
    with sums as (
      select debit, credit, sum(amount_pesewas) as pesewas from transfers group by debit, credit)
    select a.code, a.name,
           coalesce((select sum(pesewas) from sums where credit = a.code), 0)::bigint as came,
           coalesce((select sum(pesewas) from sums where debit = a.code), 0)::bigint as went
    from ledger_accounts a
    order by array_position(array['paystack', 'cash', 'adjustments', 'wallet', 'sales'], a.code)`);
  return rows.map(({ code, name, came, went }) => ({ code, name, inPesewas: came, outPesewas: went }));
}

export type AuditFinding = { rule: string; subject: string; detail: string };
export type Audit = { ok: boolean; findings: AuditFinding[]; checked: Record<string, number> };

/**
 * Checks the books against themselves and against the orders, in one snapshot. An empty list of findings means: all
 * accounts sum to zero, each wallet equals its transfers, sales equals the paid orders that are not FAILED, every paid
 * order was charged once and every FAILED paid one refunded once, nothing is PROCESSING that nobody sends, and the
 * dashboards' sums agree with the orders.
 * Each rule names at most 20 offenders.
 */
export async function audit(db: Db): Promise<Audit> {
  return db.transaction(
    async (tx) => {
      await tx.execute(sql`set local statement_timeout = '10min'`);
      const findings: AuditFinding[] = [];
      for (const [rule, query] of Object.entries(RULES)) {
        const rows = await tx.execute<{ subject: string; detail: string }>(sql`${query} limit 20`);
        for (const row of rows)
          findings.push({ rule, subject: String(row.subject), detail: String(row.detail) });
      }
      const [checked] = await tx.execute<Record<string, number>>(sql`
        select (select count(*) from transfers) as transfers, (select count(*) from wallets) as wallets,
               (select count(*) from orders) as orders`);
      return { ok: findings.length === 0, findings, checked: { ...checked } };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

const RULES = {
  accounts_sum_to_zero: sql`
    select 'all accounts' as subject, 'the sum is ' || sum(pesewas) as detail
    from audit.entry having coalesce(sum(pesewas), 0) <> 0`,

  wallet_equals_its_transfers: sql`
    select coalesce(w.user_id, e.user_id) as subject,
           'wallet ' || coalesce(w.pesewas::text, 'missing') || ', transfers ' || coalesce(e.pesewas, 0) as detail
    from audit.wallet w
    full join (select user_id, sum(pesewas) as pesewas from audit.entry where account_kind = 'wallet' group by user_id) e
      using (user_id)
    where w.pesewas is null or w.pesewas <> coalesce(e.pesewas, 0)`,

  balance_after_is_the_running_sum: sql`
    select id as subject, 'says ' || balance_after_pesewas || ', adds up to ' || running as detail
    from (
      select id, balance_after_pesewas,
             sum(case when credit = 'wallet' then amount_pesewas else -amount_pesewas end)
               over (partition by user_id order by id) as running
      from transfers where 'wallet' in (debit, credit)) t
    where balance_after_pesewas <> running`,

  sales_equals_paid_orders: sql`
    select 'sales' as subject, 'account ' || booked || ', orders ' || sold as detail
    from (select coalesce(sum(pesewas), 0) as booked from audit.entry where account_kind = 'sales') a,
         (select coalesce(sum(amount_pesewas), 0) as sold from orders where paid_at is not null and status <> 'FAILED') o
    where booked <> sold`,

  paid_order_has_one_charge: sql`
    select o.id as subject, count(t.id) || ' charges of ' || coalesce(sum(t.amount_pesewas), 0)
           || ' for an order of ' || o.amount_pesewas as detail
    from orders o
    left join transfers t on t.subject_id = o.id and t.user_id = o.user_id
      and t.reason = case o.payment_method when 'cash' then 'cash_sale' else 'charge' end
    group by o.id
    having count(t.id) <> (o.paid_at is not null)::int or coalesce(sum(t.amount_pesewas), o.amount_pesewas) <> o.amount_pesewas`,

  charge_has_its_order: sql`
    select t.id as subject, t.reason || ' for order ' || t.subject_id || ', which is not paid by it' as detail
    from transfers t
    left join orders o on o.id = t.subject_id and o.user_id = t.user_id and o.paid_at is not null
    where t.reason in ('charge', 'cash_sale') and o.id is null`,

  failed_order_has_one_refund: sql`
    select o.id as subject, count(t.id) || ' refunds, status ' || o.status as detail
    from orders o
    left join transfers t on t.subject_id = o.id and t.user_id = o.user_id and t.reason = 'refund'
    group by o.id
    having count(t.id) <> (o.status = 'FAILED' and o.paid_at is not null)::int
        or coalesce(sum(t.amount_pesewas), o.amount_pesewas) <> o.amount_pesewas`,

  adjustment_has_one_transfer: sql`
    select a.id as subject, count(t.id) || ' transfers' as detail
    from adjustments a left join transfers t on t.subject_id = a.id and t.reason = 'adjustment' and t.user_id = a.user_id
    group by a.id
    having count(t.id) <> 1
        or sum(case t.credit when 'wallet' then t.amount_pesewas else -t.amount_pesewas end) <> a.amount_pesewas`,

  settled_payment_has_one_credit: sql`
    select p.id as subject, count(t.id) || ' credits, state ' || p.state as detail
    from payments p left join transfers t on t.subject_id = p.id and t.user_id = p.user_id and t.reason = 'topup'
    group by p.id
    having count(t.id) <> (p.paid_at is not null)::int
        or coalesce(sum(t.amount_pesewas), p.amount_pesewas) <> p.amount_pesewas`,

  approved_claim_has_one_credit: sql`
    select c.id as subject, count(t.id) || ' credits, state ' || c.state as detail
    from claims c left join transfers t on t.subject_id = c.id and t.user_id = c.user_id and t.reason = 'claim'
    group by c.id
    having count(t.id) <> (c.state = 'approved')::int
        or coalesce(sum(t.amount_pesewas), c.amount_pesewas) <> c.amount_pesewas`,

  booked_reversal_has_one_transfer: sql`
    select r.id as subject, count(t.id) || ' transfers, state ' || r.state as detail
    from payment_reversals r left join transfers t on t.subject_id = r.id and t.user_id = r.user_id and t.reason = 'reversal'
    group by r.id
    having count(t.id) <> (r.state = 'booked')::int
        or coalesce(sum(t.amount_pesewas), r.amount_pesewas) <> r.amount_pesewas`,

  credit_has_its_subject: sql`
    select t.id as subject, t.reason || ' of ' || t.subject_id || ', which does not exist' as detail
    from transfers t
    where t.reason = 'topup' and not exists (select 1 from payments p where p.id = t.subject_id and p.user_id = t.user_id)
       or t.reason = 'claim' and not exists (select 1 from claims c where c.id = t.subject_id and c.user_id = t.user_id)
       or t.reason = 'reversal'
          and not exists (select 1 from payment_reversals r where r.id = t.subject_id and r.user_id = t.user_id)`,

  day_sums_equal_orders: sql`
    select coalesce(s.user_id, o.user_id) || ' ' || coalesce(s.day, o.day) || ' ' || coalesce(s.operator, o.operator) as subject,
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
           'everybody ' || coalesce(s.orders, 0) || '/' || coalesce(s.amount_pesewas, 0)
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

  afa_registration_follows_its_order: sql`
    select o.id as subject, 'order ' || o.status || ', registration '
           || case when r.order_id is null then 'missing' when r.refused_at is null then 'held' else 'freed' end as detail
    from orders o
    left join afa_registrations r on r.order_id = o.id and r.user_id = o.user_id and r.msisdn = o.msisdn
    where (r.order_id is not null or o.product_id in (select id from products where line = 'afa'))
      and (r.order_id is null or o.paid_at is null
           or (coalesce(r.refused_at, r.kept_at) is not null) <> (o.status = 'FAILED'))`,

  processing_bundle_is_with_somebody: sql`
    select o.id as subject, 'PROCESSING, and nobody sends it' as detail
    from orders o
    where o.status = 'PROCESSING'
      and not exists (select from afa_registrations r where r.order_id = o.id)
      and not exists (select from attempts a where a.order_id = o.id and a.state not in ('failed', 'refunded', 'withdrawn'))
      and not exists (select from jobs j where j.kind = 'dispatch_order' and j.subject_id = o.id)`,

  loss_is_a_refunded_order: sql`
    select l.order_id as subject, 'a loss of ' || l.amount_pesewas || ', order ' || coalesce(o.status, 'missing') as detail
    from losses l left join orders o on o.id = l.order_id and o.user_id = l.user_id and o.amount_pesewas = l.amount_pesewas
    where o.status is distinct from 'FAILED' or o.refunded_at is null`,

  status_counts_equal_orders: sql`
    select s.status as subject, 'counted ' || coalesce((b.count + coalesce(d.delta, 0))::text, 'nothing')
           || ', orders ' || coalesce(o.count, 0) as detail
    from unnest(${sql.param([...STATUSES])}::text[]) as s(status)
    left join order_counts b using (status)
    left join (select status, sum(delta) as delta from order_count_deltas group by status) d using (status)
    left join (select status, count(*) as count from orders group by status) o using (status)
    where b.count is null or b.count + coalesce(d.delta, 0) <> coalesce(o.count, 0)`,
};
