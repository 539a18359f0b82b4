// Cash: what staff took for orders, and its way to a colleague who counts it. Cash on hand is what somebody took less
// what they handed in, in the ledger: the account "cash" by person. What comes after the close of a day counts for the
// next one.
import { and, eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { cashCloses } from "../../../db/schema/payments-cash.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import { isActiveWith } from "../platform/staff.ts";

export type CashClose = typeof cashCloses.$inferSelect;

/** A person's cash as it stands. */
export type CashStanding = {
  /** Taken and not handed in, without what waits to be accepted. */
  openPesewas: number;
  /** Handed in, and not accepted yet. */
  waitingPesewas: number;
  /** The close of today, waiting or accepted; null before it. */
  today: CashClose | null;
};

/** The cash that a person took for orders and still has to hand in. */
export async function standing(tx: Reads, userId: number): Promise<CashStanding> {
  const [sums] = await tx.execute<{ taken: number; accepted: number; waiting: number }>(sql`
    select (select coalesce(sum(amount_pesewas), 0)::bigint from transfers
            where reason = 'cash_sale' and by_user_id = ${userId}) as taken,
           coalesce(sum(expected_pesewas) filter (where state = 'accepted'), 0)::bigint as accepted,
           coalesce(sum(expected_pesewas) filter (where state = 'waiting'), 0)::bigint as waiting
    from cash_closes where user_id = ${userId}`);
  const { taken, accepted, waiting } = sums!;
  const [today] = await tx
    .select()
    .from(cashCloses)
    .where(and(eq(cashCloses.userId, userId), sql`day = ${TODAY} and state <> 'refused'`));
  return { openPesewas: taken - accepted - waiting, waitingPesewas: waiting, today: today ?? null };
}

const TODAY = sql`(now() at time zone 'Africa/Accra')::date`;

/** A hand-in as asked for, with the amount that the person saw as theirs to hand in. */
export type HandIn = {
  toUserId: number;
  expectedPesewas: number;
  countedPesewas: number;
  /** Why the two differ; null when they do not. */
  reason: string | null;
};

/**
 * Hands in the caller's cash of today to a colleague with the right to the books, who has to accept it. Throws
 * auth.forbidden, cash.to_whom, cash.nothing, cash.moved, cash.reason_missing, cash.closed_today.
 */
export async function handIn(
  db: Db,
  command: { by: ByUser; key: Key | null } & HandIn,
): Promise<Answered<{ closeId: number }>> {
  const { by, key, toUserId, expectedPesewas, countedPesewas } = command;
  requireRight(by, "cash.take");
  const isEqual = expectedPesewas === countedPesewas;
  const reason = isEqual ? null : (command.reason?.trim() ?? "");
  if (reason === "") throw missingReason();
  if (expectedPesewas === 0 && countedPesewas === 0) throw new AppError("cash.nothing");
  const content = ["cash", toUserId, expectedPesewas, countedPesewas, reason];
  try {
    return await once(db, by.userId, key, content, async (tx) => {
      await lock(tx, "cash");
      if (toUserId === by.userId || !(await receivers(tx)).some(({ id }) => id === toUserId))
        throw new AppError("cash.to_whom", { fields: { to: "Choose a colleague who keeps the cash" } });
      const { openPesewas } = await standing(tx, by.userId);
      if (openPesewas !== expectedPesewas) throw new AppError("cash.moved");
      const [close] = await tx
        .insert(cashCloses)
        .values({ userId: by.userId, day: TODAY, toUserId, expectedPesewas, countedPesewas, reason })
        .returning();
      await auditLog.record(tx, by, [
        {
          action: "cash.hand_in",
          subjectType: "cash",
          subjectId: close!.id,
          after: { ...amountsOf(close!), to: toUserId, reason },
        },
      ]);
      return { closeId: close!.id };
    });
  } catch (error) {
    if (databaseError(error)?.constraint === "cash_closes_once_a_day") throw new AppError("cash.closed_today");
    throw error;
  }
}

function missingReason(): AppError {
  const message = "Say why the counted cash differs";
  return new AppError("cash.reason_missing", { fields: { reason: message } }, message);
}

/** Staff to whom cash can be handed in. */
export async function receivers(tx: Reads): Promise<{ id: number; username: string }[]> {
  return tx
    .select({ id: users.id, username: users.username })
    .from(users)
    .where(isActiveWith("books.see"))
    .orderBy(users.username);
}

/** A decision as asked for, with the amounts that the decider saw. */
export type Decision = { closeId: number; expectedPesewas: number; countedPesewas: number } & (
  | { decision: "accept" }
  | { decision: "refuse"; reason: string }
);

/**
 * Accepts somebody else's cash, which books it and its difference and closes the day, or refuses it with a reason, so
 * that it is counted again. A difference above the limit of corrections takes two people. Throws auth.forbidden,
 * auth.own_account, cash.not_found, cash.decided, cash.moved, auth.confirm_needed, and as secondPerson.require.
 */
export async function decide(
  db: Db,
  command: { by: ByUser; key: Key | null } & Decision,
): Promise<Answered<{ closeId: number; userId: number }>> {
  const { by, key, ...decision } = command;
  requireRight(by, "books.see");
  return once(db, by.userId, key, ["cash close", decision], (tx) => act(tx, by, decision as Decision));
}

/** As `decide`, in the caller's transaction. */
export async function act(tx: Tx, by: ByUser, decision: Decision): Promise<{ closeId: number; userId: number }> {
  requireRight(by, "books.see");
  const { closeId } = decision;
  await lock(tx, "cash");
  const [close] = await tx.select().from(cashCloses).where(eq(cashCloses.id, closeId)).for("update");
  if (!close) throw new AppError("cash.not_found");
  if (close.userId === by.userId) throw new AppError("auth.own_account");
  if (close.state !== "waiting") throw new AppError("cash.decided");
  const { expectedPesewas, countedPesewas } = close;
  if (expectedPesewas !== decision.expectedPesewas || countedPesewas !== decision.countedPesewas)
    throw new AppError("cash.moved");
  const isAccepted = decision.decision === "accept";
  if (isAccepted) requireConfirmed(by);
  await ledger.lockWallets(tx, [close.userId]);
  await secondPerson.require(tx, by, isAccepted ? askToAccept(close, decision) : null);
  if (isAccepted) await ledger.post(tx, entriesOf(close, by));
  await tx
    .update(cashCloses)
    .set({
      state: isAccepted ? "accepted" : "refused",
      refusal: decision.decision === "refuse" ? decision.reason : null,
      decidedByUserId: by.userId,
      decidedAt: sql`now()`,
    })
    .where(eq(cashCloses.id, closeId));
  await auditLog.record(tx, by, [
    {
      action: isAccepted ? "cash.accept" : "cash.refuse",
      subjectType: "cash",
      subjectId: closeId,
      after: {
        userId: close.userId,
        ...amountsOf(close),
        reason: decision.decision === "refuse" ? decision.reason : close.reason,
      },
    },
  ]);
  return { closeId, userId: close.userId };
}

/** Null when nothing is missing, and nothing too much. */
function askToAccept(close: CashClose, decision: Decision): secondPerson.Ask | null {
  const { id, userId, expectedPesewas, countedPesewas } = close;
  const differencePesewas = Math.abs(countedPesewas - expectedPesewas);
  if (differencePesewas === 0) return null;
  const kind = countedPesewas < expectedPesewas ? "missing" : "too much";
  return {
    ...{ kind: "cash.accept", right: "books.see", subject: `cash close ${id}`, concerns: [userId] },
    command: { ...decision },
    seen: { state: { State: close.state, Expected: show(expectedPesewas), Counted: show(countedPesewas) } },
    summary: `accept the cash of user ${userId}, ${close.day}, with ${show(differencePesewas)} ${kind}`,
    reason: close.reason,
    counts: [{ limit: "alone_corrections_pesewas", userId, pesewas: differencePesewas }],
    amountPesewas: differencePesewas,
  };
}

const amountsOf = ({ expectedPesewas, countedPesewas }: CashClose) => ({
  expected: show(expectedPesewas),
  counted: show(countedPesewas),
  difference: show(countedPesewas - expectedPesewas),
});

/** The transfers of an accepted close: what was counted into the safe, and the difference. */
function entriesOf(close: CashClose, by: ByUser): ledger.Transfer[] {
  const { id: subjectId, userId, expectedPesewas, countedPesewas } = close;
  const about = { userId, subjectId, byUserId: by.userId };
  const difference = countedPesewas - expectedPesewas;
  const isMissing = difference < 0;
  const entries: ledger.Transfer[] = [
    { ...about, debit: "safe", credit: "cash", reason: "cash_handed_in", amountPesewas: countedPesewas },
    {
      ...about,
      debit: isMissing ? "adjustments" : "cash",
      credit: isMissing ? "cash" : "adjustments",
      reason: "cash_difference",
      amountPesewas: Math.abs(difference),
    },
  ];
  return entries.filter(({ amountPesewas }) => amountPesewas > 0);
}
