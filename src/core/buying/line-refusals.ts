// Refusals of order lines with the details that a program needs: the current price, the earlier order, or the reason
// and end of a pause.
import { and, desc, eq } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { orders } from "../../../db/schema/orders.ts";
import { AppError, type ErrorCode, type ErrorDetails } from "../../shared/errors/app-error.ts";
import { toCedis } from "../../shared/money.ts";
import type { Pause } from "../../shared/pause.ts";
import { pausedRefusal } from "../catalog/sale-pauses.ts";
import { isRecent, orderProblem, productsForLines } from "./order-lines.ts";
import { earlierJson, ordersWith } from "./own-references.ts";
import type { PurchaseLine } from "./purchase-groups.ts";

/** A line, or an order that was one. */
type Line = Pick<PurchaseLine, "productId" | "msisdn" | "quantity"> & {
  reference?: string | null | undefined;
};

/** The error for a buyer's line with this code, with its current details. */
export async function lineError(tx: Reads, userId: number, line: Line, code: ErrorCode): Promise<AppError> {
  if (code === "product.paused") return pausedRefusal(await pauseNow(tx, userId, line));
  return new AppError(code, await detailsOf(tx, userId, line, code));
}

/**
 * Refuses to pay an existing order that can no longer be bought, with what to do instead. Throws product.not_found,
 * product.paused, order.price_changed.
 */
export async function refuseStale(tx: Reads, order: typeof orders.$inferSelect): Promise<void> {
  const problem = await orderProblem(tx, order);
  if (!problem) return;
  if (problem === "product.paused") throw pausedRefusal(await pauseNow(tx, order.userId, order), payLater);
  throw new AppError(problem, await detailsOf(tx, order.userId, order, problem), STALE_MESSAGES[problem]);
}

const STALE_MESSAGES = {
  "product.not_found": "This bundle is no longer on sale. Choose another one; this order will expire.",
  "order.price_changed": "The price has gone up since you ordered. Order it again at the new price.",
};

const payLater = (paused: string) => `This bundle is ${paused}. Pay for it later, or choose another one.`;

/** The pause in force; null when it has ended since the refusal. */
async function pauseNow(tx: Reads, userId: number, line: { productId: number }): Promise<Pause | null> {
  return (await productsForLines(tx, userId, [line])).get(line.productId)?.paused ?? null;
}

async function detailsOf(tx: Reads, userId: number, line: Line, code: ErrorCode): Promise<ErrorDetails | undefined> {
  if (code === "order.duplicate") return earlierOrder(tx, userId, line);
  if (code === "order.reference_used") {
    const reference = line.reference!;
    const earlier = (await ordersWith(tx, userId, [reference])).get(reference);
    return { reference, ...(earlier && earlierJson(earlier)) };
  }
  if (code !== "order.price_changed") return undefined;
  const product = (await productsForLines(tx, userId, [line])).get(line.productId);
  if (!product) return undefined;
  return {
    currentPrice: toCedis(product.pricePesewas),
    currentAmount: toCedis(product.pricePesewas * line.quantity),
  };
}

/** The latest order that makes this one a duplicate. */
async function earlierOrder(tx: Reads, userId: number, { msisdn, productId }: Line): Promise<ErrorDetails | undefined> {
  const [earlier] = await tx
    .select({ orderId: orders.id, orderedAt: orders.createdAt })
    .from(orders)
    .where(and(eq(orders.productId, productId), isRecent(userId, [msisdn])))
    .orderBy(desc(orders.id))
    .limit(1);
  return earlier && earlierJson(earlier);
}
