// Purchases of one bundle or many: paid from the wallet when ordered, or ordered first and paid later.
import { and, asc, eq, type SQL } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { transfers } from "../../../db/schema/ledger.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { OwnReference } from "../../shared/orders/own-reference.ts";
import * as freezing from "../ledger/freezing.ts";
import * as limits from "../ledger/limits.ts";
import * as waits from "../ledger/waits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as keyCaps from "../orders/key-caps.ts";
import type { Order } from "../orders/order.ts";
import { type Answered, fingerprint, type Key, recall } from "../platform/idempotency.ts";
import * as switches from "../platform/switches.ts";
import { withinBudget } from "./bulk-budget.ts";
import * as bulk from "./bulk-orders.ts";
import { lineError } from "./line-refusals.ts";
import { type LineRequest, readLine, tryReadLine } from "./order-lines.ts";
import { type FinalVerdict, purchase } from "./purchase.ts";
import type { Placed, PurchaseLine } from "./purchase-groups.ts";

/** `heldPesewas` is the part of the wallet that cannot be spent. */
export type Purchase = { order: Order; balancePesewas: number; heldPesewas: number };

/**
 * Orders one bundle and pays it from the wallet, in one commit; `alongside` runs in the same transaction with what was
 * placed.
 * Throws product.not_found, product.paused, order.price_changed, order.reference_used, order.duplicate,
 * wallet.insufficient_balance, order.daily_limit, order.hourly_limit, key.daily_limit, account.frozen, account.waits,
 * service.closed, msisdn.invalid, order.quantity_invalid, request.key_reused.
 */
export async function buy(
  db: Db,
  command: {
    by: ByUser;
    key: Key | null;
    line: LineRequest;
    allowDuplicate?: boolean;
    /** No earlier order may have the line's reference. */
    isReferenceUnique?: boolean | undefined;
    alongside?: ((tx: Tx, placed: Placed) => Promise<void>) | undefined;
  },
): Promise<Answered<Purchase>> {
  const userId = command.by.userId;
  const line = readLine(command.line);
  const { isReferenceUnique } = command;
  const contentFingerprint = fingerprint(contentOf("buy", line, command));
  const verdict = await purchase(db, {
    userId,
    channel: command.by.channel,
    keyId: command.by.keyId,
    bulk: false,
    allowDuplicate: command.allowDuplicate ?? false,
    key: command.key && { ...command.key, fingerprint: contentFingerprint },
    lines: [line],
    isReferenceUnique,
    alongside: command.alongside,
  });
  if (verdict.kind === "refused") {
    await refuseBuyer(db, command.by, verdict);
    if (verdict.code !== "wallet.insufficient_balance") throw await lineError(db, userId, line, verdict.code);
    throw wallet.insufficient(verdict.totalPesewas, verdict);
  }
  if (verdict.kind === "known")
    return { answer: await recallPurchase(db, userId, command.key!, contentFingerprint), replayed: true };
  const [order] = ordersOf(verdict, userId, command, [line]);
  const { heldPesewas } = verdict;
  const { balanceAfterPesewas: balancePesewas } = verdict.lines[0]!;
  return { answer: { order: order!, balancePesewas, heldPesewas }, replayed: false };
}

export type BulkPurchase = { bulkOrderId: number; orders: Order[]; balancePesewas: number };

/** `reference` and `metadata` are those of the bulk order; each line can have its own. */
export type BulkRequest = {
  by: ByUser;
  key: Key | null;
  lines: LineRequest[];
  allowDuplicate?: boolean | undefined;
  /** No earlier bulk order may have its reference, and no earlier order that of a line. */
  isReferenceUnique?: boolean | undefined;
  alongside?: ((tx: Tx, placed: Placed) => Promise<void>) | undefined;
} & OwnReference;

/**
 * Orders many lines and pays them from the wallet, all or none; `alongside` runs in the same transaction. Throws
 * bulk.lines_refused, order.reference_used, wallet.insufficient_balance, request.rate_limited after too many of these,
 * and `buy`'s for limits and keys.
 */
export async function buyBulk(db: Db, command: BulkRequest): Promise<Answered<BulkPurchase>> {
  const userId = command.by.userId;
  const read = command.lines.map((line) => tryReadLine(line));
  // The same numbers in another notation are the same request.
  const content = read.map((line, i) => line ?? command.lines[i]);
  const contentFingerprint = fingerprint(contentOf("bulk", content, command));
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
    keyId: command.by.keyId,
    bulk: true,
    allowDuplicate: command.allowDuplicate ?? false,
    key: command.key && { ...command.key, fingerprint: contentFingerprint },
    lines,
    reference: command.reference,
    metadata: command.metadata,
    isReferenceUnique: command.isReferenceUnique,
    alongside: command.alongside,
  });
  if (verdict.kind === "known")
    return { answer: await recallBulk(db, userId, command.key!, contentFingerprint), replayed: true };
  if (verdict.kind === "refused") {
    await refuseBuyer(db, command.by, verdict);
    throw await bulk.refusal(db, command, verdict);
  }
  const bought = ordersOf(verdict, userId, command, lines);
  const { balanceAfterPesewas: balancePesewas } = verdict.lines.at(-1)!;
  return { answer: { bulkOrderId: verdict.bulkOrderId!, orders: bought, balancePesewas }, replayed: false };
}

/**
 * What makes two purchases the same under an idempotency key. What is rare is left out where it is absent, so that keys
 * from before it existed still match.
 */
function contentOf(
  kind: string,
  lines: unknown,
  { allowDuplicate = false, isReferenceUnique, ...more }: Partial<BulkRequest>,
): unknown[] {
  const { reference, metadata } = more;
  const isRare = isReferenceUnique || reference !== undefined || metadata !== undefined;
  return [kind, lines, allowDuplicate, ...(isRare ? [{ reference, metadata, isReferenceUnique }] : [])];
}

/** Throws the refusal of a buyer, whatever the lines. */
async function refuseBuyer(
  db: Db,
  by: ByUser,
  { code, dayLeftPesewas, keyLeftPesewas, hourLeft }: Extract<FinalVerdict, { kind: "refused" }>,
): Promise<void> {
  const { userId } = by;
  if (code === "service.closed") throw await switches.refusalOf(db, by);
  if (code === "auth.banned") throw new AppError(code);
  if (code === "account.frozen") throw await freezing.refusalOf(db, userId);
  if (code === "account.waits") throw await waits.refusalOf(db, by);
  if (code === "order.daily_limit") throw await limits.dayRefusal(db, userId, dayLeftPesewas!);
  if (code === "key.daily_limit") throw await keyCaps.refusal(db, by, keyLeftPesewas!);
  if (code === "order.hourly_limit") throw await limits.hourRefusal(db, userId, hourLeft!);
}

function ordersOf(
  verdict: Extract<FinalVerdict, { kind: "placed" }>,
  userId: number,
  { by, isReferenceUnique = false }: Pick<BulkRequest, "by" | "isReferenceUnique">,
  lines: PurchaseLine[],
): Order[] {
  const { bulkOrderId, placedAt, deliverBy } = verdict;
  // Field by field: rest and spread take five times as long, ten thousand times.
  return verdict.lines.map((sold, index) => ({
    id: sold.orderId,
    userId,
    bulkOrderId,
    productId: lines[index]!.productId,
    operator: sold.operator,
    family: sold.family,
    productName: sold.productName,
    productSize: sold.productSize,
    volumeMb: sold.volumeMb,
    unitPricePesewas: sold.unitPricePesewas,
    amountPesewas: sold.amountPesewas,
    tierId: sold.tierId,
    costPesewas: sold.costPesewas,
    isCostFinal: false,
    status: "PENDING",
    quantity: lines[index]!.quantity,
    msisdn: lines[index]!.msisdn,
    channel: by.channel,
    paymentMethod: "wallet",
    keyId: by.keyId ?? null,
    paidAt: placedAt,
    deliverBy,
    refundedAt: null,
    failure: null,
    note: null,
    reference: lines[index]!.reference ?? null,
    metadata: lines[index]!.metadata ?? null,
    isReferenceUnique: (isReferenceUnique && lines[index]!.reference !== undefined) || null,
    createdAt: placedAt,
    updatedAt: placedAt,
  }));
}

/** A purchase from the wallet as its buyer first got it; null when the order is not one. */
export async function placedPurchase(
  tx: Reads,
  orderId: number,
): Promise<Pick<Purchase, "order" | "balancePesewas"> | null> {
  const [row] = await chargedOrders(tx, eq(orders.id, orderId));
  return row ? { order: asPlaced(row.order), balancePesewas: row.balanceAfterPesewas! } : null;
}

/** The order as its buyer first got it, regardless of later changes. */
function asPlaced(order: Order): Order {
  return {
    ...order,
    status: "PENDING",
    refundedAt: null,
    failure: null,
    note: null,
    updatedAt: order.createdAt,
  };
}

async function recallPurchase(db: Db, userId: number, key: Key, contentFingerprint: string): Promise<Purchase> {
  const first = await recall(db, userId, key, contentFingerprint);
  if (first?.orderId == null) throw new AppError("request.key_reused");
  const placed = await placedPurchase(db, first.orderId);
  const { heldPesewas } = await wallet.standing(db, userId);
  return { ...placed!, heldPesewas };
}

async function recallBulk(db: Db, userId: number, key: Key, contentFingerprint: string): Promise<BulkPurchase> {
  const first = await recall(db, userId, key, contentFingerprint);
  if (first?.bulkOrderId == null) throw new AppError("request.key_reused");
  const rows = await chargedOrders(db, eq(orders.bulkOrderId, first.bulkOrderId));
  return {
    bulkOrderId: first.bulkOrderId,
    orders: rows.map((row) => asPlaced(row.order)),
    balancePesewas: rows.at(-1)!.balanceAfterPesewas!,
  };
}

async function chargedOrders(tx: Reads, condition: SQL) {
  return tx
    .select({ order: orders, balanceAfterPesewas: transfers.balanceAfterPesewas })
    .from(orders)
    .innerJoin(transfers, and(eq(transfers.subjectId, orders.id), eq(transfers.reason, "charge")))
    .where(condition)
    .orderBy(asc(orders.id));
}
