// User accounts: sign-up, and administration by admins. sessions.ts has logins.
import { and, arrayContains, asc, eq, ne, or, sql } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { orders } from "../../../db/schema/orders.ts";
import { type ByUser, OPEN_STATUSES, type Role, type UserStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { isOwner, requireRight, requireRightOver } from "../../shared/rights.ts";
import { usernameProblem } from "../../shared/username.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { transact } from "../platform/transactions.ts";
import * as disputedOrders from "../support/disputed-orders.ts";
import { erase, freeDeletedName } from "./erasure.ts";
import * as passwords from "./passwords.ts";
import * as sessions from "./sessions.ts";

/** A user without the password hash. */
export type User = {
  id: number;
  username: string;
  /** Null until somebody who registered by USSD has claimed the account on the web. */
  email: string | null;
  roles: Role[];
  status: UserStatus;
  createdAt: Date;
};

export const visible = {
  id: users.id,
  username: users.username,
  email: users.email,
  roles: users.roles,
  status: users.status,
  createdAt: users.createdAt,
};

export type NewUser = { username: string; email: string; password: string };

/**
 * Creates an agent's account; `address` is the visitor's. Throws user.username_taken, user.username_refused,
 * user.email_taken, user.password_short, user.password_common, request.rate_limited.
 */
export async function signUp(db: Db, { address, ...user }: NewUser & { address: string }): Promise<User> {
  checkUsername(user.username);
  await budgets.spend(db, "signup.address", address);
  return insert(db, { ...user, roles: ["USER"] }, async () => {});
}

/**
 * Creates an agent's account or, as an owner, one of staff. Only owners give reserved names. Throws as `signUp`,
 * auth.forbidden, and user.one_role.
 */
export async function create(db: Db, command: { by: ByUser } & NewUser & { roles: Role[] }): Promise<User> {
  requireRightOver(command.by, command, "agents.manage");
  requireOneRole(command.roles);
  checkUsername(command.username, isOwner(command.by));
  return insert(db, command, (tx, user) =>
    auditLog.record(tx, command.by, [
      { action: "user.create", subjectType: "user", subjectId: user.id, after: user },
    ]),
  );
}

/** Creates the first admin; returns null when there is one already, also when many processes start at once. */
export async function ensureAdmin(
  db: Db,
  command: { email: string; password: string },
): Promise<User | null> {
  // An agent may have taken one of the names before they were reserved.
  for (let n = 1; !(await hasAdmin(db)); n++) {
    const username = n === 1 ? "admin" : `admin-${n}`;
    try {
      return await insert(db, { ...command, username, roles: ["ADMIN"] }, async () => {});
    } catch (error) {
      // Taken by an agent, or by another process that has just created the admin.
      if (!(error instanceof AppError)) throw error;
      if (error.code !== "user.username_taken" && !(await hasAdmin(db))) throw error;
    }
  }
  return null;
}

async function hasAdmin(db: Db): Promise<boolean> {
  const [admin] = await db
    .select({ id: users.id })
    .from(users)
    .where(arrayContains(users.roles, ["ADMIN"]))
    .limit(1);
  return admin !== undefined;
}

export type UserChange = {
  username?: string | undefined;
  email?: string | undefined;
  roles?: Role[] | undefined;
};

/**
 * Changes a user's name, e-mail or role. Empty or absent fields stay. Another role, which only an owner gives or takes,
 * ends the user's sessions, which were opened with the old one. Throws auth.forbidden, user.not_found, user.closed,
 * user.*_taken, user.username_refused, user.one_role, user.own_admin, user.last_admin.
 */
export async function edit(db: Db, command: { by: ByUser; userId: number } & UserChange): Promise<User> {
  return changed(db, command.by, command.userId, "user.edit", async (tx, before) => {
    const roles = command.roles ? [...new Set(command.roles)] : before.roles;
    requireOneRole(roles);
    requireRightOver(command.by, { roles }, "agents.manage");
    const hasOtherRoles = roles[0] !== before.roles[0];
    if (isOwner(before) && !isOwner({ roles })) await refuseOwnerless(tx, command.by, before);
    if (command.username && command.username !== before.username)
      checkUsername(command.username, isOwner(command.by));
    const change = {
      username: command.username || before.username,
      email: command.email?.toLowerCase() || before.email,
      roles: hasOtherRoles ? roles : before.roles,
    };
    await tx.update(users).set(change).where(eq(users.id, before.id));
    if (change.email && change.email !== before.email) await notices.emailChanged(tx, before, change.email);
    if (hasOtherRoles) await sessions.endAll(tx, before.id);
  });
}

/** Bans a user and ends their sessions. Throws user.not_found, user.own_account, user.last_admin. */
export async function ban(db: Db, command: { by: ByUser; userId: number }): Promise<User> {
  return changed(db, command.by, command.userId, "user.ban", async (tx, before) => {
    refuseOwn(command.by, before);
    await refuseLastAdmin(tx, before);
    await tx.update(users).set({ status: "BANNED" }).where(eq(users.id, before.id));
    await sessions.endAll(tx, before.id);
  });
}

/** Lifts a user's ban. Throws user.not_found, user.closed. */
export async function unban(db: Db, command: { by: ByUser; userId: number }): Promise<User> {
  return changed(db, command.by, command.userId, "user.unban", async (tx, before) => {
    await tx.update(users).set({ status: "ACTIVE" }).where(eq(users.id, before.id));
  });
}

/**
 * Deletes an account: it is closed and its owner's personal data erased, while its orders and transfers stay, because
 * the books need them. Name and e-mail become free again. Entries of an admin in the audit log keep the name.
 * Throws user.not_found, user.own_account, user.last_admin, user.has_balance, user.has_open_orders.
 */
export async function remove(db: Db, command: { by: ByUser; userId: number }): Promise<void> {
  await changed(db, command.by, command.userId, "user.delete", async (tx, before) => {
    refuseOwn(command.by, before);
    await refuseLastAdmin(tx, before);
    await refuseUnfinished(tx, before.id);
    await sessions.endAll(tx, before.id);
    await erase(tx, before.id);
    const username = await freeDeletedName(tx, before.id);
    await tx
      .update(users)
      .set({
        username,
        email: `${username}@invalid`,
        passwordHash: "",
        status: "CLOSED",
        closedAt: sql`now()`,
        lastLoginAt: null,
      })
      .where(eq(users.id, before.id));
  });
}

/** One user; throws user.not_found. */
export async function get(tx: Reads, userId: number): Promise<User> {
  const user = await find(tx, userId);
  if (!user) throw new AppError("user.not_found");
  return user;
}

/** One user, or null. */
export async function find(tx: Reads, userId: number): Promise<User | null> {
  const [user] = await tx.select(visible).from(users).where(eq(users.id, userId));
  return user ?? null;
}

async function insert(
  db: Db,
  command: NewUser & { roles: Role[] },
  also: (tx: Tx, user: User) => Promise<void>,
): Promise<User> {
  const email = command.email.toLowerCase();
  passwords.check(command.password, command.roles, passwords.namesOf({ username: command.username, email }));
  const passwordHash = await passwords.hash(command.password);
  return refuseTaken(() =>
    transact(db, async (tx) => {
      const row = { username: command.username, email, passwordHash, roles: command.roles };
      const [user] = await tx.insert(users).values(row).returning(visible);
      await tx.insert(wallets).values({ userId: user!.id });
      await also(tx, user!);
      return user!;
    }),
  );
}

/** Locks the user, changes it, and logs the values before and after. Throws user.closed for a closed account. */
async function changed(
  db: Db,
  by: ByUser,
  userId: number,
  action: string,
  change: (tx: Tx, before: User) => Promise<void>,
): Promise<User> {
  requireRight(by, "agents.manage");
  return refuseTaken(() =>
    transact(db, async (tx) => {
      // Wallets before users, the lock order of the core: a change of an order locks the wallet, then the user.
      await ledger.lockWallets(tx, [userId]);
      // Admins are locked together and in order, so that two of them cannot remove each other at once.
      await tx
        .select({ id: users.id })
        .from(users)
        .where(or(eq(users.id, userId), arrayContains(users.roles, ["ADMIN"])))
        .orderBy(asc(users.id))
        .for("update");
      const before = await get(tx, userId);
      if (before.status === "CLOSED") throw new AppError("user.closed");
      requireRightOver(by, before, "agents.manage");
      await change(tx, before);
      const after = await get(tx, userId);
      // An unchanged user is not logged.
      if (Bun.deepEquals(before, after)) return after;
      await auditLog.record(tx, by, [{ action, subjectType: "user", subjectId: userId, before, after }]);
      if (after.status === "CLOSED") await auditLog.forgetNames(tx, userId);
      return after;
    }),
  );
}

async function refuseUnfinished(tx: Reads, userId: number): Promise<void> {
  const [wallet] = await tx.select().from(wallets).where(eq(wallets.userId, userId));
  if (wallet && wallet.balancePesewas > 0) throw new AppError("user.has_balance");
  if (wallet && wallet.debtPesewas + wallet.heldPesewas > 0) throw new AppError("user.owes");
  const isOpen = or(...OPEN_STATUSES.map((status) => eq(orders.status, status)));
  const [open] = await tx
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.userId, userId), isOpen))
    .limit(1);
  if (open || (await disputedOrders.hasSome(tx, userId))) throw new AppError("user.has_open_orders");
}

/** Throws user.username_refused for an invalid name, or a reserved one that only an owner may assign. */
export function checkUsername(username: string, isByOwner = false): void {
  const problem = usernameProblem(username, isByOwner);
  if (!problem) return;
  const message =
    problem === "shape"
      ? errors["user.username_refused"].message
      : "This username is reserved. Choose another.";
  throw new AppError("user.username_refused", { fields: { username: message } }, message);
}

/** Throws user.one_role: somebody is an agent, or runs the shop in one role. */
function requireOneRole(roles: readonly Role[]): void {
  if (new Set(roles).size !== 1) throw new AppError("user.one_role", { fields: { roles: ONE_ROLE } });
}

const ONE_ROLE = errors["user.one_role"].message;

/** Throws user.own_account: an admin who banned or deleted themselves by mistake could leave the shop without one. */
function refuseOwn(by: ByUser, user: User): void {
  if (by.userId === user.id) throw new AppError("user.own_account");
}

/** Throws user.own_admin or user.last_admin when an owner is about to be one no more. */
async function refuseOwnerless(tx: Reads, by: ByUser, owner: User): Promise<void> {
  if (owner.id === by.userId) throw new AppError("user.own_admin");
  await refuseLastAdmin(tx, owner);
}

async function refuseLastAdmin(tx: Reads, user: User): Promise<void> {
  if (!isOwner(user)) return;
  const active = and(
    arrayContains(users.roles, ["ADMIN"]),
    eq(users.status, "ACTIVE"),
    ne(users.id, user.id),
  );
  if ((await tx.$count(users, active)) === 0) throw new AppError("user.last_admin");
}

/** Turns the database's uniqueness errors for name and e-mail into user.*_taken with the field. */
export async function refuseTaken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === "users_username_once") {
      throw new AppError("user.username_taken", { fields: { username: "This username is already taken" } });
    }
    if (constraint === "users_email_once") {
      throw new AppError("user.email_taken", {
        fields: { email: "An account with this email already exists" },
      });
    }
    throw error;
  }
}
