// Cash: what staff took for orders, and its way to a colleague who counts it. Cash on hand is what somebody took less
// what they handed in, in the ledger: the account "cash" by person. What comes after the close of a day counts for the
// next one.
import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { cashCloses } from "../../../../db/schema/payments-cash.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as } from "../../../shared/fields.ts";
import { cedis, Id, text } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import { requireConfirmed } from "../../../shared/rights.ts";
import * as ledger from "../../ledger/ledger.ts";
import { lock } from "../../platform/advisory-locks.ts";
import { isActiveWith } from "../../platform/colleagues/staff.ts";
import { command, type Question } from "../../platform/commands.ts";

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

/** An amount that somebody counted, or saw. */
export const Counted = cedis("Give what was counted").refine((pesewas) => pesewas >= 0, "Give what was counted");

/** Hands in the caller's cash of today, as they saw it, to a colleague with the right to the books. */
export const handIn = command({
  name: "cash.hand_in",
  right: "cash.take",
  about: "Hand in your cash of today to a colleague who may see the books, and who accepts it",
  subject: "cash",
  input: {
    toUserId: as("to", Id),
    expectedPesewas: as("expected", Counted.describe("What you saw as open")),
    countedPesewas: as("counted", Counted),
    reason: text(300).trim().optional(),
  },
  errors: ["cash.to_whom", "cash.nothing", "cash.moved", "cash.reason_missing", "cash.closed_today"],
  constraints: { cash_closes_once_a_day: "cash.closed_today" },
  run: async ({ tx, by, audit }, { toUserId, expectedPesewas, countedPesewas, ...given }) => {
    const reason = expectedPesewas === countedPesewas ? null : (given.reason ?? "");
    if (reason === "") throw missingReason("Say why the counted cash differs");
    if (expectedPesewas === 0 && countedPesewas === 0) throw new AppError("cash.nothing");
    await lock(tx, "cash");
    if (toUserId === by.userId || !(await receivers(tx)).some(({ id }) => id === toUserId))
      throw new AppError("cash.to_whom", { fields: { to: "Choose a colleague who keeps the cash" } });
    const { openPesewas } = await standing(tx, by.userId);
    if (openPesewas !== expectedPesewas) throw new AppError("cash.moved");
    const [close] = await tx
      .insert(cashCloses)
      .values({ userId: by.userId, day: TODAY, toUserId, expectedPesewas, countedPesewas, reason })
      .returning();
    await audit(close!.id, { after: { ...amountsOf(close!), to: toUserId, reason } });
    return { closeId: close!.id };
  },
});

function missingReason(message: string): AppError {
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

/**
 * Accepts somebody else's cash, with the amounts that the decider saw, which books it and its difference and closes the
 * day; or refuses it with a reason, so that it is counted again. A difference above the limit of corrections takes two
 * people.
 */
export const decide = command({
  name: "cash.decide",
  right: "books.see",
  about: "Accept a colleague's cash, which closes their day and books the difference, or send it back",
  subject: "cash",
  input: {
    closeId: Id,
    decision: z.enum(["accept", "refuse"]),
    expectedPesewas: as("expected", Counted),
    countedPesewas: as("counted", Counted),
    reason: text(300).trim().optional().describe("Of a refusal"),
  },
  errors: ["cash.not_found", "cash.decided", "cash.moved", "cash.reason_missing", "auth.own_account"],
  asks: "Cash with a difference",
  run: async ({ tx, by, audit, agree }, { closeId, decision, reason, ...seen }) => {
    const isAccepted = decision === "accept";
    if (!isAccepted && !reason) throw missingReason("Say what you counted");
    await lock(tx, "cash");
    const [close] = await tx.select().from(cashCloses).where(eq(cashCloses.id, closeId)).for("update");
    if (!close) throw new AppError("cash.not_found");
    if (close.userId === by.userId) throw new AppError("auth.own_account");
    if (close.state !== "waiting") throw new AppError("cash.decided");
    if (close.expectedPesewas !== seen.expectedPesewas || close.countedPesewas !== seen.countedPesewas)
      throw new AppError("cash.moved");
    if (isAccepted) requireConfirmed(by);
    await ledger.lockWallets(tx, [close.userId]);
    await agree(isAccepted ? questionAbout(close) : null);
    if (isAccepted) await ledger.post(tx, entriesOf(close, by));
    const decided = { decidedByUserId: by.userId, decidedAt: sql`now()` };
    await tx
      .update(cashCloses)
      .set({ ...decided, state: isAccepted ? "accepted" : "refused", refusal: isAccepted ? null : reason })
      .where(eq(cashCloses.id, closeId));
    await audit(closeId, {
      action: isAccepted ? "cash.accept" : "cash.refuse",
      after: { userId: close.userId, ...amountsOf(close), reason: isAccepted ? close.reason : reason },
    });
    return { closeId, userId: close.userId };
  },
});

/** Null when nothing is missing, and nothing too much. */
function questionAbout(close: CashClose): Question | null {
  const { id, userId, expectedPesewas, countedPesewas } = close;
  const differencePesewas = Math.abs(countedPesewas - expectedPesewas);
  if (differencePesewas === 0) return null;
  const kind = countedPesewas < expectedPesewas ? "missing" : "too much";
  return {
    ...{ subject: `cash close ${id}`, concerns: [userId] },
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
