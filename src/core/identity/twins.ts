// Twins: the accounts that play live accounts in a sandbox. A twin has neither mailbox nor password; only test keys and
// its owner's passes act as it.
import { eq, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { twins } from "../../../db/schema/identity-twins.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as ledger from "../ledger/ledger.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { transact } from "../platform/transactions.ts";
import { closeUnfinished } from "./erasure.ts";
import { type User, visible } from "./users.ts";

/** What a live account is known by here. */
export type LiveAccount = { userId: number; username: string };

/**
 * The twin of a live account, which is opened at the first sight of it; `endow` then gives it what a new one has. Of
 * two calls at once one opens it.
 */
export async function of(db: Db, live: LiveAccount, endow: Endow): Promise<User> {
  return (await find(db, live.userId)) ?? (await open(db, live, endow));
}

/** Runs in the transaction that opens an account. */
export type Endow = (tx: Tx, userId: number) => Promise<void>;

/**
 * Puts a fresh account in the place of a twin, under its name; `endow` gives it what a new one has, and `move` what it
 * takes over. The account before is closed, so that nothing that is under way can go on with it. Throws user.not_found
 * for an account that is no twin, or none any more, and request.rate_limited.
 */
export async function replace(
  db: Db,
  userId: number,
  endow: Endow,
  move: (tx: Tx, from: number, to: number) => Promise<void>,
): Promise<User> {
  return transact(db, async (tx) => {
    const [twin] = await tx.select().from(twins).where(eq(twins.userId, userId)).for("update");
    if (!twin) throw new AppError("user.not_found");
    await budgets.spend(tx, "sandbox.reset", twin.liveUserId);
    await ledger.lockWallets(tx, [userId]);
    const [before] = await tx.select(visible).from(users).where(eq(users.id, userId));
    // With a space, which no live account's name has; until it is closed.
    await tx
      .update(users)
      .set({ username: `former ${userId}` })
      .where(eq(users.id, userId));
    const fresh = await insert(tx, before!.username);
    await tx
      .update(twins)
      .set({ userId: fresh.id, resets: sql`${twins.resets} + 1` })
      .where(eq(twins.liveUserId, twin.liveUserId));
    await endow(tx, fresh.id);
    await move(tx, userId, fresh.id);
    await closeUnfinished(tx, userId);
    return fresh;
  });
}

/**
 * Closes the twin of a live account that has left: its keys and webhooks end, and its name and whatever its owner wrote
 * are erased. Nothing happens without a twin. If the account comes back, it gets a fresh one.
 */
export async function close(db: Db, liveUserId: number): Promise<void> {
  await transact(db, async (tx) => {
    const [twin] = await tx.delete(twins).where(eq(twins.liveUserId, liveUserId)).returning();
    if (!twin) return;
    await ledger.lockWallets(tx, [twin.userId]);
    await closeUnfinished(tx, twin.userId);
    await auditLog.forgetNames(tx, twin.userId);
  });
}

async function find(db: Db, liveUserId: number): Promise<User | null> {
  const [user] = await db
    .select(visible)
    .from(twins)
    .innerJoin(users, eq(users.id, twins.userId))
    .where(eq(twins.liveUserId, liveUserId));
  return user ?? null;
}

async function open(db: Db, live: LiveAccount, endow: Endow): Promise<User> {
  // Another account here may have the name: its own may have been freed by a change of name in the live shop.
  for (const username of [live.username, `${live.username} (${live.userId})`]) {
    try {
      return await transact(db, async (tx) => {
        const user = await insert(tx, username);
        await tx.insert(twins).values({ liveUserId: live.userId, userId: user.id });
        await endow(tx, user.id);
        return user;
      });
    } catch (error) {
      const constraint = databaseError(error)?.constraint;
      if (constraint !== "users_username_once" && constraint !== "twins_pkey") throw error;
      // Opened meanwhile by another call, with this name.
      const twin = await find(db, live.userId);
      if (twin) return twin;
    }
  }
  throw new AppError("user.username_taken");
}

async function insert(tx: Tx, username: string): Promise<User> {
  const [user] = await tx.insert(users).values({ username, email: null, passwordHash: "" }).returning(visible);
  await tx.insert(wallets).values({ userId: user!.id });
  return user!;
}
