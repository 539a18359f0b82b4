// Buying: one bundle or many, paid from the wallet in the act of ordering, or ordered first and paid later.
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db, Sql, Tx } from "../../../db/connect.ts";
import { transfers } from "../../../db/schema/ledger.ts";
import { type orderEvents, orders } from "../../../db/schema/orders.ts";
import type { By } from "../../shared/domain.ts";
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
import { explained, refuseStale } from "./line-refusals.ts";
import {
  type LineAsked,
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

/** `heldPesewas` is what of the wallet cannot be spent. */
export type Purchase = { order: Order; balancePesewas: number; heldPesewas: number };

/**
 * Orders one bundle and pays it from the wallet, in one commit; `alongside` is told what was placed and writes in the
 * same one.
 * Throws product.not_found, product.paused, order.price_changed, order.duplicate, wallet.insufficient_balance,
 * msisdn.invalid, order.quantity_invalid, request.key_reused.
 */
export async function buy(
  db: Db,
  ask: {
    by: By;
    key: Key | null;
    line: LineAsked;
    allowDuplicate?: boolean;
    alongside?: ((sql: Sql, placed: Placed) => Promise<void>) | undefined;
  },
): Promise<Answered<Purchase>> {
  const userId = ask.by.userId!;
  const line = readLine(ask.line);
  const print = fingerprint(["buy", line, ask.allowDuplicate ?? false]);
  const verdict = await purchase(db, {
    userId,
    channel: ask.by.channel,
    bulk: false,
    allowDuplicate: ask.allowDuplicate ?? false,
    key: ask.key && { ...ask.key, fingerprint: print },
    lines: [line],
    alongside: ask.alongside,
  });
  if (verdict.kind === "refused") {
    if (verdict.code !== "wallet.insufficient_balance") throw await explained(db, userId, line, verdict.code);
    throw wallet.insufficient(verdict.totalPesewas, verdict);
  }
  if (verdict.kind === "known")
    return { answer: await purchaseAgain(db, userId, ask.key!, print), replayed: true };
  const [order] = ordersOf(verdict, userId, ask.by, [line]);
  const { heldPesewas } = verdict;
  const { balanceAfterPesewas: balancePesewas } = verdict.lines[0]!;
  return { answer: { order: order!, balancePesewas, heldPesewas }, replayed: false };
}

export type BulkPurchase = { bulkOrderId: number; orders: Order[]; balancePesewas: number };

export type BulkAsked = {
  by: By;
  key: Key | null;
  lines: LineAsked[];
  allowDuplicate?: boolean | undefined;
  alongside?: ((sql: Sql, placed: Placed) => Promise<void>) | undefined;
};

/**
 * Orders many lines and pays them from the wallet, all or none; `alongside` is written in the same commit. Throws
 * bulk.lines_refused, wallet.insufficient_balance, request.rate_limited after too many of these, and `buy`'s for keys.
 */
export async function buyBulk(db: Db, ask: BulkAsked): Promise<Answered<BulkPurchase>> {
  const userId = ask.by.userId!;
  const read = ask.lines.map((line) => tryReadLine(line));
  const allowDuplicate = ask.allowDuplicate ?? false;
  // The same numbers in another notation are the same request.
  const print = fingerprint(["bulk", read.map((line, i) => line ?? ask.lines[i]), allowDuplicate]);
  if (ask.key && (await recall(db, userId, ask.key, print)))
    return { answer: await bulkAgain(db, userId, ask.key, print), replayed: true };
  const lines = read.filter((line) => line !== null);
  return withinBudget(db, userId, ask.lines.length, async () => {
    if (lines.length < ask.lines.length) throw await bulk.refusal(db, ask);
    const short = await bulk.shortOf(db, userId, lines);
    if (short)
      throw await bulk.refusal(db, ask, { code: "wallet.insufficient_balance", lines: [], ...short });
    return placeBulk(db, ask, lines, print);
  });
}

async function placeBulk(
  db: Db,
  ask: BulkAsked,
  lines: PurchaseLine[],
  print: string,
): Promise<Answered<BulkPurchase>> {
  const userId = ask.by.userId!;
  const verdict = await purchase(db, {
    userId,
    channel: ask.by.channel,
    bulk: true,
    allowDuplicate: ask.allowDuplicate ?? false,
    key: ask.key && { ...ask.key, fingerprint: print },
    lines,
    alongside: ask.alongside,
  });
  if (verdict.kind === "known")
    return { answer: await bulkAgain(db, userId, ask.key!, print), replayed: true };
  if (verdict.kind === "refused")
    throw verdict.code === "auth.banned" ? new AppError(verdict.code) : await bulk.refusal(db, ask, verdict);
  const bought = ordersOf(verdict, userId, ask.by, lines);
  const { balanceAfterPesewas: balancePesewas } = verdict.lines.at(-1)!;
  return { answer: { bulkOrderId: verdict.bulkOrderId!, orders: bought, balancePesewas }, replayed: false };
}

/**
 * Creates an order that is not paid: it waits for `spend` or a payment, and expires. Throws like `buy`, but for money;
 * and order.unpaid_too_many, request.rate_limited.
 */
export async function create(
  db: Db,
  ask: { by: By; key: Key | null; line: LineAsked; allowDuplicate?: boolean },
): Promise<Answered<Order>> {
  const userId = ask.by.userId!;
  const line = readLine(ask.line);
  const content = ["create", line, ask.allowDuplicate ?? false];
  const place = async (tx: Tx) => {
    const product = (await productsForLines(tx, [line])).get(line.productId) ?? null;
    const problem = lineProblem(ask.line, line.msisdn, product);
    if (problem) throw await explained(tx, userId, line, problem);
    if (
      !ask.allowDuplicate &&
      (await recentOrders(tx, userId, [line.msisdn])).has(`${line.msisdn} ${line.productId}`)
    ) {
      throw await explained(tx, userId, line, "order.duplicate");
    }
    await unpaidOrders.count(tx, userId);
    const [order] = await insertUnpaid(tx, ask.by, [{ ...line, product: product! }]);
    return order!;
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  const { answer, replayed } = await once(db, userId, ask.key, content, place, lockFirst);
  return { answer: revive(answer), replayed };
}

export type Spending = { order: Order; balancePesewas: number };

/**
 * Pays an order that was created before, from its owner's wallet, once.
 * Throws order.not_found, order.already_paid, order.not_payable, order.price_changed (expected otherwise, or dearer by
 * now), product.not_found, product.paused, wallet.insufficient_balance.
 */
export async function spend(
  db: Db,
  ask: {
    by: By;
    key: Key | null;
    orderId: number;
    expectedPesewas?: number | undefined;
    note?: string | undefined;
  },
): Promise<Answered<Spending>> {
  const userId = ask.by.userId!;
  const content = ["spend", ask.orderId, ask.expectedPesewas ?? null, ask.note ?? null];
  const pay = async (tx: Tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, ask.orderId)).for("update");
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    if (order.paidAt) throw new AppError("order.already_paid");
    if (order.status !== "PENDING") throw new AppError("order.not_payable");
    if (ask.expectedPesewas !== undefined && ask.expectedPesewas !== order.amountPesewas) {
      throw new AppError("order.price_changed", { currentAmount: toCedis(order.amountPesewas) });
    }
    await refuseStale(tx, order);
    const { paid, balancePesewas } = await payFromWallet(tx, userId, [order], { note: ask.note ?? null });
    await jobs.enqueue(tx, "dispatch_order", order.id, await settings.get(tx, "dispatch_hold_seconds"));
    return { order: paid[0]!, balancePesewas };
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  const { answer, replayed } = await once(db, userId, ask.key, content, pay, lockFirst);
  return { answer: { ...answer, order: revive(answer.order) }, replayed };
}

/** What an order is for: a product at its present price, a number and how many. */
export type NewLine = { product: Product; msisdn: string; quantity: number };

/** Writes a buyer's orders as unpaid, in the caller's transaction, which holds the buyer's wallet. In the lines' order. */
export async function insertUnpaid(tx: Tx, by: By, lines: NewLine[]): Promise<Order[]> {
  const userId = by.userId!;
  // A purchase that waits for this wallet sees by the version that it has looked too early.
  await tx.execute(sql`update wallets set version = version + 1 where user_id = ${userId}`);
  const inserted = await tx
    .insert(orders)
    .values(lines.map((line) => unpaidOrders.rowOf(userId, by, line)))
    .returning();
  await countChange(tx, [["PENDING", inserted.length]]);
  return inserted.sort((a, b) => a.id - b.id);
}

/**
 * Pays a buyer's PENDING orders from their wallet, all or none, in the caller's transaction, which holds the wallet.
 * Throws wallet.insufficient_balance.
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
  by: By,
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

/** The order as its buyer was first told of it, whatever has become of it since. */
function asPlaced(order: Order): Order {
  return { ...order, status: "PENDING", refundedAt: null, note: null, updatedAt: order.createdAt };
}

async function purchaseAgain(db: Db, userId: number, key: Key, print: string): Promise<Purchase> {
  const first = await recall(db, userId, key, print);
  if (first?.orderId == null) throw new AppError("request.key_reused");
  const [row] = await chargedOrders(db, eq(orders.id, first.orderId));
  const { heldPesewas } = await wallet.standing(db, userId);
  return { order: asPlaced(row!.order), balancePesewas: row!.balanceAfterPesewas!, heldPesewas };
}

async function bulkAgain(db: Db, userId: number, key: Key, print: string): Promise<BulkPurchase> {
  const first = await recall(db, userId, key, print);
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

/** Dates that went through a stored answer are text again; this makes them dates. */
export function revive(order: Order): Order {
  const date = (value: Date | string | null) => (value === null ? null : new Date(value));
  return {
    ...order,
    paidAt: date(order.paidAt),
    deliverBy: date(order.deliverBy),
    refundedAt: date(order.refundedAt),
    createdAt: new Date(order.createdAt),
    updatedAt: new Date(order.updatedAt),
  };
}
