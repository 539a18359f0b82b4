// The purchase of many lines in one order, paid from the wallet, all or none.
import { eq } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import type { OwnReference } from "../../shared/orders/own-reference.ts";
import type { Order } from "../orders/order.ts";
import { type Answered, fingerprint, type Key, recall } from "../platform/idempotency.ts";
import { withinBudget } from "./bulk-budget.ts";
import * as bulk from "./bulk-orders.ts";
import { contentOf, ordersOf, refuseBuyer } from "./buy.ts";
import { asPlaced, chargedOrders } from "./first-answers.ts";
import { purchase } from "./purchase.ts";
import { type LineRequest, type Placed, type PurchaseLine, tryReadLine } from "./purchase-groups.ts";

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
