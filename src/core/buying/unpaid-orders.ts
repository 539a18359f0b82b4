// Unpaid orders: created without paying and paid from the wallet later. An account has few of them at a time, because
// each adds to lists and totals and has to be expired.
import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { PgInsertValue } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type ByUser, limits, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { toCedis } from "../../shared/money.ts";
import type { OwnReference } from "../../shared/orders/own-reference.ts";
import { holdTier } from "../catalog/prices.ts";
import type { Product } from "../catalog/products.ts";
import * as spendingLimits from "../ledger/limits.ts";
import * as waits from "../ledger/waits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as notices from "../messaging/notices.ts";
import { countChange } from "../orders/daily-totals.ts";
import * as keyCaps from "../orders/key-caps.ts";
import type { Order, Spending } from "../orders/order.ts";
import { markPaid } from "../orders/pay.ts";
import * as transitions from "../orders/transitions.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as jobs from "../platform/jobs.ts";
import * as settings from "../platform/settings/settings.ts";
import * as switches from "../platform/switches.ts";
import { lineError, refuseStale } from "./line-refusals.ts";
import { lineProblem, productsForLines, recentOrders } from "./order-lines.ts";
import { refuseUsed } from "./own-references.ts";
import { type LineRequest, readLine } from "./purchase-groups.ts";

const WAITING_MAX = 20;

/**
 * Creates an unpaid order, which waits for `spend` or a payment, and expires. Throws as `buy` except for money, and
 * order.unpaid_too_many, request.rate_limited.
 */
export async function create(db: Db, command: NewOrder & { key: Key | null }): Promise<Answered<Order>> {
  const userId = command.by.userId;
  const rare = command.isReferenceUnique ? ["once"] : [];
  const content = ["create", readLine(command.line), command.allowDuplicate ?? false, ...rare];
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  return once(db, userId, command.key, content, (tx) => createWithin(tx, command), lockFirst);
}

export type NewOrder = {
  by: ByUser;
  line: LineRequest;
  allowDuplicate?: boolean;
  /** No earlier order may have the line's reference. */
  isReferenceUnique?: boolean | undefined;
};

/** As `create`, in the caller's transaction, which has locked the buyer's wallet. */
export async function createWithin(tx: Tx, command: NewOrder): Promise<Order> {
  const userId = command.by.userId;
  const line = readLine(command.line);
  await switches.requireOpenFor(tx, command.by, "sales");
  await holdTier(tx, userId);
  const product = (await productsForLines(tx, userId, [line])).get(line.productId) ?? null;
  const problem = lineProblem(command.line, line.msisdn, product);
  if (problem) throw await lineError(tx, userId, line, problem);
  const isReferenceUnique = (command.isReferenceUnique && line.reference !== undefined) || null;
  if (isReferenceUnique) await refuseUsed(tx, userId, line.reference!);
  if (
    !command.allowDuplicate &&
    (await recentOrders(tx, userId, [line.msisdn])).has(`${line.msisdn} ${line.productId}`)
  ) {
    throw await lineError(tx, userId, line, "order.duplicate");
  }
  await count(tx, userId);
  const [order] = await insertUnpaid(tx, command.by, [{ ...line, product: product!, isReferenceUnique }]);
  return order!;
}

/**
 * Pays an existing unpaid order from its owner's wallet, once.
 * Throws order.not_found, order.already_paid, order.not_payable, order.price_changed (not the expected amount, or the
 * price has gone up), product.not_found, product.paused, wallet.insufficient_balance, order.daily_limit,
 * order.hourly_limit, key.daily_limit, account.frozen, account.waits, service.closed.
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
    await switches.requireOpenFor(tx, command.by, "sales");
    const [order] = await tx.select().from(orders).where(eq(orders.id, command.orderId)).for("update");
    if (!order || order.userId !== userId) throw new AppError("order.not_found");
    if (order.paidAt) throw new AppError("order.already_paid");
    if (order.status !== "PENDING") throw new AppError("order.not_payable");
    if (command.expectedPesewas !== undefined && command.expectedPesewas !== order.amountPesewas) {
      throw new AppError("order.price_changed", { currentAmount: toCedis(order.amountPesewas) });
    }
    await refuseStale(tx, order);
    const { paid, balancePesewas } = await payFromWallet(tx, command.by, [order], {
      note: command.note ?? null,
    });
    await jobs.enqueue(tx, "dispatch_order", order.id, await settings.get(tx, "dispatch_hold_seconds"));
    return { order: paid[0]!, balancePesewas };
  };
  const lockFirst = (tx: Tx) => wallet.lockBuyer(tx, userId);
  return once(db, userId, command.key, content, pay, lockFirst);
}

/** A line to order: a product at its current price, a number and a quantity. */
export type NewLine = {
  product: Product;
  msisdn: string;
  quantity: number;
  isReferenceUnique?: boolean | null;
} & OwnReference;

/** Inserts unpaid orders in the lines' order, in the caller's transaction, which has locked the buyer's wallet. */
export async function insertUnpaid(tx: Tx, by: ByUser, lines: NewLine[]): Promise<Order[]> {
  const userId = by.userId;
  // Tells a purchase that waits for this wallet that what it read is stale.
  await tx.execute(sql`update wallets set version = version + 1 where user_id = ${userId}`);
  const inserted = await tx
    .insert(orders)
    .values(lines.map((line) => rowOf(userId, by, line)))
    .returning();
  await countChange(tx, [["PENDING", inserted.length]]);
  return inserted.sort((a, b) => a.id - b.id);
}

/**
 * Pays a buyer's PENDING orders from their wallet, all or none, in the caller's transaction, which has locked the
 * wallet. Throws account.waits, wallet.insufficient_balance, order.daily_limit, order.hourly_limit, key.daily_limit.
 */
export async function payFromWallet(
  tx: Tx,
  by: ByUser,
  waiting: Order[],
  set: { note?: string | null; deliverBy?: null } = {},
): Promise<{ paid: Order[]; balancePesewas: number }> {
  const { userId } = by;
  await waits.refuse(tx, by);
  const totalPesewas = waiting.reduce((sum, order) => sum + order.amountPesewas, 0);
  const before = await wallet.standing(tx, userId);
  if (before.availablePesewas < totalPesewas) throw wallet.insufficient(totalPesewas, before);
  await spendingLimits.spend(tx, userId, { amountPesewas: totalPesewas, orders: waiting.length });
  await keyCaps.refuseBeyond(tx, by, totalPesewas);
  const { paid, balancesPesewas } = await markPaid(tx, waiting, {
    ...{ method: "wallet", byUserId: userId },
    set: by.keyId === undefined ? set : { ...set, keyId: by.keyId },
  });
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

/**
 * Counts one more unpaid order of an account, whose wallet the caller has locked. Throws order.unpaid_too_many and
 * request.rate_limited.
 */
async function count(tx: Tx, userId: number): Promise<void> {
  const isWaiting = and(eq(orders.userId, userId), isNull(orders.paidAt), eq(orders.status, "PENDING"));
  if ((await tx.$count(orders, isWaiting)) >= WAITING_MAX) throw new AppError("order.unpaid_too_many");
  await budgets.spend(tx, "order.unpaid", userId);
}

/** The row of an unpaid order, at its product's current price. */
function rowOf(
  userId: number,
  by: ByUser,
  { product, msisdn, quantity, ...own }: NewLine,
): PgInsertValue<typeof orders> {
  return {
    userId,
    productId: product.id,
    operator: product.operator,
    family: product.family,
    productName: product.name,
    productSize: product.size,
    volumeMb: product.volumeMb,
    unitPricePesewas: product.pricePesewas,
    quantity,
    amountPesewas: product.pricePesewas * quantity,
    tierId: sql`(select tier_id from users where id = ${userId})`,
    costPesewas: product.costPesewas === null ? null : product.costPesewas * quantity,
    msisdn,
    channel: by.channel,
    reference: own.reference ?? null,
    metadata: own.metadata ?? null,
    isReferenceUnique: own.isReferenceUnique ?? null,
  };
}

/** Each batch is a commit of its own; the rest is left to the next round. */
const EXPIRED_AT_ONCE = 500;
const EXPIRED_A_ROUND = 20_000;

/** Fails those older than a day, in batches; returns how many. */
export async function expire(db: Db): Promise<number> {
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
    await transitions.apply(tx, SYSTEM, expired, "FAILED", "Not paid within 24 hours");
    return expired.length;
  });
}
