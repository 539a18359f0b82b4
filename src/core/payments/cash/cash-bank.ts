// Cash from the safe that is brought to the shop's bank: booked by whoever brought it, above the limit of corrections
// with a second person, and ticked off by somebody else who finds it on the bank's statement. A difference is booked
// then.
import { asc, desc, eq, isNull, sql } from "drizzle-orm";
import type { Reads, Tx } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { bankDeposits } from "../../../../db/schema/payments-cash.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as } from "../../../shared/fields.ts";
import { cedis, Id, requiredText, text } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import { lock } from "../../platform/advisory-locks.ts";
import { command, type Question } from "../../platform/commands.ts";
import { Counted } from "./cash.ts";
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

const AboveZero = cedis("Give an amount above 0").refine((pesewas) => pesewas > 0, "Give an amount above 0");

/** Books cash from the safe that the caller brought to the bank, by the number of its slip. */
export const bring = command({
  name: "cash.bank",
  right: "books.see",
  about: "Book cash from the safe that you brought to the bank, once a slip",
  subject: "cash",
  input: { amountPesewas: as("amount", AboveZero), slip: requiredText(60, "Give the slip's number") },
  errors: ["cash.safe_short", "cash.slip_known"],
  isConfirmed: true,
  constraints: { bank_deposits_slip_once: "cash.slip_known" },
  asks: "Cash brought to the bank",
  run: async ({ tx, by, audit, agree }, { amountPesewas, slip }) => {
    await lock(tx, "cash");
    const safePesewas = await requireInSafe(tx, amountPesewas);
    // Before a second person is asked in vain; the unique index decides.
    const isOfSlip = sql`lower(${bankDeposits.slip}) = lower(${slip})`;
    if ((await tx.$count(bankDeposits, isOfSlip)) > 0) throw new AppError("cash.slip_known");
    await ledger.lockWallets(tx, [by.userId]);
    await agree(questionToBring(by, { amountPesewas, slip }, safePesewas));
    const [row] = await tx.insert(bankDeposits).values({ amountPesewas, slip, byUserId: by.userId }).returning();
    const bankDepositId = row!.id;
    const about = { userId: by.userId, subjectId: bankDepositId, byUserId: by.userId };
    await ledger.post(tx, [{ ...about, debit: "bank", credit: "safe", reason: "cash_banked", amountPesewas }]);
    await audit(bankDepositId, { after: { amount: show(amountPesewas), slip } });
    return { bankDepositId };
  },
});

/**
 * Notes that cash which somebody else brought to the bank is on the bank's statement, and books the difference where
 * that shows another amount. A difference above the limit of corrections takes a second person, who is not the one who
 * brought it.
 */
export const tickOff = command({
  name: "cash.bank_seen",
  right: "books.see",
  about: "Tick off cash that a colleague brought to the bank, as the bank's statement shows it; a difference is booked",
  subject: "cash",
  input: {
    bankDepositId: Id,
    amountPesewas: as("amount", AboveZero.describe("The booked amount that you saw")),
    seenPesewas: as("seen", Counted.describe("On the bank's statement; 0 when it is not there")),
    reason: text(300).trim().optional().describe("Of a difference"),
  },
  errors: ["cash.bank_not_found", "cash.bank_own", "cash.bank_seen", "cash.moved", "cash.reason_missing"],
  isConfirmed: true,
  asks: "Cash at the bank with a difference",
  run: async ({ tx, by, audit, agree }, { bankDepositId, amountPesewas, seenPesewas, ...given }) => {
    const reason = amountPesewas === seenPesewas ? null : (given.reason ?? "");
    if (reason === "") {
      const message = "Say why the bank shows another amount";
      throw new AppError("cash.reason_missing", { fields: { reason: message } }, message);
    }
    await lock(tx, "cash");
    const deposit = await unseen(tx, by, { bankDepositId, amountPesewas });
    await ledger.lockWallets(tx, [deposit.byUserId]);
    await agree(questionToTickOff(deposit, { seenPesewas, reason }));
    await tx
      .update(bankDeposits)
      .set({ seenPesewas, seenReason: reason, seenByUserId: by.userId, seenAt: sql`now()` })
      .where(eq(bankDeposits.id, bankDepositId));
    await bookDifference(tx, by, deposit, seenPesewas);
    const { slip } = deposit;
    await audit(bankDepositId, { after: { booked: show(amountPesewas), seen: show(seenPesewas), slip, reason } });
    return { bankDepositId };
  },
});

type Found = { bankDepositId: number; amountPesewas: number };

async function unseen(tx: Tx, by: ByUser, { bankDepositId, amountPesewas }: Found): Promise<Stored> {
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

function questionToBring(
  { userId }: ByUser,
  { amountPesewas, slip }: { amountPesewas: number; slip: string },
  safePesewas: number,
): Question {
  const amount = show(amountPesewas);
  return {
    subject: `bank slip ${slip.toLowerCase()}`,
    seen: { state: { Amount: amount, Slip: slip }, facts: { "In the safe": show(safePesewas) } },
    summary: `book that ${amount} from the safe went to the bank, slip ${slip}`,
    counts: [{ limit: "alone_corrections_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}

/** Null when nothing is missing, and nothing too much. */
function questionToTickOff(
  { id, slip, byUserId, amountPesewas }: Stored,
  { seenPesewas, reason }: { seenPesewas: number; reason: string | null },
): Question | null {
  const differencePesewas = Math.abs(seenPesewas - amountPesewas);
  if (differencePesewas === 0) return null;
  const kind = seenPesewas < amountPesewas ? "missing" : "too much";
  return {
    ...{ subject: `bank deposit ${id}`, concerns: [byUserId] },
    seen: { state: { Slip: slip, Booked: show(amountPesewas), "At the bank": show(seenPesewas) } },
    summary: `tick off bank slip ${slip} with ${show(differencePesewas)} ${kind}`,
    reason,
    counts: [{ limit: "alone_corrections_pesewas", userId: byUserId, pesewas: differencePesewas }],
    amountPesewas: differencePesewas,
  };
}
