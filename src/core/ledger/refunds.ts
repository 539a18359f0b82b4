// Refunds of orders, and taking one back that was a mistake. An order is refunded, has that taken back, and is refunded
// again at most once each: the ledger's rule of one transfer for each reason and subject holds it, whoever presses.
import { and, eq } from "drizzle-orm";
import type { Reads, Tx } from "../../../db/connect.ts";
import { transfers } from "../../../db/schema/ledger.ts";
import type { By } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import { isAmong } from "../platform/sql.ts";
import * as ledger from "./ledger.ts";
import * as wallet from "./wallet.ts";

type Paid = { id: number; userId: number; amountPesewas: number };

/** Posts the refunds of failed orders, which the caller has locked: the second one where the first was taken back. */
export async function post(tx: Tx, by: By, failed: readonly Paid[]): Promise<void> {
  if (failed.length === 0) return;
  const before = await takenBackAmong(
    tx,
    failed.map(({ id }) => id),
  );
  await ledger.post(
    tx,
    failed.map(({ id: subjectId, userId, amountPesewas }) => ({
      userId,
      debit: "sales" as const,
      credit: "wallet" as const,
      amountPesewas,
      reason: before.has(subjectId) ? ("refund_again" as const) : ("refund" as const),
      subjectId,
      byUserId: by.userId,
    })),
  );
}

/**
 * Takes the refund of an order, which the caller has locked, out of its agent's wallet. Throws order.refund_final when
 * one was taken back before, and order.refund_spent, with what is there, when the wallet has less that can be spent.
 */
export async function takeBack(tx: Tx, by: By, { id, userId, amountPesewas }: Paid): Promise<void> {
  if ((await takenBackAmong(tx, [id])).has(id)) throw new AppError("order.refund_final");
  const { availablePesewas } = await wallet.standing(tx, userId);
  if (availablePesewas < amountPesewas) throw spent(amountPesewas, availablePesewas);
  await ledger.post(tx, [
    {
      userId,
      debit: "wallet",
      credit: "sales",
      amountPesewas,
      reason: "refund_taken_back",
      subjectId: id,
      byUserId: by.userId,
    },
  ]);
}

/** Those of these orders whose refund was taken back once. */
export async function takenBackAmong(tx: Reads, orderIds: number[]): Promise<Set<number>> {
  const rows = await tx
    .select({ id: transfers.subjectId })
    .from(transfers)
    .where(and(eq(transfers.reason, "refund_taken_back"), isAmong(transfers.subjectId, orderIds)));
  return new Set(rows.map(({ id }) => id));
}

function spent(requiredPesewas: number, availablePesewas: number): AppError {
  const details = { required: toCedis(requiredPesewas), available: toCedis(availablePesewas) };
  const message =
    `The refund was ${show(requiredPesewas)}, and only ${show(availablePesewas)} can be taken from the wallet. ` +
    "Try again after the agent's next top-up, or settle the loss.";
  return new AppError("order.refund_spent", details, message);
}
