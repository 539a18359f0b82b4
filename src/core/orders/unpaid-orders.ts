// Unpaid orders: their rows, and a limit per account, because each adds to lists and totals and has to be expired.
import { and, eq, isNull } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as budgets from "../platform/budgets.ts";
import type { NewLine } from "./buy.ts";

const WAITING_MAX = 20;

/**
 * Counts one more unpaid order of an account, whose wallet the caller has locked. Throws order.unpaid_too_many and
 * request.rate_limited.
 */
export async function count(tx: Tx, userId: number): Promise<void> {
  const isWaiting = and(eq(orders.userId, userId), isNull(orders.paidAt), eq(orders.status, "PENDING"));
  if ((await tx.$count(orders, isWaiting)) >= WAITING_MAX) throw new AppError("order.unpaid_too_many");
  await budgets.spend(tx, "order.unpaid", userId);
}

/** The row of an unpaid order, at its product's current price. */
export function rowOf(
  userId: number,
  by: ByUser,
  { product, msisdn, quantity }: NewLine,
): typeof orders.$inferInsert {
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
    msisdn,
    channel: by.channel,
  };
}
