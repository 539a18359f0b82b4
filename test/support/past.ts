// Orders of some time ago, with their daily totals: three hours ago was yesterday for a test that runs after
// midnight.
import { eq, lte, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { orders } from "../../db/schema/orders.ts";
import { addToDays } from "../../src/core/orders/daily-totals.ts";

/**
 * Takes an order and its payment into the past, by a number of hours. Those before it were not made later: what was
 * paid on a day is found by ids in the sequence of time.
 */
export async function paidHoursAgo(db: Db, orderId: number, hours: number): Promise<void> {
  await db.transaction(async (tx) => {
    const isThis = eq(orders.id, orderId);
    await addToDays(tx, await tx.select().from(orders).where(isThis), -1);
    const paidAt = sql`now() - make_interval(hours => ${hours})`;
    await tx
      .update(orders)
      .set({ createdAt: sql`least(${orders.createdAt}, ${paidAt})` })
      .where(lte(orders.id, orderId));
    await addToDays(tx, await tx.update(orders).set({ paidAt }).where(isThis).returning(), 1);
  });
}
