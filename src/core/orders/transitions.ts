// Transitions of orders between statuses, with the refund when one fails.
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type By, type ByUser, DELIVERY_KINDS, limits, type OrderStatus, SYSTEM } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { maskCards } from "../../shared/ghana-card.ts";
import { CANCELLED } from "../../shared/order-states.ts";
import { isStaff } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as refunds from "../ledger/refunds.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as switches from "../platform/switches.ts";
import * as afaHolds from "./afa-holds.ts";
import * as attempts from "./attempts.ts";
import { addToDays, countChange } from "./daily-totals.ts";
import * as batches from "./desk-batches.ts";
import * as decisions from "./dispute-decisions.ts";
import * as failures from "./failures.ts";
import { queueStatusWebhooks } from "./json.ts";
import type { Order, Spending } from "./order.ts";
import * as orderCosts from "./order-costs.ts";
import { takeCash } from "./pay.ts";
import { requireRefunds } from "./refund-limits.ts";
import * as timeline from "./timeline.ts";
import * as rules from "./transition-rules.ts";

export type TransitionRequest = rules.TransitionRequest;
export type TransitionResult = { id: number; status: OrderStatus | null; refusal: ErrorCode | null };

/**
 * Takes orders to another status, as an admin; returns the result of each: moved, or refused with an error code. FAILED
 * refunds in the same commit, and needs a reason for an AFA registration. An unpaid order moves forward only with
 * `paidInCash`, which is posted in the admin's name. Nobody moves the money of their own order (auth.own_account).
 * Bundles that go to PROCESSING become a desk batch of the admin or, `via` their route, keep their status until they
 * are dispatched. Card numbers in a reason are masked.
 * Throws auth.forbidden, see `requireRightTo`, and as secondPerson.require for refunds above the limits.
 */
export async function move(
  db: Db,
  command: { by: ByUser; key: Key | null; ids: number[] } & TransitionRequest,
): Promise<Answered<TransitionResult[]>> {
  rules.requireRightTo(command.by, command);
  const ids = [...new Set(command.ids)];
  const wish = masked(command);
  return once(db, command.by.userId, command.key, ["move", ids, rules.contentOf(wish)], (tx) =>
    moveAll(tx, command.by, ids, wish, { kind: "orders.move", command: { ids, ...wish } }),
  );
}

export type TransitionPreview = {
  movingCount: number;
  /** The total of the refunds, in pesewas. */
  refundPesewas: number;
  /** What stays as it is, by the reason. */
  refused: { code: ErrorCode; ids: number[] }[];
};

/** The effect that `move` would have now, without changing anything. Throws as `move`. */
export async function preview(
  db: Db,
  command: { by: ByUser; ids: number[] } & TransitionRequest,
): Promise<TransitionPreview> {
  rules.requireRightTo(command.by, command);
  const ids = [...new Set(command.ids)];
  const found = await db.select().from(orders).where(isAmong(orders.id, ids));
  const held = await rules.findBlocked(db, ids, command);
  const refusals = found.map((order) => rules.transitionRefusal(order, command.by, command, held));
  const moving = found.filter((_, i) => refusals[i] === null);
  const paid = command.to === "FAILED" ? moving.filter(({ paidAt }) => paidAt) : [];
  const known = new Map(found.map(({ id }, i) => [id, refusals[i]]));
  const staying = ids.flatMap((id) => {
    const code = known.has(id) ? known.get(id) : ("order.not_found" as const);
    return code ? [{ id, code }] : [];
  });
  const refused = [...Map.groupBy(staying, ({ code }) => code)];
  return {
    movingCount: moving.length,
    refundPesewas: paid.reduce((sum, { amountPesewas }) => sum + amountPesewas, 0),
    refused: refused.map(([code, some]) => ({ code, ids: some.map(({ id }) => id) })),
  };
}

/** As `move` for one order, which is returned; throws its refusal. */
export async function moveOne(
  db: Db,
  command: { by: ByUser; key: Key | null; orderId: number } & TransitionRequest,
): Promise<Answered<Order>> {
  rules.requireRightTo(command.by, command);
  const wish = masked(command);
  const content = ["move", [command.orderId], rules.contentOf(wish)];
  return once(db, command.by.userId, command.key, content, async (tx) => {
    const { by, orderId } = command;
    const act = { kind: "order.move", command: { orderId, ...wish } };
    const [result] = await moveAll(tx, by, [orderId], wish, act);
    if (result!.refusal) throw new AppError(result!.refusal, { status: result!.status });
    const [order] = await tx.select().from(orders).where(eq(orders.id, command.orderId));
    return order!;
  });
}

/**
 * Cancels the caller's own order before it is dispatched; a paid one is refunded in the same commit.
 * Throws order.not_found, order.not_cancellable, service.closed.
 */
export async function cancel(
  db: Db,
  command: { by: ByUser; key: Key | null; orderId: number },
): Promise<Answered<Spending>> {
  const userId = command.by.userId;
  return once(db, userId, command.key, ["cancel", command.orderId], async (tx) => {
    const order = (await lockOrders(tx, [command.orderId])).get(command.orderId);
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    await switches.requireOpen(tx, "cancelling");
    const isWaiting = order.status === "PENDING" || order.status === "PAID";
    if (!isWaiting || (await attempts.dispatchedAmong(tx, [order.id])).size > 0)
      throw new AppError("order.not_cancellable");
    await apply(tx, command.by, [order], "FAILED", CANCELLED);
    const [cancelled] = await tx.select().from(orders).where(eq(orders.id, order.id));
    return { order: cancelled!, balancePesewas: await wallet.balance(tx, userId) };
  });
}

/** Each batch is a commit of its own; the rest is left to the next round. */
const EXPIRED_AT_ONCE = 500;
const EXPIRED_A_ROUND = 20_000;

/** Fails unpaid orders older than a day, in batches; returns how many. */
export async function expireUnpaid(db: Db): Promise<number> {
  for (let expired = 0; ; ) {
    const batch = await expireBatch(db);
    expired += batch;
    if (batch < EXPIRED_AT_ONCE || expired >= EXPIRED_A_ROUND) return expired;
  }
}

async function expireBatch(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    const expired = await tx
      .select()
      .from(orders)
      .where(
        and(
          isNull(orders.paidAt),
          eq(orders.status, "PENDING"),
          lt(orders.createdAt, sql`now() - make_interval(hours => ${limits.unpaidExpiryHours})`),
        ),
      )
      .orderBy(asc(orders.id))
      .limit(EXPIRED_AT_ONCE)
      .for("update", { skipLocked: true });
    await apply(tx, SYSTEM, expired, "FAILED", "Not paid within 24 hours");
    return expired.length;
  });
}

/** Masks card numbers in the reason, because it is stored, shown and logged. */
function masked({
  to,
  reason,
  paidInCash = false,
  via,
  freesRegistration,
  kind,
}: TransitionRequest): TransitionRequest {
  return { to, reason: reason && maskCards(reason), paidInCash, via, freesRegistration, kind };
}

/**
 * As `move`, in the caller's transaction and without asking for the right again; without an `act` what one person may
 * refund was asked for before.
 */
export async function moveAll(
  tx: Tx,
  by: ByUser,
  ids: number[],
  wish: TransitionRequest,
  act: { kind: string; command: Record<string, unknown> } | null,
): Promise<TransitionResult[]> {
  const found = await lockOrders(tx, ids);
  const held = await rules.findBlocked(tx, ids, wish);
  const results = ids.map((id): TransitionResult => {
    const order = found.get(id);
    if (!order) return { id, status: null, refusal: "order.not_found" };
    const refusal = rules.transitionRefusal(order, by, wish, held);
    return { id, status: refusal ? order.status : wish.to, refusal };
  });
  const moving = results.flatMap((result) => (result.refusal ? [] : [found.get(result.id)!]));
  if (wish.to === "PROCESSING") {
    const waiting = await process(tx, by, moving, wish);
    return results.map((result) => ({ ...result, status: waiting.get(result.id) ?? result.status }));
  }
  const { to, kind, reason = null } = wish;
  if (to === "FAILED" && act) await requireRefunds(tx, by, moving, { ...act, right: "orders.refund", reason });
  const note = kind ? (to === "FAILED" ? DELIVERY_KINDS[kind] : null) : reason;
  await apply(tx, by, moving, to, note, kind && (() => ({ kind, detail: reason })));
  if (wish.freesRegistration && wish.to === "FAILED") await afaHolds.free(tx, ids);
  return results;
}

/**
 * Hands bundles to the desk or their route; returns the statuses of those waiting for their route. AFA has its own
 * queue.
 */
async function process(
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
