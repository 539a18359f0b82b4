// Freezes: short of a ban, an account may log in and look, and not spend or change how it spends; one of staff does
// nothing of its work either. They end by hand or at a time. ledger/freezing.ts is what purchases and payments meet.
import { and, desc, eq, isNull, lte, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../db/connect.ts";
import { freezes } from "../../../db/schema/ledger-limits.ts";
import { type By, type ByUser, SYSTEM } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { Id, Reason, requiredText, Until } from "../../shared/inputs.ts";
import { requireRightOver } from "../../shared/rights.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as messages from "../messaging/messages.ts";
import * as accountTexts from "../messaging/texts/account-texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import { noteStaffChange } from "../platform/colleagues/deciders.ts";
import { command } from "../platform/commands.ts";
import { transact } from "../platform/transactions.ts";
import * as users from "./users.ts";

export type Freeze = typeof freezes.$inferSelect;

/** `reason` is for staff, `message` for the agent; `until` null: until somebody ends it. */
export type FreezeTerms = { reason: string; message: string; until: Date | null };

/** Freezes an account at once, for every way to spend, and tells its owner; one that is frozen gets the new terms. */
export const freeze = command({
  name: "user.freeze",
  right: "agents.manage",
  about: "Freeze an account: it may look, and not spend",
  subject: "user",
  input: {
    userId: Id,
    reason: Reason.describe("For staff"),
    message: requiredText(200, "Tell the agent why").describe("For the agent"),
    until: Until,
  },
  errors: ["user.not_found", "user.closed", "auth.own_account", "freeze.end_invalid"],
  run: async ({ tx, by }, { userId, ...terms }) => {
    const user = await lockBoth(tx, by, userId);
    await noteStaffChange(tx, by, { userId, before: user, after: null });
    return begin(tx, by, userId, terms);
  },
});

/**
 * As `freeze`, in the caller's transaction, which has locked the wallet and decided that it may. Throws user.closed,
 * freeze.end_invalid.
 */
export async function begin(tx: Tx, by: By, userId: number, terms: FreezeTerms): Promise<Freeze> {
  const user = await users.get(tx, userId);
  if (user.status === "CLOSED") throw new AppError("user.closed");
  if (terms.until && !(await isAhead(tx, terms.until))) throw new AppError("freeze.end_invalid");
  const before = await inForce(tx, userId);
  if (before) await end(tx, before, by.userId === null ? null : { by: by.userId, reason: "Frozen anew" });
  const [begun] = await tx
    .insert(freezes)
    .values({ userId, ...terms, byUserId: by.userId })
    .returning();
  await freezing.mark(tx, userId, { until: terms.until });
  await messages.queueMail(tx, user, accountTexts.frozen(user.username, terms));
  await record(tx, by, "user.freeze", userId, before && termsOf(before), terms);
  return begun!;
}

/** Ends an account's freeze, with a reason, and tells its owner. */
export const unfreeze = command({
  name: "user.unfreeze",
  right: "agents.manage",
  about: "End an account's freeze",
  subject: "user",
  input: { userId: Id, reason: Reason },
  errors: ["user.not_found", "freeze.none", "auth.own_account"],
  run: async ({ tx, by, audit }, { userId, reason }) => {
    const user = await lockBoth(tx, by, userId);
    await noteStaffChange(tx, by, { userId, before: null, after: user });
    const before = await inForce(tx, userId);
    if (!before) throw new AppError("freeze.none");
    await end(tx, before, { by: by.userId, reason });
    await thaw(tx, userId);
    await audit(userId, { before: termsOf(before), after: { reason } });
    return { userId };
  },
});

/** Locks the accounts of both, so that two owners cannot freeze each other at once. Throws account.frozen. */
async function lockBoth(tx: Tx, by: ByUser, userId: number): Promise<users.User> {
  if (userId === by.userId) throw new AppError("auth.own_account");
  await ledger.lockWallets(tx, [userId, by.userId]);
  await freezing.refuse(tx, by.userId);
  const user = await users.get(tx, userId);
  requireRightOver(by, user, "agents.manage");
  return user;
}

/** Ends the freezes whose time has come; purchases pass from their end on, whenever this runs. Returns how many. */
export async function endDue(db: Db): Promise<number> {
  const due = await db
    .select({ userId: freezes.userId })
    .from(freezes)
    .where(and(isNull(freezes.endedAt), lte(freezes.until, sql`now()`)))
    .limit(AT_ONCE);
  for (const { userId } of due) await transact(db, (tx) => endOne(tx, userId));
  return due.length;
}

const AT_ONCE = 100;

async function endOne(tx: Tx, userId: number): Promise<void> {
  await ledger.lockWallets(tx, [userId]);
  const before = await inForce(tx, userId);
  // Ended, or prolonged, since it was found.
  if (!before?.until || (await isAhead(tx, before.until))) return;
  await end(tx, before, null);
  await thaw(tx, userId);
  await record(tx, SYSTEM, "user.unfreeze", userId, termsOf(before), { reason: "Its time was over" });
}

/** An account's freezes, newest first. */
export async function list(tx: Reads, userId: number): Promise<Freeze[]> {
  return tx.select().from(freezes).where(eq(freezes.userId, userId)).orderBy(desc(freezes.id)).limit(SHOWN_MAX);
}

const SHOWN_MAX = 20;

/** The freeze of an account that nobody has ended, also one whose time is just over; null without one. */
async function inForce(tx: Reads, userId: number): Promise<Freeze | null> {
  const [found] = await tx
    .select()
    .from(freezes)
    .where(and(eq(freezes.userId, userId), isNull(freezes.endedAt)));
  return found ?? null;
}

async function isAhead(tx: Reads, moment: Date): Promise<boolean> {
  const [row] = await tx.execute<{ ahead: boolean }>(sql`select ${moment.toISOString()}::timestamptz > now() as ahead`);
  return row!.ahead;
}

/** `ending` is null when it ended by itself. */
async function end(tx: Tx, { id }: Freeze, ending: { by: number; reason: string } | null): Promise<void> {
  await tx
    .update(freezes)
    .set({ endedAt: sql`now()`, endedByUserId: ending?.by ?? null, endReason: ending?.reason ?? null })
    .where(eq(freezes.id, id));
}

async function thaw(tx: Tx, userId: number): Promise<void> {
  await freezing.mark(tx, userId, null);
  const user = await users.get(tx, userId);
  await messages.queueMail(tx, user, accountTexts.thawed(user.username));
}

function termsOf({ reason, message, until }: Freeze): FreezeTerms {
  return { reason, message, until };
}

function record(tx: Tx, by: By, action: string, userId: number, before: unknown, after: unknown) {
  return auditLog.record(tx, by, [{ action, subjectType: "user", subjectId: userId, before, after }]);
}
