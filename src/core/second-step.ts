// The second step of a login: whoever gave the right password holds a token for five minutes, and a code opens the session.
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { users } from "../../db/schema.ts";
import { pendingLogins } from "../../db/schema-factors.ts";
import { AppError } from "../shared/errors.ts";
import { countTry, type FactorMeans, forgetTries, spend } from "./second-factor.ts";
import { type Attempt, witnessed } from "./security-events.ts";
import { digestOf, forgetAttempts, open, type Session } from "./sessions.ts";

const TRIES_MAX = 5;

/**
 * Opens the session that `logIn` withheld, for a code of the app or a recovery code. The token is good for one session and
 * five tries. Throws factor.wrong, auth.second_step_ended (also when the password is another by now), auth.banned,
 * request.rate_limited.
 */
export async function finish(
  db: Db,
  means: FactorMeans,
  ask: { token: string; code: string; address: string; userAgent: string },
): Promise<Session> {
  const attempt: Attempt = { proof: "second factor", userId: null, address: ask.address };
  return witnessed(attempt, async () => {
    const tokenDigest = digestOf(ask.token);
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
    await countTry(db, userId);
    const session = await db.transaction(async (tx) => {
      const [user] = await tx.select().from(users).where(eq(users.id, userId));
      if (!user || digestOf(user.passwordHash) !== pending.passwordDigest)
        throw new AppError("auth.second_step_ended");
      if (!(await spend(tx, means, userId, ask.code))) throw new AppError("factor.wrong");
      if (user.status !== "ACTIVE") throw new AppError("auth.banned");
      const [own] = await tx
        .delete(pendingLogins)
        .where(eq(pendingLogins.tokenDigest, tokenDigest))
        .returning({ userId: pendingLogins.userId });
      if (!own) throw new AppError("auth.second_step_ended");
      return open(tx, user, ask);
    });
    await forgetTries(db, userId);
    await forgetAttempts(db, session.user.email, ask.address);
    return session;
  });
}
