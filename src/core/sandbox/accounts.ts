// Accounts of a sandbox: a twin for each live account that tries something out, test money for it, and a fresh start.
import type { Db, Tx } from "../../../db/connect.ts";
import { SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { show } from "../../shared/money.ts";
import * as apiKeyCallers from "../identity/api-key-callers.ts";
import * as twins from "../identity/twins.ts";
import type { User } from "../identity/users.ts";
import * as ledger from "../ledger/ledger.ts";
import * as wallet from "../ledger/wallet.ts";
import { type Answered, type Key, once } from "../platform/idempotency.ts";
import * as hooks from "../webhooks/passing-time.ts";

/** What a twin begins with. */
export const FIRST_PESEWAS = 100_000;
/** More than any test needs, and far from what a number can hold. */
const BALANCE_MAX_PESEWAS = 100_000_000;

/** The twin of a live account, opened with test money at the first sight of it. */
export function twinOf(db: Db, live: twins.LiveAccount): Promise<User> {
  return twins.of(db, live, endow);
}

/**
 * Adds test money; returns the new balance in pesewas. The same key again adds nothing. Throws sandbox.too_much_money,
 * and as `once`.
 */
export async function topUp(
  db: Db,
  command: { userId: number; key: Key | null; amountPesewas: number },
): Promise<Answered<number>> {
  const { userId, key, amountPesewas } = command;
  const lockFirst = (tx: Tx) => ledger.lockWallets(tx, [userId]);
  const work = async (tx: Tx) => {
    await ledger.lockWallets(tx, [userId]);
    if ((await wallet.balance(tx, userId)) + amountPesewas > BALANCE_MAX_PESEWAS)
      throw new AppError(
        "sandbox.too_much_money",
        undefined,
        `A sandbox account holds at most ${show(BALANCE_MAX_PESEWAS)}. Spend some, or start afresh.`,
      );
    await wallet.correct(tx, SYSTEM, { userId, amountPesewas, reason: "Test money" });
    return wallet.balance(tx, userId);
  };
  return once(db, userId, key, ["sandbox top-up", amountPesewas], work, lockFirst);
}

/**
 * Starts afresh: a new twin, with the first test money and no orders, takes the place of this one, and gets its keys
 * and webhooks. Throws user.not_found for an account that is no twin, and request.rate_limited.
 */
export function reset(db: Db, userId: number): Promise<User> {
  return twins.replace(db, userId, endow, async (tx, from, to) => {
    await apiKeyCallers.moveAll(tx, from, to);
    await hooks.moveAll(tx, from, to);
  });
}

async function endow(tx: Tx, userId: number): Promise<void> {
  await wallet.correct(tx, SYSTEM, { userId, amountPesewas: FIRST_PESEWAS, reason: "Test money" });
}
