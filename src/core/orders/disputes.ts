// Disputes: an agent's report, once per order, that a delivered order has not arrived. An open dispute holds back the
// order's completion and ends by a deadline at the latest, as delivered with proof or refunded. Only a person decides
// about AFA registrations, which stay at MTN whatever happens to the money, for agents with too many losses, and above
// the bound of automatic refunds.

import { and, asc, eq, lte, or, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import { accraMoment } from "../../shared/accra.ts";
import { type By, type ByUser, limits, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id, text } from "../../shared/inputs.ts";
import { show } from "../../shared/money.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { command } from "../platform/commands.ts";
import type { Answered, Key } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import { isBundle } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import { transact } from "../platform/transactions.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as support from "../support/requests.ts";
import * as afaHolds from "./afa-holds.ts";
import * as automaticRefunds from "./automatic-refunds.ts";
import * as decisions from "./dispute-decisions.ts";
import * as losses from "./losses.ts";
import type { Order } from "./order.ts";
import * as orderLists from "./queries.ts";
import { requireRefunds } from "./refund.ts";
import * as timeline from "./timeline.ts";
import * as transitions from "./transitions.ts";

const DEADLINES_AT_ONCE = 500;

/**
 * Files a request about the caller's own order. Throws order.not_found (also for somebody else's),
 * request.rate_limited.
 */
export async function reportOrder(
  db: Db,
  command: { by: ByUser; key?: Key | null; orderId: number; subject?: string; message: string },
): Promise<Answered<support.SupportRow>> {
  const { by, orderId, ...rest } = command;
  const order = await orderLists.get(db, by, orderId);
  if (order.userId !== by.userId) throw new AppError("order.not_found");
  return support.file(db, { by, ...rest, about: { type: "order", id: order.id } });
}

/** The dispute of an order, or null. */
export async function ofOrder(tx: Reads, orderId: number): Promise<support.SupportRequest | null> {
  const [found] = await tx.select().from(supportRequests).where(isDisputeOf(orderId));
  return found ?? null;
}

export type Offer = {
  /** Until when the owner can open a dispute. */
  until: Date;
  /** The deadline of its decision. */
  decidedBy: Date;
  /** Whether an undecided dispute is refunded automatically at that deadline. */
  isAutomatic: boolean;
};

/** The terms on which the owner can open a dispute about an order now; null when they cannot. */
export async function offer(tx: Reads, order: Order): Promise<Offer | null> {
  if (order.status !== "DELIVERED" && order.status !== "COMPLETED") return null;
  if (await ofOrder(tx, order.id)) return null;
  const [row] = await tx.execute<{ until: string; is_open: boolean }>(sql`
    select until, until > now() as is_open
    from (select ${reportDeadline(order, await settings.get(tx, "not_received_days"))} as until) s`);
  if (!row?.is_open) return null;
  const hours = await settings.get(tx, "case_hours");
  const decidedBy = new Date(Date.now() + hours * 3_600_000);
  return { until: new Date(row.until), decidedBy, isAutomatic: await isRefundedAutomatically(tx, order.id) };
}

/** Whether an undecided dispute of this order is refunded automatically at its deadline. */
export async function isRefundedAutomatically(tx: Reads, orderId: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: orderTable.id })
    .from(orderTable)
    .where(and(eq(orderTable.id, orderId), IS_AUTOMATIC));
  return row !== undefined;
}

/**
 * Opens a dispute about the caller's own order, which has been DELIVERED or COMPLETED for no longer than the setting
 * allows. While it is open, the order is not completed automatically.
 */
export const open = command({
  name: "case.open",
  right: null,
  about: "Report a delivered order as not received; without a decision by `dueAt` it is refunded",
  subject: "support",
  input: {
    orderId: Id,
    message: text(limits.messageChars).trim().default("").describe("What you or your customer saw"),
  },
  errors: [
    ...(["order.not_found", "case.not_delivered", "case.filed_already", "case.too_late"] as const),
    ...(["service.closed", "request.rate_limited"] as const),
  ],
  run: async ({ tx, by }, { orderId, message }) => {
    const { userId } = by;
    const order = (await transitions.lockOrders(tx, [orderId])).get(orderId);
    if (order?.userId !== userId) throw new AppError("order.not_found");
    await switches.requireOpen(tx, "refunds");
    if (await ofOrder(tx, orderId)) throw new AppError("case.filed_already");
    if (order.status !== "DELIVERED" && order.status !== "COMPLETED") throw new AppError("case.not_delivered");
    if (!(await offer(tx, order))) throw new AppError("case.too_late");
    await budgets.spend(tx, "dispute.account", userId);
    const hours = await settings.get(tx, "case_hours");
    const [filed] = await tx
      .insert(supportRequests)
      .values({
        userId,
        kind: "not_received",
        subjectType: "order",
        subjectId: orderId,
        message: message || "The data has not arrived",
        dueAt: sql`now() + make_interval(hours => ${hours})`,
      })
      .returning({ id: supportRequests.id, dueAt: supportRequests.dueAt });
    await timeline.append(tx, by, [
      { order, note: `Reported as not received. To be decided by ${accraMoment(filed!.dueAt!)}` },
    ]);
    return support.get(tx, by, filed!.id);
  },
});

/** Withdraws the caller's own dispute: the data has arrived. No effect when it is already withdrawn. */
export const withdraw = command({
  name: "case.withdraw",
  right: null,
  about: "Withdraw the report: the order has arrived",
  subject: "support",
  input: { orderId: Id },
  errors: ["order.not_found", "case.not_found", "case.decided"],
  run: async ({ tx, by }, { orderId }) => {
    // Ownership first, so that nothing is revealed about somebody else's order.
    const order = (await transitions.lockOrders(tx, [orderId])).get(orderId);
    if (order?.userId !== by.userId) throw new AppError("order.not_found");
    const { found } = await lockDispute(tx, orderId);
    if (found.outcome === "withdrawn") return;
    if (found.outcome) throw new AppError("case.decided");
    await disputedOrders.end(tx, by, [orderId], { outcome: "withdrawn", note: null });
    await timeline.append(tx, by, [{ order, note: "The buyer says that it has arrived" }]);
    await jobs.enqueue(tx, "complete_order", orderId);
  },
});

/**
 * Decides a dispute: delivered, with proof, or refunded, with the order FAILED in the same commit. A second decision,
 * including the deadline's, finds it decided.
 */
export const decide = command({
  name: "case.decide",
  right: "cases.decide",
  about: "Decide a dispute: delivered, with proof, or refunded, which sets the order to FAILED",
  subject: "support",
  input: {
    requestId: Id,
    outcome: z.enum(["delivered", "refunded"]),
    proof: text(1000).trim().optional().describe("The proof of delivery; the agent reads it"),
    freesRegistration: z
      .boolean()
      .optional()
      .describe("For a refunded AFA registration that MTN does not have: card and number can be registered again"),
  },
  errors: [
    ...(["support.not_found", "case.not_found", "case.decided", "case.proof_missing"] as const),
    ...(["auth.own_account", "service.closed"] as const),
  ],
  asks: "Refund of what was not received",
  run: async (work, { requestId, outcome, proof = "", freesRegistration = false }) => {
    const { tx, by, audit } = work;
    const isRefund = outcome === "refunded";
    if (!isRefund && proof === "") throw new AppError("case.proof_missing");
    const { kind, subjectId } = await support.get(tx, by, requestId);
    if (kind !== "not_received") throw new AppError("case.not_found");
    const { order, found } = await lockDispute(tx, subjectId!);
    if (order.userId === by.userId) throw new AppError("auth.own_account");
    if (found.outcome) throw new AppError("case.decided");
    const frees = isRefund && freesRegistration;
    if (isRefund) {
      await requireRefunds(work, order.status === "FAILED" ? [] : [order], { reason: found.message });
      await refund(tx, by, [order], "Not received: refunded");
      if (frees) await afaHolds.free(tx, [order.id]);
    } else {
      await decisions.decide(tx, by, [order], { outcome, note: proof });
      await timeline.append(tx, by, [{ order, note: `Delivered, with proof: ${proof}` }]);
      await jobs.enqueue(tx, "complete_order", order.id);
    }
    const about = { order: order.id, outcome, proof: isRefund ? null : proof, amount: show(order.amountPesewas) };
    await audit(requestId, { after: { ...about, ...(frees && { frees }) } });
    return support.get(tx, by, requestId);
  },
});

/** SQL over the account's other open disputes whose deadlines come first, which may be refunded automatically, too. */
const earlier = (sum: SQL) => sql`(
  select ${sum} from support_requests r join orders o on o.id = r.subject_id
  where r.user_id = ${orderTable.userId} and r.kind = 'not_received' and r.state = 'open'
    and r.subject_id <> ${orderTable.id} and o.amount_pesewas <= ${automaticRefunds.DAY_MAX}
    and not exists (
      select from support_requests own where own.subject_id = ${orderTable.id} and own.kind = 'not_received'
        and (own.due_at, own.id) < (r.due_at, r.id)))`;

/** SQL: orders whose disputes may be refunded automatically: the first to be due, up to the account's bound. */
const IS_AUTOMATIC = and(
  isBundle,
  sql`not ${losses.needsManualRefund(orderTable.userId)}`,
  automaticRefunds.fits(orderTable.userId, {
    orders: sql`1 + ${earlier(sql`count(*)`)}`,
    pesewas: sql`${orderTable.amountPesewas} + ${earlier(sql`coalesce(sum(o.amount_pesewas), 0)`)}`,
  }),
)!;

/**
 * Refunds disputes whose deadline has passed, as promised; returns how many. Those that only a person may decide stay
 * open, and all of them while refunds are closed.
 */
export async function endOverdue(db: Db): Promise<number> {
  const late = await listOpen(db, { limit: DEADLINES_AT_ONCE, withinHours: 0, isAutomatic: true });
  if (late.length === 0) return 0;
  return transact(db, async (tx) => {
    const ids = late.map(({ order }) => order.id);
    const found = await transitions.lockOrders(tx, ids);
    if (await switches.areClosed(tx, "refunds")) return 0;
    // Read again under the lock: one may have been decided while it was awaited.
    const open = await disputedOrders.among(tx, ids);
    const orders = ids.flatMap((id) => (open.has(id) ? [found.get(id)!] : []));
    const [ended, standing] = [true, false].map((isEnded) =>
      orders.filter(({ status }) => (status === "FAILED") === isEnded),
    ) as [Order[], Order[]];
    const refunded = [...ended, ...(await automaticRefunds.take(tx, standing, "not_received"))];
    await refund(tx, SYSTEM, refunded, "Not received, and no proof of delivery in time");
    return refunded.length;
  });
}

export type DisputeRow = support.SupportRow & { dueAt: Date; order: Order };

/** Open disputes, nearest deadline first; optionally only those due within some hours, or refunded automatically. */
export async function listOpen(
  tx: Reads,
  { limit, withinHours, isAutomatic = false }: { limit: number; withinHours?: number; isAutomatic?: boolean },
): Promise<DisputeRow[]> {
  const { kind, state, dueAt, subjectId, userId } = supportRequests;
  const rows = await tx
    .select({ request: support.ROW, order: orderTable })
    .from(supportRequests)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(orderTable, eq(orderTable.id, subjectId))
    .where(
      and(
        eq(kind, "not_received"),
        eq(state, "open"),
        isAutomatic ? or(IS_AUTOMATIC, eq(orderTable.status, "FAILED")) : undefined,
        withinHours === undefined ? undefined : lte(dueAt, sql`now() + make_interval(hours => ${withinHours})`),
      ),
    )
    .orderBy(asc(dueAt), asc(supportRequests.id))
    .limit(limit);
  return rows.map(({ request, order }) => ({ ...request, order, dueAt: request.dueAt! }));
}

/** Fails these orders, which refunds them and ends their disputes. */
async function refund(tx: Tx, by: By, orders: Order[], reason: string): Promise<void> {
  const standing = orders.filter(({ status }) => status !== "FAILED");
  await transitions.apply(tx, by, standing, "FAILED", reason, () => ({
    note: reason,
    failure: "not_received",
  }));
  // An order that failed while its dispute was open is refunded already.
  const failed = orders.filter(({ status }) => status === "FAILED");
  await decisions.decide(tx, by, failed, { outcome: "refunded", note: null });
}

/** Locks an order and returns it with its dispute. Throws order.not_found, case.not_found. */
async function lockDispute(tx: Tx, orderId: number) {
  const order = (await transitions.lockOrders(tx, [orderId])).get(orderId);
  if (!order) throw new AppError("order.not_found");
  const found = await ofOrder(tx, orderId);
  if (!found) throw new AppError("case.not_found");
  return { order, found };
}

function isDisputeOf(orderId: number) {
  return and(eq(supportRequests.subjectId, orderId), eq(supportRequests.kind, "not_received"));
}

/** SQL: until when a dispute can be opened, counted from the order's first delivery. */
function reportDeadline(order: Order, days: number) {
  return sql`make_interval(days => ${days}) + coalesce(
    (select min(created_at) from order_events
     where order_id = ${order.id} and to_status in ('DELIVERED', 'COMPLETED')),
    ${order.updatedAt.toISOString()}::timestamptz)`;
}
