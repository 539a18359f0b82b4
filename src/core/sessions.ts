// Logging in and staying logged in. A session is a row, so that logout, ban and password change end it at once;
// what the browser or client holds is only a signed name for that row.
import { eq, lt, sql } from "drizzle-orm";
import { type Db, isOutage } from "../../db/connect.ts";
import { sessions, users } from "../../db/schema.ts";
import type { Role } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import { gather } from "./gather.ts";
import * as passwords from "./passwords.ts";
import * as rateLimits from "./rate-limits.ts";
import type { User } from "./users.ts";

export type Session = { id: string; user: User };
export const SESSION_SECONDS = 7 * 24 * 3600;

const FAILURES_PER_ACCOUNT = { countMax: 10, windowSeconds: 900 };
const FAILURES_PER_ADDRESS = { countMax: 100, windowSeconds: 900 };

/**
 * Checks e-mail and password and opens a session. Attempts are counted per account and per address before the password
 * is looked at; a right one takes its count back. Throws auth.bad_credentials (also for an unknown e-mail, in the same time), auth.banned,
 * request.rate_limited.
 */
export async function logIn(
  db: Db,
  ask: { email: string; password: string; address: string; userAgent: string },
): Promise<Session> {
  const email = ask.email.trim().toLowerCase();
  const accountBucket = accountBucketOf(email);
  const addressBucket = `login:address:${ask.address}`;
  await rateLimits.count(db, { bucket: addressBucket, ...FAILURES_PER_ADDRESS });
  await rateLimits.count(db, { bucket: accountBucket, ...FAILURES_PER_ACCOUNT });
  const [found] = await db
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, email));
  const isRight = await passwords.verify(ask.password, found?.passwordHash || null);
  if (!found || !isRight) throw new AppError("auth.bad_credentials");
  if (found.status !== "ACTIVE") throw new AppError("auth.banned");
  await rateLimits.clear(db, accountBucket);
  await rateLimits.uncount(db, addressBucket);
  const id = crypto.getRandomValues(new Uint8Array(18)).toBase64({ alphabet: "base64url" });
  await db.insert(sessions).values({
    id,
    userId: found.id,
    expiresAt: sql`now() + make_interval(secs => ${SESSION_SECONDS})`,
    address: ask.address,
    userAgent: ask.userAgent.slice(0, 200),
  });
  const { passwordHash: _, closedAt: __, ...user } = found;
  return { id, user };
}

/** Lets somebody try again at once who has proved who they are in another way. */
export async function forgetFailures(db: Db, email: string): Promise<void> {
  await rateLimits.clear(db, accountBucketOf(email));
}

const accountBucketOf = (email: string) => `login:account:${email.toLowerCase()}`;

/** The live session with this id and its user, or null. Look-ups of the same moment share one query. */
export async function find(db: Db, sessionId: string): Promise<Session | null> {
  return finderOf(db)(sessionId);
}

/** Ends a session. */
export async function logOut(db: Db, sessionId: string): Promise<void> {
  await db.delete(sessions).where(eq(sessions.id, sessionId));
}

/** Deletes sessions that have expired. */
export async function forgetOld(db: Db): Promise<void> {
  await db.delete(sessions).where(lt(sessions.expiresAt, sql`now()`));
}

type Finder = (sessionId: string) => Promise<Session | null>;
const finders = new WeakMap<Db, Finder>();

function finderOf(db: Db): Finder {
  let finder = finders.get(db);
  if (!finder) {
    finder = gather((ids: string[]) => findAll(db, ids), isOutage, {
      lanes: 2,
      batchMax: 200,
      laneOf: laneOf,
    });
    finders.set(db, finder);
  }
  return finder;
}

let next = 0;
const laneOf = () => next++;

async function findAll(db: Db, ids: string[]): Promise<(Session | null)[]> {
  type Row = { sid: string; id: number; username: string; email: string; roles: Role[]; created_at: string };
  const rows = await db.$client.unsafe<Row[]>(
    `select s.id as sid, u.id, u.username, u.email, u.roles, u.created_at
     from sessions s join users u on u.id = s.user_id
     where s.id = any($1::text[]) and s.expires_at > now() and u.status = 'ACTIVE'`,
    [ids],
    { prepare: db.$client.options.prepare },
  );
  const byId = new Map(rows.map((row) => [row.sid, row]));
  return ids.map((id) => {
    const row = byId.get(id);
    if (!row) return null;
    const { sid, created_at, ...user } = row;
    return { id: sid, user: { ...user, status: "ACTIVE", createdAt: new Date(created_at) } };
  });
}
