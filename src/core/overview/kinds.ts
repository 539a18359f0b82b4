// The kinds of work that wait for a person. A new kind is one entry here: its number, money and deadline are then on
// Today, in the menu, in the live counts and in the notices.
import { type SQL, sql } from "drizzle-orm";
import { users } from "../../../db/schema/identity.ts";
import { limits } from "../../shared/domain.ts";
import type { Right } from "../../shared/rights.ts";
import * as afa from "../afa/desk.ts";
import * as margins from "../catalog/margins.ts";
import { COUNTED } from "../fulfilment/attention.ts";
import * as desk from "../fulfilment/desk/desk.ts";
import { isActiveWith } from "../platform/colleagues/staff.ts";

export type WaitingKind = {
  /** What waits, for one and for many, as it follows the number. */
  one: string;
  many: string;
  /** What happened at its `since`, where its age would be taken for that of an order: "taken". */
  since?: string;
  /** What its button says: "Decide". */
  verb: string;
  /** The page on which the work is done, with a list of those that wait whose id is the kind. */
  to: string;
  /** The page of what all that wait are about, if it is one; the rows then also have its `subject`. */
  toOne?: (subject: string) => string;
  /** Who sees it, and may open that page. */
  right: Right;
  /** 0: costs money or trust by the hour; 1: to be done today; 2: when there is time. */
  urgency: 0 | 1 | 2;
  /** Owners get an e-mail about each as it begins, and are notified again only if it is still waiting. */
  hasOwnMail?: true;
  /** A query of `since`, `pesewas` and `deadline` for each that waits. */
  rows?: SQL;
  /** The rows also have `orders`, the number of orders that depend on it. */
  hasOrders?: true;
  /** The rows also have `holder`: the id of whoever has taken it, or null. */
  hasHolder?: true;
  /** In place of rows, where counting takes long: a query of `count`, run once a minute at most. */
  slowCount?: () => SQL;
};

/** The most that are counted of a kind, so that a bad hour costs no more than others: more are "500+". */
export const COUNT_MAX = limits.waitingRows;

/** Whoever looks after the request `s`. */
const ASSIGNEE = ifActive(sql`s.assigned_to_user_id`, "support.answer");

/** By the urgency within its class: what costs money soonest is first. */
export const WAITING = {
  books_wrong: {
    one: "finding of the last check of the balances",
    many: "findings of the last check of the balances",
    verb: "See the balances",
    to: "/admin/books",
    right: "books.see",
    urgency: 0,
    rows: sql`
      select ended_at as since, null::bigint as pesewas, null::timestamptz as deadline
      from (select findings, ended_at from audit_runs where ok is not null order by id desc limit 1) last
      cross join jsonb_array_elements(findings)`,
  },
  /** With paused networks, whose pause is their switch. */
  switches_closed: {
    one: "switch is closed",
    many: "switches are closed",
    verb: "Open again",
    to: "/admin/switches",
    right: "switches.throw",
    urgency: 0,
    hasOwnMail: true,
    rows: sql`
      select closed_at as since, null::bigint as pesewas, until as deadline
      from switches where is_paused(message, until)
      union all
      select paused_at, null, paused_until
      from operators where retired_at is null and is_paused(paused_message, paused_until)`,
  },
  vendors_paused: {
    one: "supplier is paused",
    many: "suppliers are paused",
    verb: "See why",
    to: "/admin/vendors",
    toOne: (code) => `/admin/vendors/${encodeURIComponent(code)}`,
    right: "delivery.manage",
    urgency: 0,
    hasOwnMail: true,
    hasOrders: true,
    rows: sql`
      select v.paused_at as since, b.pesewas, b.deadline, b.orders, v.code as subject
      from vendors v cross join lateral (
        select count(*)::int as orders, sum(o.amount_pesewas)::bigint as pesewas, min(o.deliver_by) as deadline
        from (${queuedFor(sql`v.code`)}) a join orders o on o.id = a.order_id) b
      where v.paused_for is not null and (v.paused_for <> 'admin' or b.orders > 0)`,
  },
  disputes: {
    one: "dispute to answer",
    many: "disputes to answer",
    verb: "Answer",
    to: "/admin/reversals",
    right: "payments.decide",
    urgency: 0,
    hasOwnMail: true,
    rows: sql`
      select created_at as since, amount_pesewas as pesewas, due_at as deadline
      from payment_reversals where kind = 'chargeback' and state = 'open'`,
  },
  deposits_taken_back: {
    one: "deposit that the network took back",
    many: "deposits that the network took back",
    verb: "Decide",
    to: "/admin/claims",
    right: "payments.decide",
    urgency: 0,
    rows: sql`
      select created_at as since, amount_pesewas as pesewas, null::timestamptz as deadline
      from deposit_reversals where state = 'open'`,
  },
  orders_overdue: {
    one: "overdue order to decide",
    many: "overdue orders to decide",
    verb: "Decide",
    to: "/admin/delivery",
    right: "orders.work",
    urgency: 0,
    rows: COUNTED.overdue,
  },
  /** Counted for each viewer apart: who asked does not decide. */
  approvals: {
    one: "change to approve",
    many: "changes to approve",
    verb: "Decide",
    to: "/admin/approvals",
    right: "shop.see",
    urgency: 0,
    hasOwnMail: true,
  },
  signals: {
    one: "suspicious act to look into",
    many: "suspicious acts to look into",
    verb: "Review",
    to: "/admin/signals",
    right: "agents.note",
    urgency: 1,
    // What is held goes on by itself at the end: that is its deadline.
    rows: sql`
      select s.created_at as since, null::bigint as pesewas, h.until as deadline
      from signals s left join order_holds h on h.signal_id = s.id and h.until > now()
      where s.closed_at is null`,
  },
  payments_in_review: {
    one: "payment to check",
    many: "payments to check",
    verb: "Check",
    to: "/admin/payments",
    right: "payments.see",
    urgency: 0,
    rows: sql`
      select created_at as since, coalesce(paid_pesewas, amount_pesewas) as pesewas, null::timestamptz as deadline
      from payments where state = 'review'`,
  },
  desk_batches: {
    since: "taken",
    one: "order in a desk batch without a result",
    many: "orders in desk batches without a result",
    verb: "Enter results",
    to: "/admin/desk",
    toOne: (id) => `/admin/desk/${id}`,
    right: "orders.work",
    urgency: 1,
    hasHolder: true,
    rows: sql`
      select b.created_at as since, o.amount_pesewas as pesewas, b.deadline, b.id::text as subject,
             ${ifActive(sql`b.taken_by_user_id`, "orders.work")} as holder
      from attempts a join desk_batches b on b.id = a.desk_batch_id join orders o on o.id = a.order_id
      where a.vendor = 'desk' and a.state = 'processing'`,
  },
  desk_orders: {
    one: "order at the desk, not taken",
    many: "orders at the desk, not taken",
    verb: "Take",
    to: "/admin/desk",
    right: "orders.work",
    urgency: 1,
    rows: desk.COUNTED,
  },
  deposits: {
    one: "deposit to decide",
    many: "deposits to decide",
    verb: "Decide",
    to: "/admin/claims",
    right: "payments.see",
    urgency: 1,
    rows: sql`
      select created_at as since, amount_pesewas as pesewas, null::timestamptz as deadline
      from deposits where state = 'open'`,
  },
  cash_to_accept: {
    one: "cash hand-in to count",
    many: "cash hand-ins to count",
    verb: "Count",
    to: "/admin/cash",
    right: "books.see",
    urgency: 1,
    rows: sql`
      select created_at as since, counted_pesewas as pesewas, null::timestamptz as deadline
      from cash_closes where state = 'waiting'`,
  },
  not_received: {
    one: "order reported as not received",
    many: "orders reported as not received",
    verb: "Answer",
    to: "/admin/support",
    right: "support.answer",
    urgency: 1,
    hasHolder: true,
    rows: sql`
      select s.created_at as since, o.amount_pesewas as pesewas, s.due_at as deadline, ${ASSIGNEE} as holder
      from support_requests s join orders o on o.id = s.subject_id
      where s.kind = 'not_received' and s.state = 'open'`,
  },
  orders_late: {
    one: "late order",
    many: "late orders",
    verb: "See why",
    to: "/admin/delivery",
    right: "orders.work",
    urgency: 1,
    rows: COUNTED.late,
  },
  afa: {
    one: "AFA registration to submit",
    many: "AFA registrations to submit",
    verb: "Submit",
    to: "/admin/afa",
    right: "afa.work",
    urgency: 1,
    rows: afa.TO_SUBMIT,
  },
  support: {
    one: "support request to answer",
    many: "support requests to answer",
    verb: "Answer",
    to: "/admin/support",
    right: "support.answer",
    urgency: 1,
    hasHolder: true,
    rows: sql`
      select s.created_at as since, null::bigint as pesewas, null::timestamptz as deadline, ${ASSIGNEE} as holder
      from support_requests s where s.state = 'open' and s.kind = 'request' and s.answered_at is null`,
  },
  outcomes_unknown: {
    one: "order whose outcome is unknown",
    many: "orders whose outcome is unknown",
    verb: "Decide",
    to: "/admin/delivery",
    right: "orders.work",
    urgency: 1,
    rows: COUNTED.unknown,
  },
  differences: {
    one: "difference to Paystack's list",
    many: "differences to Paystack's list",
    verb: "Compare",
    to: "/admin/reconciliation",
    right: "books.see",
    urgency: 1,
    rows: sql`
      select found_at as since, amount_pesewas as pesewas, null::timestamptz as deadline
      from reconciliation_differences`,
  },
  cash_at_bank: {
    one: "deposit of cash to find on the bank's statement",
    many: "deposits of cash to find on the bank's statement",
    verb: "Find",
    to: "/admin/cash",
    right: "books.see",
    urgency: 2,
    rows: sql`
      select created_at as since, amount_pesewas as pesewas, null::timestamptz as deadline
      from bank_deposits where seen_at is null`,
  },
  losses: {
    one: "loss to look into",
    many: "losses to look into",
    verb: "Review",
    to: "/admin/losses",
    right: "delivery.manage",
    urgency: 2,
    rows: sql`
      select created_at as since, amount_pesewas as pesewas, null::timestamptz as deadline
      from losses where settled_at is null`,
  },
  concerns: {
    one: "supplier's report to look into",
    many: "suppliers' reports to look into",
    verb: "Review",
    to: "/admin/delivery",
    right: "orders.work",
    urgency: 2,
    rows: COUNTED.concerns,
  },
  thin_prices: {
    one: "price too low",
    many: "prices too low",
    verb: "See prices",
    to: "/admin/prices",
    right: "catalog.manage",
    urgency: 2,
    slowCount: margins.thinCount,
  },
  cost_rises: {
    one: "supplier raised its prices",
    many: "suppliers raised their prices",
    verb: "See prices",
    to: "/admin/prices",
    right: "catalog.manage",
    urgency: 2,
    slowCount: margins.dearerCount,
  },
  dead_jobs: {
    one: "job of the shop failed",
    many: "jobs of the shop failed",
    verb: "See why",
    to: "/admin/delivery",
    right: "delivery.manage",
    urgency: 2,
    rows: sql`
      select dead_at as since, null::bigint as pesewas, null::timestamptz as deadline
      from jobs where dead_at is not null`,
  },
} as const satisfies Record<string, WaitingKind>;

export type WaitingName = keyof typeof WAITING;

/** The account with this id if it can still do the work: what somebody has left belongs to nobody. */
function ifActive(userId: SQL, right: Right): SQL {
  return sql`(select ${users.id} from ${users} where ${users.id} = ${userId} and ${isActiveWith(right)})`;
}

/** Attempts that wait to be sent by a vendor, the oldest first: no more than are counted. */
function queuedFor(vendor: SQL): SQL {
  return sql`
    select order_id from attempts where vendor = ${vendor} and state = 'queued'
    order by due_at limit ${sql.raw(String(COUNT_MAX + 1))}`;
}
