// A user's wallet: its balance, its history, statements between two dates, and corrections by admins.
import { and, desc, eq, gt, gte, lt, or, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { adjustments, transfers, wallets } from "../../../db/schema/ledger.ts";
import { type By, limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as } from "../../shared/fields.ts";
import { availableOf, type Funds } from "../../shared/funds.ts";
import { cedis, Id, Reason } from "../../shared/inputs.ts";
import { show, toCedis } from "../../shared/money.ts";
import { requireRightOver } from "../../shared/rights.ts";
import { command, type Question } from "../platform/commands.ts";
import * as freezing from "./freezing.ts";
import * as ledger from "./ledger.ts";
import { queueTopUpWebhook } from "./top-up-webhooks.ts";
import { presentEntry, selectEntries, type WalletEntry } from "./wallet-entries.ts";

export type { WalletEntry };

/** The balance in pesewas; 0 for a user without a wallet. For what can be spent of it see `standing`. */
export async function balance(tx: Reads, userId: number): Promise<number> {
  return (await standing(tx, userId)).balancePesewas;
}

/** Why held money cannot be spent; follows its amount. */
export const HELD = "is held until the bank or the network decides";

/** A wallet's balance, the part held for open chargebacks, its debt, and what is available to spend. */
export type Standing = {
  balancePesewas: number;
  heldPesewas: number;
  owedPesewas: number;
  availablePesewas: number;
};

/** A wallet's amounts, in pesewas; all 0 for a user without one. */
export async function standing(tx: Reads, userId: number): Promise<Standing> {
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.userId, userId));
  const { balancePesewas = 0, heldPesewas = 0, debtPesewas = 0 } = wallet ?? {};
  const availablePesewas = availableOf({ balancePesewas, heldPesewas });
  return { balancePesewas, heldPesewas, owedPesewas: debtPesewas, availablePesewas };
}

/**
 * Locks a buyer's wallet, so that their commands run in turn. Throws auth.banned when the account is not active, and
 * account.frozen.
 */
export async function lockBuyer(tx: Tx, userId: number): Promise<void> {
  await ledger.lockWallets(tx, [userId]);
  const [user] = await tx.select({ status: users.status }).from(users).where(eq(users.id, userId));
  if (user?.status !== "ACTIVE") throw new AppError("auth.banned");
  await freezing.refuse(tx, userId);
}

/** The error wallet.insufficient_balance, with what is required, available and missing in cedis. */
export function insufficient(requiredPesewas: number, { balancePesewas, heldPesewas }: Funds): AppError {
  const availablePesewas = availableOf({ balancePesewas, heldPesewas });
  const details = {
    required: toCedis(requiredPesewas),
    balance: toCedis(balancePesewas),
    held: toCedis(heldPesewas),
    available: toCedis(availablePesewas),
    missing: toCedis(requiredPesewas - availablePesewas),
  };
  const message = `Insufficient wallet balance: ${show(heldPesewas)} ${HELD}`;
  return new AppError("wallet.insufficient_balance", details, heldPesewas > 0 ? message : undefined);
}

/** From `from` up to but not including `to`. */
export type Range = { from: Date; to: Date };

/** The wallet's movements, of a range if given, newest first, those before the id `cursor`. */
export async function history(
  tx: Reads,
  userId: number,
  page: { cursor?: number | undefined; limit: number },
  range?: Range,
): Promise<WalletEntry[]> {
  const rows = await selectEntries(tx)
    .where(and(ofWallet(userId), range && inRange(range), page.cursor ? lt(transfers.id, page.cursor) : undefined))
    .orderBy(desc(transfers.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
  return rows.map(presentEntry);
}

export type Statement = {
  from: Date;
  to: Date;
  openingPesewas: number;
  closingPesewas: number;
  /** Oldest first. */
  entries: WalletEntry[];
};

/** A wallet's money in and out within a range, and the balances before and after, in pesewas. */
export async function turnover(
  tx: Reads,
  userId: number,
  range: Range,
): Promise<{ openingPesewas: number; inPesewas: number; outPesewas: number; closingPesewas: number }> {
  const sumOf = (side: "debit" | "credit") =>
    sql<number>`coalesce(sum(${transfers.amountPesewas}) filter (where ${transfers[side]} = 'wallet'), 0)::bigint`;
  const [openingPesewas, [sums]] = await Promise.all([
    balanceBefore(tx, userId, range.from),
    tx
      .select({ inPesewas: sumOf("credit"), outPesewas: sumOf("debit") })
      .from(transfers)
      .where(and(ofWallet(userId), inRange(range))),
  ]);
  const { inPesewas, outPesewas } = sums!;
  return { openingPesewas, inPesewas, outPesewas, closingPesewas: openingPesewas + inPesewas - outPesewas };
}

/**
 * Every movement of a range, oldest first, in batches by id, so that a long statement is never in memory at once. A
 * wallet's transfers are append-only, so the batches add up.
 */
export async function* inBatches(
  db: Db,
  userId: number,
  range: Range,
  batchSize = 1_000,
): AsyncGenerator<WalletEntry[]> {
  let after = 0;
  for (;;) {
    const rows = await selectEntries(db)
      .where(and(ofWallet(userId), inRange(range), gt(transfers.id, after)))
      .orderBy(transfers.id)
      .limit(batchSize);
    if (rows.length > 0) yield rows.map(presentEntry);
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.transfer.id;
  }
}

/** The wallet's balance before a moment, in pesewas. */
export async function balanceBefore(tx: Reads, userId: number, moment: Date): Promise<number> {
  const [last] = await tx
    .select({ balance: transfers.balanceAfterPesewas })
    .from(transfers)
    .where(and(ofWallet(userId), lt(transfers.createdAt, moment)))
    .orderBy(desc(transfers.id))
    .limit(1);
  return last?.balance ?? 0;
}

/**
 * Every movement from `from` up to but not including `to`, with the balances before and after.
 * Throws wallet.statement_too_long for more than limits.statementEntries.
 */
export async function statement(db: Db, userId: number, from: Date, to: Date): Promise<Statement> {
  return db.transaction(
    async (tx) => {
      const rows = await selectEntries(tx)
        .where(and(ofWallet(userId), inRange({ from, to })))
        .orderBy(transfers.id)
        .limit(limits.statementEntries + 1);
      if (rows.length > limits.statementEntries) throw new AppError("wallet.statement_too_long");
      const openingPesewas = await balanceBefore(tx, userId, from);
      const all = rows.map(presentEntry);
      return {
        from,
        to,
        openingPesewas,
        closingPesewas: all.at(-1)?.balanceAfterPesewas ?? openingPesewas,
        entries: all,
      };
    },
    { isolationLevel: "repeatable read", accessMode: "read only" },
  );
}

const SIGNED = "Enter an amount such as 50.00, or -50.00 to take it out";

/** Corrects another user's wallet by a signed amount, with a reason; that of staff only as an owner. */
export const adjust = command({
  name: "wallet.adjust",
  right: "wallet.correct",
  about: "Correct a wallet by a signed amount, with a reason",
  subject: "wallet",
  input: {
    userId: Id,
    amountPesewas: as(
      "amount",
      cedis(SIGNED)
        .refine((pesewas) => pesewas !== 0, SIGNED)
        .describe("Signed GH₵: positive adds, negative removes"),
    ),
    reason: Reason,
  },
  errors: ["user.not_found", "user.closed", "auth.own_account", "wallet.insufficient_balance"],
  isConfirmed: true,
  asks: "Correction of a wallet",
  lockFirst: (tx, { userId }) => ledger.lockWallets(tx, [userId]),
  run: async ({ tx, by, audit, agree }, { userId, amountPesewas, reason }) => {
    if (userId === by.userId) throw new AppError("auth.own_account");
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for("share");
    if (!user) throw new AppError("user.not_found");
    requireRightOver(by, user, "wallet.correct");
    // A late refund to a closed account can still be taken off it.
    if (user.status === "CLOSED" && amountPesewas > 0) throw new AppError("user.closed");
    await ledger.lockWallets(tx, [userId]);
    const before = await standing(tx, userId);
    if (-amountPesewas > before.availablePesewas) throw insufficient(-amountPesewas, before);
    await agree(await questionAbout(tx, user, before, { amountPesewas, reason }));
    const adjustmentId = await correct(tx, by, { userId, amountPesewas, reason });
    const after = await balance(tx, userId);
    await audit(userId, {
      before: { balance: show(before.balancePesewas) },
      after: { balance: show(after), amount: show(amountPesewas), reason },
    });
    return { userId, balancePesewas: after, adjustmentId };
  },
});

/**
 * A wallet that is in use moves all the time: to add money, what counts is that nobody else has corrected it meanwhile;
 * to take some out, also what is in it.
 */
async function questionAbout(
  tx: Tx,
  user: { id: number; username: string; status: string },
  { balancePesewas }: Standing,
  { amountPesewas, reason }: { amountPesewas: number; reason: string },
): Promise<Question> {
  const [last] = await tx
    .select({ id: adjustments.id })
    .from(adjustments)
    .where(eq(adjustments.userId, user.id))
    .orderBy(desc(adjustments.id))
    .limit(1);
  const isCredit = amountPesewas > 0;
  const amount = show(Math.abs(amountPesewas));
  const balanceShown = { Balance: show(balancePesewas) };
  return {
    ...{ subject: `wallet ${user.id}`, concerns: [user.id] },
    seen: {
      state: { Account: user.status, ...(!isCredit && balanceShown) },
      version: `correction ${last?.id ?? 0}`,
      facts: isCredit ? balanceShown : {},
    },
    summary: isCredit
      ? `add ${amount} to ${user.username}'s wallet`
      : `take ${amount} out of ${user.username}'s wallet`,
    reason,
    counts: [{ limit: "alone_corrections_pesewas", userId: user.id, pesewas: Math.abs(amountPesewas) }],
    amountPesewas,
  };
}

/** Posts a correction of a wallet in the caller's transaction; returns its id. */
export async function correct(
  tx: Tx,
  by: By,
  change: { userId: number; amountPesewas: number; reason: string },
): Promise<number> {
  const [adjustment] = await tx
    .insert(adjustments)
    .values({ ...change, byUserId: by.userId })
    .returning();
  const { userId, amountPesewas } = change;
  const isCredit = amountPesewas > 0;
  const [balancePesewas] = await ledger.post(tx, [
    {
      userId,
      debit: isCredit ? "adjustments" : "wallet",
      credit: isCredit ? "wallet" : "adjustments",
      amountPesewas: Math.abs(amountPesewas),
      reason: "adjustment",
      subjectId: adjustment!.id,
      byUserId: by.userId,
    },
  ]);
  const of = { source: "correction", id: adjustment!.id, reference: null } as const;
  if (isCredit) await queueTopUpWebhook(tx, { userId, amountPesewas, balancePesewas: balancePesewas!, ...of });
  return adjustment!.id;
}

function ofWallet(userId: number) {
  return and(eq(transfers.userId, userId), or(eq(transfers.debit, "wallet"), eq(transfers.credit, "wallet")));
}

function inRange({ from, to }: Range) {
  return and(gte(transfers.createdAt, from), lt(transfers.createdAt, to));
}
