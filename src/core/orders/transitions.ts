// Moving orders along the table of statuses, with the money that goes back when one fails.
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type By, DELIVERY_KINDS, isAdmin, limits, type OrderStatus, SYSTEM } from "../../shared/domain.ts";
import { AppError, type ErrorCode } from "../../shared/errors/app-error.ts";
import { maskCards } from "../../shared/ghana-card.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { isAmong } from "../platform/sql.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import * as afaHolds from "./afa-holds.ts";
import * as attempts from "./attempts.ts";
import { type Order, revive, type Spending } from "./buy.ts";
import { addToDays, countChange } from "./daily-totals.ts";
import * as batches from "./desk-batches.ts";
import { announce } from "./json.ts";
import { takeCash } from "./pay.ts";
import { sendByRoute } from "./processing.ts";
import * as timeline from "./timeline.ts";
import { heldBack, type MoveWish, moveRefusal } from "./transition-rules.ts";

export type { MoveWish } from "./transition-rules.ts";

/** What an order says whose buyer took it back; admins read who it was. */
export const CANCELLED = "You cancelled this order";

export type MoveResult = { id: number; status: OrderStatus | null; refusal: ErrorCode | null };

/**
 * Moves orders along the table of moves, as an admin; each order is answered for: moved, or refused and why. FAILED
 * gives the money back to the wallet in the same commit, and needs a reason when the order is an AFA registration. An
 * unpaid order moves forward only when the admin states `paidInCash`, which the ledger then carries under the admin's
 * name. Nobody moves money by an order of their own (auth.own_account). Bundles that go to PROCESSING are then a batch of
 * the desk under the admin's name, or, `via` their route, keep their status until somebody has been handed them. A card
 * number in a reason is masked.
 * Throws auth.forbidden when `by` is no admin.
 */
export async function move(
  db: Db,
  ask: { by: By; key: Key | null; ids: number[] } & MoveWish,
): Promise<Answered<MoveResult[]>> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const ids = [...new Set(ask.ids)];
  const wish = masked(ask);
  return once(db, ask.by.userId!, ask.key, ["move", ids, contentOf(wish)], (tx) =>
    moveAll(tx, ask.by, ids, wish),
  );
}

export type MovePreview = {
  movingCount: number;
  /** What would go back to wallets. */
  refundPesewas: number;
  refused: { code: ErrorCode; count: number }[];
};

/** What a move of these orders would do at this moment; nothing is changed. Throws auth.forbidden. */
export async function preview(db: Db, ask: { by: By; ids: number[] } & MoveWish): Promise<MovePreview> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const ids = [...new Set(ask.ids)];
  const found = await db.select().from(orders).where(isAmong(orders.id, ids));
  const held = await heldBack(db, ids, ask);
  const refusals = found.map((order) => moveRefusal(order, ask.by, ask, held));
  const moving = found.filter((_, i) => refusals[i] === null);
  const missing = ids.length - found.length;
  const counts = new Map<ErrorCode, number>(missing > 0 ? [["order.not_found", missing]] : []);
  for (const code of refusals) if (code) counts.set(code, (counts.get(code) ?? 0) + 1);
  return {
    movingCount: moving.length,
    refundPesewas:
      ask.to === "FAILED"
        ? moving.reduce((sum, order) => sum + (order.paidAt ? order.amountPesewas : 0), 0)
        : 0,
    refused: [...counts].map(([code, count]) => ({ code, count })),
  };
}

/** The same for one order, which is returned; a refusal is thrown. */
export async function moveOne(
  db: Db,
  ask: { by: By; key: Key | null; orderId: number } & MoveWish,
): Promise<Answered<Order>> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  const wish = masked(ask);
  const content = ["move", [ask.orderId], contentOf(wish)];
  const { answer, replayed } = await once(db, ask.by.userId!, ask.key, content, async (tx) => {
    const [result] = await moveAll(tx, ask.by, [ask.orderId], wish);
    if (result!.refusal) throw new AppError(result!.refusal, { status: result!.status });
    const [order] = await tx.select().from(orders).where(eq(orders.id, ask.orderId));
    return order!;
  });
  return { answer: revive(answer), replayed };
}

/**
 * Cancels the asker's own order while nobody has been handed it; a paid one is refunded in the same commit.
 * Throws order.not_found, order.not_cancellable.
 */
export async function cancel(
  db: Db,
  ask: { by: By; key: Key | null; orderId: number },
): Promise<Answered<Spending>> {
  const userId = ask.by.userId!;
  const { answer, replayed } = await once(db, userId, ask.key, ["cancel", ask.orderId], async (tx) => {
    const order = (await lockOrders(tx, [ask.orderId])).get(ask.orderId);
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    if (order.status !== "PENDING" && order.status !== "PAID") throw new AppError("order.not_cancellable");
    if ((await attempts.handedOver(tx, [order.id])).size > 0) throw new AppError("order.not_cancellable");
    await apply(tx, ask.by, [order], "FAILED", CANCELLED);
    const [cancelled] = await tx.select().from(orders).where(eq(orders.id, order.id));
    return { order: cancelled!, balancePesewas: await wallet.balance(tx, userId) };
  });
  return { answer: { ...answer, order: revive(answer.order) }, replayed };
}

/** Each batch is a commit of its own; what a round leaves is the next round's. */
const EXPIRED_AT_ONCE = 500;
const EXPIRED_A_ROUND = 20_000;

/** Fails unpaid orders that are older than a day, in batches until none is left; returns how many. Nothing is to be refunded. */
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

/** Reasons are kept, shown and logged. */
function masked({ to, reason, paidInCash = false, via, freesRegistration, kind }: MoveWish): MoveWish {
  return { to, reason: reason && maskCards(reason), paidInCash, via, freesRegistration, kind };
}

/** What is said rarely is left out, so that a key from before it could be said still finds its answer. */
function contentOf({ to, reason, paidInCash, via, freesRegistration }: MoveWish): unknown[] {
  const rare = [...(via === "route" ? [via] : []), ...(freesRegistration ? ["frees"] : [])];
  return [to, reason ?? null, paidInCash ?? false, ...rare];
}

async function moveAll(tx: Tx, by: By, ids: number[], wish: MoveWish): Promise<MoveResult[]> {
  const found = await lockOrders(tx, ids);
  const held = await heldBack(tx, ids, wish);
  const results = ids.map((id): MoveResult => {
    const order = found.get(id);
    if (!order) return { id, status: null, refusal: "order.not_found" };
    const refusal = moveRefusal(order, by, wish, held);
    return { id, status: refusal ? order.status : wish.to, refusal };
  });
  const moving = results.flatMap((result) => (result.refusal ? [] : [found.get(result.id)!]));
  if (wish.to === "PROCESSING") {
    const waiting = await process(tx, by, moving, wish);
    return results.map((result) => ({ ...result, status: waiting.get(result.id) ?? result.status }));
  }
  const { to, kind, reason = null } = wish;
  if (!kind) await apply(tx, by, moving, to, reason);
  else {
    const words = to === "FAILED" ? DELIVERY_KINDS[kind] : null;
    await apply(tx, by, moving, to, words, () => ({ kind, detail: reason }));
  }
  if (wish.freesRegistration && wish.to === "FAILED") await afaHolds.free(tx, ids);
  return results;
}

/** Gives bundles to whoever sends them; returns the statuses of those that wait for their route. AFA has a queue of its own. */
async function process(
  tx: Tx,
  by: By,
  moving: Order[],
  { via, reason = null }: Pick<MoveWish, "via"> & { reason?: string | null | undefined },
): Promise<Map<number, OrderStatus>> {
  const ids = moving.map(({ id }) => id);
  const registrations = await afaHolds.among(tx, ids);
  const bundles = moving.filter(({ id }) => !registrations.has(id));
  if (via !== "route") {
    if (bundles.length > 0) await batches.assign(tx, by, bundles);
    await apply(tx, by, moving, "PROCESSING", reason);
    return new Map();
  }
  await takeCash(tx, by, bundles);
  await sendByRoute(tx, by, bundles, reason);
  await auditLog.record(tx, by, traces(bundles, "sent by its route", reason));
  const others = moving.filter(({ id }) => registrations.has(id));
  await apply(tx, by, others, "PROCESSING", reason);
  return new Map(bundles.map(({ id, status }) => [id, status]));
}

/** Locks the owners' wallets, then the orders: the order in which everybody locks. */
export async function lockOrders(tx: Tx, ids: number[]): Promise<Map<number, Order>> {
  const owners = await tx
    .selectDistinct({ userId: orders.userId })
    .from(orders)
    .where(isAmong(orders.id, ids));
  await ledger.lockWallets(
    tx,
    owners.map((owner) => owner.userId),
  );
  const locked = await tx
    .select()
    .from(orders)
    .where(isAmong(orders.id, ids))
    .orderBy(asc(orders.id))
    .for("update");
  return new Map(locked.map((order) => [order.id, order]));
}

/**
 * Carries out a move that is allowed: the status, the money, the sums, the timeline and the trace, in the caller's
 * transaction, which must have locked the orders by `lockOrders`. `sayingOf` gives each order a line of its own in its timeline.
 */
export async function apply(
  tx: Tx,
  by: By,
  moving: Order[],
  to: OrderStatus,
  reason: string | null,
  sayingOf: (order: Order) => timeline.Saying = () => ({ note: reason }),
): Promise<void> {
  if (moving.length === 0) return;
  // After this point the move must succeed.
  const isFailure = to === "FAILED";
  const ids = moving.map((order) => order.id);
  if (!isFailure) await takeCash(tx, by, moving);
  const moved = await tx
    .update(orders)
    .set({
      status: to,
      updatedAt: sql`now()`,
      // What the machine reports on the way stands in the timeline; the order keeps what a person or its end says.
      note: isFailure || isAdmin(by) ? (reason ?? sql`${orders.note}`) : sql`${orders.note}`,
      ...(isFailure && { refundedAt: sql`case when ${orders.paidAt} is not null then now() end` }),
    })
    .where(isAmong(orders.id, ids))
    .returning();
  if (isFailure) await afaHolds.release(tx, moving);
  const refunded = isFailure ? moved.filter((order) => order.paidAt) : [];
  await ledger.post(
    tx,
    refunded.map(({ id: subjectId, userId, amountPesewas }) => ({
      userId,
      debit: "sales" as const,
      credit: "wallet" as const,
      amountPesewas,
      reason: "refund" as const,
      subjectId,
      byUserId: by.userId,
    })),
  );
  await addToDays(tx, refunded, -1);
  const leaving = Map.groupBy(moving, (order) => order.status);
  await countChange(tx, [
    [to, moving.length],
    ...[...leaving].map(([from, left]) => [from, -left.length] as const),
  ]);
  const entries = moving.map((order) => ({
    order,
    fromStatus: order.status,
    toStatus: to,
    ...sayingOf(order),
  }));
  await timeline.append(tx, by, entries);
  const fromOf = new Map(moving.map((order) => [order.id, order.status]));
  await announce(
    tx,
    moved.map((order) => ({ order, from: fromOf.get(order.id)! })),
  );
  await notices.ordersRefunded(tx, by, refunded);
  if (to === "DELIVERED") await notices.ordersDelivered(tx, moved);
  await handOn(tx, by, moving, to, reason);
  if (isAdmin(by)) await auditLog.record(tx, by, traces(moving, to, reason));
}

/** What follows from a move: hand-overs and cases that are over with it, and when a delivered order is completed. */
async function handOn(
  tx: Tx,
  by: By,
  moving: Order[],
  to: OrderStatus,
  reason: string | null,
): Promise<void> {
  const ids = moving.map((order) => order.id);
  if (to === "DELIVERED") {
    await jobs.enqueueAll(tx, "complete_order", ids, await settings.get(tx, "complete_after_seconds"));
  }
  if (to === "FAILED") await disputedOrders.end(tx, by, ids, { outcome: "refunded", words: reason });
  if (isAdmin(by) || to === "FAILED") await attempts.follow(tx, ids, to);
}

function traces(
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
