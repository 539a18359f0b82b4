// The second step of a login: the right password yields a token for five minutes, and a code then opens the session.
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../../../../db/connect.ts";
import { pendingLogins, users } from "../../../../db/schema/identity.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import * as devices from "./devices.ts";
import { countTry, type FactorKeys, forgetTries, spend, stateOf } from "./second-factor.ts";
import { type Attempt, published } from "./security-events.ts";
import * as sessions from "./sessions.ts";

const TRIES_MAX = 5;

/**
 * Logs in by password or, with a code, by both steps in one request. Both together also open an account that strangers
 * have locked by guessing: neither is reported right or wrong without the other, so that there is nothing to guess.
 * Throws as `sessions.logIn` and `finish`.
 */
export async function logIn(
  db: Db,
  keys: FactorKeys,
  { code, ...command }: sessions.LoginRequest & { code?: string | undefined },
): Promise<sessions.Session> {
  try {
    return await sessions.logIn(db, command);
  } catch (error) {
    if (!(error instanceof AppError) || !code) throw error;
    if (error.code === "auth.second_factor_required")
      return finish(db, keys, { ...command, token: error.details!.token as string, code });
    if (!sessions.isLockedOut(error)) throw error;
    const session = await openByBoth(db, keys, { ...command, code });
    if (!session) throw error;
    return session;
  }
}

/**
 * Opens the session that `logIn` withheld, for a code from the app or a recovery code. The token is valid for one
 * session and five tries. Throws factor.wrong, auth.second_step_ended (also when the password has changed since),
 * auth.banned, request.rate_limited.
 */
export async function finish(
  db: Db,
  keys: FactorKeys,
  command: devices.Origin & { token: string; code: string; userAgent: string },
): Promise<sessions.Session> {
  const attempt: Attempt = { proof: "second factor", userId: null, address: command.address };
  return published(attempt, async () => {
    const tokenDigest = sessions.digestOf(command.token);
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
    const known = await devices.knownDevice(db, userId, command);
    await countTry(db, userId, known);
    const session = await db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      if (!user || sessions.digestOf(user.passwordHash) !== pending.passwordDigest)
        throw new AppError("auth.second_step_ended");
      if (!(await spend(tx, keys, userId, command.code))) throw new AppError("factor.wrong");
      if (user.status !== "ACTIVE") throw new AppError("auth.banned");
      const [own] = await tx
        .delete(pendingLogins)
        .where(eq(pendingLogins.tokenDigest, tokenDigest))
        .returning({ userId: pendingLogins.userId });
      if (!own) throw new AppError("auth.second_step_ended");
      return sessions.open(tx, user, { ...command, isKnown: known !== null });
    });
    await forgetTries(db, userId, known);
    await sessions.succeeded(db, session.user, command);
    return session;
  });
}

/**
 * Null unless both are right. Tries at the code count only after the right password, so strangers cannot use them up.
 */
async function openByBoth(
  db: Db,
  keys: FactorKeys,
  command: sessions.LoginRequest & { code: string },
): Promise<sessions.Session | null> {
  const user = await sessions.findByPassword(db, command);
  if (user?.status !== "ACTIVE" || !(await stateOf(db, user.id))) return null;
  const attempt: Attempt = { proof: "second factor", userId: user.id, address: command.address };
  try {
    return await published(attempt, async () => {
      await countTry(db, user.id);
      const isKnown = (await devices.knownDevice(db, user.id, command)) !== null;
      const session = await db.transaction(async (tx) => {
        if (!(await spend(tx, keys, user.id, command.code))) throw new AppError("factor.wrong");
        return sessions.open(tx, user, { ...command, isKnown });
      });
      await forgetTries(db, user.id);
      await sessions.succeeded(db, user, command);
      return session;
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
