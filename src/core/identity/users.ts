// User accounts: sign-up, and administration by admins. sessions.ts has logins.
import { and, arrayContains, asc, eq, ne, or } from "drizzle-orm";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import type { ByUser, Channel, Role, UserStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { isOwner, isStaff, requireConfirmed, requireRight, requireRightOver } from "../../shared/rights.ts";
import { usernameProblem } from "../../shared/username.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { noteStaffChange } from "../platform/deciders.ts";
import * as secondPerson from "../platform/second-person.ts";
import { transact } from "../platform/transactions.ts";
import * as apiKeyCallers from "./api-key-callers.ts";
import * as consents from "./consents.ts";
import { close } from "./erasure.ts";
import * as farewells from "./farewells.ts";
import * as passwords from "./passwords.ts";
import * as sessions from "./sessions.ts";
import { askToCreate, requireToEdit } from "./staff-asks.ts";

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
 * Creates an agent's account; `address` is the visitor's, who agrees to the privacy notice by it.
 * Throws user.username_taken, user.username_refused,
 * user.email_taken, user.password_short, user.password_common, request.rate_limited.
 */
export async function signUp(
  db: Db,
  { address, channel, ...user }: NewUser & { address: string; channel: Channel },
): Promise<User> {
  checkUsername(user.username);
  await budgets.spend(db, "signup.address", address);
  return insert(db, { ...user, roles: ["USER"] }, (tx, { id }) =>
    consents.agreeToNewest(tx, { userId: id, channel, address }),
  );
}

/**
 * Creates an agent's account or, as an owner, one of staff. Only owners give reserved names. Throws as `signUp`,
 * auth.forbidden, user.one_role, and as secondPerson.require.
 */
export async function create(db: Db, command: { by: ByUser } & NewUser & { roles: Role[] }): Promise<User> {
  requireStaffRight(command.by, command);
  const roles = oneRoleOf(command.roles);
  checkUsername(command.username, isOwner(command.by));
  return createChecked(db, { by: command.by, ...(await credentialsOf({ ...command, roles })) });
}

/** As `create`, with a password that is checked and hashed already: for a request that somebody has agreed to. */
export async function createChecked(db: Db, command: { by: ByUser } & StaffToCreate): Promise<User> {
  const { by, username, email, passwordHash, roles } = command;
  const row = { username, email, passwordHash, roles };
  requireStaffRight(by, row);
  return insertChecked(
    db,
    row,
    async (tx, user) => {
      await noteStaffChange(tx, by, { userId: user.id, before: null, after: user });
      await auditLog.record(tx, by, [{ action: "user.create", subjectType: "user", subjectId: user.id, after: user }]);
    },
    (tx) => secondPerson.require(tx, by, isStaff(row) ? askToCreate(row) : null),
  );
}

/** Creates the first admin; returns null when there is one already, also when many processes start at once. */
export async function ensureAdmin(db: Db, command: { email: string; password: string }): Promise<User | null> {
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
 * user.*_taken, user.username_refused, user.one_role, user.own_admin, user.last_admin, and as secondPerson.require for
 * roles of staff and for an e-mail address, by which passwords are reset.
 */
export async function edit(db: Db, command: { by: ByUser; userId: number } & UserChange): Promise<User> {
  return changed(db, command.by, command.userId, "user.edit", async (tx, before) => {
    const roles = command.roles ? oneRoleOf(command.roles) : before.roles;
    if (isStaff({ roles }) || isStaff(before)) requireStaffRight(command.by, { roles: ["ADMIN"] });
    const hasOtherRoles = roles[0] !== before.roles[0];
    if (isOwner(before) && !isOwner({ roles })) await refuseOwnerless(tx, command.by, before);
    if (command.username && command.username !== before.username) checkUsername(command.username, isOwner(command.by));
    const change = {
      username: command.username || before.username,
      email: command.email?.toLowerCase() || before.email,
      roles: hasOtherRoles ? roles : before.roles,
    };
    await requireToEdit(tx, command.by, before, change);
    await tx.update(users).set(change).where(eq(users.id, before.id));
    if (change.email && change.email !== before.email) await notices.emailChanged(tx, before, change.email);
    if (hasOtherRoles) await sessions.endAll(tx, before.id);
  });
}

/**
 * Bans a user and ends their sessions and API keys, also those of the sandbox. Throws user.not_found, user.own_account,
 * user.last_admin.
 */
export async function ban(db: Db, command: { by: ByUser; userId: number }): Promise<User> {
  return changed(db, command.by, command.userId, "user.ban", async (tx, before) => {
    refuseOwn(command.by, before);
    await refuseLastAdmin(tx, before);
    await noteStaffChange(tx, command.by, { userId: before.id, before, after: null });
    await tx.update(users).set({ status: "BANNED" }).where(eq(users.id, before.id));
    await sessions.endAll(tx, before.id);
    await apiKeyCallers.endAll(tx, before.id);
    await farewells.note(tx, before.id);
  });
}

/** Lifts a user's ban. Throws user.not_found, user.closed. */
export async function unban(db: Db, command: { by: ByUser; userId: number }): Promise<User> {
  return changed(db, command.by, command.userId, "user.unban", async (tx, before) => {
    // Whoever owed their place to the end of a ban that never was could not decide the requests of who ended it.
    if (before.status !== "BANNED") return;
    await noteStaffChange(tx, command.by, { userId: before.id, before: null, after: before });
    await tx.update(users).set({ status: "ACTIVE" }).where(eq(users.id, before.id));
    await farewells.withdraw(tx, before.id);
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
    await noteStaffChange(tx, command.by, { userId: before.id, before, after: null });
    await close(tx, before.id);
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

/** An account to create, with a password that has been checked and hashed. */
export type StaffToCreate = { username: string; email: string; passwordHash: string; roles: Role[] };

async function insert(
  db: Db,
  command: NewUser & { roles: Role[] },
  also: (tx: Tx, user: User) => Promise<void>,
): Promise<User> {
  return insertChecked(db, await credentialsOf(command), also);
}

/** Checks the password of a new account, and hashes it. Throws user.password_short, user.password_common. */
async function credentialsOf(command: NewUser & { roles: Role[] }): Promise<StaffToCreate> {
  const { username, password, roles } = command;
  const email = command.email.toLowerCase();
  passwords.check(password, roles, passwords.namesOf({ username, email }));
  return { username, email, passwordHash: await passwords.hash(password), roles };
}

async function insertChecked(
  db: Db,
  { username, email, passwordHash, roles }: StaffToCreate,
  also: (tx: Tx, user: User) => Promise<void>,
  first: (tx: Tx) => Promise<void> = async () => {},
): Promise<User> {
  return refuseTaken(() =>
    transact(db, async (tx) => {
      await first(tx);
      const row = { username, email, passwordHash, roles };
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

/** Throws user.username_refused for an invalid name, or a reserved one that only an owner may assign. */
export function checkUsername(username: string, isByOwner = false): void {
  const problem = usernameProblem(username, isByOwner);
  if (!problem) return;
  const message =
    problem === "shape" ? errors["user.username_refused"].message : "This username is reserved. Choose another.";
  throw new AppError("user.username_refused", { fields: { username: message } }, message);
}

/** The one role of an account: USER beside a role of staff adds nothing. Throws user.one_role for two of staff. */
function oneRoleOf(roles: readonly Role[]): Role[] {
  const [role = "USER", ...others] = new Set(roles.filter((one) => one !== "USER"));
  if (roles.length === 0 || others.length > 0)
    throw new AppError("user.one_role", { fields: { roles: errors["user.one_role"].message } });
  return [role];
}

/** As `requireRightOver`, and for staff also who they are. Throws auth.forbidden, auth.confirm_needed. */
function requireStaffRight(by: ByUser, account: { roles: readonly Role[] }): void {
  requireRightOver(by, account, "agents.manage");
  if (isStaff(account)) requireConfirmed(by);
}

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
  const active = and(arrayContains(users.roles, ["ADMIN"]), eq(users.status, "ACTIVE"), ne(users.id, user.id));
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
