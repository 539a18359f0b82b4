// The second factor of an account: a secret in an authenticator app, and ten codes for when the phone is lost. Its owner
// sets it up and takes it off with the password; another admin resets it. The login that asks for it is in second-step.ts.
import { createHash, hkdfSync, randomBytes } from "node:crypto";
import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { pendingLogins, recoveryCodes, secondFactors } from "../../../db/schema/identity.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as budgets from "../platform/budgets.ts";
import { resealed, type SealingKeys, seal, unsealUnder } from "../platform/encryption.ts";
import { deleteInParts } from "../platform/parts.ts";
import { checkOwnPassword } from "./profile.ts";
import * as sessions from "./sessions.ts";
import * as totp from "./totp.ts";
import * as users from "./users.ts";

/** What a process needs to deal in second factors: the key that seals their secrets. */
export type FactorKeys = SealingKeys;

/** RFC 4226 asks for 160 bits. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** 120 bits: nobody guesses one from its digest, so the digest needs no key and outlives a changed secret. */
const RECOVERY_BYTES = 15;
const SET_UP_MINUTES = 15;

/** The key that seals the secrets, from the secret that signs sessions. With another one only recovery codes are right. */
export function factorKey(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", "datafie second factor", 32));
}

export function factorKeysOf(secret: string, previous: string | null = null): FactorKeys {
  return { key: factorKey(secret), previousKey: previous === null ? undefined : factorKey(previous) };
}

/** Seals anew what is still sealed under the previous key; returns how many there were. To be called at the start. */
export async function reseal(db: Db, means: FactorKeys): Promise<number> {
  if (!means.previousKey) return 0;
  let count = 0;
  for (const { userId, sealedSecret } of await db.select().from(secondFactors)) {
    const fresh = resealed(means, sealedSecret, contextOf(userId));
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

/** The account's second factor as its owner and admins may see it; null while there is none that is confirmed. */
export async function stateOf(tx: Tx, userId: number): Promise<FactorState | null> {
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
 * Makes a new secret, which counts once a code of it has come. Every other session ends before anybody can see it. Throws
 * factor.exists, user.current_password_wrong, request.rate_limited.
 */
export async function begin(
  db: Db,
  { key }: FactorKeys,
  { by, currentPassword, sessionId }: { by: By; currentPassword: string; sessionId: string },
): Promise<void> {
  const userId = by.userId!;
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

/** The secret (base32) that waits for its first code, or null. It is shown until then and never again. */
export async function waitingSecret(tx: Tx, means: FactorKeys, userId: number): Promise<string | null> {
  return (await findWaiting(tx, means, userId))?.secret ?? null;
}

/**
 * Takes the first code of a new secret: from now on logging in asks for one, and every other session ends. Returns the
 * recovery codes, which nobody can see again. Throws factor.wrong, factor.none, request.rate_limited.
 */
export async function confirm(
  db: Db,
  means: FactorKeys,
  { by, code, sessionId }: { by: By; code: string; sessionId: string },
): Promise<string[]> {
  const userId = by.userId!;
  await countTry(db, userId);
  const waiting = await findWaiting(db, means, userId);
  if (!waiting) throw new AppError("factor.none");
  const step = totp.matchingStep(totp.fromBase32(waiting.secret), plain(code), waiting);
  if (step === null) throw new AppError("factor.wrong");
  const fresh = await db.transaction(async (tx) => {
    const [confirmed] = await tx
      .update(secondFactors)
      .set({ confirmedAt: sql`now()`, lastStep: step })
      .where(and(isWaiting(userId), eq(secondFactors.sealedSecret, waiting.sealed)))
      .returning({ userId: secondFactors.userId });
    // Another request was first, or the secret is another by now.
    if (!confirmed) throw new AppError("factor.wrong");
    await sessions.endAll(tx, userId, sessionId);
    await record(tx, by, userId, "set");
    return issueRecoveryCodes(tx, userId);
  });
  await forgetTries(db, userId);
  return fresh;
}

type Proof = { by: By; currentPassword: string; code: string };

/** Ten new recovery codes in place of the old ones. Throws like `remove`. */
export async function renewRecoveryCodes(db: Db, means: FactorKeys, proof: Proof): Promise<string[]> {
  return asOwner(db, means, proof, async (tx, userId) => {
    await record(tx, proof.by, userId, "renewed");
    return issueRecoveryCodes(tx, userId);
  });
}

/** Takes one's own second factor off. Throws factor.none, factor.wrong, user.current_password_wrong, request.rate_limited. */
export async function remove(db: Db, means: FactorKeys, proof: Proof): Promise<void> {
  await asOwner(db, means, proof, async (tx, userId) => {
    await takeOff(tx, userId);
    await record(tx, proof.by, userId, "removed");
  });
}

/**
 * Takes another account's second factor off as an admin, for a phone that is lost; the account's sessions end. Throws
 * auth.forbidden, factor.own, factor.none, user.not_found.
 */
export async function reset(db: Db, { by, userId }: { by: By; userId: number }): Promise<void> {
  if (!isAdmin(by)) throw new AppError("auth.forbidden");
  if (by.userId === userId) throw new AppError("factor.own");
  await db.transaction(async (tx) => {
    await users.get(tx, userId);
    if (!(await takeOff(tx, userId))) throw new AppError("factor.none");
    await sessions.endAll(tx, userId);
    await record(tx, by, userId, "reset");
  });
}

/**
 * Counts a try at an account's codes, apart where it comes from a `known` device. To be called before `spend` and outside
 * of its transaction. Throws request.rate_limited.
 */
export async function countTry(db: Db, userId: number, known: string | null = null): Promise<void> {
  if (known) await budgets.spend(db, "factor.known", known);
  else await budgets.spend(db, "factor.account", userId);
}

/** Forgets the tries, after a right code. */
export async function forgetTries(db: Db, userId: number, known: string | null = null): Promise<void> {
  if (known) await budgets.reset(db, "factor.known", known);
  else await budgets.reset(db, "factor.account", userId);
}

/**
 * Spends a code of the app, or a recovery code, in the commit of what it opens. False when it is wrong or was spent: the
 * row of the account says so to every process.
 */
export async function spend(tx: Tx, means: FactorKeys, userId: number, typed: string): Promise<boolean> {
  const code = plain(typed);
  return /^\d{6}$/.test(code) ? spendCode(tx, means, userId, code) : spendRecovery(tx, userId, code);
}

async function spendCode(tx: Tx, means: FactorKeys, userId: number, code: string): Promise<boolean> {
  const [row] = await tx
    .select({ sealed: secondFactors.sealedSecret, lastStep: secondFactors.lastStep, seconds: SECONDS })
    .from(secondFactors)
    .where(isConfirmed(userId))
    .for("update");
  const secret = row && unsealUnder(means, row.sealed, contextOf(userId));
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
  if (spent) await tell(tx, userId, "used");
  return spent !== undefined;
}

/** The database's clock, which is one for all processes. */
const SECONDS = sql<number>`extract(epoch from clock_timestamp())`.mapWith(Number);

const isConfirmed = (userId: number) =>
  and(eq(secondFactors.userId, userId), isNotNull(secondFactors.confirmedAt));
const isWaiting = (userId: number) =>
  and(
    eq(secondFactors.userId, userId),
    isNull(secondFactors.confirmedAt),
    sql`${secondFactors.createdAt} > now() - make_interval(mins => ${SET_UP_MINUTES})`,
  );

type Waiting = { secret: string; sealed: string; lastStep: number; seconds: number };

async function findWaiting(tx: Tx, means: FactorKeys, userId: number): Promise<Waiting | null> {
  const [row] = await tx
    .select({ sealed: secondFactors.sealedSecret, lastStep: secondFactors.lastStep, seconds: SECONDS })
    .from(secondFactors)
    .where(isWaiting(userId));
  // Of one that was sealed under another key no code can be right any more.
  const secret = row && unsealUnder(means, row.sealed, contextOf(userId));
  return secret ? { ...row, secret } : null;
}

async function asOwner<T>(
  db: Db,
  means: FactorKeys,
  { by, currentPassword, code }: Proof,
  work: (tx: Tx, userId: number) => Promise<T>,
): Promise<T> {
  const userId = by.userId!;
  await checkOwnPassword(db, by, currentPassword);
  if (!(await stateOf(db, userId))) throw new AppError("factor.none");
  await countTry(db, userId);
  const done = await db.transaction(async (tx) => {
    if (!(await spend(tx, means, userId, code))) throw new AppError("factor.wrong");
    return work(tx, userId);
  });
  await forgetTries(db, userId);
  return done;
}

/** Logins that wait for a code of it are over as well. */
async function takeOff(tx: Tx, userId: number): Promise<boolean> {
  await tx.delete(pendingLogins).where(eq(pendingLogins.userId, userId));
  const gone = await tx
    .delete(secondFactors)
    .where(eq(secondFactors.userId, userId))
    .returning({ confirmedAt: secondFactors.confirmedAt });
  return gone.some(({ confirmedAt }) => confirmedAt !== null);
}

async function issueRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  const fresh = Array.from({ length: RECOVERY_CODES }, () => totp.toBase32(randomBytes(RECOVERY_BYTES)));
  await tx
    .insert(recoveryCodes)
    .values(fresh.map((code) => ({ userId, digest: recoveryDigest(userId, code) })));
  return fresh.map((code) => code.match(/.{4}/g)!.join("-"));
}

const ACTIONS = {
  set: "user.second_factor",
  renewed: "user.recovery_codes",
  removed: "user.second_factor_remove",
  reset: "user.second_factor_reset",
} as const;

async function record(tx: Tx, by: By, userId: number, how: keyof typeof ACTIONS): Promise<void> {
  await tell(tx, userId, how);
  const state = { before: { factor: how !== "set" }, after: { factor: how === "set" || how === "renewed" } };
  await auditLog.record(tx, by, [{ action: ACTIONS[how], subjectType: "user", subjectId: userId, ...state }]);
}

async function tell(tx: Tx, userId: number, how: Parameters<typeof texts.factorChanged>[1]): Promise<void> {
  const { username, email: recipient } = await users.get(tx, userId);
  const { kind, subject, mail } = texts.factorChanged(username, how);
  await messages.queue(tx, { userId, kind, channel: "email", recipient, subject, body: mail });
}

/** As people type it: with spaces, hyphens and small letters. */
const plain = (code: string) => code.replace(/[\s-]/g, "").toUpperCase();
const contextOf = (userId: number) => `second factor of ${userId}`;
const recoveryDigest = (userId: number, code: string) =>
  createHash("sha256").update(`${userId}:${code}`).digest("base64url");

/** Deletes secrets that were never confirmed. */
export async function forgetOld(db: Db): Promise<void> {
  const isLeft = and(
    isNull(secondFactors.confirmedAt),
    lt(secondFactors.createdAt, sql`now() - make_interval(mins => ${SET_UP_MINUTES})`),
  );
  await deleteInParts(db, secondFactors, isLeft!);
}
