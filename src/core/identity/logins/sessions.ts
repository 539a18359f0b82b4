// Logins and sessions. A session is a row, so that logout, ban and password change end it at once; the browser or
// client holds only a signed id of that row.
import { and, desc, eq, gt, isNotNull, lt, ne, sql } from "drizzle-orm";
import { type Db, isOutage, type TxOrDb } from "../../../../db/connect.ts";
import { pendingLogins, secondFactors, sessions, users } from "../../../../db/schema/identity.ts";
import type { Role } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { isWaiting } from "../../ledger/waits.ts";
import { batcher } from "../../platform/batcher.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import { neighbourhoodOf } from "../../platform/networks.ts";
import * as operatorRegistry from "../../platform/operator-registry.ts";
import { deleteInParts } from "../../platform/parts.ts";
import type { User } from "../users.ts";
import * as devices from "./devices.ts";
import * as loginHistory from "./login-history.ts";
import * as passwords from "./passwords.ts";
import { type Attempt, published } from "./security-events.ts";

export type Session = {
  id: string;
  user: User;
  /** Set for an admin who must set up a second factor before anything else. */
  mustEnrol?: true;
  /** Set when the last proof of who it is, the login or one since, is too old for acts of money, staff and keys. */
  isUnconfirmed?: true;
  /** Set while the account may look and not spend. */
  isFrozen?: true;
  /** Set while it waits before it spends, by whichever door. */
  isWaiting?: true;
};
/** How long a confirmation is valid. */
const CONFIRMED_MINUTES = 10;
export const SESSION_SECONDS = 7 * 24 * 3600;

/** How long a login waits for its second step. */
export const SECOND_STEP_SECONDS = 300;

/** The credentials and origin of a login. */
export type LoginRequest = devices.Origin & { email: string; password: string; userAgent: string };

/**
 * Checks e-mail and password and opens a session. Attempts are counted before the password is checked, and success
 * takes its count back: known devices and networks have a budget of their own; others are counted by address, by
 * account and network, and by account. Throws auth.bad_credentials (also for an unknown e-mail, in the same time),
 * auth.banned, request.rate_limited; and auth.second_factor_required, with the `token` for the second step, when the
 * account has a second factor. Nothing else reveals that the password was right: the attempt stays counted, and a ban
 * is reported only after the code; except auth.password_outgrown, with which nobody gets in.
 */
export async function logIn(db: Db, login: LoginRequest): Promise<Session> {
  const attempt: Attempt = { proof: "login", userId: null, address: login.address };
  return published(attempt, async () => {
    const email = login.email.trim().toLowerCase();
    const found = await findByEmail(db, email);
    attempt.userId = found?.id ?? null;
    const known = await devices.knownDevice(db, found?.id ?? 0, login);
    if (known) await budgets.spend(db, "login.known", known);
    else {
      await budgets.spend(db, "login.address", login.address);
      // In this order, so that attempts refused to one network do not use up the account's budget.
      await budgets.spend(db, "login.network", fromNetwork(email, login.address));
      await budgets.spend(db, "login.account", email);
    }
    const isRight = await passwords.verify(login.password, found?.passwordHash || null);
    if (!found || !isRight) throw new AppError("auth.bad_credentials");
    // Somebody who was an agent when they chose it. It opens nothing, so that it is right may be known.
    if (passwords.isShort(login.password, found.roles)) throw new AppError("auth.password_outgrown");
    await budgets.spend(db, "login.right", found.id);
    await requireSecondFactor(db, found);
    if (found.status !== "ACTIVE") throw new AppError("auth.banned");
    await succeeded(db, found, login);
    return open(db, found, { ...login, isKnown: known !== null });
  });
}

/** Whether a login was refused because of too many guesses at this account, by strangers or not. */
export function isLockedOut(error: AppError | undefined): boolean {
  const limit = error?.details?.limit;
  return limit === "login.network" || limit === "login.account";
}

function fromNetwork(email: string, address: string): string {
  return `${email} ${neighbourhoodOf(address)}`;
}

/**
 * The account with this e-mail and password, or null, in the same time either way. Counted by address alone: for
 * requests that carry a second proof. Throws request.rate_limited.
 */
export async function findByPassword(db: Db, login: LoginRequest): Promise<Row | null> {
  await budgets.spend(db, "login.address", login.address);
  const found = await findByEmail(db, login.email.trim().toLowerCase());
  const isRight = await passwords.verify(login.password, found?.passwordHash || null);
  return isRight ? found : null;
}

async function findByEmail(db: Db, email: string): Promise<Row | null> {
  const [found] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  return found ?? null;
}

export type Row = typeof users.$inferSelect;

/** Opens a session for an authenticated user. `isKnown`: it comes from a known device. */
export async function open(
  tx: TxOrDb,
  found: Row,
  login: { address: string; userAgent: string; isKnown: boolean },
): Promise<Session> {
  const id = randomToken();
  await tx.insert(sessions).values({
    id,
    userId: found.id,
    expiresAt: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    address: login.address,
    userAgent: login.userAgent.slice(0, 200),
  });
  await loginHistory.recordLogin(tx, found, login);
  await tx.update(users).set({ lastLoginAt: sql`now()` }).where(eq(users.id, found.id));
  const { username, email, roles, status, createdAt } = found;
  return { id, user: { id: found.id, username, email, roles, status, createdAt } };
}

/** Returns the attempts that a successful login has used up, and remembers its device. */
export async function succeeded(db: Db, { id: userId, email }: Row | User, origin: devices.Origin): Promise<void> {
  const known = await devices.knownDevice(db, userId, origin);
  if (known) await budgets.reset(db, "login.known", known);
  else {
    await budgets.giveBack(db, "login.address", origin.address);
    // An account without one has no password either.
    if (email === null) return;
    await budgets.reset(db, "login.network", fromNetwork(email, origin.address));
    await budgets.giveBack(db, "login.account", email);
  }
  await devices.remember(db, userId, origin);
}

/** A digest to store instead of a random secret, which needs no slow hash. */
export function digestOf(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("base64url");
}

async function requireSecondFactor(db: Db, { id: userId, passwordHash }: Row): Promise<void> {
  const [factor] = await db
    .select({ userId: secondFactors.userId })
    .from(secondFactors)
    .where(and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt)));
  if (!factor) return;
  const token = randomToken();
  await db.insert(pendingLogins).values({
    tokenDigest: digestOf(token),
    userId,
    passwordDigest: digestOf(passwordHash),
    expiresAt: sql`now() + make_interval(secs => ${SECOND_STEP_SECONDS})`,
  });
  throw new AppError("auth.second_factor_required", { token, expiresInSeconds: SECOND_STEP_SECONDS });
}

/** 144 random bits. */
const randomToken = () => crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });

/** Clears failed logins from this address after its user was authenticated in another way. */
export async function forgetFailures(db: Db, email: string, address: string): Promise<void> {
  await budgets.reset(db, "login.network", fromNetwork(email, address));
  await budgets.reset(db, "login.account", email);
}

/**
 * The live session with this id and its user, or null; renews the operators. Concurrent calls share one query.
 */
export async function find(db: Db, sessionId: string): Promise<Session | null> {
  return finderOf(db)(sessionId);
}

/** Ends a session. */
export async function logOut(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

export type Login = {
  /** Identifies the session on pages, without giving access to it. */
  name: string;
  isThis: boolean;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
};

/** An account's live sessions, newest first; `ownId` is the current one. */
export async function list(db: Db, userId: number, ownId: string): Promise<Login[]> {
  const rows = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(sessions.createdAt));
  return rows.map(({ id, address, userAgent, createdAt }) => ({
    ...{ name: digestOf(id), isThis: id === ownId },
    ...{ address, userAgent, createdAt },
  }));
}

/** Ends one of an account's sessions by its name; no error when it has already ended. */
export async function endOne(db: Db, userId: number, name: string): Promise<void> {
  const rows = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId));
  const session = rows.find(({ id }) => digestOf(id) === name);
  if (session) await logOut(db, session.id);
}

/** Ends all of an account's sessions, except one if given. */
export async function endAll(tx: TxOrDb, userId: number, exceptId: string | null = null): Promise<void> {
  const isOther = exceptId === null ? undefined : ne(sessions.id, exceptId);
  await tx.delete(sessions).where(and(eq(sessions.userId, userId), isOther));
}

/** Deletes expired sessions and unfinished logins. */
export async function forgetOld(db: Db): Promise<void> {
  await deleteInParts(db, pendingLogins, lt(pendingLogins.expiresAt, sql`now()`));
  await deleteInParts(db, sessions, lt(sessions.expiresAt, sql`now()`));
  await devices.forgetOld(db);
}

type Finder = (sessionId: string) => Promise<Session | null>;
const finders = new WeakMap<Db, Finder>();

function finderOf(db: Db): Finder {
  let finder = finders.get(db);
  if (!finder) {
    finder = batcher((ids: string[]) => findAll(db, ids), isOutage, {
      batchMax: 200,
      partitionOf: () => next++ % 2,
    });
    finders.set(db, finder);
  }
  return finder;
}

let next = 0;

async function findAll(db: Db, ids: string[]): Promise<(Session | null)[]> {
  type Row = {
    sid: string;
    id: number;
    username: string;
    email: string;
    roles: Role[];
    created_at: string;
    must_enrol: boolean;
    is_unconfirmed: boolean;
    is_frozen: boolean;
    is_waiting: boolean;
    operators_version: string;
  };
  const rows = await db.$client.unsafe<Row[]>(
    `select s.id as sid, u.id, u.username, u.email, u.roles, u.created_at,
       ${operatorRegistry.VERSION} as operators_version,
       case when u.roles <> '{USER}' then
         exists (select from settings where key = 'admin_second_factor' and value = 'true'::jsonb)
         and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
       else false end as must_enrol,
       s.confirmed_at < now() - interval '${CONFIRMED_MINUTES} minutes' as is_unconfirmed,
       exists (select from freezes f
               where f.user_id = u.id and f.ended_at is null and coalesce(f.until > now(), true)) as is_frozen,
       ${isWaiting("u.id", "'web'")} as is_waiting
     from sessions s join users u on u.id = s.user_id
     where s.id = any($1::text[]) and s.expires_at > now() and u.status = 'ACTIVE'`,
    [ids],
    { prepare: db.$client.options.prepare },
  );
  if (rows[0]) await operatorRegistry.at(db, rows[0].operators_version);
  const byId = new Map(rows.map((row) => [row.sid, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (!row) return null;
    const {
      sid,
      created_at,
      must_enrol: mustEnrol,
      is_unconfirmed: isOld,
      is_frozen: isFrozen,
      is_waiting: waits,
      operators_version: _,
      ...person
    } = row;
    const user: User = { ...person, status: "ACTIVE", createdAt: new Date(created_at) };
    const state = {
      ...(mustEnrol && { mustEnrol }),
      ...(isOld && { isUnconfirmed: true as const }),
      ...(isFrozen && { isFrozen }),
      ...(waits && { isWaiting: true as const }),
    };
    return { id: sid, user, ...state };
  });
}
