// The purchase of one bundle, paid from the wallet when it is ordered.
import type { Db, Tx } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as freezing from "../ledger/freezing.ts";
import * as limits from "../ledger/limits.ts";
import * as waits from "../ledger/waits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as keyCaps from "../orders/key-caps.ts";
import type { Order } from "../orders/order.ts";
import { type Answered, fingerprint, type Key, recall } from "../platform/idempotency.ts";
import * as switches from "../platform/switches.ts";
import type { BulkRequest } from "./buy-bulk.ts";
import { placedPurchase } from "./first-answers.ts";
import { lineError } from "./line-refusals.ts";
import { type FinalVerdict, purchase } from "./purchase.ts";
import { type LineRequest, type Placed, type PurchaseLine, readLine } from "./purchase-groups.ts";

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

/**
 * What makes two purchases the same under an idempotency key. What is rare is left out where it is absent, so that keys
 * from before it existed still match.
 */
export function contentOf(
  kind: string,
  lines: unknown,
  { allowDuplicate = false, isReferenceUnique, ...more }: Partial<BulkRequest>,
): unknown[] {
  const { reference, metadata } = more;
  const isRare = isReferenceUnique || reference !== undefined || metadata !== undefined;
  return [kind, lines, allowDuplicate, ...(isRare ? [{ reference, metadata, isReferenceUnique }] : [])];
}

/** Throws the refusal of a buyer, whatever the lines. */
export async function refuseBuyer(
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

export function ordersOf(
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

async function recallPurchase(db: Db, userId: number, key: Key, contentFingerprint: string): Promise<Purchase> {
  const first = await recall(db, userId, key, contentFingerprint);
  if (first?.orderId == null) throw new AppError("request.key_reused");
  const placed = await placedPurchase(db, first.orderId);
  const { heldPesewas } = await wallet.standing(db, userId);
  return { ...placed!, heldPesewas };
}
