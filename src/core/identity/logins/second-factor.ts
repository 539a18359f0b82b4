// The second factor of an account: a secret in an authenticator app, and ten recovery codes for a lost phone. The owner
// sets it up and removes it with the password; an admin can reset another's. second-factor-login.ts has the login.
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { pendingLogins, recoveryCodes, secondFactors } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id } from "../../../shared/inputs.ts";
import { isStaff, requireConfirmed, requireRightOver } from "../../../shared/rights.ts";
import * as waits from "../../ledger/waits.ts";
import * as messages from "../../messaging/messages.ts";
import * as texts from "../../messaging/texts/texts.ts";
import * as auditLog from "../../platform/audit-log.ts";
import * as budgets from "../../platform/budgets/budgets.ts";
import { noteStaffChange } from "../../platform/colleagues/deciders.ts";
import { command } from "../../platform/commands.ts";
import { resealed, type SealingKeys, seal, unsealUnder } from "../../platform/encryption.ts";
import { deleteInParts } from "../../platform/parts.ts";
import { checkOwnPassword } from "../profile.ts";
import { askToResetFactor } from "../staff-asks.ts";
import * as users from "../users.ts";
import * as sessions from "./sessions.ts";
import * as totp from "./totp.ts";

/** What a process needs for second factors: the keys that encrypt their secrets. */
export type FactorKeys = SealingKeys;

/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 120 bits cannot be guessed from a digest, so the digest needs no key and survives a change of secrets. */
const RECOVERY_BYTES = 15;
const SET_UP_MINUTES = 15;

/** The encryption key, derived from the secret that signs sessions. Under another secret only recovery codes work. */
export function factorKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "datafie second factor", 32));
}

export function factorKeysOf(secret: string, previous: string | null = null): FactorKeys {
  return { key: factorKey(secret), previousKey: previous === null ? undefined : factorKey(previous) };
}

/** Re-encrypts secrets that are still under the previous key; returns how many. Runs at the start. */
export async function reseal(db: Db, keys: FactorKeys): Promise<number> {
  if (!keys.previousKey) return 0;
  let count = 0;
  for (const { userId, sealedSecret } of await db.select().from(secondFactors)) {
    const fresh = resealed(keys, sealedSecret, contextOf(userId));
    if (fresh === null) continue;
    await db
      .update(secondFactors)
      .set({ sealedSecret: fresh })
      .where(and(eq(secondFactors.userId, userId), eq(secondFactors.sealedSecret, sealedSecret)));
    count += 1;
  }
  return count;
}

export type FactorState = { since: Date; recoveryLeft: number };

/** The account's second factor as its owner and admins see it; null without a confirmed one. */
export async function stateOf(tx: Reads, userId: number): Promise<FactorState | null> {
  const [row] = await tx
    .select({
      since: secondFactors.confirmedAt,
      recoveryLeft: sql<number>`(select count(*) from recovery_codes c
        where c.user_id = ${userId} and c.used_at is null)`,
    })
    .from(secondFactors)
    .where(isConfirmed(userId));
  return row ? { since: row.since!, recoveryLeft: Number(row.recoveryLeft) } : null;
}

/**
 * Creates a new secret, in force once a code from it is confirmed. All other sessions end before it can be seen. Throws
 * factor.exists, user.current_password_wrong, request.rate_limited.
 */
export async function begin(
  db: Db,
  { key }: FactorKeys,
  { by, currentPassword, sessionId }: { by: ByUser; currentPassword: string; sessionId: string },
): Promise<void> {
  const userId = by.userId;
  await checkOwnPassword(db, by, currentPassword);
  const secret = totp.toBase32(randomBytes(SECRET_BYTES));
  const fresh = { sealedSecret: seal(key, secret, contextOf(userId)), lastStep: 0, createdAt: sql`now()` };
  await db.transaction(async (tx) => {
    const [begun] = await tx
      .insert(secondFactors)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({
        target: secondFactors.userId,
        set: fresh,
        setWhere: isNull(secondFactors.confirmedAt),
      })
      .returning({ userId: secondFactors.userId });
    if (!begun) throw new AppError("factor.exists");
    await sessions.endAll(tx, userId, sessionId);
  });
}

/** The secret (base32) that waits for its first code, or null. It is shown only until then. */
export async function pendingSecret(tx: Reads, keys: FactorKeys, userId: number): Promise<string | null> {
  return (await findWaiting(tx, keys, userId))?.secret ?? null;
}

/**
 * Confirms a new secret by its first code: logins need one from now on, and all other sessions end. Returns the
 * recovery codes, which cannot be shown again. Throws account.waits, factor.wrong, factor.none, request.rate_limited.
 */
export async function confirm(
  db: Db,
  keys: FactorKeys,
  { by, code, sessionId }: { by: ByUser; code: string; sessionId: string },
): Promise<string[]> {
  const userId = by.userId;
  // The secret may have been waiting there since before a stranger came in.
  await waits.refuseChange(db, userId);
  await countTry(db, userId);
  const waiting = await findWaiting(db, keys, userId);
  if (!waiting) throw new AppError("factor.none");
  const step = totp.matchingStep(totp.fromBase32(waiting.secret), plain(code), waiting);
  if (step === null) throw new AppError("factor.wrong");
  const fresh = await db.transaction(async (tx) => {
    const [confirmed] = await tx
      .update(secondFactors)
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where(and(isWaiting(userId), eq(secondFactors.sealedSecret, waiting.sealed)))
      .returning({ userId: secondFactors.userId });
    // Another request was first, or the secret has been replaced.
    if (!confirmed) throw new AppError("factor.wrong");
    await sessions.endAll(tx, userId, sessionId);
    await record(tx, by, userId, "set");
    return issueRecoveryCodes(tx, userId);
  });
  await forgetTries(db, userId);
  return fresh;
}

type Proof = { by: ByUser; currentPassword: string; code: string };

/** Replaces the recovery codes by ten new ones. Throws as `remove`. */
export async function renewRecoveryCodes(db: Db, keys: FactorKeys, proof: Proof): Promise<string[]> {
  return asOwner(db, keys, proof, async (tx, userId) => {
    await record(tx, proof.by, userId, "renewed");
    return issueRecoveryCodes(tx, userId);
  });
}

/**
 * Removes the user's own second factor. Throws factor.none, factor.wrong, user.current_password_wrong,
 * request.rate_limited.
 */
export async function remove(db: Db, keys: FactorKeys, proof: Proof): Promise<void> {
  await asOwner(db, keys, proof, async (tx, userId) => {
    await removeFactor(tx, userId);
    await record(tx, proof.by, userId, "removed");
  });
}

/** Removes another account's second factor, after a phone was lost; the account's sessions end. */
export const reset = command({
  name: "factor.reset",
  right: "agents.manage",
  about: "Turn off the extra login code of an account whose phone was lost",
  subject: "user",
  input: { userId: Id },
  errors: ["factor.own", "factor.none", "user.not_found"],
  asks: "Extra login code of staff",
  run: async ({ tx, by, agree }, { userId }) => {
    if (by.userId === userId) throw new AppError("factor.own");
    const user = await users.get(tx, userId);
    requireRightOver(by, user, "agents.manage");
    if (isStaff(user) || by.approval) {
      requireConfirmed(by);
      if (!(await stateOf(tx, userId))) throw new AppError("factor.none");
      await agree(askToResetFactor(user));
      await noteStaffChange(tx, by, { userId, before: user, after: user });
    }
    if (!(await removeFactor(tx, userId))) throw new AppError("factor.none");
    await sessions.endAll(tx, userId);
    await record(tx, by, userId, "reset");
    return { userId };
  },
});

/**
 * Counts a try at an account's codes, separately for a `known` device. Call it before `spend` and outside its
 * transaction. Throws request.rate_limited.
 */
export async function countTry(db: Db, userId: number, known: string | null = null): Promise<void> {
  if (known) await budgets.spend(db, "factor.known", known);
  else await budgets.spend(db, "factor.account", userId);
}

/** Clears the count of tries, after a right code. */
export async function forgetTries(db: Db, userId: number, known: string | null = null): Promise<void> {
  if (known) await budgets.reset(db, "factor.known", known);
  else await budgets.reset(db, "factor.account", userId);
}

/**
 * Spends a code from the app or a recovery code, in the transaction of what it authorises. False when it is wrong or
 * already spent, which the account's row decides for all processes.
 */
export async function spend(tx: Tx, keys: FactorKeys, userId: number, typed: string): Promise<boolean> {
  const code = plain(typed);
  return /^\d{6}$/.test(code) ? spendCode(tx, keys, userId, code) : spendRecovery(tx, userId, code);
}

async function spendCode(tx: Tx, keys: FactorKeys, userId: number, code: string): Promise<boolean> {
  const [row] = await tx
    .select({ sealed: secondFactors.sealedSecret, lastStep: secondFactors.lastStep, seconds: SECONDS })
    .from(secondFactors)
    .where(isConfirmed(userId))
    .for("update");
  const secret = row && unsealUnder(keys, row.sealed, contextOf(userId));
  const step = secret ? totp.matchingStep(totp.fromBase32(secret), code, row) : null;
  if (step === null) return false;
  await tx.update(secondFactors).set({ lastStep: step }).where(eq(secondFactors.userId, userId));
  return true;
}

async function spendRecovery(tx: Tx, userId: number, code: string): Promise<boolean> {
  const [spent] = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.digest, recoveryDigest(userId, code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ userId: recoveryCodes.userId });
  if (spent) await notifyOwner(tx, userId, "used");
  return spent !== undefined;
}

/** The database's clock, the same for all processes. */
const SECONDS = sql<number>`extract(epoch from clock_timestamp())`.mapWith(Number);

const isConfirmed = (userId: number) => and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));
const isWaiting = (userId: number) =>
  and(
    eq(secondFactors.userId, userId),
    isNull(secondFactors.confirmedAt),
    sql`${secondFactors.createdAt} > now() - make_interval(mins => ${SET_UP_MINUTES})`,
  );

type Waiting = { secret: string; sealed: string; lastStep: number; seconds: number };

async function findWaiting(tx: Reads, keys: FactorKeys, userId: number): Promise<Waiting | null> {
  const [row] = await tx
    .select({ sealed: secondFactors.sealedSecret, lastStep: secondFactors.lastStep, seconds: SECONDS })
    .from(secondFactors)
    .where(isWaiting(userId));
  // No code can match a secret that was encrypted under another key.
  const secret = row && unsealUnder(keys, row.sealed, contextOf(userId));
  return secret ? { ...row, secret } : null;
}

async function asOwner<T>(
  db: Db,
  keys: FactorKeys,
  { by, currentPassword, code }: Proof,
  work: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const userId = by.userId;
  await checkOwnPassword(db, by, currentPassword);
  if (!(await stateOf(db, userId))) throw new AppError("factor.none");
  await countTry(db, userId);
  const result = await db.transaction(async (tx) => {
    if (!(await spend(tx, keys, userId, code))) throw new AppError("factor.wrong");
    return work(tx, userId);
  });
  await forgetTries(db, userId);
  return result;
}

/** Deletes the second factor, and logins that wait for its code. False when it was never confirmed. */
async function removeFactor(tx: Tx, userId: number): Promise<boolean> {
  await tx.delete(pendingLogins).where(eq(pendingLogins.userId, userId));
  const removed = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  return removed.some(({ confirmedAt }) => confirmedAt !== null);
}

async function issueRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const fresh = Array.from({ length: RECOVERY_CODES }, () => totp.toBase32(randomBytes(RECOVERY_BYTES)));
  await tx.insert(recoveryCodes).values(fresh.map((code) => ({ userId, digest: recoveryDigest(userId, code) })));
  return fresh.map((code) => code.match(/.{4}/g)!.join("-"));
}

const ACTIONS = {
  set: "user.second_factor",
  renewed: "user.recovery_codes",
  removed: "user.second_factor_remove",
  reset: "user.second_factor_reset",
} as const;

async function record(tx: Tx, by: ByUser, userId: number, how: keyof typeof ACTIONS): Promise<void> {
  await notifyOwner(tx, userId, how);
  const state = { before: { factor: how !== "set" }, after: { factor: how === "set" || how === "renewed" } };
  await auditLog.record(tx, by, [{ action: ACTIONS[how], subjectType: "user", subjectId: userId, ...state }]);
}

async function notifyOwner(tx: Tx, userId: number, how: Parameters<typeof texts.factorChanged>[1]): Promise<void> {
  const user = await users.get(tx, userId);
  await messages.queueMail(tx, user, texts.factorChanged(user.username, how));
}

/** Without the spaces, hyphens and lower case that people type. */
const plain = (code: string) => code.replace(/[\s-]/g, "").toUpperCase();
const contextOf = (userId: number) => `second factor of ${userId}`;
const recoveryDigest = (userId: number, code: string) =>
  createHash("sha256").update(`${userId}:${code}`).digest("base64url");

/** Deletes secrets that were never confirmed. */
export async function forgetOld(db: Db): Promise<void> {
  const isAbandoned = and(
    isNull(secondFactors.confirmedAt),
    lt(secondFactors.createdAt, sql`now() - make_interval(mins => ${SET_UP_MINUTES})`),
  );
  await deleteInParts(db, secondFactors, isAbandoned!);
}
