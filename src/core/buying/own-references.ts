// Orders and bulk orders by the references that a reseller's program gave them: what a reference that is wanted once
// was used for before.
import { and, asc, desc, eq } from "drizzle-orm";
import type { Reads } from "../../../db/connect.ts";
import { bulkOrders, orders } from "../../../db/schema/orders.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { isAnyOf } from "../platform/sql.ts";

/** An earlier order that stands in the way of another one. */
export type Earlier = { orderId: number; orderedAt: Date };

/** The latest order of this account with each of these references; those without one are left out. */
export async function ordersWith(
  tx: Reads,
  userId: number,
  references: readonly string[],
): Promise<Map<string, Earlier>> {
  if (references.length === 0) return new Map();
  const { id, reference, createdAt } = orders;
  const rows = await tx
    .selectDistinctOn([reference], { reference, orderId: id, orderedAt: createdAt })
    .from(orders)
    .where(and(eq(orders.userId, userId), isAnyOf(reference, [...new Set(references)])))
    .orderBy(asc(reference), desc(id));
  return new Map(rows.map(({ reference, ...earlier }) => [reference!, earlier]));
}

/** Throws order.reference_used, which names the order, when this account has one with the reference. */
export async function refuseUsed(tx: Reads, userId: number, reference: string): Promise<void> {
  const earlier = (await ordersWith(tx, userId, [reference])).get(reference);
  if (earlier) throw new AppError("order.reference_used", { reference, ...earlierJson(earlier) });
}

/** The refusal of a bulk order whose reference this account has given to one before; null when it has not. */
export async function refusalOfBulk(tx: Reads, userId: number, reference: string): Promise<AppError | null> {
  const [earlier] = await tx
    .select({ bulkOrderId: bulkOrders.id, orderedAt: bulkOrders.createdAt })
    .from(bulkOrders)
    .where(and(eq(bulkOrders.userId, userId), eq(bulkOrders.reference, reference)))
    .orderBy(desc(bulkOrders.id))
    .limit(1);
  return earlier
    ? new AppError("order.reference_used", {
        reference,
        bulkOrderId: earlier.bulkOrderId,
        orderedAt: earlier.orderedAt.toISOString(),
      })
    : null;
}

/** An earlier order as the details of a refusal. */
export function earlierJson({ orderId, orderedAt }: Earlier) {
  return { orderId, orderedAt: orderedAt.toISOString() };
}
