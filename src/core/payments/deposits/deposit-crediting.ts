// Crediting of a deposit, once, against its line of the statement or on a person's word.
import { eq, sql } from "drizzle-orm";
import type { Tx } from "../../../../db/connect.ts";
import { deposits } from "../../../../db/schema/payments.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import { queueTopUpWebhook } from "../../ledger/top-up-webhooks.ts";
import * as notices from "../../messaging/deposit-notices.ts";
import * as auditLog from "../../platform/audit-log.ts";
import { notifyToppedUp } from "../crediting.ts";
import type { Deposit } from "./deposits.ts";
import type { StatementLine } from "./statements.ts";

type How = {
  /** The line of the statement; its amount is credited. Null: the reported amount, on the decider's word. */
  line: StatementLine | null;
  isAutomatic?: boolean;
  /** Why another amount than the reported one is credited. */
  reason?: string | null;
};

/**
 * Credits an open deposit as an act of `by`, and notifies its agent. The caller has locked the wallet and then the
 * deposit, and has checked both. A transaction id that is credited already violates deposits_credited_once.
 */
export async function credit(
  tx: Tx,
  by: ByUser,
  deposit: Deposit,
  { line, isAutomatic = false, reason = null }: How,
): Promise<Deposit> {
  const { id, userId, transactionId, amountPesewas: reportedPesewas } = deposit;
  const amountPesewas = line?.amountPesewas ?? reportedPesewas;
  const [credited] = await tx
    .update(deposits)
    .set({
      state: "approved",
      reason,
      lineId: line?.id ?? null,
      creditedPesewas: amountPesewas === reportedPesewas ? null : amountPesewas,
      isAutomatic,
      heldBack: null,
      decidedByUserId: by.userId,
      decidedAt: sql`now()`,
    })
    .where(eq(deposits.id, id))
    .returning();
  const accounts = { debit: "momo", credit: "wallet", reason: "claim" } as const;
  const [balancePesewas] = await ledger.post(tx, [
    { ...accounts, userId, amountPesewas, subjectId: id, byUserId: by.userId },
  ]);
  const of = { source: "mobile_money", id, reference: transactionId } as const;
  await queueTopUpWebhook(tx, { userId, amountPesewas, balancePesewas: balancePesewas!, ...of });
  if (amountPesewas === reportedPesewas) await notifyToppedUp(tx, { userId, amountPesewas });
  else await notices.corrected(tx, { userId, transactionId, amountPesewas, reportedPesewas });
  await auditLog.record(tx, by, [
    {
      action: "claim.approved",
      subjectType: "claim",
      subjectId: id,
      after: {
        userId,
        transactionId,
        amount: show(amountPesewas),
        reason,
        ...(amountPesewas !== reportedPesewas && { reported: show(reportedPesewas) }),
        ...(line && { statementLine: line.id }),
        ...(isAutomatic && { automatic: true }),
      },
    },
  ]);
  return credited!;
}

/** The credited amount of an approved deposit, in pesewas. */
export function creditedPesewas(deposit: Pick<Deposit, "amountPesewas" | "creditedPesewas">): number {
  return deposit.creditedPesewas ?? deposit.amountPesewas;
}
