// The PIN of an account: with it money is spent from the proved phone, by USSD and SMS. Ten thousand possibilities are
// tried out in no time, so three things stand before them: the key, without which a stolen database says nothing; the
// count of wrong tries, which holds across sessions and processes; and the phone itself.
import { createHmac } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { phones, pins } from "../../../db/schema/identity.ts";
import { type By, isAdmin } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { isAllowedPin, isPin } from "../../shared/pin.ts";
import * as messages from "../messaging/messages.ts";
import * as texts from "../messaging/texts.ts";
import * as auditLog from "../platform/audit-log.ts";
import * as rateLimits from "../platform/rate-limits.ts";
import { checkOwnPassword } from "./profile.ts";
import { tell } from "./security-events.ts";
import * as users from "./users.ts";

/** What a process needs to deal in PINs: the key of their digests. */
export type PinKeys = {
  key: string;
  /** What digests may still be under while the secret is replaced: one that proves right is written anew. */
  previousKey?: string | undefined;
};

export const WRONG_TRIES_MAX = 3;
export const LOCK_MINUTES = 15;

/**
 * A million PINs are tried out in an hour whatever one digest costs, so the key protects them and not the cost: 256 KiB in
 * one pass takes 0.3 ms, and all phones that pay at one moment are answered while their sessions last. At 2 MiB it was two
 * thirds of the work of a payment.
 */
const ARGON2 = { algorithm: "argon2id", memoryCost: 256, timeCost: 1 } as const;

/** The key of the digests, from the secret that signs sessions. With another secret nobody's PIN is right. */
export function pinKey(secret: string): string {
  return createHmac("sha256", secret).update("PINs").digest("base64url");
}

export function pinKeysOf(secret: string, previous: string | null = null): PinKeys {
  return { key: pinKey(secret), previousKey: previous === null ? undefined : pinKey(previous) };
}

/** Whether the account has one. */
export async function hasPin(tx: Tx, userId: number): Promise<boolean> {
  return (await find(tx, userId, "ussd")) !== null;
}

export type PinState = { setAt: Date /** Null when it is not locked. */; lockedUntil: Date | null };

/** The account's PIN as its owner may see it, or null when there is none. */
export async function stateOf(tx: Tx, userId: number, door: PinDoor = "ussd"): Promise<PinState | null> {
  const [row] = await tx
    .select({
      setAt: pins.setAt,
      lockedUntil: sql<Date | null>`case when ${isLockedAt(door)} then ${COUNTERS[door].until} end`.mapWith(
        pins.lockedUntil,
      ),
    })
    .from(pins)
    .where(eq(pins.userId, userId));
  return row ?? null;
}

/** Written in the commit that counts a wrong try, with the tries that are left; what it throws leaves it uncounted. */
export type Alongside = (tx: Tx, counted: "wrong" | "locked", triesLeft: number) => Promise<void>;

/**
 * `known` is the PIN as it was read a moment ago, where it was. `door`: wrong PINs by SMS, whose senders can be forged, count
 * apart and lock SMS alone.
 */
type More = { alongside?: Alongside; known?: KnownPin | null; door?: PinDoor };
export type PinDoor = "ussd" | "sms";

export type PinVerdict = "right" | "wrong" | "locked" | "none";

/**
 * Compares, and counts what was wrong before it says so. The third wrong one in a row is answered "locked": it locks the
 * account's PIN at this door for 15 minutes and tells its owner by SMS. To be called outside of a transaction.
 *
 * A verdict is worth what its commit finds: of any number of guesses at once, those that come to be written after the
 * third wrong one hear "locked", the right one among them as well. So nobody gets a fourth guess, and right ones that
 * arrive together are all right. What the power takes before the commit was told to nobody.
 */
export async function verify(
  db: Db,
  means: PinKeys,
  proof: { userId: number; pin: string },
  more: More = {},
): Promise<PinVerdict> {
  return (await tryOut(db, means, proof, more)).verdict;
}

/** Changes the PIN from the phone, where the old one is the proof. A wrong old one counts as in `verify`. */
export async function change(
  db: Db,
  means: PinKeys,
  { by, oldPin, newPin }: { by: By; oldPin: string; newPin: string },
): Promise<"changed" | "wrong" | "locked" | "trivial" | "same"> {
  const userId = by.userId!;
  const { verdict, found } = await tryOut(db, means, { userId, pin: oldPin });
  if (verdict === "locked") return "locked";
  if (verdict !== "right" || !found) return "wrong";
  if (newPin === oldPin) return "same";
  if (!isAllowedPin(newPin, found.msisdn)) return "trivial";
  const digest = await digestOf(means.key, { userId, pin: newPin });
  return db.transaction(async (tx) => {
    const [changed] = await tx
      .update(pins)
      .set({ digest, setAt: sql`now()` })
      .where(and(isThis(userId, found.digest), isOpenAt("ussd")))
      .returning({ userId: pins.userId });
    // Another PIN was set meanwhile, or guesses have locked this one.
    if (!changed) return "wrong";
    await record(tx, by, userId, "changed");
    return "changed";
  });
}

/**
 * Sets the PIN in the browser, in place of any before it and of its lock: the password is the proof. Throws pin.invalid,
 * pin.trivial, pin.no_phone, user.current_password_wrong, request.rate_limited.
 */
export async function set(
  db: Db,
  { key }: PinKeys,
  { by, pin, currentPassword }: { by: By; pin: string; currentPassword: string },
): Promise<void> {
  const userId = by.userId!;
  if (!isPin(pin)) throw new AppError("pin.invalid");
  await checkOwnPassword(db, by, currentPassword);
  const digest = await digestOf(key, { userId, pin });
  await db.transaction(async (tx) => {
    // So that the number stays what it is until the PIN is there.
    const [phone] = await tx.select().from(phones).where(eq(phones.userId, userId)).for("share");
    if (!phone) throw new AppError("pin.no_phone");
    if (!isAllowedPin(pin, phone.msisdn)) throw new AppError("pin.trivial");
    const had = await hasPin(tx, userId);
    const unlocked = { wrongTries: 0, lockedUntil: null, smsWrongTries: 0, smsLockedUntil: null };
    const fresh = { msisdn: phone.msisdn, digest, ...unlocked, setAt: sql`now()` };
    await tx
      .insert(pins)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: pins.userId, set: fresh });
    await record(tx, by, userId, had ? "changed" : "set");
  });
}

/** Takes the PIN off one's own account: nothing is bought by phone any more. Throws user.current_password_wrong, request.rate_limited. */
export async function remove(db: Db, ask: { by: By; currentPassword: string }): Promise<void> {
  await checkOwnPassword(db, ask.by, ask.currentPassword);
  await takeOff(db, ask.by, ask.by.userId!, "removed");
}

/** Takes an account's PIN off with its lock, as an admin; its owner sets a new one. Throws auth.forbidden, user.not_found. */
export async function reset(db: Db, ask: { by: By; userId: number }): Promise<void> {
  if (!isAdmin(ask.by)) throw new AppError("auth.forbidden");
  await takeOff(db, ask.by, ask.userId, "reset");
}

/** A PIN as it was read. Whatever it comes to is decided by what is there when that is written. */
export type KnownPin = { digest: string; msisdn: string; isLocked: boolean };

/** Both are the database's to say: its clock is one for all processes. */
const COUNTERS = {
  ussd: { tries: pins.wrongTries, until: pins.lockedUntil, names: ["wrongTries", "lockedUntil"] },
  sms: { tries: pins.smsWrongTries, until: pins.smsLockedUntil, names: ["smsWrongTries", "smsLockedUntil"] },
} as const;
const isLockedAt = (door: PinDoor) => sql<boolean>`coalesce(${COUNTERS[door].until} > now(), false)`;
const isOpenAt = (door: PinDoor) => sql`${isLockedAt(door)} = false`;
const isThis = (userId: number, digest: string) => and(eq(pins.userId, userId), eq(pins.digest, digest));

async function find(tx: Tx, userId: number, door: PinDoor): Promise<KnownPin | null> {
  const [row] = await tx
    .select({ digest: pins.digest, msisdn: pins.msisdn, isLocked: isLockedAt(door) })
    .from(pins)
    .where(eq(pins.userId, userId));
  return row ?? null;
}

/** The same by a prepared statement: before a PIN everybody waits. */
async function findFast({ $client: sql }: Db, userId: number, door: PinDoor): Promise<KnownPin | null> {
  const [row] = await sql<KnownPin[]>`
    select digest, msisdn,
      coalesce(case when ${door} = 'sms' then sms_locked_until else locked_until end > now(), false) as "isLocked"
    from pins where user_id = ${userId}`;
  return row ?? null;
}

/** A PIN as it was compared, and the door at which. */
type Compared = { digest: string; door: PinDoor };
type Tried = { verdict: PinVerdict; found: KnownPin | null };

async function tryOut(db: Db, means: PinKeys, proof: Proof, more: More = {}): Promise<Tried> {
  const tried = await judge(db, means, proof, more);
  const outcome = tried.verdict === "right" ? "accepted" : tried.verdict;
  tell({ proof: "PIN", outcome, userId: proof.userId });
  return tried;
}

async function judge(
  db: Db,
  { key, previousKey }: PinKeys,
  proof: Proof,
  { alongside = async () => {}, known = null, door = "ussd" }: More,
): Promise<Tried> {
  const read = () => findFast(db, proof.userId, door);
  for (let found = known ?? (await read()); found; found = await read()) {
    if (found.isLocked) return { verdict: "locked", found };
    const isRight = await matches(key, proof, found.digest);
    if (!isRight && previousKey && (await matches(previousKey, proof, found.digest))) {
      // Judged under the new key in the next round, whatever comes between: the count of tries is one.
      if (!found.isLocked) await renew(db, key, proof, { digest: found.digest, door });
      continue;
    }
    const verdict = isRight
      ? await accept(db, proof.userId, { digest: found.digest, door })
      : await db.transaction((tx) => countWrong(tx, proof.userId, { digest: found.digest, door }, alongside));
    // "gone": another PIN was set while this one was compared with the old.
    if (verdict !== "gone") return { verdict, found };
  }
  return { verdict: "none", found: null };
}

/** The same PIN under the key of now. */
async function renew(db: Db, key: string, proof: Proof, { digest, door }: Compared): Promise<void> {
  const fresh = await digestOf(key, proof);
  await db
    .update(pins)
    .set({ digest: fresh })
    .where(and(isThis(proof.userId, digest), isOpenAt(door)));
}

type Committed = "right" | "wrong" | "locked" | "gone";

/**
 * One statement, and the only commit that need not reach the disk: if the power takes it, wrong tries are counted that a
 * right one had taken back.
 */
async function accept(db: Db, userId: number, compared: Compared): Promise<Committed> {
  const { digest, door } = compared;
  const [accepted] = await db.$client`
    with unhurried as materialized (select set_config('synchronous_commit', 'off', true))
    update pins set
      wrong_tries = case when ${door} = 'ussd' then 0 else wrong_tries end,
      locked_until = case when ${door} = 'ussd' then null else locked_until end,
      sms_wrong_tries = case when ${door} = 'sms' then 0 else sms_wrong_tries end,
      sms_locked_until = case when ${door} = 'sms' then null else sms_locked_until end
    from unhurried
    where user_id = ${userId} and digest = ${digest}
      and coalesce(case when ${door} = 'sms' then sms_locked_until else locked_until end > now(), false) = false
    returning user_id`;
  return accepted ? "right" : whyNot(db, userId, compared);
}

async function countWrong(
  tx: Tx,
  userId: number,
  compared: Compared,
  alongside: Alongside,
): Promise<Committed> {
  const { door, digest } = compared;
  const { tries: before, until: lockedUntil, names } = COUNTERS[door];
  // A lock that has run out takes its three tries with it.
  const tries = sql`case when ${lockedUntil} is null then ${before} + 1 else 1 end`;
  const until = sql`now() + make_interval(mins => ${LOCK_MINUTES})`;
  const locked = sql`case when ${tries} >= ${WRONG_TRIES_MAX} then ${until} end`;
  const [counted] = await tx
    .update(pins)
    .set({ [names[0]]: tries, [names[1]]: locked })
    .where(and(isThis(userId, digest), isOpenAt(door)))
    .returning({ wrongTries: before, msisdn: pins.msisdn });
  if (!counted) return whyNot(tx, userId, compared);
  const verdict = counted.wrongTries < WRONG_TRIES_MAX ? "wrong" : "locked";
  await alongside(tx, verdict, WRONG_TRIES_MAX - counted.wrongTries);
  if (verdict === "wrong") return verdict;
  await messages.queue(tx, {
    userId,
    kind: "pin_locked",
    channel: "sms",
    recipient: counted.msisdn,
    subject: "",
    body: texts.pinLocked(door, LOCK_MINUTES),
  });
  return verdict;
}

async function whyNot(tx: Tx, userId: number, { digest, door }: Compared): Promise<Committed> {
  const now = await find(tx, userId, door);
  return now?.digest === digest ? "locked" : "gone";
}

async function takeOff(db: Db, by: By, userId: number, how: "removed" | "reset"): Promise<void> {
  await db.transaction(async (tx) => {
    await users.get(tx, userId);
    const [gone] = await tx.delete(pins).where(eq(pins.userId, userId)).returning({ userId: pins.userId });
    if (gone) await record(tx, by, userId, how);
  });
}

const ACTIONS = {
  set: "user.pin",
  changed: "user.pin",
  removed: "user.pin_remove",
  reset: "user.pin_reset",
} as const;

const NOTICES_A_DAY = 5;

/** The audit log, the mailbox and the phone. None of them says anything about the PIN but that it is there. */
async function record(tx: Tx, by: By, userId: number, how: keyof typeof ACTIONS): Promise<void> {
  const { username, email: recipient } = await users.get(tx, userId);
  const { kind, subject, sms, mail } = texts.pinChanged(username, how);
  await messages.queue(tx, { userId, kind, channel: "email", recipient, subject, body: mail });
  // Each SMS costs money, and whoever holds the password could go on changing the PIN for ever. The first one takes nothing
  // from anybody.
  const limit = { bucket: `pin_changed_sms:${userId}`, countMax: NOTICES_A_DAY, windowSeconds: 86_400 };
  if (how !== "set" && (await rateLimits.isWithin(tx, limit)))
    await messages.queueToPhone(tx, { userId, kind, body: sms });
  const state = { before: { pin: how !== "set" }, after: { pin: how === "set" || how === "changed" } };
  await auditLog.record(tx, by, [{ action: ACTIONS[how], subjectType: "user", subjectId: userId, ...state }]);
}

type Proof = { userId: number; pin: string };

function digestOf(key: string, proof: Proof): Promise<string> {
  return Bun.password.hash(keyed(key, proof), ARGON2);
}

function matches(key: string, proof: Proof, digest: string): Promise<boolean> {
  return Bun.password.verify(keyed(key, proof), digest);
}

/** Bound to the account, so that a digest that is copied to another row opens nothing there. */
function keyed(key: string, { userId, pin }: Proof): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([userId, pin]))
    .digest("base64url");
}
