// The way out for the balance of a banned or deleted account: all that could be spent of it is paid to its owner, by
// mobile money, into an account of its own, or in cash, out of the safe in the same commit. Held money and debts stay.
// An account that may buy is not paid out: a wallet buys in this shop only (Act 987).
import { and, desc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { walletPayouts } from "../../../db/schema/payments-leavers.ts";
import { type ByUser, limits, PAYOUT_METHODS, type PayoutMethod } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as, type Values } from "../../shared/fields.ts";
import { AboveZero, Id, Reason, requiredText, text } from "../../shared/inputs.ts";
import { show, toCedis } from "../../shared/money.ts";
import { parseMsisdn, spacedMsisdn } from "../../shared/phones/msisdn.ts";
import { requireRightOver } from "../../shared/rights.ts";
import * as ledger from "../ledger/ledger.ts";
import * as waits from "../ledger/waits.ts";
import * as wallet from "../ledger/wallet.ts";
import * as payoutNotices from "../messaging/wallet-payout-notices.ts";
import { lock } from "../platform/advisory-locks.ts";
import { command, type Question } from "../platform/commands.ts";
import { requireInSafe } from "./cash/cash-books.ts";

type WalletPayout = typeof walletPayouts.$inferSelect;

const PayeeNumber = "Give the mobile money number that was paid";

/**
 * Books that all that could be spent of a banned or deleted account's wallet was paid to its owner, and sends a receipt
 * where a contact is left. Takes a second person, whatever the amount.
 */
export const payOut = command({
  name: "wallet.pay_out",
  right: "wallet.pay_out",
  about: "Book that all that is available in a banned or deleted account's wallet was paid to its owner",
  subject: "wallet",
  input: {
    userId: Id,
    amountPesewas: as("amount", AboveZero.describe("What you saw as available; refused if it differs")),
    method: z.enum(PAYOUT_METHODS),
    msisdn: text(40, PayeeNumber).default("").describe("The mobile money number that was paid; empty for cash"),
    name: requiredText(100, "Give the name of who got the money"),
    reference: text(20)
      .trim()
      .regex(/^[\w./-]{3,20}$/, "3 to 20 letters and digits")
      .describe("The network's transaction ID, or the number of the signed receipt"),
    reason: Reason,
  },
  errors: [
    ...(["user.not_found", "auth.own_account", "wallet.in_use", "account.waits", "wallet.nothing_to_pay_out"] as const),
    ...(["wallet.moved", "wallet.payout_known", "cash.safe_short"] as const),
  ],
  isConfirmed: true,
  constraints: { wallet_payouts_reference_once: known },
  asks: "Payout of a wallet",
  lockFirst: lockFor,
  run: async (work, { msisdn: typed, ...given }) => {
    const { tx, by, audit, agree } = work;
    const { userId, amountPesewas } = given;
    if (userId === by.userId) throw new AppError("auth.own_account");
    const payout = { ...given, msisdn: given.method === "cash" ? null : numberIn(typed) };
    const isFromSafe = payout.method === "cash";
    await lockFor(tx, payout);
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("share");
    if (!user) throw new AppError("user.not_found");
    requireRightOver(by, user, "wallet.pay_out");
    if (user.status === "ACTIVE") throw new AppError("wallet.in_use");
    // Whoever closed it may have had the SIM alone.
    await waits.refuse(tx, { userId, channel: "web" });
    const standing = await wallet.standing(tx, userId);
    refuseOther(standing.availablePesewas, amountPesewas);
    await refuseUsed(tx, payout);
    if (isFromSafe) await requireInSafe(tx, amountPesewas);
    await agree(await questionAbout(tx, user, standing, payout));
    const payoutId = await book(tx, by, payout);
    await payoutNotices.paidOut(tx, user, payout);
    const balancePesewas = standing.balancePesewas - amountPesewas;
    await audit(userId, {
      before: { balance: show(standing.balancePesewas) },
      after: {
        ...{ balance: show(balancePesewas), amount: show(amountPesewas) },
        ...{ paid: howOf(payout), reason: payout.reason },
      },
    });
    return { payoutId, userId, amountPesewas, balancePesewas };
  },
});

/** A payout as it is stored; `msisdn` is null for cash. */
type ToPayOut = Omit<Values<typeof payOut.declared.input>, "msisdn"> & { msisdn: string | null };

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

function numberIn(typed: string): string {
  const msisdn = parseMsisdn(typed);
  if (!msisdn) throw new AppError("request.invalid", { fields: { msisdn: PayeeNumber } }, PayeeNumber);
  return msisdn;
}

/** Stores a payout, and posts it; returns its id. */
async function book(tx: Tx, by: ByUser, payout: ToPayOut): Promise<number> {
  const { userId, amountPesewas } = payout;
  const isFromSafe = payout.method === "cash";
  const [row] = await tx
    .insert(walletPayouts)
    .values({ ...payout, isFromSafe, byUserId: by.userId, agreedByUserId: by.approval?.byUserId ?? null })
    .returning();
  const payoutId = row!.id;
  const about = { userId, subjectId: payoutId, byUserId: by.userId };
  const credit = isFromSafe ? ("safe" as const) : ("paid_out" as const);
  await ledger.post(tx, [{ ...about, debit: "wallet", credit, reason: "wallet_payout", amountPesewas }]);
  return payoutId;
}

/** Cash before the wallet, as whoever accepts a hand-in locks them. */
async function lockFor(tx: Tx, { method, userId }: { method: PayoutMethod; userId: number }): Promise<void> {
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

function known(): AppError {
  const message = "A wallet was paid out with this reference already";
  return new AppError("wallet.payout_known", { fields: { reference: message } }, message);
}

/** What a request for a second person is about. */
export const subjectOf = (userId: number) => `wallet ${userId}`;

async function questionAbout(
  tx: Tx,
  user: { id: number; username: string; status: string },
  { availablePesewas, heldPesewas }: wallet.Standing,
  payout: ToPayOut,
): Promise<Question> {
  const [last] = await list(tx, { userId: user.id }, 1);
  return {
    ...{ subject: subjectOf(user.id), concerns: [user.id] },
    seen: {
      state: { Account: user.status, Available: show(availablePesewas) },
      version: `payout ${last?.id ?? 0}`,
      facts: { Held: show(heldPesewas) },
    },
    summary: `pay ${show(availablePesewas)} out of ${user.username}'s wallet ${howOf(payout)}`,
    reason: payout.reason,
    amountPesewas: payout.amountPesewas,
  };
}

/** "by mobile money to 054 123 4567 (Ama Serwaa), transaction 40125560001" */
function howOf({ method, msisdn, name, reference }: Omit<ToPayOut, "userId">): string {
  return method === "momo"
    ? `by mobile money to ${spacedMsisdn(msisdn!)} (${name}), transaction ${reference}`
    : `in cash to ${name}, receipt ${reference}`;
}
