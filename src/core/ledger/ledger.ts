// The ledger. With posting.ts and the purchase statement the only writer of wallets and transfers; audit.ts proves them
// independently of the code that wrote them.
import { sql } from "drizzle-orm";
import { databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { type Posted, posting, type Transfer } from "./posting.ts";

export type { Transfer };

/**
 * Locks wallets in the one order that all code uses. Call it before locking orders, because a purchase locks its wallet
 * before it touches orders.
 */
export async function lockWallets(tx: Tx, userIds: number[]): Promise<void> {
  const ids = sql.param([...new Set(userIds)]);
  await tx.execute(sql`select 1 from wallets where user_id = any(${ids}::bigint[]) order by user_id for update`);
}

/**
 * Takes money in the caller's transaction: updates the wallets and appends the transfers. A wallet's version changes
 * too, which tells a purchase that waited for the lock that what it read is stale. Money into a wallet with a debt pays
 * the debt first, by a transfer of its own right behind it. Held money cannot be spent, only taken back by a reversal.
 * Returns the wallet's balance in pesewas after each entry, debt payment included, in their order (null where no wallet
 * is involved).
 * Throws wallet.insufficient_balance when a wallet would fall below zero or spend held money. Posting a transfer twice
 * (same reason and subject) violates transfers_once_per_subject and aborts the transaction.
 */
export async function post(tx: Tx, entries: Transfer[]): Promise<(number | null)[]> {
  if (entries.length === 0) return [];
  await lockWallets(
    tx,
    entries.map((e) => e.userId),
  );
  try {
    const posted = await tx.execute<Posted>(posting(entries));
    if (posted.some((row) => row.overspent)) throw new AppError("wallet.insufficient_balance");
    // The debt payment follows its entry, so the last row of an entry has the final balance.
    return [...new Map(posted.map((row) => [row.n, row.balance_after])).values()];
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === "wallets_never_below_zero" || constraint === "transfers_balance_not_below_zero") {
      throw new AppError("wallet.insufficient_balance");
    }
    throw error;
  }
}

/** Sets a wallet's held amount to that of its open chargebacks and reversals, in a transaction that has locked it. */
export async function hold(tx: Tx, userId: number): Promise<void> {
  await tx.execute(sql`
    update wallets w set held_pesewas = h.pesewas, version = version + 1
    from (select coalesce(sum(held_pesewas), 0)::bigint as pesewas from (
            select held_pesewas from payment_reversals
            where user_id = ${userId} and kind = 'chargeback' and state = 'open'
            union all
            select held_pesewas from deposit_reversals where user_id = ${userId} and state = 'open') open) h
    where w.user_id = ${userId} and w.held_pesewas <> h.pesewas`);
}

/** A part of a wallet that cannot be spent until somebody decides about a chargeback or a deposit taken back. */
export type Hold = { kind: "chargeback" | "deposit"; id: number; pesewas: number };

/** What holds money of a wallet, oldest first. */
export async function holdsOf(tx: Reads, userId: number): Promise<Hold[]> {
  return tx.execute<Hold>(sql`
    select 'chargeback' as kind, id, held_pesewas as pesewas, created_at from payment_reversals
    where user_id = ${userId} and kind = 'chargeback' and state = 'open' and held_pesewas > 0
    union all
    select 'deposit', id, held_pesewas, created_at from deposit_reversals
    where user_id = ${userId} and state = 'open' and held_pesewas > 0
    order by created_at`);
}
