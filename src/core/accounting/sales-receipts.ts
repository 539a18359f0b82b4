// Numbered receipts for an agent's own books: issued when they are asked for, one for an order, with the shop's legal
// name as it is at that time. Their numbers have no gaps, because each takes the next one in the commit that issues it.
import { eq, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../db/connect.ts";
import { salesReceipts } from "../../../db/schema/accounting.ts";
import { orders } from "../../../db/schema/orders.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as orderQueries from "../orders/queries.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as settings from "../platform/settings/settings.ts";

export type SalesReceipt = typeof salesReceipts.$inferSelect;

/** The receipt of an order; null when none was issued. Throws order.not_found for an order that `by` may not see. */
export async function find(db: Db, by: ByUser, orderId: number): Promise<SalesReceipt | null> {
  await orderQueries.get(db, by, orderId);
  return findIssued(db, orderId);
}

/**
 * Issues the receipt of a paid order, or returns the one it has. Throws order.not_found, receipt.unpaid,
 * receipt.refunded (its money is back, so nothing was sold), receipt.no_legal_name.
 */
export async function issue(db: Db, { by, orderId }: { by: ByUser; orderId: number }): Promise<SalesReceipt> {
  await orderQueries.get(db, by, orderId);
  return db.transaction(async (tx) => {
    await lock(tx, "salesReceipts");
    const issued = await findIssued(tx, orderId);
    if (issued) return issued;
    // Locked, so that no refund comes between.
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for("share");
    if (!order!.paidAt) throw new AppError("receipt.unpaid");
    if (order!.refundedAt) throw new AppError("receipt.refunded");
    const { legal_name, legal_address, legal_tin, vat_rate } = await settings.all(tx);
    if (!legal_name) throw new AppError("receipt.no_legal_name");
    const { amountPesewas } = order!;
    const [receipt] = await tx
      .insert(salesReceipts)
      .values({
        number: sql`(select coalesce(max(number), 0) + 1 from sales_receipts)`,
        orderId,
        issuedByUserId: by.userId,
        legalName: legal_name,
        legalAddress: legal_address,
        tin: legal_tin,
        amountPesewas,
        vatRate: vat_rate,
        vatPesewas: vatIn(amountPesewas, vat_rate),
      })
      .returning();
    return receipt!;
  });
}

/** The VAT in an amount that includes it, rounded to the nearest pesewa; `rate` in hundredths of a per cent. */
export function vatIn(amountPesewas: number, rate: number): number {
  return Math.round((amountPesewas * rate) / (10_000 + rate));
}

async function findIssued(tx: Reads, orderId: number): Promise<SalesReceipt | null> {
  const [found] = await tx.select().from(salesReceipts).where(eq(salesReceipts.orderId, orderId));
  return found ?? null;
}
