// Credited deposits that the network took back, as the statement shows: the money is held at once, within the limit of
// what one person may do, and a person takes it from the wallet, as a debt where it is gone, or dismisses the reversal.
import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { deposits } from "../../../../db/schema/payments.ts";
import { depositReversals, statementLines } from "../../../../db/schema/payments-statements.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as } from "../../../shared/fields.ts";
import { cedis, Id, text } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import * as wallet from "../../ledger/wallet.ts";
import * as secondPerson from "../../platform/colleagues/second-person.ts";
import { command, type Question } from "../../platform/commands.ts";
import { isAnyOf } from "../../platform/sql.ts";
import { creditedPesewas } from "./deposit-crediting.ts";
import type { Deposit } from "./deposits.ts";
import type { StatementLine } from "./statements.ts";

export type DepositReversal = typeof depositReversals.$inferSelect;
export type ReversalRow = DepositReversal & { deposit: Deposit; line: StatementLine; username: string };

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
 * count towards what one person may do with deposits.
 */
export const decide = command({
  name: "deposit.reverse",
  right: "payments.decide",
  about: "Take the money of a reversed claim from the wallet, the rest as a debt, or dismiss the reversal",
  subject: "claim",
  input: {
    reversalId: Id,
    decision: z.enum(["book", "dismiss"]),
    amountPesewas: as("amount", cedis("Give the amount that you saw")),
    reason: text(300).trim().optional().describe("Of a dismissal"),
  },
  errors: ["claim.reversal_not_found", "claim.reversal_decided", "claim.moved", "auth.own_account"],
  isConfirmed: true,
  asks: "Deposit that the network took back",
  run: async ({ tx, by, audit, agree }, { reversalId, decision, amountPesewas, reason = null }) => {
    const isBooked = decision === "book";
    const row = await lockOpen(tx, by, reversalId);
    const { userId, depositId } = row;
    if (row.amountPesewas !== amountPesewas) throw new AppError("claim.moved");
    await agree(await questionAbout(tx, row, { isBooked, reason }));
    await tx
      .update(depositReversals)
      .set({
        ...{ state: isBooked ? "booked" : "dismissed", heldPesewas: 0, reason },
        ...{ decidedByUserId: by.userId, decidedAt: sql`now()` },
      })
      .where(eq(depositReversals.id, reversalId));
    await ledger.hold(tx, userId);
    const debtPesewas = isBooked ? await takeBack(tx, by, row) : 0;
    await audit(depositId, {
      action: isBooked ? "claim.taken_back" : "claim.reversal_dismissed",
      after: { userId, amount: show(amountPesewas), debt: show(debtPesewas), reason },
    });
    return { reversalId, userId, debtPesewas };
  },
});

/** An open reversal of another user's deposit, locked with its wallet. */
async function lockOpen(tx: Tx, by: ByUser, reversalId: number): Promise<DepositReversal> {
  const [found] = await tx.select().from(depositReversals).where(eq(depositReversals.id, reversalId));
  if (!found) throw new AppError("claim.reversal_not_found");
  if (found.userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [found.userId]);
  const [row] = await tx.select().from(depositReversals).where(eq(depositReversals.id, reversalId)).for("update");
  if (row!.state !== "open") throw new AppError("claim.reversal_decided");
  return row!;
}

async function questionAbout(
  tx: Reads,
  { userId, depositId, amountPesewas }: DepositReversal,
  { isBooked, reason }: { isBooked: boolean; reason: string | null },
): Promise<Question> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  const { username, status } = owner!;
  const amount = show(amountPesewas);
  return {
    ...{ subject: `deposit ${depositId}`, concerns: [userId] },
    seen: { state: { Deposit: "taken back by the network", Amount: amount }, version: status },
    summary: isBooked
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
