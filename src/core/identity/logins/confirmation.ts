// Proving again who one is, before acts of money and staff: by a code where there is a second factor, else by the
// password. A proof counts for ten minutes of its session; a login is one.
import { eq, sql } from "drizzle-orm";
import type { Db, Reads } from "../../../../db/connect.ts";
import { sessions } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { checkOwnPassword } from "../profile.ts";
import { countTry, type FactorKeys, forgetTries, spend, stateOf } from "./second-factor.ts";
import { published } from "./security-events.ts";

/** What proves who an account's owner is. */
export type Proof = "code" | "password";

/** The proof that an account gives. */
export async function proofOf(tx: Reads, userId: number): Promise<Proof> {
  return (await stateOf(tx, userId)) ? "code" : "password";
}

/**
 * Confirms a session by a code of the app, a recovery code, or the password. Returns who acts from now on. Throws
 * factor.wrong, user.current_password_wrong, request.rate_limited.
 */
export async function confirm(
  db: Db,
  keys: FactorKeys,
  { by, sessionId, typed }: { by: ByUser; sessionId: string; typed: string },
): Promise<ByUser> {
  const { userId } = by;
  const confirmed = { confirmedAt: sql`now()` };
  if ((await proofOf(db, userId)) === "password") {
    await checkOwnPassword(db, by, typed);
    await db.update(sessions).set(confirmed).where(eq(sessions.id, sessionId));
  } else {
    await published({ proof: "second factor", userId }, async () => {
      await countTry(db, userId);
      await db.transaction(async (tx) => {
        if (!(await spend(tx, keys, userId, typed))) throw new AppError("factor.wrong");
        await tx.update(sessions).set(confirmed).where(eq(sessions.id, sessionId));
      });
      await forgetTries(db, userId);
    });
  }
  const { isUnconfirmed: _, ...rest } = by;
  return rest;
}
