// Manual deposits: an agent reports money sent to the shop's number, and the shop's statement or a person confirms it.
// A mobile money transaction is credited only once, whoever reports it.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { deposits } from "../../../../db/schema/payments.ts";
import { type By, type ByUser, limits, type Network } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { as } from "../../../shared/fields.ts";
import { cedis, Id, Reason } from "../../../shared/inputs.ts";
import { show } from "../../../shared/money.ts";
import * as ledger from "../../ledger/ledger.ts";
import { lock } from "../../platform/advisory-locks.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import { command, type Question, type Work } from "../../platform/commands.ts";
import type { Key } from "../../platform/idempotency.ts";
import * as settings from "../../platform/settings/settings.ts";
import { transact } from "../../platform/transactions.ts";
import * as support from "../../support/requests.ts";
import { credit, creditedPesewas } from "./deposit-crediting.ts";
import { type Finding, findingsFor, shownTo } from "./deposit-findings.ts";
import * as matching from "./statement-matching.ts";
import type { StatementLine } from "./statements.ts";

export type Deposit = typeof deposits.$inferSelect;
export type DepositRow = Deposit & {
  username: string;
  /** Who decided it; null while it is open. */
  decidedBy: string | null;
  /** The state of its agent's account. */
  ownerStatus: (typeof users.$inferSelect)["status"];
  /** What the statement says about it now. */
  finding: Finding;
};

/**
 * Files a deposit, which is credited at once when the statement already has it and the limits allow it. Throws
 * claim.below_minimum, claim.transaction_id_invalid, claim.filed_already, request.rate_limited.
 */
export async function file(
  db: Db,
  command: { by: ByUser; transactionId: string; amountPesewas: number },
): Promise<Deposit> {
  const userId = command.by.userId;
  const transactionId = transactionIdIn(command.transactionId);
  if (!/^\d{6,20}$/.test(transactionId)) throw new AppError("claim.transaction_id_invalid");
  const minimumPesewas = await settings.get(db, "manual_top_up_minimum_pesewas");
  if (command.amountPesewas < minimumPesewas) {
    const message = `The minimum deposit is ${show(minimumPesewas)}`;
    throw new AppError("claim.below_minimum", { fields: { amount: message } }, message);
  }
  await budgets.spend(db, "claim.account", userId);
  const network = (await settings.get(db, "manual_payment_network")) as Network;
  const filing = { userId, transactionId, amountPesewas: command.amountPesewas, network };
  try {
    return await transact(db, async (tx) => {
      // With the imports of the statement, so that neither misses the other's row.
      await lock(tx, "statement");
      const [deposit] = await tx.insert(deposits).values(filing).returning();
      await matching.match(tx, [transactionId]);
      const [now] = await tx.select().from(deposits).where(eq(deposits.id, deposit!.id));
      return now!;
    });
  } catch (error) {
    if (databaseError(error)?.constraint === "deposits_filed_once") throw new AppError("claim.filed_already");
    throw error;
  }
}

const OF_DECIDING = ["claim.not_found", "claim.decided", "auth.own_account"] as const;
const OF_CREDITING = ["claim.credited_already", "user.closed", "claim.reversed", "claim.moved"] as const;
const CREDITED_ONCE = {
  deposits_credited_once: "claim.credited_already",
  deposits_line_credited_once: "claim.credited_already",
} as const;

/** Credits another user's deposit with the reported amount, which the statement does not contradict. */
export const approve = command({
  name: "deposit.approve",
  right: "payments.decide",
  about: "Approve a claim and credit the deposit; a transaction ID is credited only once, ever",
  subject: "claim",
  input: { depositId: Id },
  errors: [...OF_DECIDING, ...OF_CREDITING, "claim.amount_differs"],
  isConfirmed: true,
  constraints: CREDITED_ONCE,
  asks: "Manual deposit",
  run: async (work, { depositId }) => {
    const { deposit, finding } = await lockOpen(work, depositId);
    if (finding.kind === "other_amount") throw new AppError("claim.amount_differs");
    await creditWith(work, deposit, finding, { amountPesewas: deposit.amountPesewas, reason: null });
    return { depositId, userId: deposit.userId, status: "approved" as const };
  },
});

/** Credits another user's deposit with what the decider saw on the statement, and tells the agent why. */
export const correct = command({
  name: "deposit.correct",
  right: "payments.decide",
  about: "Credit a claim with the amount of the statement instead of the reported one; the agent sees the reason",
  subject: "claim",
  input: {
    depositId: Id,
    amountPesewas: as("amount", cedis("Give the amount of the statement")),
    reason: Reason,
  },
  errors: [...OF_DECIDING, ...OF_CREDITING, "claim.not_in_statement"],
  isConfirmed: true,
  constraints: CREDITED_ONCE,
  asks: "Manual deposit",
  run: async (work, { depositId, ...credited }) => {
    const { deposit, finding } = await lockOpen(work, depositId);
    if (!finding.line) throw new AppError("claim.not_in_statement");
    const creditedPesewas = await creditWith(work, deposit, finding, credited);
    return { depositId, userId: deposit.userId, creditedPesewas };
  },
});

/** Refuses another user's deposit with a reason for the agent. */
export const refuse = command({
  name: "deposit.refuse",
  right: "payments.decide",
  about: "Refuse a claim with a reason, which the agent sees",
  subject: "claim",
  input: { depositId: Id, reason: Reason },
  errors: OF_DECIDING,
  isConfirmed: true,
  run: async (work, { depositId, reason }) => {
    const { deposit } = await lockOpen(work, depositId);
    await refuseOpen(work, deposit, reason);
    return { depositId, userId: deposit.userId, status: "refused" as const };
  },
});

/** The caller's own deposit; throws claim.not_found, also for somebody else's. */
export async function get(db: Db, by: ByUser, depositId: number): Promise<Deposit> {
  const [deposit] = await db.select().from(deposits).where(eq(deposits.id, depositId));
  if (!deposit || deposit.userId !== by.userId) throw new AppError("claim.not_found");
  return deposit;
}

/** Files a support request about the caller's own deposit. Throws claim.not_found, request.rate_limited. */
export async function reportDelay(
  db: Db,
  report: { by: ByUser; key?: Key | null; depositId: number; message: string },
): Promise<void> {
  const { by, key = null, depositId, message } = report;
  const deposit = await get(db, by, depositId);
  await support.file(db, { by, key, about: { type: "claim", id: deposit.id }, message });
}

/**
 * Deposits newest first, as `viewer` may read them: one user's, or (for staff) everybody's, optionally only open ones.
 */
export async function list(
  db: Db,
  viewer: Pick<By, "roles">,
  filter: {
    userId?: number | undefined;
    openOnly?: boolean | undefined;
    /** The mobile money transaction id, as the network or as an agent writes it. */
    transactionId?: string | undefined;
  },
  page: { cursor?: number | undefined; limit: number },
): Promise<DepositRow[]> {
  const decider = db.select({ id: users.id, name: users.username }).from(users).as("decider");
  const rows = await db
    .select({
      ...{ deposit: deposits, username: users.username, ownerStatus: users.status, decidedBy: decider.name },
    })
    .from(deposits)
    .innerJoin(users, eq(users.id, deposits.userId))
    .leftJoin(decider, eq(decider.id, deposits.decidedByUserId))
    .where(
      and(
        filter.userId === undefined ? undefined : eq(deposits.userId, filter.userId),
        filter.openOnly ? eq(deposits.state, "open") : undefined,
        filter.transactionId ? eq(deposits.transactionId, transactionIdIn(filter.transactionId)) : undefined,
        page.cursor ? lt(deposits.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(deposits.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  const findings = await findingsFor(
    db,
    rows.map(({ deposit }) => deposit),
  );
  return rows.map(({ deposit, ...row }) => {
    const finding = shownTo(viewer, deposit, findings.get(deposit.id)!);
    return { ...deposit, ...row, finding };
  });
}

/** Networks and agents write spaces into it, and zeros before it. */
function transactionIdIn(typed: string): string {
  return typed.replace(/\s/g, "").replace(/^0+(?=\d)/, "");
}

/** Throws user.closed: money for a deleted account goes back to its sender. */
async function refuseClosed(tx: Reads, userId: number): Promise<void> {
  const [owner] = await tx.select({ status: users.status }).from(users).where(eq(users.id, userId));
  if (owner?.status === "CLOSED") throw new AppError("user.closed");
}

/** Another user's open deposit, locked with its wallet, and what the statement says about it. */
async function lockOpen({ tx, by }: Work, depositId: number): Promise<{ deposit: Deposit; finding: Finding }> {
  const [found] = await tx.select().from(deposits).where(eq(deposits.id, depositId));
  if (!found) throw new AppError("claim.not_found");
  if (found.userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [found.userId]);
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, depositId)).for("update");
  if (deposit!.state !== "open") throw new AppError("claim.decided");
  return { deposit: deposit!, finding: (await findingsFor(tx, [deposit!])).get(depositId)! };
}

type Credited = { amountPesewas: number; reason: string | null };

/** Credits a deposit with what is due: the statement's amount where it has the transaction, else the reported one. */
async function creditWith(work: Work, deposit: Deposit, finding: Finding, credited: Credited): Promise<number> {
  const { tx, by, agree } = work;
  await refuseClosed(tx, deposit.userId);
  if (finding.kind === "reversed") throw new AppError("claim.reversed");
  const { line } = finding;
  if ((line ?? deposit).amountPesewas !== credited.amountPesewas) throw new AppError("claim.moved");
  await agree(await questionAbout(tx, deposit, line, credited));
  const { reason } = credited;
  return creditedPesewas(await credit(tx, by, deposit, { line, reason }));
}

async function refuseOpen({ tx, by, audit }: Work, deposit: Deposit, reason: string): Promise<void> {
  const { id, userId, transactionId, amountPesewas } = deposit;
  await tx
    .update(deposits)
    .set({ state: "refused", reason, heldBack: null, decidedByUserId: by.userId, decidedAt: sql`now()` })
    .where(eq(deposits.id, id));
  const after = { userId, transactionId, amount: show(amountPesewas), reason };
  await audit(id, { action: "claim.refused", after });
}

async function questionAbout(
  tx: Reads,
  { id, userId, transactionId, state }: Deposit,
  line: StatementLine | null,
  { amountPesewas, reason }: Credited,
): Promise<Question> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  return {
    ...{ subject: `deposit ${id}`, concerns: [userId] },
    seen: {
      state: { Deposit: state, Amount: show(amountPesewas), "Transaction id": transactionId },
      version: `${owner!.status}, line ${line?.id ?? "none"}`,
    },
    summary: `credit ${owner!.username}'s deposit of ${show(amountPesewas)}`,
    reason,
    counts: [{ limit: "alone_deposits_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}
