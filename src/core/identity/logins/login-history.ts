// The history of logins and wrong PINs, kept for a while: for signals, and for staff who look into an account.
import { desc, eq, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx, TxOrDb } from "../../../../db/connect.ts";
import { users } from "../../../../db/schema/identity.ts";
import { logins, wrongPins } from "../../../../db/schema/identity-history.ts";
import { deleteInParts } from "../../platform/parts.ts";

/** As long as signals look back, and their preview before that. */
export const HISTORY_DAYS = 90;

export type Login = Pick<typeof logins.$inferSelect, "id" | "at" | "address" | "userAgent" | "isNewDevice">;

/** Notes a login. The first of an account is from no new device: there is none that it was known from. */
export async function recordLogin(
  tx: TxOrDb,
  user: { id: number; lastLoginAt: Date | null },
  from: { address: string; userAgent: string; isKnown: boolean },
): Promise<void> {
  await tx.insert(logins).values({
    userId: user.id,
    address: from.address,
    userAgent: from.userAgent.slice(0, 200),
    isNewDevice: !from.isKnown && user.lastLoginAt !== null,
  });
}

/** Notes a wrong PIN, in the transaction that counts it. */
export async function recordWrongPin(tx: Tx, userId: number, channel: "ussd" | "sms"): Promise<void> {
  await tx.insert(wrongPins).values({ userId, channel });
}

/** When an account last logged in; null: never. */
export async function lastOf(tx: Reads, userId: number): Promise<Date | null> {
  const [user] = await tx.select({ at: users.lastLoginAt }).from(users).where(eq(users.id, userId));
  return user?.at ?? null;
}

/** An account's logins, newest first. */
export async function list(tx: Reads, userId: number, limit: number): Promise<Login[]> {
  const { id, at, address, userAgent, isNewDevice } = logins;
  return tx
    .select({ id, at, address, userAgent, isNewDevice })
    .from(logins)
    .where(eq(logins.userId, userId))
    .orderBy(desc(logins.at), desc(id))
    .limit(limit);
}

/** Deletes what is too old; returns how much that was. */
export async function forgetOld(db: Db): Promise<number> {
  const oldest = sql`now() - make_interval(days => ${HISTORY_DAYS})`;
  const [ofLogins, ofPins] = [
    await deleteInParts(db, logins, lt(logins.at, oldest)),
    await deleteInParts(db, wrongPins, lt(wrongPins.at, oldest)),
  ];
  return ofLogins + ofPins;
}
