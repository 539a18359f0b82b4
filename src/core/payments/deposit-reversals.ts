// Credited deposits that the network took back, as the statement shows: the money is held at once, within the limit of
// what one person may do, and a person takes it from the wallet, as a debt where it is gone, or dismisses the reversal.
import { and, asc, eq, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { deposits } from "../../../db/schema/payments.ts";
import { depositReversals, statementLines } from "../../../db/schema/payments-statements.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import { isAnyOf } from "../platform/sql.ts";
import { creditedPesewas } from "./deposit-crediting.ts";
import type { Deposit } from "./deposits.ts";
import type { StatementLine } from "./statements.ts";

export type DepositReversal = typeof depositReversals.$inferSelect;
export type ReversalRow = DepositReversal & { deposit: Deposit; line: StatementLine; username: string };

/** The decision as asked for, with the amount that the asker saw. */
export type Decision = {
  reversalId: number;
  amountPesewas: number;
  decision: "book" | "dismiss";
  /** Of a dismissal. */
  reason: string | null;
};
export type Decided = { reversalId: number; userId: number; debtPesewas: number };

/**
 * Opens a reversal for each credited deposit that these new lines take back; returns how many. Its money is held as an
 * act of whoever imported them: above what one person may do, and for the importer's own account, nothing is held
 * until somebody else decides. In the transaction that inserted them, which has locked the wallets.
 */
export async function findIn(tx: Tx, by: ByUser, lines: StatementLine[]): Promise<number> {
  const taking = lines.filter(({ direction }) => direction === "reversal");
  if (taking.length === 0) return 0;
  const credited = await tx
    .select()
    .from(deposits)
    .where(
      and(
        eq(deposits.state, "approved"),
        isAnyOf(
          deposits.transactionId,
          taking.map(({ originalId }) => originalId!),
        ),
      ),
    )
    .orderBy(asc(deposits.id));
  let opened = 0;
  for (const line of taking) {
    const deposit = credited.find(
      ({ transactionId, network }) =>
        transactionId === line.originalId && (network === null || network === line.network),
    );
    if (deposit && (await open(tx, by, deposit, line))) opened += 1;
  }
  return opened;
}

async function open(tx: Tx, by: ByUser, deposit: Deposit, line: StatementLine): Promise<boolean> {
  const { id: depositId, userId } = deposit;
  const [known] = await tx.execute<{ pesewas: number }>(sql`
    select coalesce(sum(amount_pesewas), 0)::bigint as pesewas from deposit_reversals
    where deposit_id = ${depositId} and state <> 'dismissed'`);
  const amountPesewas = Math.min(line.amountPesewas, creditedPesewas(deposit) - known!.pesewas);
  if (amountPesewas <= 0) return false;
  const counts = [{ limit: "alone_holds_pesewas", userId, pesewas: amountPesewas }] as const;
  const isHeld = userId !== by.userId && (await secondPerson.countAlone(tx, by, { kind: "deposit.reverse", counts }));
  const heldPesewas = isHeld ? amountPesewas : 0;
  await tx.insert(depositReversals).values({ depositId, userId, lineId: line.id, amountPesewas, heldPesewas });
  await ledger.hold(tx, userId);
  return true;
}

/** The open reversals, oldest first. */
export async function listOpen(tx: Reads): Promise<ReversalRow[]> {
  const rows = await tx
    .select({ reversal: depositReversals, deposit: deposits, line: statementLines, username: users.username })
    .from(depositReversals)
    .innerJoin(deposits, eq(deposits.id, depositReversals.depositId))
    .innerJoin(statementLines, eq(statementLines.id, depositReversals.lineId))
    .innerJoin(users, eq(users.id, depositReversals.userId))
    .where(eq(depositReversals.state, "open"))
    .orderBy(asc(depositReversals.id))
    .limit(200);
  return rows.map(({ reversal, ...row }) => ({ ...reversal, ...row }));
}

/**
 * Takes the money of a reversal from the wallet, the rest as a debt, or dismisses it with a reason and releases the
 * money. A statement can be written by hand, and a dismissal leaves an agent money that the shop no longer has: both
 * count towards what one person may do with deposits. Throws auth.forbidden, auth.own_account,
 * claim.reversal_not_found, claim.reversal_decided, claim.moved, auth.confirm_needed, and as secondPerson.require.
 */
export async function decide(db: Db, command: { by: ByUser; key: Key | null } & Decision): Promise<Answered<Decided>> {
  const { by, key, ...decision } = command;
  requireRight(by, "payments.decide");
  return once(db, by.userId, key, ["claim reversal", decision], (tx) => act(tx, by, decision));
}

/** As `decide`, in the caller's transaction. */
export async function act(tx: Tx, by: ByUser, decision: Decision): Promise<Decided> {
  requireRight(by, "payments.decide");
  requireConfirmed(by);
  const { reversalId } = decision;
  const [found] = await tx.select().from(depositReversals).where(eq(depositReversals.id, reversalId));
  if (!found) throw new AppError("claim.reversal_not_found");
  const { userId } = found;
  if (userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [userId]);
  const [row] = await tx.select().from(depositReversals).where(eq(depositReversals.id, reversalId)).for("update");
  if (row!.state !== "open") throw new AppError("claim.reversal_decided");
  if (row!.amountPesewas !== decision.amountPesewas) throw new AppError("claim.moved");
  await secondPerson.require(tx, by, await askToDecide(tx, row!, decision));
  const isBooked = decision.decision === "book";
  await tx
    .update(depositReversals)
    .set({
      state: isBooked ? "booked" : "dismissed",
      heldPesewas: 0,
      reason: decision.reason,
      decidedByUserId: by.userId,
      decidedAt: sql`now()`,
    })
    .where(eq(depositReversals.id, reversalId));
  await ledger.hold(tx, userId);
  const debtPesewas = isBooked ? await takeBack(tx, by, row!) : 0;
  await auditLog.record(tx, by, [
    {
      action: isBooked ? "claim.taken_back" : "claim.reversal_dismissed",
      subjectType: "claim",
      subjectId: row!.depositId,
      after: { userId, amount: show(row!.amountPesewas), debt: show(debtPesewas), reason: decision.reason },
    },
  ]);
  return { reversalId, userId, debtPesewas };
}

async function askToDecide(
  tx: Reads,
  { id, userId, depositId, amountPesewas }: DepositReversal,
  decision: Decision,
): Promise<secondPerson.Ask> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  const { decision: verdict, reason } = decision;
  const { username, status } = owner!;
  const amount = show(amountPesewas);
  return {
    ...{ kind: "deposit.reverse", right: "payments.decide", subject: `deposit ${depositId}` },
    concerns: [userId],
    command: { reversalId: id, amountPesewas, decision: verdict, reason },
    seen: { state: { Deposit: "taken back by the network", Amount: amount }, version: status },
    summary:
      verdict === "book"
        ? `take ${amount} out of ${username}'s wallet, as the network took the deposit back`
        : `leave ${username} the deposit of ${amount} that the network took back`,
    reason,
    counts: [{ limit: "alone_deposits_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}

/** Takes the amount from the wallet as far as it goes; returns the rest, which is now owed. */
async function takeBack(tx: Tx, by: ByUser, { id, userId, amountPesewas }: DepositReversal): Promise<number> {
  const fromWallet = Math.min(amountPesewas, await wallet.balance(tx, userId));
  const debtPesewas = amountPesewas - fromWallet;
  const about = { userId, credit: "momo" as const, subjectId: id, byUserId: by.userId };
  const parts: ledger.Transfer[] = [
    { ...about, debit: "wallet", reason: "claim_reversal", amountPesewas: fromWallet },
    { ...about, debit: "receivables", reason: "claim_debt", amountPesewas: debtPesewas },
  ];
  await ledger.post(
    tx,
    parts.filter((part) => part.amountPesewas > 0),
  );
  return debtPesewas;
}
