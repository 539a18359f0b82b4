// Cash from the safe that is brought to the shop's bank: booked by whoever brought it, above the limit of corrections
// with a second person, and ticked off by somebody else who finds it on the bank's statement. A difference is booked
// then.
import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { bankDeposits } from "../../../db/schema/payments-cash.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import { requireInSafe } from "./cash-books.ts";

type Stored = typeof bankDeposits.$inferSelect;
/** `seenBy`: who found it on the bank's statement; null while nobody has. */
export type BankDeposit = Stored & { username: string; seenBy: string | null };

/** Deposits of cash at the bank, newest first: those that nobody has ticked off, or the latest of all. */
export async function list(tx: Reads, filter: { unseenOnly?: boolean }, countMax: number): Promise<BankDeposit[]> {
  const seer = tx.select({ id: users.id, name: users.username }).from(users).as("seer");
  const rows = await tx
    .select({ deposit: bankDeposits, username: users.username, seenBy: seer.name })
    .from(bankDeposits)
    .innerJoin(users, eq(users.id, bankDeposits.byUserId))
    .leftJoin(seer, eq(seer.id, bankDeposits.seenByUserId))
    .where(filter.unseenOnly ? isNull(bankDeposits.seenAt) : undefined)
    .orderBy(desc(bankDeposits.id), asc(users.id))
    .limit(countMax);
  return rows.map(({ deposit, ...names }) => ({ ...deposit, ...names }));
}

/**
 * Books cash from the safe that the caller brought to the bank, by the number of its slip. Throws auth.forbidden,
 * auth.confirm_needed, cash.safe_short, cash.slip_known, and as secondPerson.require above the limit of corrections.
 */
export async function bring(
  db: Db,
  command: { by: ByUser; key: Key | null; amountPesewas: number; slip: string },
): Promise<Answered<{ bankDepositId: number }>> {
  const { by, key, amountPesewas } = command;
  const slip = command.slip.trim();
  requireRight(by, "books.see");
  requireConfirmed(by);
  try {
    return await once(db, by.userId, key, ["bank", amountPesewas, slip], async (tx) => {
      await lock(tx, "cash");
      const safePesewas = await requireInSafe(tx, amountPesewas);
      // Before a second person is asked in vain; the unique index decides.
      const isOfSlip = sql`lower(${bankDeposits.slip}) = lower(${slip})`;
      if ((await tx.$count(bankDeposits, isOfSlip)) > 0) throw new AppError("cash.slip_known");
      await ledger.lockWallets(tx, [by.userId]);
      await secondPerson.require(tx, by, askToBring(by, { amountPesewas, slip }, safePesewas));
      const [row] = await tx.insert(bankDeposits).values({ amountPesewas, slip, byUserId: by.userId }).returning();
      const bankDepositId = row!.id;
      const about = { userId: by.userId, subjectId: bankDepositId, byUserId: by.userId };
      await ledger.post(tx, [{ ...about, debit: "bank", credit: "safe", reason: "cash_banked", amountPesewas }]);
      await auditLog.record(tx, by, [
        {
          action: "cash.bank",
          subjectType: "cash",
          subjectId: bankDepositId,
          after: { amount: show(amountPesewas), slip },
        },
      ]);
      return { bankDepositId };
    });
  } catch (error) {
    if (databaseError(error)?.constraint === "bank_deposits_slip_once") throw new AppError("cash.slip_known");
    throw error;
  }
}

/** What the bank's statement shows of a deposit, with the booked amount that was seen. */
export type TickOff = {
  bankDepositId: number;
  amountPesewas: number;
  /** On the statement; 0 when it is not there. */
  seenPesewas: number;
  /** Why the two differ; null when they do not. */
  reason: string | null;
};

/**
 * Notes that cash which somebody else brought to the bank is on the bank's statement, and books the difference where
 * that shows another amount. A difference above the limit of corrections takes a second person, who is not the one who
 * brought it. Throws auth.forbidden, auth.confirm_needed, cash.bank_not_found, cash.bank_own, cash.bank_seen,
 * cash.moved, cash.reason_missing, and as secondPerson.require.
 */
export async function tickOff(
  db: Db,
  { by, key, ...command }: { by: ByUser; key: Key | null } & TickOff,
): Promise<Answered<{ bankDepositId: number }>> {
  requireRight(by, "books.see");
  requireConfirmed(by);
  const { bankDepositId, amountPesewas, seenPesewas } = command;
  const reason = amountPesewas === seenPesewas ? null : (command.reason?.trim() ?? "");
  const seen = { bankDepositId, amountPesewas, seenPesewas, reason };
  if (reason === "") {
    const message = "Say why the bank shows another amount";
    throw new AppError("cash.reason_missing", { fields: { reason: message } }, message);
  }
  return once(db, by.userId, key, ["bank seen", seen], async (tx) => {
    await lock(tx, "cash");
    const deposit = await unseen(tx, by, seen);
    await ledger.lockWallets(tx, [deposit.byUserId]);
    await secondPerson.require(tx, by, askToTickOff(deposit, seen));
    await tx
      .update(bankDeposits)
      .set({ seenPesewas, seenReason: reason, seenByUserId: by.userId, seenAt: sql`now()` })
      .where(eq(bankDeposits.id, bankDepositId));
    await bookDifference(tx, by, deposit, seenPesewas);
    await auditLog.record(tx, by, [
      {
        action: "cash.bank_seen",
        subjectType: "cash",
        subjectId: bankDepositId,
        after: { booked: show(deposit.amountPesewas), seen: show(seenPesewas), slip: deposit.slip, reason },
      },
    ]);
    return { bankDepositId };
  });
}

async function unseen(tx: Tx, by: ByUser, { bankDepositId, amountPesewas }: TickOff): Promise<Stored> {
  const [deposit] = await tx.select().from(bankDeposits).where(eq(bankDeposits.id, bankDepositId)).for("update");
  if (!deposit) throw new AppError("cash.bank_not_found");
  if (deposit.byUserId === by.userId) throw new AppError("cash.bank_own");
  if (deposit.seenAt) throw new AppError("cash.bank_seen");
  if (deposit.amountPesewas !== amountPesewas) throw new AppError("cash.moved");
  return deposit;
}

async function bookDifference(tx: Tx, by: ByUser, deposit: Stored, seenPesewas: number): Promise<void> {
  const difference = seenPesewas - deposit.amountPesewas;
  if (difference === 0) return;
  const isMissing = difference < 0;
  await ledger.post(tx, [
    {
      ...{ userId: deposit.byUserId, subjectId: deposit.id, byUserId: by.userId },
      ...{ reason: "bank_difference", amountPesewas: Math.abs(difference) },
      debit: isMissing ? "adjustments" : "bank",
      credit: isMissing ? "bank" : "adjustments",
    },
  ]);
}

function askToBring(
  { userId }: ByUser,
  { amountPesewas, slip }: { amountPesewas: number; slip: string },
  safePesewas: number,
): secondPerson.Ask {
  const amount = show(amountPesewas);
  return {
    ...{ kind: "cash.bank", right: "books.see", subject: `bank slip ${slip.toLowerCase()}` },
    command: { amountPesewas, slip },
    seen: { state: { Amount: amount, Slip: slip }, facts: { "In the safe": show(safePesewas) } },
    summary: `book that ${amount} from the safe went to the bank, slip ${slip}`,
    counts: [{ limit: "alone_corrections_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}

/** Null when nothing is missing, and nothing too much. */
function askToTickOff({ id, slip, byUserId, amountPesewas }: Stored, command: TickOff): secondPerson.Ask | null {
  const { seenPesewas, reason } = command;
  const differencePesewas = Math.abs(seenPesewas - amountPesewas);
  if (differencePesewas === 0) return null;
  const kind = seenPesewas < amountPesewas ? "missing" : "too much";
  return {
    ...{ kind: "cash.bank_seen", right: "books.see", subject: `bank deposit ${id}`, concerns: [byUserId] },
    command: { ...command },
    seen: { state: { Slip: slip, Booked: show(amountPesewas), "At the bank": show(seenPesewas) } },
    summary: `tick off bank slip ${slip} with ${show(differencePesewas)} ${kind}`,
    reason,
    counts: [{ limit: "alone_corrections_pesewas", userId: byUserId, pesewas: differencePesewas }],
    amountPesewas: differencePesewas,
  };
}
