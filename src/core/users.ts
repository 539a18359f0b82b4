// People: signing up, and what admins do with accounts. Sessions and logging in are in sessions.ts.
import { and, arrayContains, asc, desc, eq, ilike, lt, ne, or, type SQL, sql } from "drizzle-orm";
import { type Db, databaseError, type Tx } from "../../db/connect.ts";
import { orders, users, wallets } from "../../db/schema.ts";
import { bulkDrafts } from "../../db/schema-drafts.ts";
import { pendingLogins, secondFactors } from "../../db/schema-factors.ts";
import { hooks } from "../../db/schema-hooks.ts";
import { codes, messages, phones } from "../../db/schema-messages.ts";
import { inboundSms } from "../../db/schema-sms.ts";
import {
  type By,
  isAdmin,
  limits,
  OPEN_STATUSES,
  ROLES,
  type Role,
  type UserStatus,
} from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import * as notices from "./notices.ts";
import * as openCases from "./open-cases.ts";
import * as passwords from "./passwords.ts";
import * as rateLimits from "./rate-limits.ts";
import * as sessions from "./sessions.ts";
import * as trail from "./trail.ts";

/** A user as others may see one: never with the password's hash. */
export type User = {
  id: number;
  username: string;
  email: string;
  roles: Role[];
  status: UserStatus;
  createdAt: Date;
};

const visible = {
  id: users.id,
  username: users.username,
  email: users.email,
  roles: users.roles,
  status: users.status,
  createdAt: users.createdAt,
};

export type NewUser = { username: string; email: string; password: string };

/** Generous, because a mobile operator puts thousands of phones behind one address. */
const SIGN_UPS_PER_ADDRESS = { countMax: 200, windowSeconds: 3600 };

/**
 * Opens an agent's account for somebody at this address. Throws user.username_taken, user.email_taken,
 * user.password_short, user.password_common, request.rate_limited.
 */
export async function signUp(db: Db, { address, ...user }: NewUser & { address: string }): Promise<User> {
  await rateLimits.count(db, { bucket: `signup:${address}`, ...SIGN_UPS_PER_ADDRESS });
  return insert(db, { ...user, roles: ["USER"] }, async () => {});
}

/** Opens an account with roles, as an admin. Throws like `signUp`, and auth.forbidden. */
export async function create(db: Db, ask: { by: By } & NewUser & { roles: Role[] }): Promise<User> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  return insert(db, ask, (tx, user) =>
    trail.record(tx, ask.by, [
      { action: "user.create", subjectType: "user", subjectId: user.id, after: user },
    ]),
  );
}

/** Makes the first admin when there is none; returns null when there is one, also where many processes start at once. */
export async function ensureAdmin(db: Db, ask: { email: string; password: string }): Promise<User | null> {
  if (await hasAdmin(db)) return null;
  try {
    return await insert(db, { ...ask, username: "admin", roles: ["ADMIN"] }, async () => {});
  } catch (error) {
    // Another process has made it since we looked.
    if (error instanceof AppError && (await hasAdmin(db))) return null;
    throw error;
  }
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
 * Changes a user's name, e-mail or roles, as an admin. Empty or absent fields stay. New roles end the user's sessions,
 * which were opened with the old ones. Throws user.not_found, user.closed, user.*_taken, user.own_admin, user.last_admin.
 */
export async function edit(db: Db, ask: { by: By; userId: number } & UserChange): Promise<User> {
  return changed(db, ask.by, ask.userId, "user.edit", async (tx, before) => {
    // In one order, so that the same roles are the same, however they were ticked.
    const roles = ask.roles ? ROLES.filter((role) => ask.roles!.includes(role)) : before.roles;
    const hasOtherRoles = ROLES.some((role) => roles.includes(role) !== before.roles.includes(role));
    if (isAdmin(before) && !isAdmin({ roles })) {
      if (before.id === ask.by.userId) throw new AppError("user.own_admin");
      await refuseLastAdmin(tx, before);
    }
    const change = {
      username: ask.username || before.username,
      email: ask.email?.toLowerCase() || before.email,
      roles: hasOtherRoles ? roles : before.roles,
    };
    await tx.update(users).set(change).where(eq(users.id, before.id));
    if (change.email !== before.email) await notices.emailChanged(tx, before, change.email);
    if (hasOtherRoles) await sessions.endAll(tx, before.id);
  });
}

/** Bars a user and ends every session of theirs at once. Throws user.not_found, user.last_admin. */
export async function ban(db: Db, ask: { by: By; userId: number }): Promise<User> {
  return changed(db, ask.by, ask.userId, "user.ban", async (tx, before) => {
    await refuseLastAdmin(tx, before);
    await tx.update(users).set({ status: "BANNED" }).where(eq(users.id, before.id));
    await sessions.endAll(tx, before.id);
  });
}

/** Lets a banned user in again. Throws user.not_found, user.closed. */
export async function unban(db: Db, ask: { by: By; userId: number }): Promise<User> {
  return changed(db, ask.by, ask.userId, "user.unban", async (tx, before) => {
    await tx.update(users).set({ status: "ACTIVE" }).where(eq(users.id, before.id));
  });
}

/**
 * Deletes an account: it is closed and its name, e-mail, phone and password are gone, while its orders and transfers stay,
 * because the books need them. The name and e-mail are free again. Throws user.not_found, user.last_admin, user.has_balance, user.has_open_orders.
 */
export async function remove(db: Db, ask: { by: By; userId: number }): Promise<void> {
  await changed(db, ask.by, ask.userId, "user.delete", async (tx, before) => {
    await refuseLastAdmin(tx, before);
    const [wallet] = await tx.select().from(wallets).where(eq(wallets.userId, before.id)).for("update");
    if (wallet && wallet.balancePesewas > 0) throw new AppError("user.has_balance");
    const [open] = await tx
      .select({ id: orders.id })
      .from(orders)
      .where(
        and(eq(orders.userId, before.id), or(...OPEN_STATUSES.map((status) => eq(orders.status, status)))),
      )
      .limit(1);
    if (open || (await openCases.hasSome(tx, before.id))) throw new AppError("user.has_open_orders");
    await sessions.endAll(tx, before.id);
    for (const table of [
      phones,
      codes,
      messages,
      inboundSms,
      bulkDrafts,
      pendingLogins,
      secondFactors,
      hooks,
    ])
      await tx.delete(table).where(eq(table.userId, before.id));
    await tx
      .update(users)
      .set({
        username: `deleted-${before.id}`,
        email: `deleted-${before.id}@invalid`,
        passwordHash: "",
        status: "CLOSED",
        closedAt: sql`now()`,
      })
      .where(eq(users.id, before.id));
  });
}

export type UserFilter = {
  search?: string | undefined;
  status?: UserStatus | undefined;
  role?: Role | undefined;
};
export type UserRow = User & { balancePesewas: number };

/** Users newest first, from below `cursor` on. The search looks at username, e-mail, roles and status. */
export async function list(
  db: Db,
  filter: UserFilter,
  page: { cursor?: number | undefined; limit: number },
): Promise<UserRow[]> {
  return db
    .select({ ...visible, balancePesewas: sql<number>`coalesce(${wallets.balancePesewas}, 0)` })
    .from(users)
    .leftJoin(wallets, eq(wallets.userId, users.id))
    .where(
      and(
        filter.status ? eq(users.status, filter.status) : ne(users.status, "CLOSED"),
        filter.role && arrayContains(users.roles, [filter.role]),
        filter.search ? searchCondition(filter.search.trim()) : undefined,
        page.cursor ? lt(users.id, page.cursor) : undefined,
      ),
    )
    .orderBy(desc(users.id))
    .limit(Math.min(page.limit, limits.pageSizeMax));
}

/** One user; throws user.not_found. */
export async function get(tx: Tx, userId: number): Promise<User> {
  const user = await find(tx, userId);
  if (!user) throw new AppError("user.not_found");
  return user;
}

/** One user, or null. */
export async function find(tx: Tx, userId: number): Promise<User | null> {
  const [user] = await tx.select(visible).from(users).where(eq(users.id, userId));
  return user ?? null;
}

async function insert(
  db: Db,
  ask: NewUser & { roles: Role[] },
  also: (tx: Tx, user: User) => Promise<void>,
): Promise<User> {
  const email = ask.email.toLowerCase();
  passwords.check(ask.password, ask.roles, [ask.username, email, email.split("@")[0]!]);
  const passwordHash = await passwords.hash(ask.password);
  return refuseTaken(() =>
    db.transaction(async (tx) => {
      const row = { username: ask.username, email, passwordHash, roles: ask.roles };
      const [user] = await tx.insert(users).values(row).returning(visible);
      await tx.insert(wallets).values({ userId: user!.id });
      await also(tx, user!);
      return user!;
    }),
  );
}

/** Locks the user, changes it, and records before and after. A closed account changes no more. */
async function changed(
  db: Db,
  by: By,
  userId: number,
  action: string,
  change: (tx: Tx, before: User) => Promise<void>,
): Promise<User> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  return refuseTaken(() =>
    db.transaction(async (tx) => {
      // Admins are locked together and in one order, so that two of them cannot remove each other at once.
      await tx
        .select({ id: users.id })
        .from(users)
        .where(or(eq(users.id, userId), arrayContains(users.roles, ["ADMIN"])))
        .orderBy(asc(users.id))
        .for("update");
      const before = await get(tx, userId);
      if (before.status === "CLOSED") throw new AppError("user.closed");
      await change(tx, before);
      const after = await get(tx, userId);
      await trail.record(tx, by, [{ action, subjectType: "user", subjectId: userId, before, after }]);
      return after;
    }),
  );
}

async function refuseLastAdmin(tx: Tx, user: User): Promise<void> {
  if (!isAdmin(user)) return;
  const active = and(
    arrayContains(users.roles, ["ADMIN"]),
    eq(users.status, "ACTIVE"),
    ne(users.id, user.id),
  );
  if ((await tx.$count(users, active)) === 0) throw new AppError("user.last_admin");
}

/** Turns the database's word that a name or e-mail is somebody else's into a refusal beside its field. */
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

function searchCondition(words: string): SQL | undefined {
  const pattern = `%${words.replace(/[%_\\]/g, "\\$&")}%`;
  const roles = ROLES.filter((role) => role.startsWith(words.toUpperCase()));
  return or(
    ilike(users.username, pattern),
    ilike(users.email, pattern),
    ilike(users.status, pattern),
    /^\d{1,15}$/.test(words) ? eq(users.id, Number(words)) : undefined,
    ...roles.map((role) => arrayContains(users.roles, [role])),
  );
}
