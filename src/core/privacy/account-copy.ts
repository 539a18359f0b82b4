// The copy of an account's data that its owner can take: a file for each kind, read in parts, so that it is ready at
// once, however large it is. What would open a door (digests, keys, whole card numbers) is left out.
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { at, cedis, localNumber, queryCsv, ROWS_AT_ONCE } from "../platform/query-csv.ts";
import * as requests from "../requests/queries.ts";

/** A file of the copy: its name, and its text piece by piece. */
export type CopiedFile = { name: string; pieces: AsyncGenerator<string> };

/**
 * The files of an account's copy. Each is read when it is asked for.
 * Throws request.rate_limited when the owner has taken too many today.
 */
export async function filesOf(db: Db, userId: number): Promise<CopiedFile[]> {
  await budgets.spend(db, "privacy.copy", userId);
  return SECTIONS.map(({ file, rows, order }) => ({
    name: `${file}.csv`,
    pieces: queryCsv<number>(db, (after) => rows(userId, after), order),
  }));
}

/** The names of the files, for the page that offers them. */
export const COPIED = () => SECTIONS.map(({ content }) => content);

type Section = {
  file: string;
  /** Its content, for the page that offers it. */
  content: string;
  /** A query whose columns are the file's, in plain words; `after` is that of `queryCsv`. */
  rows: (userId: number, after: number | null) => SQL;
  /** The column that its rows are read in the order of, which no two of them share. */
  order: "No." | "Number" | "Order" | "Since";
};

const SECTIONS: Section[] = [
  {
    file: "account",
    content: "your name, email and confirmed phone, and what you agreed to",
    order: "No.",
    rows: (userId) => sql`
      select u.id as "No.", u.username as "Username", u.email as "Email", ${at("u.created_at")} as "Opened",
        ${localNumber("p.msisdn")} as "Phone", ${at("p.proved_at")} as "Phone confirmed", p.shop_name as "Shop's name",
        (select string_agg('version ' || c.version || ' on ' || c.at::date || ' by ' || c.channel, '; '
                           order by c.version) from consents c where c.user_id = u.id) as "Privacy notice"
      from users u left join phones p on p.user_id = u.id where u.id = ${userId}`,
  },
  {
    file: "orders",
    content: "your orders",
    order: "No.",
    rows: (userId) => sql`
      select o.id as "No.", ${at("o.created_at")} as "When", o.operator as "Network", o.product_name as "Bundle",
        o.product_size as "Size", o.quantity as "Quantity", ${localNumber("o.msisdn")} as "Number",
        ${cedis("o.amount_pesewas")} as "GHS", o.status as "Status", o.channel as "By",
        ${at("o.paid_at")} as "Paid", ${at("o.refunded_at")} as "Refunded", o.note as "Note",
        o.reference as "Reference", o.metadata::text as "Own data"
      from orders o where o.user_id = ${userId}`,
  },
  {
    file: "wallet",
    content: "every change of your wallet",
    order: "No.",
    rows: (userId) => sql`
      select t.id as "No.", ${at("t.created_at")} as "When", t.reason as "Reason", t.subject_id as "About",
        case when t.credit = 'wallet' then ${cedis("t.amount_pesewas")} else '-' || ${cedis("t.amount_pesewas")}
          end as "GHS", ${cedis("t.balance_after_pesewas")} as "Balance GHS"
      from transfers t where t.user_id = ${userId} and 'wallet' in (t.debit, t.credit)`,
  },
  {
    file: "payments",
    content: "your payments",
    order: "No.",
    rows: (userId) => sql`
      select p.id as "No.", ${at("p.created_at")} as "When", p.reference as "Reference", p.state as "State",
        ${cedis("p.amount_pesewas")} as "GHS", p.network as "Paid with", p.payer_msisdn as "Payer",
        ${at("p.paid_at")} as "Paid"
      from payments p where p.user_id = ${userId}`,
  },
  {
    file: "deposits",
    content: "the deposits that you reported",
    order: "No.",
    rows: (userId) => sql`
      select c.id as "No.", ${at("c.created_at")} as "When", c.transaction_id as "Transaction ID",
        ${cedis("c.amount_pesewas")} as "GHS", c.state as "State", c.reason as "Reason"
      from deposits c where c.user_id = ${userId}`,
  },
  {
    file: "afa",
    content: "the people you registered for AFA, with the last digits of their cards",
    order: "Order",
    rows: (userId) => sql`
      select a.order_id as "Order", ${at("a.created_at")} as "When", a.full_name as "Name",
        ${localNumber("a.msisdn")} as "Number", a.location as "Location", a.card_last4 as "Card ends in"
      from afa_registrations a where a.user_id = ${userId}`,
  },
  {
    file: "customers",
    content: "your customers, with your notes",
    order: "Number",
    rows: (userId) => sql`
      select ${localNumber("c.msisdn")} as "Number", c.name as "Name", c.note as "Note",
        ${at("c.created_at")} as "Added"
      from contacts c where c.user_id = ${userId} and c.removed_at is null`,
  },
  {
    file: "debts",
    content: "what your customers owe you",
    order: "Order",
    rows: (userId) => sql`
      select d.order_id as "Order", ${localNumber("d.msisdn")} as "Number", ${cedis("d.amount_pesewas")} as "GHS",
        ${at("d.created_at")} as "Since", ${at("d.paid_at")} as "Paid"
      from customer_debts d where d.user_id = ${userId}`,
  },
  {
    file: "messages",
    content: "the SMS and emails that we sent you in the last 90 days",
    order: "No.",
    rows: (userId) => sql`
      select m.id as "No.", ${at("m.created_at")} as "When", m.channel as "By", m.recipient as "To",
        m.subject as "Subject", case when m.carries_code then '(a code)' else m.body end as "Text", m.state as "State"
      from messages m where m.user_id = ${userId} and m.channel <> 'push'`,
  },
  {
    file: "sms-to-us",
    content: "the SMS that you sent us in the last 30 days",
    order: "No.",
    rows: (userId) => sql`
      select s.id as "No.", ${at("s.handled_at")} as "When", s.command as "Command", s.outcome as "Outcome"
      from inbound_sms s where s.user_id = ${userId}`,
  },
  {
    file: "support",
    content: "your conversations with support",
    order: "No.",
    rows: (userId) => sql`
      select m.id as "No.", m.request_id as "Request", ${at("m.created_at")} as "When",
        case when m.is_support then 'support' else 'you' end as "From", m.message as "Text"
      from support_requests r join support_messages m on m.request_id = r.id where r.user_id = ${userId}`,
  },
  {
    file: "logins",
    content: "where you are logged in",
    order: "Since",
    rows: (userId) => sql`
      select ${at("s.created_at")} || ' ' || left(s.id, 6) as "Since", ${at("s.expires_at")} as "Until",
        s.address as "Address", s.user_agent as "Browser"
      from sessions s where s.user_id = ${userId}`,
  },
  {
    file: "login-history",
    content: "your logins of the last 90 days",
    order: "No.",
    rows: (userId) => sql`
      select l.id as "No.", ${at("l.at")} as "When", l.address as "Address", l.user_agent as "Browser",
        case when l.is_new_device then 'yes' else 'no' end as "New device"
      from logins l where l.user_id = ${userId}`,
  },
  {
    file: "wrong-pins",
    content: "wrong PINs of the last 90 days",
    order: "No.",
    rows: (userId) => sql`
      select w.id as "No.", ${at("w.at")} as "When", w.channel as "By"
      from wrong_pins w where w.user_id = ${userId}`,
  },
  {
    file: "signals",
    content: "signs of misuse that we noticed in your account, with their evidence",
    order: "No.",
    rows: (userId) => sql`
      select s.id as "No.", ${at("s.happened_at")} as "When", s.kind as "Kind", s.effect as "Effect",
        (s.evidence - '{firstId,firstUserId}'::text[])::text as "Evidence",
        ${at("s.closed_at")} as "Closed", s.note as "What came out"
      from signals s where s.user_id = ${userId}`,
  },
  {
    file: "notes",
    content: "what our staff noted about your account",
    order: "No.",
    rows: (userId) => sql`
      select n.id as "No.", ${at("n.created_at")} as "When", n.note as "Note"
      from agent_notes n where n.user_id = ${userId}`,
  },
  {
    file: "webhooks",
    content: "your webhooks",
    order: "No.",
    rows: (userId) => sql`
      select h.id as "No.", h.url as "Address", h.description as "Description",
             array_to_string(h.events, ', ') as "Events", ${at("h.created_at")} as "Added"
      from hooks h where h.user_id = ${userId}`,
  },
  {
    file: "api-keys",
    content: "your API keys, without the keys themselves",
    order: "No.",
    rows: (userId) => sql`
      select k.id as "No.", k.name as "Name", k.shown as "Key", array_to_string(k.scopes, ', ') as "Scopes",
             array_to_string(k.addresses, ', ') as "Addresses", ${at("k.created_at")} as "Made",
             ${at("k.last_used_at")} as "Last used", k.last_used_address as "From", ${at("k.revoked_at")} as "Revoked"
      from api_keys k where k.user_id = ${userId}`,
  },
  {
    file: "requests",
    content: "the requests that your programs made in the last 14 days",
    order: "No.",
    rows: (userId, after) => sql`
      select r.id as "No.", ${at("r.at")} as "When", r.key_id as "Key", r.method || ' ' || r.path as "Request",
        r.status as "Status", r.address as "Address", r.request_body as "Sent",
        case when r.is_purchase then 'order ' || r.order_id || ' as placed' else r.answer_body end as "Answered"
      from (${requests.rowsAfter(userId, after, ROWS_AT_ONCE)}) part
      join whole_api_requests r on r.user_id = ${userId} and r.row_id = part.id`,
  },
  {
    file: "changes",
    content: "what our staff changed in your account",
    order: "No.",
    rows: (userId) => sql`
      select l.id as "No.", ${at("l.created_at")} as "When", l.action as "Action"
      from audit_log l where l.subject_type in ('user', 'wallet') and l.subject_id = ${String(userId)}`,
  },
];
