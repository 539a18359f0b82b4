// Limits on spending as rows that staff change: those of each tier, and an account's own with a reason and an end.
// ledger/limits.ts holds purchases to them.
import { and, asc, eq, isNull, lte, sql } from "drizzle-orm";
import { z } from "zod";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { tiers as tierTable } from "../../../db/schema/catalog.ts";
import { users as userTable } from "../../../db/schema/identity.ts";
import { accountLimits, tierLimits } from "../../../db/schema/ledger-limits.ts";
import { type By, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { as, nested } from "../../shared/fields.ts";
import { AboveZero, cedis, Id, Reason, Until } from "../../shared/inputs.ts";
import { requireRightOver } from "../../shared/rights.ts";
import * as tiers from "../catalog/tiers.ts";
import * as ledger from "../ledger/ledger.ts";
import { type Bounds, NO_BOUNDS, refresh } from "../ledger/limits.ts";
import * as auditLog from "../platform/audit-log.ts";
import { command, type Logged, type Opposite, opposite, type Work } from "../platform/commands.ts";
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

const anAmount = "must be an amount in GH₵ from 0 on, or nothing";
const Count = z.int("must be a whole number, or nothing").min(0).max(100_000).nullable();

/** Limits as staff set them; null: no such limit. */
export const BOUNDS = {
  dayMaxPesewas: as(
    "perDay",
    cedis(anAmount)
      .refine((pesewas) => pesewas >= 0, anAmount)
      .nullable()
      .describe("GH₵ that may be spent in a day"),
  ),
  hourOrdersMax: as("ordersPerHour", Count.describe("Orders that may be placed in a clock hour")),
  youngDays: z
    .int()
    .min(1, "At least 1 day, or nothing")
    .max(3650)
    .nullable()
    .describe("Accounts younger than this are young"),
  youngTopUpsMax: as("youngTopUpsPerDay", Count.describe("Top-ups that a young account may begin in a day")),
  balanceMaxPesewas: as("balanceMax", AboveZero.nullable().describe("The balance that no top-up may pass")),
};

/** Sets the limits of a tier, for all of its accounts that have none of their own, from their next purchase on. */
export const setTier = command({
  name: "tier.limits",
  right: "agents.manage",
  about: "Set the limits of a tier, for its accounts without limits of their own",
  subject: "tier",
  input: { tierId: Id, ...BOUNDS },
  errors: ["tier.not_found"],
  undo: ({ subjectId, before }: Logged<Bounds>) => ({ tierId: Number(subjectId), ...before }),
  run: async ({ tx, audit }, { tierId, ...bounds }) => {
    refuseHalf(bounds);
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
    await audit(tierId, { before, after: bounds });
    return { ...tier, bounds };
  },
});

function refuseHalf({ youngDays, youngTopUpsMax }: Bounds): void {
  if ((youngDays === null) !== (youngTopUpsMax === null))
    throw new AppError("request.invalid", { fields: { youngTopUpsPerDay: "Fill in both of these fields, or none" } });
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

const OF_OWN = ["auth.own_account", "user.not_found", "user.closed"] as const;

/** Gives an account limits of its own instead of its tier's. */
export const setOwn = command({
  name: "user.limits",
  right: "agents.manage",
  about: "Give an account limits of its own instead of its tier's",
  subject: "user",
  input: { userId: Id, bounds: as("limits", nested(BOUNDS)), reason: Reason, until: Until },
  errors: [...OF_OWN, "freeze.end_invalid"],
  undo: ownBefore,
  run: async (work, { userId, bounds, reason, until }) => {
    refuseHalf(bounds);
    const before = await lockOwn(work, userId);
    if (until && until.getTime() <= Date.now()) throw new AppError("freeze.end_invalid");
    const { tx, by } = work;
    if (before) await end(tx, before.id);
    await tx.insert(accountLimits).values({ userId, ...bounds, reason, until, byUserId: by.userId });
    await refresh(tx, [userId]);
    await record(tx, by, userId, before, { ...bounds, reason, until });
    return { userId };
  },
});

/** Ends an account's own limits: its tier's hold again. */
export const endOwn = command({
  name: "user.end_limits",
  right: "agents.manage",
  about: "End an account's own limits: its tier's hold again",
  subject: "user",
  logs: ["user.limits"],
  input: { userId: Id },
  errors: OF_OWN,
  undo: ownBefore,
  run: async (work, { userId }) => {
    const before = await lockOwn(work, userId);
    const { tx, by } = work;
    if (before) await end(tx, before.id);
    await refresh(tx, [userId]);
    await record(tx, by, userId, before, null);
    return { userId };
  },
});

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

type LoggedLimits = Bounds & { reason: string; until: string | null };

function ownBefore({ subjectId, before }: Logged<LoggedLimits | null>): Opposite {
  const userId = Number(subjectId);
  if (!before) return opposite(endOwn, { userId });
  const { reason, until, ...bounds } = before;
  return opposite(setOwn, { userId, bounds, reason, until: until === null ? null : new Date(until) });
}

type Row = typeof accountLimits.$inferSelect;

/** Locks another account for a change of its own limits; gives those it has. */
async function lockOwn({ tx, by }: Work, userId: number): Promise<Row | null> {
  if (userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [userId]);
  // Its tier stays what it is until this is done.
  await tx.select({ id: userTable.id }).from(userTable).where(eq(userTable.id, userId)).for("share");
  const user = await users.get(tx, userId);
  requireRightOver(by, user, "agents.manage");
  if (user.status === "CLOSED") throw new AppError("user.closed");
  return inForce(tx, userId);
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
