// Payment of orders: from the wallet, by a payment started for them, or in cash. The purchase statement does the same
// for orders that are paid when placed; test/core/orders/pay.test.ts keeps the two in step.
import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../../db/connect.ts";
import { orders as table } from "../../../db/schema/orders.ts";
import type { By, PaymentMethod } from "../../shared/domain.ts";
import * as ledger from "../ledger/ledger.ts";
import * as settings from "../platform/settings/settings.ts";
import { isAmong } from "../platform/sql.ts";
import { addToDays } from "./daily-totals.ts";
import type { Order } from "./order.ts";

/**
 * Marks unpaid orders as paid: posts the charge, starts the delivery promise, and adds to the daily totals. `set` holds
 * further columns to change. Returns the updated orders by id, and the owner's balance in pesewas after each (null for
 * cash). In the caller's transaction, which has locked the wallets and then the orders.
 * Throws wallet.insufficient_balance.
 */
export async function markPaid(
  tx: Tx,
  unpaid: Order[],
  { method, byUserId, set = {} }: { method: PaymentMethod; byUserId: number | null; set?: Changes },
): Promise<{ paid: Order[]; balancesPesewas: (number | null)[] }> {
  if (unpaid.length === 0) return { paid: [], balancesPesewas: [] };
  const charge = method === "cash" ? CASH_SALE : CHARGE;
  // After this point the payment must succeed.
  const balancesPesewas = await ledger.post(
    tx,
    unpaid.map(({ id: subjectId, userId, amountPesewas }) => ({
      ...{ ...charge, userId, amountPesewas, subjectId, byUserId },
    })),
  );
  const paid = await tx
    .update(table)
    .set({
      // Not when the transaction began, which may have waited for the wallet: limits of the day go by the statement.
      paidAt: sql`statement_timestamp()`,
      deliverBy: sql.raw(settings.DELIVER_BY),
      paymentMethod: method,
      // It is sold now, at what it is expected to cost by now.
      costPesewas: sql`(
        select p.cost_pesewas * ${table.quantity} from products p where p.id = ${table.productId})`,
      updatedAt: sql`now()`,
      ...set,
    })
    .where(
      isAmong(
        table.id,
        unpaid.map(({ id }) => id),
      ),
    )
    .returning();
  await addToDays(tx, paid, 1);
  return { paid: paid.sort((a, b) => a.id - b.id), balancesPesewas };
}

/** Marks the unpaid ones among these orders as paid in cash, in an admin's name. */
export async function takeCash(tx: Tx, by: By, orders: Order[]): Promise<void> {
  const unpaid = orders.filter((order) => !order.paidAt);
  await markPaid(tx, unpaid, { method: "cash", byUserId: by.userId });
}

type Changes = { status?: "PAID"; note?: string | null; deliverBy?: SQL | null; keyId?: number };

const CHARGE = { debit: "wallet", credit: "sales", reason: "charge" } as const;
const CASH_SALE = { debit: "cash", credit: "sales", reason: "cash_sale" } as const;
