// Limits on spending as rows that staff change: those of each tier, and an account's own with a reason and an end.
// ledger/limits.ts holds purchases to them.
import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { tiers as tierTable } from "../../../db/schema/catalog.ts";
import { users as userTable } from "../../../db/schema/identity.ts";
import { accountLimits, tierLimits } from "../../../db/schema/ledger-limits.ts";
import { type By, type ByUser, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { requireRight, requireRightOver } from "../../shared/rights.ts";
import * as tiers from "../catalog/tiers.ts";
import * as ledger from "../ledger/ledger.ts";
import { type Bounds, NO_BOUNDS, refresh } from "../ledger/limits.ts";
import * as auditLog from "../platform/audit-log.ts";
import { transact } from "../platform/transactions.ts";
import * as users from "./users.ts";

export type { Bounds };
export { NO_BOUNDS };

export type LimitedTier = tiers.Tier & { bounds: Bounds };

/** The tiers with their limits, `Standard` first. */
export async function listTiers(tx: Reads): Promise<LimitedTier[]> {
  const rows = await tx
    .select({ id: tierTable.id, name: tierTable.name, limits: tierLimits })
    .from(tierTable)
    .leftJoin(tierLimits, eq(tierLimits.tierId, tierTable.id))
    .where(isNull(tierTable.deletedAt))
    .orderBy(asc(tierTable.id));
  return rows.map(({ id, name, limits }) => ({ id, name, bounds: boundsIn(limits) }));
}

/**
 * Sets the limits of a tier, for all of its accounts that have none of their own, from their next purchase on.
 * Throws auth.forbidden, tier.not_found.
 */
export async function setTier(
  db: Db,
  { by, tierId, bounds }: { by: ByUser; tierId: number; bounds: Bounds },
): Promise<LimitedTier> {
  requireRight(by, "agents.manage");
  return transact(db, async (tx) => {
    const tier = await tiers.lock(tx, tierId);
    const [found] = await tx.select().from(tierLimits).where(eq(tierLimits.tierId, tierId));
    const before = boundsIn(found);
    if (Bun.deepEquals(before, bounds)) return { ...tier, bounds };
    const set = { ...bounds, updatedAt: sql`now()` };
    await tx
      .insert(tierLimits)
      .values({ tierId, ...set })
      .onConflictDoUpdate({ target: tierLimits.tierId, set });
    await refresh(tx, await lockAccountsOf(tx, tierId));
    await auditLog.record(tx, by, [
      { action: "tier.limits", subjectType: "tier", subjectId: tierId, before, after: bounds },
    ]);
    return { ...tier, bounds };
  });
}

/** Locks the wallets of a tier's accounts, in the order of the core; returns their ids. */
export async function lockAccountsOf(tx: Tx, tierId: number): Promise<number[]> {
  const rows = await tx.execute<{ user_id: number }>(sql`
    select w.user_id from wallets w join users u on u.id = w.user_id
    where u.tier_id = ${tierId} order by w.user_id for update of w`);
  return rows.map((row) => row.user_id);
}

export type OwnLimits = { bounds: Bounds; reason: string; until: Date | null };

/** The limits of an account's own, with their reason and end; null when those of its tier hold. */
export async function ownOf(tx: Reads, userId: number): Promise<(OwnLimits & { createdAt: Date }) | null> {
  const found = await inForce(tx, userId);
  if (!found) return null;
  const { reason, until, createdAt } = found;
  return { bounds: boundsIn(found), reason, until, createdAt };
}

/**
 * Gives an account limits of its own instead of its tier's. Throws auth.forbidden, auth.own_account, user.not_found,
 * user.closed, freeze.end_invalid.
 */
export async function setOwn(
  db: Db,
  { by, userId, ...own }: { by: ByUser; userId: number } & OwnLimits,
): Promise<void> {
  await changeOwn(db, by, userId, async (tx, before) => {
    if (own.until && own.until.getTime() <= Date.now()) throw new AppError("freeze.end_invalid");
    if (before) await end(tx, before.id);
    const { bounds, reason, until } = own;
    await tx.insert(accountLimits).values({ userId, ...bounds, reason, until, byUserId: by.userId });
    return { ...bounds, reason, until };
  });
}

/** Ends an account's own limits: its tier's hold again. Throws as `setOwn`. */
export async function endOwn(db: Db, { by, userId }: { by: ByUser; userId: number }): Promise<void> {
  await changeOwn(db, by, userId, async (tx, before) => {
    if (before) await end(tx, before.id);
    return null;
  });
}

/** Ends the limits of accounts whose time has come; returns how many. */
export async function endDue(db: Db): Promise<number> {
  const due = await db
    .select({ id: accountLimits.id, userId: accountLimits.userId })
    .from(accountLimits)
    .where(and(isNull(accountLimits.endedAt), lte(accountLimits.until, sql`now()`)))
    .limit(AT_ONCE);
  for (const { id, userId } of due)
    await transact(db, async (tx) => {
      await ledger.lockWallets(tx, [userId]);
      const before = await inForce(tx, userId);
      if (before?.id !== id) return;
      await end(tx, id);
      await refresh(tx, [userId]);
      await record(tx, SYSTEM, userId, before, null);
    });
  return due.length;
}

const AT_ONCE = 100;

type Row = typeof accountLimits.$inferSelect;

async function changeOwn(
  db: Db,
  by: ByUser,
  userId: number,
  change: (tx: Tx, before: Row | null) => Promise<unknown>,
): Promise<void> {
  requireRight(by, "agents.manage");
  if (userId === by.userId) throw new AppError("auth.own_account");
  await transact(db, async (tx) => {
    await ledger.lockWallets(tx, [userId]);
    // Its tier stays what it is until this is done.
    await tx.select({ id: userTable.id }).from(userTable).where(eq(userTable.id, userId)).for("share");
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.manage");
    if (user.status === "CLOSED") throw new AppError("user.closed");
    const before = await inForce(tx, userId);
    const after = await change(tx, before);
    await refresh(tx, [userId]);
    await record(tx, by, userId, before, after);
  });
}

async function inForce(tx: Reads, userId: number): Promise<Row | null> {
  const [found] = await tx
    .select()
    .from(accountLimits)
    .where(and(eq(accountLimits.userId, userId), isNull(accountLimits.endedAt)));
  return found ?? null;
}

async function end(tx: Tx, id: number): Promise<void> {
  await tx.update(accountLimits).set({ endedAt: sql`now()` }).where(eq(accountLimits.id, id));
}

function boundsIn(row: Bounds | null | undefined): Bounds {
  if (!row) return NO_BOUNDS;
  const { dayMaxPesewas, hourOrdersMax, youngDays, youngTopUpsMax, balanceMaxPesewas } = row;
  return { dayMaxPesewas, hourOrdersMax, youngDays, youngTopUpsMax, balanceMaxPesewas };
}

function record(tx: Tx, by: By, userId: number, row: Row | null, after: unknown) {
  const before = row && { ...boundsIn(row), reason: row.reason, until: row.until };
  return auditLog.record(tx, by, [{ action: "user.limits", subjectType: "user", subjectId: userId, before, after }]);
}
