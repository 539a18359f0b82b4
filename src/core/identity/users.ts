// User accounts: sign-up, and administration by admins. sessions.ts has logins.
import { and, arrayContains, asc, eq, ne, or } from "drizzle-orm";
import { z } from "zod";
import { type Db, databaseError, type Reads, type Tx } from "../../../db/connect.ts";
import { users } from "../../../db/schema/identity.ts";
import { wallets } from "../../../db/schema/ledger.ts";
import { type ByUser, type Channel, ROLES, type Role, type UserStatus } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { Email, Id, text, Username } from "../../shared/inputs.ts";
import { isOwner, isStaff, requireConfirmed, requireRightOver } from "../../shared/rights.ts";
import { usernameProblem } from "../../shared/username.ts";
import * as ledger from "../ledger/ledger.ts";
import * as notices from "../messaging/notices.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets/budgets.ts";
import { noteStaffChange } from "../platform/colleagues/deciders.ts";
import { command, type Work } from "../platform/commands.ts";
import { transact } from "../platform/transactions.ts";
import * as apiKeyCallers from "./api-key-callers.ts";
import * as consents from "./consents.ts";
import { close } from "./erasure.ts";
import * as farewells from "./farewells.ts";
import * as passwords from "./logins/passwords.ts";
import * as sessions from "./logins/sessions.ts";
import { askToCreate, askToEdit } from "./staff-asks.ts";

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

export const Roles = z
  .array(z.string().toUpperCase().pipe(z.enum(ROLES)))
  .min(1)
  .max(ROLES.length)
  .overwrite((roles) => [...new Set(roles)]);

/** The errors of the unique names and e-mail addresses. */
const TAKEN = {
  users_username_once: () =>
    new AppError("user.username_taken", { fields: { username: "This username is already taken" } }),
  users_email_once: () =>
    new AppError("user.email_taken", { fields: { email: "An account with this email already exists" } }),
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
  const { answer } = await createChecked(db, { by: command.by, ...(await credentialsOf({ ...command, roles })) });
  return answer;
}

/** As `create`, with a password that is checked and hashed already: for a request that somebody has agreed to. */
export const createChecked = command({
  name: "user.create",
  right: "agents.manage",
  about: "Open an account: an agent's or, as an owner, one of staff",
  subject: "user",
  input: { username: text(50), email: Email, passwordHash: z.string(), roles: Roles },
  errors: ["user.username_taken", "user.email_taken"],
  constraints: TAKEN,
  asks: "New staff",
  run: async ({ tx, by, audit, agree }, row) => {
    requireStaffRight(by, row);
    await agree(isStaff(row) ? askToCreate(row) : null);
    const user = await insertChecked(tx, row);
    await noteStaffChange(tx, by, { userId: user.id, before: null, after: user });
    await audit(user.id, { after: user });
    return user;
  },
});

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

/**
 * Changes a user's name, e-mail or role. Empty or absent fields stay. Another role, which only an owner gives or takes,
 * ends the user's sessions, which were opened with the old one. Roles of staff, and an e-mail address, by which
 * passwords are reset, take a second person.
 */
export const edit = command({
  name: "user.edit",
  right: "agents.manage",
  about: "Change a username, e-mail address or role; fields left out stay as they are",
  subject: "user",
  input: {
    userId: Id,
    username: z.union([z.literal(""), Username]).optional(),
    email: z.union([z.literal(""), Email]).optional(),
    roles: Roles.optional().describe("Replaces their roles and ends their sessions"),
  },
  errors: [
    ...(["user.not_found", "user.closed", "user.username_taken", "user.username_refused"] as const),
    ...(["user.email_taken", "user.one_role", "user.own_admin", "user.last_admin"] as const),
  ],
  constraints: TAKEN,
  asks: "Change of an account",
  run: async (work, { userId, ...wanted }) => {
    const { tx, by, agree } = work;
    return changed(work, userId, async (before) => {
      const change = await changeOf(work, before, wanted);
      const question = askToEdit(before, change);
      await agree(question);
      if (question?.right === "staff.manage") await noteStaffChange(tx, by, { userId, before, after: change });
      await tx.update(users).set(change).where(eq(users.id, userId));
      if (change.email && change.email !== before.email) await notices.emailChanged(tx, before, change.email);
      if (change.roles !== before.roles) await sessions.endAll(tx, userId);
    });
  },
});

type Wanted = { username?: string | undefined; email?: string | undefined; roles?: Role[] | undefined };

/** What an account becomes; roles that stay are the very same. Throws as `edit`. */
async function changeOf({ tx, by }: Work, before: User, wanted: Wanted) {
  const roles = wanted.roles ? oneRoleOf(wanted.roles) : before.roles;
  if (isStaff({ roles }) || isStaff(before)) requireStaffRight(by, { roles: ["ADMIN"] });
  if (isOwner(before) && !isOwner({ roles })) await refuseOwnerless(tx, by, before);
  if (wanted.username && wanted.username !== before.username) checkUsername(wanted.username, isOwner(by));
  return {
    username: wanted.username || before.username,
    email: wanted.email?.toLowerCase() || before.email,
    roles: roles[0] === before.roles[0] ? before.roles : roles,
  };
}

/** Bans a user and ends their sessions and API keys, also those of the sandbox. */
export const ban = command({
  name: "user.ban",
  right: "agents.manage",
  about: "Ban a user and end their sessions at once",
  subject: "user",
  input: { userId: Id },
  errors: ["user.not_found", "user.closed", "user.own_account", "user.last_admin"],
  run: async (work, { userId }) =>
    changed(work, userId, async (before) => {
      const { tx } = work;
      await refuseEnding(work, before);
      await tx.update(users).set({ status: "BANNED" }).where(eq(users.id, userId));
      await sessions.endAll(tx, userId);
      await apiKeyCallers.endAll(tx, userId);
      await farewells.note(tx, userId);
    }),
});

/** Lifts a user's ban. */
export const unban = command({
  name: "user.unban",
  right: "agents.manage",
  about: "Let a banned user in again",
  subject: "user",
  input: { userId: Id },
  errors: ["user.not_found", "user.closed"],
  run: async (work, { userId }) =>
    changed(work, userId, async (before) => {
      const { tx, by } = work;
      // Whoever owed their place to the end of a ban that never was could not decide the requests of who ended it.
      if (before.status !== "BANNED") return;
      await noteStaffChange(tx, by, { userId, before: null, after: before });
      await tx.update(users).set({ status: "ACTIVE" }).where(eq(users.id, userId));
      await farewells.withdraw(tx, userId);
    }),
});

/**
 * Deletes an account: it is closed and its owner's personal data erased, while its orders and transfers stay, because
 * the books need them. Name and e-mail become free again. Entries of an admin in the audit log keep the name.
 */
export const remove = command({
  name: "user.delete",
  right: "agents.manage",
  about: "Delete an account; its orders and transfers are kept, without the name",
  subject: "user",
  input: { userId: Id },
  errors: [
    ...(["user.not_found", "user.closed", "user.own_account", "user.last_admin"] as const),
    ...(["user.has_balance", "user.owes", "user.has_open_orders"] as const),
  ],
  run: async (work, { userId }) => {
    await changed(work, userId, async (before) => {
      await refuseEnding(work, before);
      await close(work.tx, userId);
    });
    return { userId };
  },
});

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

/** Creates an account with this role; `also` runs in the same transaction. Throws as `create` for what was typed. */
export async function insert(
  db: Db,
  command: NewUser & { roles: Role[] },
  also: (tx: Tx, user: User) => Promise<void>,
): Promise<User> {
  const row = await credentialsOf(command);
  return refuseTaken(() =>
    transact(db, async (tx) => {
      const user = await insertChecked(tx, row);
      await also(tx, user);
      return user;
    }),
  );
}

/** Checks the password of a new account, and hashes it. Throws user.password_short, user.password_common. */
async function credentialsOf(command: NewUser & { roles: Role[] }): Promise<StaffToCreate> {
  const { username, password, roles } = command;
  const email = command.email.toLowerCase();
  passwords.check(password, roles, passwords.namesOf({ username, email }));
  return { username, email, passwordHash: await passwords.hash(password), roles };
}

async function insertChecked(tx: Tx, row: StaffToCreate): Promise<User> {
  const [user] = await tx.insert(users).values(row).returning(visible);
  await tx.insert(wallets).values({ userId: user!.id });
  return user!;
}

/** Locks the user, changes it, and logs the values before and after. Throws user.not_found, user.closed. */
async function changed(
  { tx, by, audit }: Work,
  userId: number,
  change: (before: User) => Promise<void>,
): Promise<User> {
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
  await change(before);
  const after = await get(tx, userId);
  // An unchanged user is not logged.
  if (Bun.deepEquals(before, after)) return after;
  await audit(userId, { before, after });
  if (after.status === "CLOSED") await auditLog.forgetNames(tx, userId);
  return after;
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

/**
 * Before somebody's account ends. Throws user.own_account, because an admin who banned or deleted themselves by mistake
 * could leave the shop without one, and user.last_admin.
 */
async function refuseEnding({ tx, by }: Work, before: User): Promise<void> {
  if (by.userId === before.id) throw new AppError("user.own_account");
  await refuseLastAdmin(tx, before);
  await noteStaffChange(tx, by, { userId: before.id, before, after: null });
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
    const constraint = databaseError(error)?.constraint ?? "";
    throw constraint in TAKEN ? TAKEN[constraint as keyof typeof TAKEN]() : error;
  }
}
