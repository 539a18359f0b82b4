// The accountant's files. Those of a month are lists of what happened in it, so that a refund belongs to the month of
// the refund, and no later event changes an earlier month.
import { type SQL, sql } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { at, cedis, localNumber, queryCsv } from "../platform/query-csv.ts";
import { SETTLED_MINUTES } from "../platform/transactions.ts";

/** The moments of a month: from the first on, before `until`. */
export type Span = {
  from: Date;
  until: Date;
  /** Transfers of the month before that were committed after it was closed: they count here. */
  lateIds?: readonly number[];
};

/** The files of a month by name, in the order in which they are offered. */
export const MONTH_FILES = {
  sales: { title: "Sales and refunds", rows: sales, key: "No." },
  payments: { title: "Payments", rows: payments, key: "No." },
  deposits: { title: "Manual deposits", rows: deposits, key: "No." },
  payouts: { title: "Paid out of wallets", rows: payouts, key: "No." },
  ledger: { title: "Ledger", rows: ledger, key: "No." },
  wallets: {
    title: "Wallets at the end of the month",
    rows: ({ until }) => walletsOn(until),
    key: "User ID",
  },
  users: { title: "Accounts", rows: accounts, key: "User ID" },
  changes: { title: "Log of changes", rows: changes, key: "No." },
} satisfies Record<string, { title: string; rows: (span: Span & Ids) => SQL; key: string }>;
export type MonthFile = keyof typeof MONTH_FILES;

/** The text of a month's file as it stands now, piece by piece. */
export async function* monthFile(tx: Reads, name: MonthFile, span: Span): AsyncGenerator<string> {
  const { rows, key } = MONTH_FILES[name];
  yield* queryCsv(tx, rows({ ...span, ...(await idsOf(tx, span)) }), key);
}

/** Every wallet as it stood at a moment, with debts of its owner left out: they are in the ledger. */
export function walletsFile(tx: Reads, before: Date): AsyncGenerator<string> {
  return queryCsv(tx, walletsOn(before), "User ID");
}

export type MonthSums = {
  salesPesewas: number;
  refundsPesewas: number;
  topUpsPesewas: number;
  depositsPesewas: number;
  feesPesewas: number;
  transfers: number;
};

/** The sums of a month from the ledger. */
export async function sumsOf(tx: Reads, span: Span): Promise<MonthSums> {
  const ids = await idsOf(tx, span);
  const sum = (reasons: string) =>
    sql.raw(`coalesce(sum(amount_pesewas) filter (where reason in (${reasons})), 0)::bigint`);
  const [sums] = await tx.execute<Record<keyof MonthSums, string | number>>(sql`
    select ${sum("'charge', 'cash_sale', 'refund_taken_back'")} as "salesPesewas",
      ${sum("'refund', 'refund_again'")} as "refundsPesewas",
      ${sum("'topup'")} as "topUpsPesewas", ${sum("'claim'")} as "depositsPesewas",
      ${sum("'payment_fee'")} as "feesPesewas", count(*)::int as transfers
    from transfers t where ${within("t", span, ids)}`);
  return Object.fromEntries(Object.entries(sums!).map(([name, value]) => [name, Number(value)])) as MonthSums;
}

/** Where a month lies among the transfers, which are numbered in the order of their time but for a moment. */
type Ids = { firstId: number; lastId: number };

/** Numbers and times of transfers cross by at most this: no transaction lasts longer. */
const SLACK_MS = SETTLED_MINUTES * 60_000;
const DAY_MS = 86_400_000;

async function idsOf(tx: Reads, { from, until }: Span): Promise<Ids> {
  const [firstId, lastId] = [
    await firstSince(tx, new Date(from.getTime() - SLACK_MS)),
    await firstSince(tx, new Date(until.getTime() + SLACK_MS)),
  ];
  return { firstId, lastId };
}

/** The transfers of a span that are not among those kept: what was committed after the span's month was closed. */
export async function lateIds(tx: Reads, { from, until }: Span, kept: ReadonlySet<number>): Promise<number[]> {
  const ids = await idsOf(tx, { from, until: new Date(until.getTime() + DAY_MS) });
  const found = await tx.execute<{ id: number }>(sql`
    select t.id from transfers t where ${within("t", { from, until }, ids)} order by t.id`);
  return found.map(({ id }) => id).filter((id) => !kept.has(id));
}

/** The number and the sum of a span's transfers, told by their time alone. */
export async function booked(tx: Reads, { from, until, lateIds = [] }: Span): Promise<Booked> {
  const [row] = await tx.execute<Booked>(sql`
    select count(*)::int as transfers, coalesce(sum(amount_pesewas), 0)::bigint as pesewas from transfers t
    where t.created_at >= ${moment(from)} and t.created_at < ${moment(until)}
      or t.id = any(${sql.param([...lateIds])}::bigint[])`);
  return row!;
}

export type Booked = { transfers: number; pesewas: number };

/** The first transfer since a moment, found by halving: there is no index by time, which purchases would pay for. */
async function firstSince(tx: Reads, since: Date): Promise<number> {
  const [row] = await tx.execute<{ id: number }>(sql`
    with recursive halving(low, high) as (
      select 1::bigint, coalesce((select max(id) from transfers), 0) + 1
      union all
      select case when is_before then found + 1 else low end,
        case when is_before then high else middle end
      from halving, lateral (select (low + high) / 2 as middle) m, lateral (
        select coalesce(max(id), high) as found, coalesce(bool_or(t.created_at < ${moment(since)}), false) as is_before
        from (select id, created_at from transfers where id >= middle and id < high order by id limit 1) t) f
      where low < high)
    select max(low)::int as id from halving where low >= high`);
  return row!.id;
}

/** SQL for a moment. */
const moment = (date: Date) => sql`${date.toISOString()}::timestamptz`;

function within(table: string, { from, until, lateIds = [] }: Span, { firstId, lastId }: Ids): SQL {
  const [id, createdAt] = [sql.raw(`${table}.id`), sql.raw(`${table}.created_at`)];
  const isOfSpan = sql`${id} >= ${firstId} and ${id} < ${lastId}
    and ${createdAt} >= ${moment(from)} and ${createdAt} < ${moment(until)}`;
  if (lateIds.length === 0) return isOfSpan;
  return sql`(${isOfSpan} or ${id} = any(${sql.param([...lateIds])}::bigint[]))`;
}

/** A row for each order that was paid, and one for each that was refunded. */
function sales(span: Span & Ids): SQL {
  return sql`
    select t.id as "No.", ${at("t.created_at")} as "When",
      case t.reason when 'refund' then 'Refund' when 'refund_again' then 'Refund again'
        when 'refund_taken_back' then 'Refund taken back' else 'Sale' end as "Entry",
      o.id as "Order", ${at("o.paid_at")} as "Paid", ${at("o.refunded_at")} as "Refunded",
      o.payment_method as "Method", o.user_id as "User ID", u.username as "Agent", o.operator as "Network",
      o.product_name as "Bundle", o.product_size as "Size", o.quantity as "Quantity",
      ${localNumber("o.msisdn")} as "Number",
      case when t.credit = 'wallet' then '-' else '' end || ${cedis("t.amount_pesewas")} as "GHS",
      ${cedis("o.cost_pesewas")} as "Cost GHS", case when o.is_cost_final then 'yes' else 'no' end as "Cost is final",
      ${cedis("p.fees_pesewas")} as "Payment's fee GHS"
    from transfers t
      join orders o on o.id = t.subject_id
      join users u on u.id = o.user_id
      left join lateral (
        select fees_pesewas from payments where payments.order_id = o.id and payments.paid_at is not null
        order by payments.id limit 1) p on o.payment_method = 'paystack'
    where t.reason in ('charge', 'cash_sale', 'refund', 'refund_taken_back', 'refund_again')
      and ${within("t", span, span)}`;
}

function payments({ from, until }: Span): SQL {
  return sql`
    select p.id as "No.", ${at("p.paid_at")} as "Paid",
      p.reference as "Reference", p.provider_id as "Provider's ID",
      p.user_id as "User ID", u.username as "Agent", p.order_id as "Order", p.state as "State",
      ${cedis("p.amount_pesewas")} as "Requested GHS", ${cedis("p.paid_pesewas")} as "Paid GHS",
      ${cedis("p.credited_pesewas")} as "Credited GHS", ${cedis("p.fees_pesewas")} as "Fee GHS",
      ${cedis("p.fees_by_payer_pesewas")} as "Of it by the payer GHS", p.network as "Paid with"
    from payments p join users u on u.id = p.user_id
    where p.paid_at >= ${moment(from)} and p.paid_at < ${moment(until)}`;
}

function deposits({ from, until }: Span): SQL {
  return sql`
    select c.id as "No.", ${at("c.decided_at")} as "Decided", c.transaction_id as "Transaction ID",
      c.user_id as "User ID", u.username as "Agent", ${cedis("c.amount_pesewas")} as "GHS", c.state as "State",
      c.reason as "Reason", d.username as "Decided by"
    from deposits c join users u on u.id = c.user_id left join users d on d.id = c.decided_by_user_id
    where c.decided_at >= ${moment(from)} and c.decided_at < ${moment(until)}`;
}

function payouts({ from, until }: Span): SQL {
  return sql`
    select p.id as "No.", ${at("p.created_at")} as "When", p.user_id as "User ID", u.username as "Agent",
      ${cedis("p.amount_pesewas")} as "GHS", p.method as "Method", ${localNumber("p.msisdn")} as "Number",
      p.name as "Name", p.reference as "Reference", p.reason as "Reason", b.username as "By",
      a.username as "Agreed by"
    from wallet_payouts p join users u on u.id = p.user_id left join users b on b.id = p.by_user_id
      left join users a on a.id = p.agreed_by_user_id
    where p.created_at >= ${moment(from)} and p.created_at < ${moment(until)}`;
}

function ledger(span: Span & Ids): SQL {
  return sql`
    select t.id as "No.", ${at("t.created_at")} as "When", t.debit as "From", t.credit as "To",
      ${cedis("t.amount_pesewas")} as "GHS", t.reason as "Reason", t.subject_id as "About", t.user_id as "User ID",
      ${cedis("t.balance_after_pesewas")} as "Wallet after GHS", b.username as "By"
    from transfers t left join users b on b.id = t.by_user_id
    where ${within("t", span, span)}`;
}

function walletsOn(before: Date): SQL {
  return sql`
    select u.id as "User ID", u.username as "Agent", u.status as "Status",
      ${cedis("coalesce(t.balance_after_pesewas, 0)")} as "GHS"
    from users u
      join wallets w on w.user_id = u.id
      left join lateral (
        select balance_after_pesewas from transfers
        where transfers.user_id = u.id and balance_after_pesewas is not null
          and transfers.created_at < ${moment(before)}
        order by transfers.id desc limit 1) t on true
    where u.created_at < ${moment(before)}`;
}

function accounts({ until }: Span): SQL {
  return sql`
    select u.id as "User ID", u.username as "Username", u.email as "Email", ${localNumber("p.msisdn")} as "Phone",
      array_to_string(u.roles, ' ') as "Roles", u.status as "Status", t.name as "Tier",
      ${at("u.created_at")} as "Opened", ${at("u.closed_at")} as "Closed"
    from users u left join phones p on p.user_id = u.id left join tiers t on t.id = u.tier_id
    where u.created_at < ${moment(until)}`;
}

function changes({ from, until }: Span): SQL {
  return sql`
    select l.id as "No.", ${at("l.created_at")} as "When", l.by_username as "By",
      l.agreed_by_username as "Agreed by", l.action as "Action", l.subject_type as "About", l.subject_id as "ID",
      l.before::text as "Before", l.after::text as "After"
    from audit_log l where l.created_at >= ${moment(from)} and l.created_at < ${moment(until)}`;
}
