// Changes people make to their own account. Each asks for the password: somebody holding an unlocked phone may not be
// its owner.
import { and, eq } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import type { ByUser } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { isOwner, isStaff } from "../../shared/rights.ts";
import * as freezing from "../ledger/freezing.ts";
import * as ledger from "../ledger/ledger.ts";
import * as waits from "../ledger/waits.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { transact } from "../platform/transactions.ts";
import { close as closeAccount } from "./erasure.ts";
import * as codes from "./logins/codes.ts";
import * as passwordNotices from "./logins/password-notices.ts";
import * as passwords from "./logins/passwords.ts";
import { published } from "./logins/security-events.ts";
import * as sessions from "./logins/sessions.ts";
import { checkUsername, get, refuseTaken } from "./users.ts";

type OwnChange = {
  by: ByUser;
  /** The session that continues; all others of the account end. */
  sessionId: string;
  currentPassword: string;
};

/**
 * Changes the user's own username and e-mail. Throws user.current_password_wrong, user.*_taken, user.username_refused,
 * request.rate_limited.
 */
export async function rename(db: Db, command: OwnChange & { username: string; email: string }): Promise<void> {
  await changeOwn(db, command, "user.rename", async (before) => {
    if (command.username !== before.username) checkUsername(command.username, isOwner(before));
    return { username: command.username, email: command.email.toLowerCase() };
  });
}

/**
 * Changes the user's own password and notifies their mailbox. Throws user.current_password_wrong, user.*password_*,
 * request.rate_limited.
 */
export async function changePassword(db: Db, command: OwnChange & { password: string }): Promise<void> {
  await changeOwn(db, command, "user.password", async (found) => {
    passwords.check(command.password, found.roles, passwords.namesOf(found));
    return { passwordHash: await passwords.hash(command.password) };
  });
}

/**
 * Deletes the user's own account for good, as a manager would. Staff cannot: an owner removes them.
 * Throws user.current_password_wrong, user.own_account, user.has_balance, user.has_open_orders, user.owes,
 * request.rate_limited.
 */
export async function close(db: Db, { by, currentPassword }: Omit<OwnChange, "sessionId">): Promise<void> {
  const { userId } = by;
  const { passwordHash } = await checkOwnPassword(db, by, currentPassword);
  await transact(db, async (tx) => {
    await ledger.lockWallets(tx, [userId]);
    const [found] = await tx.select().from(users).where(eq(users.id, userId)).for("update");
    if (found?.status !== "ACTIVE" || found.passwordHash !== passwordHash)
      throw new AppError("user.current_password_wrong");
    if (isStaff(found)) throw new AppError("user.own_account");
    const before = await get(tx, userId);
    await closeAccount(tx, userId);
    const after = await get(tx, userId);
    const entry = { action: "user.delete", subjectType: "user", subjectId: userId, before, after } as const;
    await auditLog.record(tx, by, [entry]);
    await auditLog.forgetNames(tx, userId);
  });
}

type Row = typeof users.$inferSelect;

/**
 * Checks the user's own password, for a change of how the account is entered or spends; returns the account. Throws
 * account.frozen, account.waits, user.current_password_wrong, request.rate_limited.
 */
export async function checkOwnPassword(db: Db, by: ByUser, currentPassword: string): Promise<Row> {
  const userId = by.userId;
  await freezing.refuse(db, userId);
  await waits.refuseChange(db, userId);
  return published({ proof: "own password", userId }, async () => {
    await budgets.spend(db, "password.checked", userId);
    await budgets.spend(db, "password.own", userId);
    const [found] = await db.select().from(users).where(eq(users.id, userId));
    if (!found || !(await passwords.verify(currentPassword, found.passwordHash || null)))
      throw new AppError("user.current_password_wrong");
    await budgets.reset(db, "password.own", userId);
    return found;
  });
}

async function changeOwn(
  db: Db,
  { by, sessionId, currentPassword }: OwnChange,
  action: string,
  changeOf: (found: Row) => Promise<Partial<Row>>,
): Promise<void> {
  const userId = by.userId;
  const found = await checkOwnPassword(db, by, currentPassword);
  const change = await changeOf(found);
  await refuseTaken(() =>
    transact(db, async (tx) => {
      const before = await get(tx, userId);
      // The checked hash must still be current: a password that was changed meanwhile authorises nothing.
      const changed = await tx
        .update(users)
        .set(change)
        .where(and(eq(users.id, userId), eq(users.passwordHash, found.passwordHash), eq(users.status, "ACTIVE")))
        .returning({ id: users.id });
      if (changed.length === 0) throw new AppError("user.current_password_wrong");
      await sessions.endAll(tx, userId, sessionId);
      const after = await get(tx, userId);
      if (change.email && change.email !== before.email) await notices.emailChanged(tx, before, change.email);
      if (change.passwordHash) {
        // An unused reset code was meant for the old password.
        await codes.discard(tx, userId, "reset");
        await passwordNotices.changed(tx, after);
      }
      await auditLog.record(tx, by, [{ action, subjectType: "user", subjectId: userId, before, after }]);
    }),
  );
}
