// Transitions of orders between statuses: the rules, and what is done with each, as the refund when one fails.
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { products } from "../../../db/schema/catalog.ts";
import { orders } from "../../../db/schema/orders.ts";
import {
  type By,
  type ByUser,
  DELIVERY_KINDS,
  type DeliveryKind,
  type OrderStatus,
  type Sender,
  TRANSITIONS,
} from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { isStaff } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as refunds from "../ledger/refunds.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as afaHolds from "./afa-holds.ts";
import * as attempts from "./attempts.ts";
import { addToDays, countChange } from "./daily-totals.ts";
import * as batches from "./desk-batches.ts";
import * as decisions from "./dispute-decisions.ts";
import * as failures from "./failures.ts";
import * as holds from "./holds.ts";
import { queueStatusWebhooks } from "./json.ts";
import type { Order } from "./order.ts";
import * as orderCosts from "./order-costs.ts";
import { takeCash } from "./pay.ts";
import * as timeline from "./timeline.ts";

/** What became of an order that was to move. */
export type TransitionResult = { id: number; status: OrderStatus | null; refusal: ErrorCode | null };

/**
 * A requested transition: the target status, the reason, and whether the admin took the money for unpaid orders in
 * cash. `via`: who sends bundles that go to PROCESSING, the admin at the desk (default) or their route.
 */
export type TransitionRequest = {
  to: OrderStatus;
  reason?: string | undefined;
  paidInCash?: boolean | undefined;
  via?: Sender | undefined;
  /** What agents read instead of the reason, which is then for admins only, as a vendor's or portal's message. */
  kind?: DeliveryKind | undefined;
};

/** Orders whose transition is blocked for now, and why. */
type Blocked = { code: ErrorCode; ids: Set<number> };

/**
 * Those of these orders that are blocked: one with an open dispute cannot be completed; one at a vendor cannot be given
 * to anybody else, and one that is held to nobody by hand; an AFA registration cannot be refused without a reason,
 * which its agent reads; and cash is not taken for less than the lowest price.
 */
export async function findBlocked(
  tx: Reads,
  ids: number[],
  { to, reason, paidInCash, via }: TransitionRequest,
): Promise<Blocked[]> {
  const tooCheap = paidInCash && to !== "FAILED" ? await unpaidTooCheap(tx, ids) : new Set<number>();
  const blocked: Blocked[] = [{ code: "order.below_cost", ids: tooCheap }];
  if (to === "COMPLETED") blocked.push({ code: "order.case_open", ids: await disputedOrders.among(tx, ids) });
  if (to === "PROCESSING") blocked.push({ code: "order.handed_over", ids: await attempts.dispatchedAmong(tx, ids) });
  // Whose route sends them waits for the end of the hold by itself.
  if (to === "PROCESSING" && via !== "route") blocked.push({ code: "order.held", ids: await holds.among(tx, ids) });
  if (to === "FAILED" && !reason?.trim())
    blocked.push({ code: "afa.reason_missing", ids: await afaHolds.among(tx, ids) });
  return blocked;
}

/** Those of these orders that are not paid yet, at a price at which their bundle is no longer sold. */
async function unpaidTooCheap(tx: Reads, ids: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: orders.id })
    .from(orders)
    .innerJoin(products, eq(products.id, orders.productId))
    .where(
      and(isAmong(orders.id, ids), isNull(orders.paidAt), lt(orders.unitPricePesewas, products.lowestPricePesewas)),
    );
  return new Set(rows.map(({ id }) => id));
}

/** Why an order may not make this transition; null when it may. */
export function transitionRefusal(
  order: Order,
  by: ByUser,
  { to, paidInCash }: TransitionRequest,
  blocked: readonly Blocked[],
): ErrorCode | null {
  if (!TRANSITIONS[order.status].includes(to)) return "order.move_not_allowed";
  // Admins get their own money back as every buyer does: by cancelling, by the deadline, or from another admin.
  const movesMoney = to === "FAILED" ? order.paidAt !== null : order.paidAt === null;
  if (movesMoney && order.userId === by.userId) return "auth.own_account";
  if (to !== "FAILED" && !order.paidAt && !paidInCash) return "order.unpaid";
  return blocked.find(({ ids }) => ids.has(order.id))?.code ?? null;
}

/**
 * Takes orders to another status, in the caller's transaction and without asking for a right; returns the result of
 * each: moved, or refused with an error code. FAILED refunds, and needs a reason for an AFA registration. An unpaid
 * order moves forward only with `paidInCash`, which is posted in the name of `by`. Nobody moves the money of their own
 * order (auth.own_account). Bundles that go to PROCESSING become a desk batch or, `via` their route, keep their status
 * until they are dispatched. `beforeThat` is called with those that can move, which are locked.
 */
export async function moveAll(
  tx: Tx,
  by: ByUser,
  ids: number[],
  wish: TransitionRequest,
  beforeThat: (moving: Order[]) => Promise<void> = async () => {},
): Promise<TransitionResult[]> {
  const found = await lockOrders(tx, ids);
  const held = await findBlocked(tx, ids, wish);
  const results = ids.map((id): TransitionResult => {
    const order = found.get(id);
    if (!order) return { id, status: null, refusal: "order.not_found" };
    const refusal = transitionRefusal(order, by, wish, held);
    return { id, status: refusal ? order.status : wish.to, refusal };
  });
  const moving = results.flatMap((result) => (result.refusal ? [] : [found.get(result.id)!]));
  await beforeThat(moving);
  if (wish.to === "PROCESSING") {
    const waiting = await startWork(tx, by, moving, wish);
    return results.map((result) => ({ ...result, status: waiting.get(result.id) ?? result.status }));
  }
  const { to, kind, reason = null } = wish;
  const note = kind ? (to === "FAILED" ? DELIVERY_KINDS[kind] : null) : reason;
  await apply(tx, by, moving, to, note, kind && (() => ({ kind, detail: reason })));
  return results;
}

/** The order that was moved alone. Throws its refusal. */
export async function moved(tx: Tx, [result]: TransitionResult[]): Promise<Order> {
  const { id, status, refusal } = result!;
  if (refusal) throw new AppError(refusal, { status });
  const [order] = await tx.select().from(orders).where(eq(orders.id, id));
  return order!;
}

/**
 * Hands bundles to the desk or their route; returns the statuses of those waiting for their route. AFA has its own
 * queue.
 */
async function startWork(
  tx: Tx,
  by: ByUser,
  moving: Order[],
  { via, reason = null }: Pick<TransitionRequest, "via"> & { reason?: string | null | undefined },
): Promise<Map<number, OrderStatus>> {
  const ids = moving.map(({ id }) => id);
  const registrations = await afaHolds.among(tx, ids);
  const bundles = moving.filter(({ id }) => !registrations.has(id));
  if (via !== "route") {
    if (bundles.length > 0) await batches.createBatch(tx, by, bundles);
    await apply(tx, by, moving, "PROCESSING", reason);
    return new Map();
  }
  await takeCash(tx, by, bundles);
  await dispatchByRoute(tx, by, bundles, reason);
  await auditLog.record(tx, by, auditEntries(bundles, "sent by its route", reason));
  const others = moving.filter(({ id }) => registrations.has(id));
  await apply(tx, by, others, "PROCESSING", reason);
  return new Map(bundles.map(({ id, status }) => [id, status]));
}

/** Locks the owners' wallets, then the orders: the lock order of the core. */
export async function lockOrders(tx: Tx, ids: number[]): Promise<Map<number, Order>> {
  const owners = await tx.selectDistinct({ userId: orders.userId }).from(orders).where(isAmong(orders.id, ids));
  await ledger.lockWallets(
    tx,
    owners.map((owner) => owner.userId),
  );
  const locked = await tx.select().from(orders).where(isAmong(orders.id, ids)).orderBy(asc(orders.id)).for("update");
  return new Map(locked.map((order) => [order.id, order]));
}

/**
 * Carries out an allowed transition: status, refund, totals, timeline, notices and audit log, in the caller's
 * transaction, which must have locked the orders by `lockOrders`. `textOf` gives each order its own timeline entry and,
 * where whoever moves it knows it better than failures.ts, the code of its failure.
 */
export async function apply(
  tx: Tx,
  by: By,
  moving: Order[],
  to: OrderStatus,
  reason: string | null,
  textOf: (order: Order) => timeline.EntryText & failures.Cause = () => ({ note: reason }),
): Promise<void> {
  if (moving.length === 0) return;
  // After this point the transition must succeed.
  const isFailure = to === "FAILED";
  const ids = moving.map((order) => order.id);
  if (!isFailure) await takeCash(tx, by, moving);
  const moved = await tx
    .update(orders)
    .set({
      status: to,
      updatedAt: sql`now()`,
      // Automatic progress is only in the timeline; the order's note is an admin's, or the reason of its failure.
      note: isFailure || isStaff(by) ? (reason ?? sql`${orders.note}`) : sql`${orders.note}`,
      ...(isFailure && {
        refundedAt: sql`case when ${orders.paidAt} is not null then now() end`,
        failure: failures.failureColumn(moving, by, textOf),
      }),
    })
    .where(isAmong(orders.id, ids))
    .returning();
  if (isFailure) await afaHolds.release(tx, moving);
  const refunded = isFailure ? moved.filter((order) => order.paidAt) : [];
  await refunds.post(tx, by, refunded);
  await addToDays(tx, refunded, -1);
  const byStatus = Map.groupBy(moving, (order) => order.status);
  await countChange(tx, [[to, moving.length], ...[...byStatus].map(([from, left]) => [from, -left.length] as const)]);
  const entries = moving.map((order) => {
    const { failure: _, ...text } = textOf(order);
    return { order, fromStatus: order.status, toStatus: to, ...text };
  });
  await timeline.append(tx, by, entries);
  const fromOf = new Map(moving.map((order) => [order.id, order.status]));
  await queueStatusWebhooks(
    tx,
    moved.map((order) => ({ order, from: fromOf.get(order.id)! })),
    refunded,
  );
  await notices.ordersRefunded(tx, by, refunded);
  await notices.ordersMoved(tx, moved, fromOf);
  await followUp(tx, by, moved, to, reason);
  if (isStaff(by)) await auditLog.record(tx, by, auditEntries(moving, to, reason));
}

/** Follow-ups of a transition: ends attempts and disputes, and schedules the completion of delivered orders. */
async function followUp(tx: Tx, by: By, moved: Order[], to: OrderStatus, reason: string | null): Promise<void> {
  const ids = moved.map((order) => order.id);
  if (to === "DELIVERED") {
    await jobs.enqueueAll(tx, "complete_order", ids, await settings.get(tx, "complete_after_seconds"));
  }
  if (to === "FAILED") await decisions.decide(tx, by, moved, { outcome: "refunded", note: reason });
  if (isStaff(by) || to === "FAILED") await attempts.followTransition(tx, ids, to);
  await orderCosts.followTransition(tx, moved, to);
}

function auditEntries(
  moving: Order[],
  to: OrderStatus | "sent by its route",
  reason: string | null,
): auditLog.AuditEntry[] {
  return moving.map((order) => ({
    action: order.paidAt || to === "FAILED" ? "order.move" : "order.move_paid_in_cash",
    subjectType: "order",
    subjectId: order.id,
    before: { status: order.status },
    after: { status: to, reason },
  }));
}

/**
 * Dispatches paid orders, which the caller has locked, along their route now instead of after the cancellation window.
 * They are PROCESSING once dispatched. One past its deadline gets a new one, because nothing is sent after its
 * deadline.
 */
async function dispatchByRoute(tx: Tx, by: ByUser, moving: Order[], reason: string | null): Promise<void> {
  if (moving.length === 0) return;
  const ids = moving.map(({ id }) => id);
  await tx
    .update(orders)
    .set({ deliverBy: sql.raw(settings.DELIVER_BY) })
    .where(sql`${isAmong(orders.id, ids)} and ${orders.deliverBy} <= now()`);
  await jobs.enqueueAll(tx, "dispatch_order", ids);
  const note = reason ?? "Sent for delivery right away";
  await timeline.append(
    tx,
    by,
    moving.map((order) => ({ order, note, isInternal: true })),
  );
}
