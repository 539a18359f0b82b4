// Manual deposits: an agent reports money sent to the shop's number, and the shop's statement or a person confirms it.
// A mobile money transaction is credited only once, whoever reports it.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { deposits } from "../../../db/schema/payments.ts";
import { type By, type ByUser, limits, type Network } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import * as settings from "../platform/settings.ts";
import { transact } from "../platform/transactions.ts";
import * as support from "../support/requests.ts";
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

/** A decision as asked for, in plain values, with what the asker saw. */
export type Decision =
  | {
      decision: "credit";
      depositId: number;
      /** What is to be credited: the statement's amount where it has the transaction, else the reported one. */
      amountPesewas: number;
      /** The line of the statement; null when it does not show the transfer. */
      lineId: number | null;
      /** Why another amount than the reported one is credited, for the agent. */
      reason: string | null;
    }
  | { decision: "refuse"; depositId: number; reason: string };

export type Decided = { depositId: number; userId: number; creditedPesewas: number };

/**
 * Credits or refuses another user's deposit, by the state that the decider saw. Throws auth.forbidden,
 * auth.own_account, claim.not_found, claim.decided, claim.credited_already, claim.moved, claim.reversed, user.closed,
 * auth.confirm_needed, and as secondPerson.require for credits.
 */
export async function decide(db: Db, command: { by: ByUser; key: Key | null } & Decision): Promise<Answered<Decided>> {
  const { by, key, ...decision } = command;
  requireRight(by, "payments.decide");
  return once(db, by.userId, key, ["claim", decision], (tx) => act(tx, by, decision as Decision));
}

/** As `decide`, in the caller's transaction. */
export async function act(tx: Tx, by: ByUser, decision: Decision): Promise<Decided> {
  requireRight(by, "payments.decide");
  requireConfirmed(by);
  const { depositId } = decision;
  const [found] = await tx.select().from(deposits).where(eq(deposits.id, depositId));
  if (!found) throw new AppError("claim.not_found");
  if (found.userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [found.userId]);
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, depositId)).for("update");
  if (deposit!.state !== "open") throw new AppError("claim.decided");
  if (decision.decision === "refuse") {
    await refuseOpen(tx, by, deposit!, decision.reason);
    return { depositId, userId: found.userId, creditedPesewas: 0 };
  }
  await refuseClosed(tx, found.userId);
  const line = await lineToCredit(tx, deposit!, decision);
  await secondPerson.require(tx, by, await askToCredit(tx, deposit!, decision));
  try {
    // A savepoint: the caller may go on after a refusal.
    const credited = await tx.transaction((inner) =>
      credit(inner as Tx, by, deposit!, { line, reason: decision.reason }),
    );
    return { depositId, userId: found.userId, creditedPesewas: creditedPesewas(credited) };
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === "deposits_credited_once" || constraint === "deposits_line_credited_once")
      throw new AppError("claim.credited_already");
    throw error;
  }
}

/**
 * Approves another user's deposit with the reported amount. Throws as `decide`, and claim.amount_differs when the
 * statement says another amount.
 */
export async function approve(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number },
): Promise<Answered<Decided>> {
  const { by, key, depositId } = command;
  requireRight(by, "payments.decide");
  return once(db, by.userId, key, ["claim", depositId, "approved", null], async (tx) => {
    const { deposit, finding } = await confirmedIn(tx, depositId);
    if (finding.kind === "other_amount") throw new AppError("claim.amount_differs");
    const { amountPesewas } = deposit;
    const lineId = finding.line?.id ?? null;
    return act(tx, by, { decision: "credit", depositId, amountPesewas, lineId, reason: null });
  });
}

/**
 * Credits another user's deposit with what the statement says, and tells the agent why. `amountPesewas` is what the
 * decider saw there. Throws as `decide`, and claim.not_in_statement.
 */
export async function correct(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number; amountPesewas: number; reason: string },
): Promise<Answered<Decided>> {
  const { by, key, depositId, amountPesewas, reason } = command;
  requireRight(by, "payments.decide");
  const content = ["claim", depositId, "corrected", amountPesewas, reason];
  return once(db, by.userId, key, content, async (tx) => {
    const { finding } = await confirmedIn(tx, depositId);
    if (!finding.line) throw new AppError("claim.not_in_statement");
    return act(tx, by, { decision: "credit", depositId, amountPesewas, lineId: finding.line.id, reason });
  });
}

/** Refuses a deposit with a reason for the agent. Throws as `decide`. */
export async function refuse(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number; reason: string },
): Promise<Answered<Decided>> {
  return decide(db, { ...command, decision: "refuse" });
}

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

/** A deposit with what the statement says about it. Throws claim.not_found. */
async function confirmedIn(tx: Reads, depositId: number): Promise<{ deposit: Deposit; finding: Finding }> {
  const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, depositId));
  if (!deposit) throw new AppError("claim.not_found");
  return { deposit, finding: (await findingsFor(tx, [deposit])).get(depositId)! };
}

/** The line to credit against. Throws claim.reversed, and claim.moved when the statement is not what the asker saw. */
async function lineToCredit(
  tx: Reads,
  deposit: Deposit,
  { lineId, amountPesewas }: Extract<Decision, { decision: "credit" }>,
): Promise<StatementLine | null> {
  const { kind, line } = (await findingsFor(tx, [deposit])).get(deposit.id)!;
  if (kind === "reversed") throw new AppError("claim.reversed");
  const duePesewas = line?.amountPesewas ?? deposit.amountPesewas;
  if ((line?.id ?? null) !== lineId || duePesewas !== amountPesewas) throw new AppError("claim.moved");
  return line;
}

async function refuseOpen(tx: Tx, by: ByUser, deposit: Deposit, reason: string): Promise<void> {
  const { id, userId, transactionId, amountPesewas } = deposit;
  await tx
    .update(deposits)
    .set({ state: "refused", reason, heldBack: null, decidedByUserId: by.userId, decidedAt: sql`now()` })
    .where(eq(deposits.id, id));
  await auditLog.record(tx, by, [
    {
      action: "claim.refused",
      subjectType: "claim",
      subjectId: id,
      after: { userId, transactionId, amount: show(amountPesewas), reason },
    },
  ]);
}

async function askToCredit(
  tx: Reads,
  { id, userId, transactionId, state }: Deposit,
  decision: Extract<Decision, { decision: "credit" }>,
): Promise<secondPerson.Ask> {
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  const { amountPesewas, reason } = decision;
  return {
    ...{ kind: "deposit.decide", right: "payments.decide", subject: `deposit ${id}`, concerns: [userId] },
    command: { ...decision },
    seen: {
      state: { Deposit: state, Amount: show(amountPesewas), "Transaction id": transactionId },
      version: owner!.status,
    },
    summary: `credit ${owner!.username}'s deposit of ${show(amountPesewas)}`,
    reason,
    counts: [{ limit: "alone_deposits_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}
