// "It has not arrived": what an agent can say of a delivered order, once. It holds the order's completion back and ends
// by a deadline, in delivered with proof or in the money back, whatever anybody does or forgets. A person alone decides
// about an AFA registration, which stays at MTN whatever happens to its money, and about agents with too many losses.

import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { orders as orderTable } from "../../../db/schema/orders.ts";
import { supportRequests } from "../../../db/schema/support.ts";
import { accraMoment } from "../../shared/accra.ts";
import { type By, isAdmin, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import type { Answered, Key } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { isBundle } from "../platform/sql.ts";
import { transact } from "../platform/transactions.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as support from "../support/requests.ts";
import * as afaHolds from "./afa-holds.ts";
import type { Order } from "./buy.ts";
import * as losses from "./losses.ts";
import * as orderLists from "./queries.ts";
import * as timeline from "./timeline.ts";
import * as moves from "./transitions.ts";

const DEADLINES_AT_ONCE = 500;

/** Files a request about one's own order. Throws order.not_found, also for somebody else's; request.rate_limited. */
export async function reportOrder(
  db: Db,
  ask: { by: By; key?: Key | null; orderId: number; subject?: string; message: string },
): Promise<Answered<support.SupportRow>> {
  const { by, orderId, ...rest } = ask;
  const order = await orderLists.get(db, by, orderId);
  if (order.userId !== by.userId) throw new AppError("order.not_found");
  return support.file(db, { by, ...rest, about: { type: "order", id: order.id } });
}

/** The case of an order, if its agent has opened one. */
export async function ofOrder(tx: Tx, orderId: number): Promise<support.SupportRequest | null> {
  const [found] = await tx.select().from(supportRequests).where(isCaseOf(orderId));
  return found ?? null;
}

export type Offer = {
  /** Until when the owner can still say that an order has not arrived. */
  until: Date;
  /** By when it would be decided. */
  decidedBy: Date;
  /** Whether the money goes back by itself then, if nobody has decided. */
  isByClock: boolean;
};

/** Whether the owner can open a case for an order now, and what they would be promised; null when not. */
export async function offer(tx: Tx, order: Order): Promise<Offer | null> {
  if (order.status !== "DELIVERED" && order.status !== "COMPLETED") return null;
  if (await ofOrder(tx, order.id)) return null;
  const [row] = await tx.execute<{ until: string; is_open: boolean }>(sql`
    select until, until > now() as is_open
    from (select ${askableUntil(order, await settings.get(tx, "not_received_days"))} as until) s`);
  if (!row?.is_open) return null;
  const hours = await settings.get(tx, "case_hours");
  const decidedBy = new Date(Date.now() + hours * 3_600_000);
  return { until: new Date(row.until), decidedBy, isByClock: await endsByClock(tx, order.id) };
}

/** Whether the case of this order would end by its deadline, with the money back, if nobody decided it. */
export async function endsByClock(tx: Tx, orderId: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: orderTable.id })
    .from(orderTable)
    .where(and(eq(orderTable.id, orderId), IS_BY_CLOCK));
  return row !== undefined;
}

/**
 * Opens the case of one's own order, which is DELIVERED or COMPLETED for no longer than the setting allows. While it is
 * open the order is not completed by itself.
 * Throws order.not_found (also for somebody else's), case.filed_already, case.not_delivered, case.too_late,
 * request.rate_limited.
 */
export async function open(
  db: Db,
  ask: { by: By; key: Key | null; orderId: number; message: string },
): Promise<Answered<support.SupportRow>> {
  const { by, orderId } = ask;
  const userId = by.userId!;
  const message = ask.message || "The data has not arrived";
  return support.onceFor(db, by, ask.key, ["not_received", orderId, message], async (tx) => {
    const order = (await moves.lockOrders(tx, [orderId])).get(orderId);
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    if (await ofOrder(tx, orderId)) throw new AppError("case.filed_already");
    if (order.status !== "DELIVERED" && order.status !== "COMPLETED")
      throw new AppError("case.not_delivered");
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
        message,
        dueAt: sql`now() + make_interval(hours => ${hours})`,
      })
      .returning({ id: supportRequests.id, dueAt: supportRequests.dueAt });
    await timeline.append(tx, by, [
      { order, note: `Said not to have arrived: to be decided by ${accraMoment(filed!.dueAt!)}` },
    ]);
    return filed!.id;
  });
}

/**
 * Takes one's own case back: the data has arrived after all. One that was taken back already stays so.
 * Throws order.not_found (also for somebody else's), case.not_found, case.decided.
 */
export async function withdraw(db: Db, { by, orderId }: { by: By; orderId: number }): Promise<void> {
  await transact(db, async (tx) => {
    // Whose it is comes first: whether another's order has a case, or is there at all, is not told.
    const order = (await moves.lockOrders(tx, [orderId])).get(orderId);
    if (order?.userId !== by.userId) throw new AppError("order.not_found");
    const { found } = await lockCase(tx, orderId);
    if (found.outcome === "withdrawn") return;
    if (found.outcome) throw new AppError("case.decided");
    await disputedOrders.end(tx, by, [orderId], { outcome: "withdrawn", note: null });
    await timeline.append(tx, by, [{ order, note: "Arrived after all, its buyer says" }]);
    await jobs.enqueue(tx, "complete_order", orderId);
  });
}

/**
 * How an admin ends a case. "Delivered" needs proof, which the agent reads. `freesRegistration`: MTN has no such AFA
 * registration, so that card and number are free again with the refund.
 */
export type Verdict = {
  outcome: "delivered" | "refunded";
  proof?: string;
  freesRegistration?: boolean | undefined;
};

/**
 * Decides a case, as an admin: delivered, with what proves it, or the money back, with the order FAILED in the same
 * commit. Whoever comes second, be it the deadline, finds it decided.
 * Throws auth.forbidden, auth.own_account, support.not_found, case.not_found, case.decided, case.proof_missing.
 */
export async function decide(
  db: Db,
  ask: { by: By; key: Key | null; requestId: number; verdict: Verdict },
): Promise<Answered<support.SupportRow>> {
  const { by, requestId, verdict } = ask;
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  const proof = verdict.outcome === "delivered" ? (verdict.proof ?? "").trim() : null;
  if (proof === "") throw new AppError("case.proof_missing");
  const frees = verdict.outcome === "refunded" && verdict.freesRegistration === true;
  const content = ["case", requestId, verdict.outcome, proof, ...(frees ? ["frees"] : [])];
  return support.onceFor(db, by, ask.key, content, async (tx) => {
    const { kind, subjectId } = await support.get(tx, by, requestId);
    if (kind !== "not_received") throw new AppError("case.not_found");
    const { order, found } = await lockCase(tx, subjectId!);
    if (order.userId === by.userId) throw new AppError("auth.own_account");
    if (found.outcome) throw new AppError("case.decided");
    if (proof === null) {
      await giveBack(tx, by, [order], "Not received: the money goes back");
      if (frees) await afaHolds.free(tx, [order.id]);
    } else {
      await disputedOrders.end(tx, by, [order.id], { outcome: "delivered", note: proof });
      await timeline.append(tx, by, [{ order, note: `Delivered, with proof: ${proof}` }]);
      await jobs.enqueue(tx, "complete_order", order.id);
    }
    const amount = show(order.amountPesewas);
    const after = { order: order.id, outcome: verdict.outcome, proof, amount, ...(frees && { frees }) };
    await auditLog.record(tx, by, [
      { action: "case.decide", subjectType: "support", subjectId: requestId, after },
    ]);
    return requestId;
  });
}

/** SQL: orders whose case may end by the clock. */
const IS_BY_CLOCK = and(isBundle, sql`not ${losses.isRefundedByPersonOnly(orderTable.userId)}`)!;

/**
 * Ends cases whose deadline has passed with the money back, as was promised; returns how many. Those that a person alone
 * decides stay open.
 */
export async function endOverdue(db: Db): Promise<number> {
  const late = await undecided(db, { limit: DEADLINES_AT_ONCE, withinHours: 0, isByClock: true });
  if (late.length === 0) return 0;
  return transact(db, async (tx) => {
    const ids = late.map(({ order }) => order.id);
    const found = await moves.lockOrders(tx, ids);
    // Locked now; whoever held one of them before may have decided it.
    const open = await disputedOrders.among(tx, ids);
    const orders = [...found.values()].filter((order) => open.has(order.id));
    await giveBack(tx, SYSTEM, orders, "Not received, and nobody could show in time that it was delivered");
    return orders.length;
  });
}

export type DisputeRow = support.SupportRow & { dueAt: Date; order: Order };

/** Cases that nobody has decided, the nearest deadline first; perhaps only those due within some hours, or by the clock. */
export async function undecided(
  tx: Tx,
  { limit, withinHours, isByClock = false }: { limit: number; withinHours?: number; isByClock?: boolean },
): Promise<DisputeRow[]> {
  const { kind, state, dueAt, subjectId, userId } = supportRequests;
  const rows = await tx
    .select({ request: supportRequests, username: users.username, order: orderTable })
    .from(supportRequests)
    .innerJoin(users, eq(users.id, userId))
    .innerJoin(orderTable, eq(orderTable.id, subjectId))
    .where(
      and(
        eq(kind, "not_received"),
        eq(state, "open"),
        isByClock ? IS_BY_CLOCK : undefined,
        withinHours === undefined
          ? undefined
          : lte(dueAt, sql`now() + make_interval(hours => ${withinHours})`),
      ),
    )
    .orderBy(asc(dueAt), asc(supportRequests.id))
    .limit(limit);
  return rows.map(({ request, ...row }) => ({ ...request, ...row, dueAt: request.dueAt! }));
}

/** Whose orders are FAILED, their money back and their cases ended, all by the one move. */
async function giveBack(tx: Tx, by: By, orders: Order[], reason: string): Promise<void> {
  const standing = orders.filter(({ status }) => status !== "FAILED");
  await moves.apply(tx, by, standing, "FAILED", reason);
  // One that failed while its case was open has its money back already.
  const failed = orders.filter(({ status }) => status === "FAILED").map(({ id }) => id);
  await disputedOrders.end(tx, by, failed, { outcome: "refunded", note: null });
}

/** The case of an order as it stands, with the order locked. */
async function lockCase(tx: Tx, orderId: number) {
  const order = (await moves.lockOrders(tx, [orderId])).get(orderId);
  if (!order) throw new AppError("order.not_found");
  const found = await ofOrder(tx, orderId);
  if (!found) throw new AppError("case.not_found");
  return { order, found };
}

function isCaseOf(orderId: number) {
  return and(eq(supportRequests.subjectId, orderId), eq(supportRequests.kind, "not_received"));
}

/** SQL: until when an order's owner can say that it has not arrived. It was delivered when it was first called so. */
function askableUntil(order: Order, days: number) {
  return sql`make_interval(days => ${days}) + coalesce(
    (select min(created_at) from order_events
     where order_id = ${order.id} and to_status in ('DELIVERED', 'COMPLETED')),
    ${order.updatedAt.toISOString()}::timestamptz)`;
}
