// Purchases of one bundle or many: paid from the wallet when ordered, or ordered first and paid later.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { transfers } from "../../../db/schema/ledger.ts";
import { type orderEvents, orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { toCedis } from "../../shared/money.ts";
import type { Product } from "../catalog/products.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import { type Answered, fingerprint, type Key, once, recall } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings.ts";
import { withinBudget } from "./bulk-budget.ts";
import * as bulk from "./bulk-orders.ts";
import { countChange } from "./daily-totals.ts";
import { lineError, refuseStale } from "./line-refusals.ts";
import {
  type LineRequest,
  lineProblem,
  productsForLines,
  readLine,
  recentOrders,
  tryReadLine,
} from "./order-lines.ts";
import { markPaid } from "./pay.ts";
import { type FinalVerdict, purchase } from "./purchase.ts";
import type { Placed, PurchaseLine } from "./purchase-groups.ts";
import * as unpaidOrders from "./unpaid-orders.ts";

export type Order = typeof orders.$inferSelect;
export type OrderEvent = typeof orderEvents.$inferSelect;

/** `heldPesewas` is the part of the wallet that cannot be spent. */
export type Purchase = { order: Order; balancePesewas: number; heldPesewas: number };

/**
 * Orders one bundle and pays it from the wallet, in one commit; `alongside` runs in the same transaction with what was
 * placed.
 * Throws product.not_found, product.paused, order.price_changed, order.duplicate, wallet.insufficient_balance,
 * msisdn.invalid, order.quantity_invalid, request.key_reused.
 */
export async function buy(
  db: Db,
  command: {
    by: ByUser;
    key: Key | null;
    line: LineRequest;
    allowDuplicate?: boolean;
    alongside?: ((tx: Tx, placed: Placed) => Promise<void>) | undefined;
  },
): Promise<Answered<Purchase>> {
  const userId = command.by.userId;
  const line = readLine(command.line);
  const contentFingerprint = fingerprint(["buy", line, command.allowDuplicate ?? false]);
  const verdict = await purchase(db, {
    userId,
    channel: command.by.channel,
    bulk: false,
    allowDuplicate: command.allowDuplicate ?? false,
    key: command.key && { ...command.key, fingerprint: contentFingerprint },
    lines: [line],
    alongside: command.alongside,
  });
  if (verdict.kind === "refused") {
    if (verdict.code !== "wallet.insufficient_balance") throw await lineError(db, userId, line, verdict.code);
    throw wallet.insufficient(verdict.totalPesewas, verdict);
  }
  if (verdict.kind === "known")
    return { answer: await recallPurchase(db, userId, command.key!, contentFingerprint), replayed: true };
  const [order] = ordersOf(verdict, userId, command.by, [line]);
  const { heldPesewas } = verdict;
  const { balanceAfterPesewas: balancePesewas } = verdict.lines[0]!;
  return { answer: { order: order!, balancePesewas, heldPesewas }, replayed: false };
}

export type BulkPurchase = { bulkOrderId: number; orders: Order[]; balancePesewas: number };

export type BulkRequest = {
  by: ByUser;
  key: Key | null;
  lines: LineRequest[];
  allowDuplicate?: boolean | undefined;
  alongside?: ((tx: Tx, placed: Placed) => Promise<void>) | undefined;
};

/**
 * Orders many lines and pays them from the wallet, all or none; `alongside` runs in the same transaction. Throws
 * bulk.lines_refused, wallet.insufficient_balance, request.rate_limited after too many of these, and `buy`'s for keys.
 */
export async function buyBulk(db: Db, command: BulkRequest): Promise<Answered<BulkPurchase>> {
  const userId = command.by.userId;
  const read = command.lines.map((line) => tryReadLine(line));
  const allowDuplicate = command.allowDuplicate ?? false;
  // The same numbers in another notation are the same request.
  const content = ["bulk", read.map((line, i) => line ?? command.lines[i]), allowDuplicate];
  const contentFingerprint = fingerprint(content);
  if (command.key && (await recall(db, userId, command.key, contentFingerprint)))
    return { answer: await recallBulk(db, userId, command.key, contentFingerprint), replayed: true };
  const lines = read.filter((line) => line !== null);
  return withinBudget(db, userId, command.lines.length, async () => {
    if (lines.length < command.lines.length) throw await bulk.refusal(db, command);
    const shortfall = await bulk.shortfallOf(db, userId, lines);
    if (shortfall)
      throw await bulk.refusal(db, command, { code: "wallet.insufficient_balance", lines: [], ...shortfall });
    return placeBulk(db, command, lines, contentFingerprint);
  });
}

async function placeBulk(
  db: Db,
  command: BulkRequest,
  lines: PurchaseLine[],
  contentFingerprint: string,
): Promise<Answered<BulkPurchase>> {
  const userId = command.by.userId;
  const verdict = await purchase(db, {
    userId,
    channel: command.by.channel,
    bulk: true,
    allowDuplicate: command.allowDuplicate ?? false,
    key: command.key && { ...command.key, fingerprint: contentFingerprint },
    lines,
    alongside: command.alongside,
  });
  if (verdict.kind === "known")
    return { answer: await recallBulk(db, userId, command.key!, contentFingerprint), replayed: true };
  if (verdict.kind === "refused")
    throw verdict.code === "auth.banned"
      ? new AppError(verdict.code)
      : await bulk.refusal(db, command, verdict);
  const bought = ordersOf(verdict, userId, command.by, lines);
  const { balanceAfterPesewas: balancePesewas } = verdict.lines.at(-1)!;
  return { answer: { bulkOrderId: verdict.bulkOrderId!, orders: bought, balancePesewas }, replayed: false };
}

/**
 * Creates an unpaid order, which waits for `spend` or a payment, and expires. Throws as `buy` except for money, and
 * order.unpaid_too_many, request.rate_limited.
 */
export async function create(
  db: Db,
  command: { by: ByUser; key: Key | null; line: LineRequest; allowDuplicate?: boolean },
): Promise<Answered<Order>> {
  const userId = command.by.userId;
  const line = readLine(command.line);
  const content = ["create", line, command.allowDuplicate ?? false];
  const place = async (tx: Tx) => {
    const product = (await productsForLines(tx, [line])).get(line.productId) ?? null;
    const problem = lineProblem(command.line, line.msisdn, product);
    if (problem) throw await lineError(tx, userId, line, problem);
    if (
      !command.allowDuplicate &&
      (await recentOrders(tx, userId, [line.msisdn])).has(`${line.msisdn} ${line.productId}`)
    ) {
      throw await lineError(tx, userId, line, "order.duplicate");
    }
    await unpaidOrders.count(tx, userId);
    const [order] = await insertUnpaid(tx, command.by, [{ ...line, product: product! }]);
    return order!;
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  return once(db, userId, command.key, content, place, lockFirst);
}

export type Spending = { order: Order; balancePesewas: number };

/**
 * Pays an existing unpaid order from its owner's wallet, once.
 * Throws order.not_found, order.already_paid, order.not_payable, order.price_changed (not the expected amount, or the
 * price has gone up), product.not_found, product.paused, wallet.insufficient_balance.
 */
export async function spend(
  db: Db,
  command: {
    by: ByUser;
    key: Key | null;
    orderId: number;
    expectedPesewas?: number | undefined;
    note?: string | undefined;
  },
): Promise<Answered<Spending>> {
  const userId = command.by.userId;
  const content = ["spend", command.orderId, command.expectedPesewas ?? null, command.note ?? null];
  const pay = async (tx: Tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, command.orderId)).for("update");
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    if (order.paidAt) throw new AppError("order.already_paid");
    if (order.status !== "PENDING") throw new AppError("order.not_payable");
    if (command.expectedPesewas !== undefined && command.expectedPesewas !== order.amountPesewas) {
      throw new AppError("order.price_changed", { currentAmount: toCedis(order.amountPesewas) });
    }
    await refuseStale(tx, order);
    const { paid, balancePesewas } = await payFromWallet(tx, userId, [order], { note: command.note ?? null });
    await jobs.enqueue(tx, "dispatch_order", order.id, await settings.get(tx, "dispatch_hold_seconds"));
    return { order: paid[0]!, balancePesewas };
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  return once(db, userId, command.key, content, pay, lockFirst);
}

/** A line to order: a product at its current price, a number and a quantity. */
export type NewLine = { product: Product; msisdn: string; quantity: number };

/** Inserts unpaid orders in the lines' order, in the caller's transaction, which has locked the buyer's wallet. */
export async function insertUnpaid(tx: Tx, by: ByUser, lines: NewLine[]): Promise<Order[]> {
  const userId = by.userId;
  // Tells a purchase that waits for this wallet that what it read is stale.
  await tx.execute(sql`update wallets set version = version + 1 where user_id = ${userId}`);
  const inserted = await tx
    .insert(orders)
    .values(lines.map((line) => unpaidOrders.rowOf(userId, by, line)))
    .returning();
  await countChange(tx, [["PENDING", inserted.length]]);
  return inserted.sort((a, b) => a.id - b.id);
}

/**
 * Pays a buyer's PENDING orders from their wallet, all or none, in the caller's transaction, which has locked the
 * wallet. Throws wallet.insufficient_balance.
 */
export async function payFromWallet(
  tx: Tx,
  userId: number,
  waiting: Order[],
  set: { note?: string | null; deliverBy?: null } = {},
): Promise<{ paid: Order[]; balancePesewas: number }> {
  const totalPesewas = waiting.reduce((sum, order) => sum + order.amountPesewas, 0);
  const before = await wallet.standing(tx, userId);
  if (before.availablePesewas < totalPesewas) throw wallet.insufficient(totalPesewas, before);
  const { paid, balancesPesewas } = await markPaid(tx, waiting, { method: "wallet", byUserId: userId, set });
  const after = balancesPesewas.at(-1)!;
  await notices.ordersAccepted(tx, userId, {
    first: paid[0]!,
    orders: paid.length,
    amountPesewas: totalPesewas,
    balancePesewas: after,
  });
  const { availablePesewas: beforePesewas } = before;
  await notices.balanceLow(tx, userId, { beforePesewas, afterPesewas: beforePesewas - totalPesewas });
  return { paid, balancePesewas: after };
}

function ordersOf(
  verdict: Extract<FinalVerdict, { kind: "placed" }>,
  userId: number,
  by: ByUser,
  lines: PurchaseLine[],
): Order[] {
  return verdict.lines.map(({ orderId, balanceAfterPesewas: _, ...sold }, index) => ({
    ...sold,
    id: orderId,
    status: "PENDING",
    userId,
    bulkOrderId: verdict.bulkOrderId,
    productId: lines[index]!.productId,
    quantity: lines[index]!.quantity,
    msisdn: lines[index]!.msisdn,
    channel: by.channel,
    paymentMethod: "wallet",
    paidAt: verdict.placedAt,
    deliverBy: verdict.deliverBy,
    refundedAt: null,
    note: null,
    createdAt: verdict.placedAt,
    updatedAt: verdict.placedAt,
  }));
}

/** The order as its buyer first got it, regardless of later changes. */
function asPlaced(order: Order): Order {
  return { ...order, status: "PENDING", refundedAt: null, note: null, updatedAt: order.createdAt };
}

async function recallPurchase(
  db: Db,
  userId: number,
  key: Key,
  contentFingerprint: string,
): Promise<Purchase> {
  const first = await recall(db, userId, key, contentFingerprint);
  if (first?.orderId == null) throw new AppError("request.key_reused");
  const [row] = await chargedOrders(db, eq(orders.id, first.orderId));
  const { heldPesewas } = await wallet.standing(db, userId);
  return { order: asPlaced(row!.order), balancePesewas: row!.balanceAfterPesewas!, heldPesewas };
}

async function recallBulk(
  db: Db,
  userId: number,
  key: Key,
  contentFingerprint: string,
): Promise<BulkPurchase> {
  const first = await recall(db, userId, key, contentFingerprint);
  if (first?.bulkOrderId == null) throw new AppError("request.key_reused");
  const rows = await chargedOrders(db, eq(orders.bulkOrderId, first.bulkOrderId));
  return {
    bulkOrderId: first.bulkOrderId,
    orders: rows.map((row) => asPlaced(row.order)),
    balancePesewas: rows.at(-1)!.balanceAfterPesewas!,
  };
}

async function chargedOrders(db: Db, condition: SQL) {
  return db
    .select({ order: orders, balanceAfterPesewas: transfers.balanceAfterPesewas })
    .from(orders)
    .innerJoin(transfers, and(eq(transfers.subjectId, orders.id), eq(transfers.reason, "charge")))
    .where(condition)
    .orderBy(asc(orders.id));
}
