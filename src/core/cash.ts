// Orders that an admin took the money for in cash.
import { sql } from "drizzle-orm";
import type { Tx } from "../../db/connect.ts";
import { orders as table } from "../../db/schema.ts";
import type { By } from "../shared/domain.ts";
import { isAmong } from "./conditions.ts";
import * as ledger from "./ledger.ts";
import type { Order } from "./orders.ts";
import * as settings from "./settings.ts";
import { addToDays } from "./sums.ts";

/**
 * Pays unpaid orders, which the caller has locked, in cash under an admin's name: they are promised from now on like any
 * other paid order. Those that are paid already stay as they are.
 */
export async function take(tx: Tx, by: By, orders: Order[]): Promise<void> {
  const unpaid = orders.filter((order) => !order.paidAt);
  if (unpaid.length === 0) return;
  const paid = await tx
    .update(table)
    .set({
      paidAt: sql`now()`,
      paymentMethod: "cash",
      deliverBy: sql.raw(settings.DELIVER_BY),
      updatedAt: sql`now()`,
    })
    .where(
      isAmong(
        table.id,
        unpaid.map(({ id }) => id),
      ),
    )
    .returning();
  await ledger.post(
    tx,
    paid.map(({ id: subjectId, userId, amountPesewas }) => ({
      userId,
      debit: "cash" as const,
      credit: "sales" as const,
      amountPesewas,
      reason: "cash_sale" as const,
      subjectId,
      byUserId: by.userId,
    })),
  );
  await addToDays(tx, paid, 1);
}
