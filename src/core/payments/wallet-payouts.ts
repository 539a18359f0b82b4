// The way out for the balance of a banned or deleted account: all that could be spent of it is paid to its owner, by
// mobile money, into an account of its own, or in cash, out of the safe in the same commit. Held money and debts stay.
// An account that may buy is not paid out: a wallet buys in this shop only (Act 987).
import { and, desc, eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { walletPayouts } from "../../../db/schema/payments-leavers.ts";
import { type ByUser, limits, type PayoutMethod } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show, toCedis } from "../../shared/money.ts";
import { spacedMsisdn } from "../../shared/msisdn.ts";
import { requireConfirmed, requireRight, requireRightOver } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as waits from "../ledger/waits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as payoutNotices from "../messaging/wallet-payout-notices.ts";
import { lock } from "../platform/advisory-locks.ts";
import * as auditLog from "../platform/audit-log.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as secondPerson from "../platform/second-person.ts";
import { requireInSafe } from "./cash-books.ts";

type WalletPayout = typeof walletPayouts.$inferSelect;

/** A payout as asked for: how the money went to whom, and the amount that the asker saw as available. */
export type ToPayOut = {
  userId: number;
  amountPesewas: number;
  /** `msisdn` is the mobile money number, as 233541234567; null for cash. */
  method: PayoutMethod;
  msisdn: string | null;
  name: string;
  /** The network's transaction ID, or the number of the signed receipt. */
  reference: string;
  reason: string;
};
export type PaidOut = { payoutId: number; userId: number; amountPesewas: number; balancePesewas: number };

/**
 * Books that all that could be spent of a banned or deleted account's wallet was paid to its owner, and sends a receipt
 * where a contact is left. Takes a second person, whatever the amount. Throws auth.forbidden, auth.confirm_needed,
 * auth.own_account, user.not_found, wallet.in_use, account.waits, wallet.nothing_to_pay_out, wallet.moved,
 * wallet.payout_known, cash.safe_short, and as secondPerson.require.
 */
export async function payOut(
  db: Db,
  { by, key, ...command }: { by: ByUser; key: Key | null } & ToPayOut,
): Promise<Answered<PaidOut>> {
  requireRight(by, "wallet.pay_out");
  requireConfirmed(by);
  const { userId } = command;
  if (userId === by.userId) throw new AppError("auth.own_account");
  const content = ["wallet payout", command];
  const lockFirst = (tx: Tx) => lockFor(tx, command);
  return refuseKnown(() => once(db, by.userId, key, content, (tx) => act(tx, by, command), lockFirst));
}

/** A payout with the names of the wallet's owner, of whoever asked for it, and of whoever agreed. */
export type PayoutRow = WalletPayout & { username: string; by: string | null; agreedBy: string | null };

/** The latest payouts, of one wallet or of all, newest first. */
export async function list(tx: Reads, filter: { userId?: number }, countMax: number): Promise<PayoutRow[]> {
  const by = tx.select({ id: users.id, name: users.username }).from(users).as("asker");
  const agreed = tx.select({ id: users.id, name: users.username }).from(users).as("decider");
  const rows = await tx
    .select({ payout: walletPayouts, username: users.username, by: by.name, agreedBy: agreed.name })
    .from(walletPayouts)
    .innerJoin(users, eq(users.id, walletPayouts.userId))
    .leftJoin(by, eq(by.id, walletPayouts.byUserId))
    .leftJoin(agreed, eq(agreed.id, walletPayouts.agreedByUserId))
    .where(filter.userId === undefined ? undefined : eq(walletPayouts.userId, filter.userId))
    .orderBy(desc(walletPayouts.id))
    .limit(Math.min(countMax, limits.pageSizeMax));
  return rows.map(({ payout, ...names }) => ({ ...payout, ...names }));
}

async function act(tx: Tx, by: ByUser, command: ToPayOut): Promise<PaidOut> {
  const { userId, amountPesewas } = command;
  const isFromSafe = command.method === "cash";
  await lockFor(tx, command);
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("share");
  if (!user) throw new AppError("user.not_found");
  requireRightOver(by, user, "wallet.pay_out");
  if (user.status === "ACTIVE") throw new AppError("wallet.in_use");
  // Whoever closed it may have had the SIM alone.
  await waits.refuse(tx, { userId, channel: "web" });
  const standing = await wallet.standing(tx, userId);
  refuseOther(standing.availablePesewas, amountPesewas);
  await refuseUsed(tx, command);
  if (isFromSafe) await requireInSafe(tx, amountPesewas);
  await secondPerson.require(tx, by, await askToPayOut(tx, user, standing, command));
  const [payout] = await tx
    .insert(walletPayouts)
    .values({ ...command, isFromSafe, byUserId: by.userId, agreedByUserId: by.approval?.byUserId ?? null })
    .returning();
  const payoutId = payout!.id;
  const about = { userId, subjectId: payoutId, byUserId: by.userId };
  const credit = isFromSafe ? ("safe" as const) : ("paid_out" as const);
  await ledger.post(tx, [{ ...about, debit: "wallet", credit, reason: "wallet_payout", amountPesewas }]);
  await payoutNotices.paidOut(tx, user, command);
  await record(tx, by, standing, command);
  return { payoutId, userId, amountPesewas, balancePesewas: standing.balancePesewas - amountPesewas };
}

/** Cash before the wallet, as whoever accepts a hand-in locks them. */
async function lockFor(tx: Tx, { method, userId }: ToPayOut): Promise<void> {
  if (method === "cash") await lock(tx, "cash");
  await ledger.lockWallets(tx, [userId]);
}

function refuseOther(availablePesewas: number, amountPesewas: number): void {
  if (availablePesewas === 0) throw new AppError("wallet.nothing_to_pay_out");
  if (availablePesewas === amountPesewas) return;
  const message = `${show(availablePesewas)} can be paid out now. Look at it again.`;
  throw new AppError("wallet.moved", { available: toCedis(availablePesewas) }, message);
}

/** Before a second person is asked in vain; the unique index decides. */
async function refuseUsed(tx: Tx, { method, reference }: ToPayOut): Promise<void> {
  const isUsed = and(eq(walletPayouts.method, method), sql`lower(${walletPayouts.reference}) = lower(${reference})`);
  if ((await tx.$count(walletPayouts, isUsed)) > 0) throw known();
}

async function refuseKnown<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (databaseError(error)?.constraint === "wallet_payouts_reference_once") throw known();
    throw error;
  }
}

function known(): AppError {
  const message = "A wallet was paid out with this reference already";
  return new AppError("wallet.payout_known", { fields: { reference: message } }, message);
}

async function askToPayOut(
  tx: Tx,
  user: { id: number; username: string; status: string },
  { availablePesewas, heldPesewas }: wallet.Standing,
  command: ToPayOut,
): Promise<secondPerson.Ask> {
  const [last] = await list(tx, { userId: user.id }, 1);
  return {
    ...{ kind: "wallet.pay_out", right: "wallet.pay_out", subject: `wallet ${user.id}`, concerns: [user.id] },
    command: { ...command },
    seen: {
      state: { Account: user.status, Available: show(availablePesewas) },
      version: `payout ${last?.id ?? 0}`,
      facts: { Held: show(heldPesewas) },
    },
    summary: `pay ${show(availablePesewas)} out of ${user.username}'s wallet ${howOf(command)}`,
    reason: command.reason,
    amountPesewas: command.amountPesewas,
  };
}

/** "by mobile money to 054 123 4567 (Ama Serwaa), transaction 40125560001" */
function howOf({ method, msisdn, name, reference }: Omit<ToPayOut, "userId">): string {
  return method === "momo"
    ? `by mobile money to ${spacedMsisdn(msisdn!)} (${name}), transaction ${reference}`
    : `in cash to ${name}, receipt ${reference}`;
}

function record(tx: Tx, by: ByUser, { balancePesewas }: wallet.Standing, command: ToPayOut) {
  const { userId, amountPesewas, reason } = command;
  return auditLog.record(tx, by, [
    {
      ...{ action: "wallet.pay_out", subjectType: "wallet", subjectId: userId },
      before: { balance: show(balancePesewas) },
      after: {
        ...{ balance: show(balancePesewas - amountPesewas), amount: show(amountPesewas) },
        ...{ paid: howOf(command), reason },
      },
    },
  ]);
}
