// Manual deposits: an agent reports money sent to the shop's number, an admin finds the transfer and approves it. A
// mobile money transaction is credited only once, whoever reports it.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { deposits } from "../../../db/schema/payments.ts";
import { type ByUser, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import { requireConfirmed, requireRight } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import * as settings from "../platform/settings.ts";
import * as support from "../support/requests.ts";
import { notifyToppedUp } from "./crediting.ts";

export type Deposit = typeof deposits.$inferSelect;
export type DepositRow = Deposit & { username: string };

/**
 * Files a deposit. Throws claim.below_minimum, claim.transaction_id_invalid, claim.filed_already, request.rate_limited.
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
  try {
    const [deposit] = await db
      .insert(deposits)
      .values({ userId, transactionId, amountPesewas: command.amountPesewas })
      .returning();
    return deposit!;
  } catch (error) {
    if (databaseError(error)?.constraint === "claims_filed_once") throw new AppError("claim.filed_already");
    throw error;
  }
}

/**
 * Approves another user's deposit and credits it, as an admin. Throws auth.forbidden, auth.own_account,
 * claim.not_found, claim.decided, claim.credited_already, user.closed, and as secondPerson.require.
 */
export async function approve(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number },
): Promise<Answered<{ depositId: number; userId: number }>> {
  return decide(db, command, "approved", null);
}

/** Refuses a deposit with a reason for the agent, as an admin. Throws as `approve`. */
export async function refuse(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number; reason: string },
): Promise<Answered<{ depositId: number; userId: number }>> {
  return decide(db, command, "refused", command.reason);
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

/** Deposits newest first: one user's, or (for admins) everybody's, optionally only open ones. */
export async function list(
  db: Db,
  filter: {
    userId?: number | undefined;
    openOnly?: boolean | undefined;
    /** The mobile money transaction id, as the network or as an agent writes it. */
    transactionId?: string | undefined;
  },
  page: { cursor?: number | undefined; limit: number },
): Promise<DepositRow[]> {
  const rows = await db
    .select({ deposit: deposits, username: users.username })
    .from(deposits)
    .innerJoin(users, eq(users.id, deposits.userId))
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
  return rows.map((row) => ({ ...row.deposit, username: row.username }));
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

async function decide(
  db: Db,
  command: { by: ByUser; key: Key | null; depositId: number },
  state: "approved" | "refused",
  reason: string | null,
): Promise<Answered<{ depositId: number; userId: number }>> {
  const { by, depositId } = command;
  requireRight(by, "payments.decide");
  requireConfirmed(by);
  try {
    return await once(db, by.userId, command.key, ["claim", depositId, state, reason], async (tx) => {
      const [found] = await tx.select().from(deposits).where(eq(deposits.id, depositId));
      if (!found) throw new AppError("claim.not_found");
      const { userId, amountPesewas } = found;
      if (userId === by.userId) throw new AppError("auth.own_account");
      await ledger.lockWallets(tx, [userId]);
      const [deposit] = await tx.select().from(deposits).where(eq(deposits.id, depositId)).for("update");
      if (deposit!.state !== "open") throw new AppError("claim.decided");
      if (state === "approved") {
        await refuseClosed(tx, userId);
        await secondPerson.require(tx, by, await askToApprove(tx, deposit!));
      }
      await tx
        .update(deposits)
        .set({ state, reason, decidedByUserId: by.userId, decidedAt: sql`now()` })
        .where(eq(deposits.id, depositId));
      if (state === "approved") {
        await ledger.post(tx, [
          {
            userId,
            debit: "cash",
            credit: "wallet",
            amountPesewas,
            reason: "claim",
            subjectId: depositId,
            byUserId: by.userId,
          },
        ]);
        await notifyToppedUp(tx, { userId, amountPesewas });
      }
      await auditLog.record(tx, by, [
        {
          action: `claim.${state}`,
          subjectType: "claim",
          subjectId: depositId,
          after: { userId, transactionId: deposit!.transactionId, amount: show(amountPesewas), reason },
        },
      ]);
      return { depositId, userId };
    });
  } catch (error) {
    if (databaseError(error)?.constraint === "claims_credited_once")
      throw new AppError("claim.credited_already");
    throw error;
  }
}

async function askToApprove(tx: Reads, deposit: Deposit): Promise<secondPerson.Ask> {
  const { id, userId, amountPesewas, transactionId, state } = deposit;
  const [owner] = await tx.select().from(users).where(eq(users.id, userId));
  return {
    ...{ kind: "deposit.approve", right: "payments.decide", subject: `deposit ${id}`, concerns: [userId] },
    command: { depositId: id },
    seen: {
      state: { Deposit: state, Amount: show(amountPesewas), "Transaction id": transactionId },
      version: owner!.status,
    },
    summary: `credit ${owner!.username}'s deposit of ${show(amountPesewas)}`,
    counts: [{ limit: "alone_deposits_pesewas", userId, pesewas: amountPesewas }],
    amountPesewas,
  };
}
