// The second step of a login: whoever gave the right password holds a token for five minutes, and a code opens the session.
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../../../db/connect.ts";
import { pendingLogins, users } from "../../../db/schema/identity.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as devices from "./devices.ts";
import { countTry, type FactorKeys, forgetTries, spend, stateOf } from "./second-factor.ts";
import { type Attempt, witnessed } from "./security-events.ts";
import * as sessions from "./sessions.ts";

const TRIES_MAX = 5;

/**
 * Logs in by password and, where a code comes along, by both steps in one request. With both right an account is open that
 * strangers have shut by guessing: neither is told to be right or wrong without the other, so that there is nothing to
 * guess. Throws like `sessions.logIn` and `finish`.
 */
export async function logIn(
  db: Db,
  means: FactorKeys,
  { code, ...ask }: sessions.LoginAsk & { code?: string | undefined },
): Promise<sessions.Session> {
  try {
    return await sessions.logIn(db, ask);
  } catch (error) {
    if (!(error instanceof AppError) || !code) throw error;
    if (error.code === "auth.second_factor_required")
      return finish(db, means, { ...ask, token: error.details!.token as string, code });
    if (!sessions.isShut(error)) throw error;
    const session = await openByBoth(db, means, { ...ask, code });
    if (!session) throw error;
    return session;
  }
}

/**
 * Opens the session that `logIn` withheld, for a code of the app or a recovery code. The token is good for one session and
 * five tries. Throws factor.wrong, auth.second_step_ended (also when the password is another by now), auth.banned,
 * request.rate_limited.
 */
export async function finish(
  db: Db,
  means: FactorKeys,
  ask: devices.Origin & { token: string; code: string; userAgent: string },
): Promise<sessions.Session> {
  const attempt: Attempt = { proof: "second factor", userId: null, address: ask.address };
  return witnessed(attempt, async () => {
    const tokenDigest = sessions.digestOf(ask.token);
    const [pending] = await db
      .update(pendingLogins)
      .set({ tries: sql`${pendingLogins.tries} + 1` })
      .where(
        and(
          eq(pendingLogins.tokenDigest, tokenDigest),
          sql`${pendingLogins.expiresAt} > now()`,
          lt(pendingLogins.tries, TRIES_MAX),
        ),
      )
      .returning();
    if (!pending) throw new AppError("auth.second_step_ended");
    const { userId } = pending;
    attempt.userId = userId;
    const known = await devices.knownAs(db, userId, ask);
    await countTry(db, userId, known);
    const session = await db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      if (!user || sessions.digestOf(user.passwordHash) !== pending.passwordDigest)
        throw new AppError("auth.second_step_ended");
      if (!(await spend(tx, means, userId, ask.code))) throw new AppError("factor.wrong");
      if (user.status !== "ACTIVE") throw new AppError("auth.banned");
      const [own] = await tx
        .delete(pendingLogins)
        .where(eq(pendingLogins.tokenDigest, tokenDigest))
        .returning({ userId: pendingLogins.userId });
      if (!own) throw new AppError("auth.second_step_ended");
      return sessions.open(tx, user, ask);
    });
    await forgetTries(db, userId, known);
    await sessions.succeeded(db, session.user, ask);
    return session;
  });
}

/** Null unless both are right. Tries at the code are counted only after the right password: strangers cannot use them up. */
async function openByBoth(
  db: Db,
  means: FactorKeys,
  ask: sessions.LoginAsk & { code: string },
): Promise<sessions.Session | null> {
  const user = await sessions.findByPassword(db, ask);
  if (user?.status !== "ACTIVE" || !(await stateOf(db, user.id))) return null;
  const attempt: Attempt = { proof: "second factor", userId: user.id, address: ask.address };
  try {
    return await witnessed(attempt, async () => {
      await countTry(db, user.id);
      const session = await db.transaction(async (tx) => {
        if (!(await spend(tx, means, user.id, ask.code))) throw new AppError("factor.wrong");
        return sessions.open(tx, user, ask);
      });
      await forgetTries(db, user.id);
      await sessions.succeeded(db, user, ask);
      return session;
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
