// The PIN that authorises spending from the confirmed phone, by USSD and SMS. Ten thousand PINs are quickly tried, so
// three things protect them: the key, without which a stolen database reveals nothing; the count of wrong tries, across
// sessions and processes; and the phone itself.
import { createHmac } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import type { Db, Reads, Tx } from "../../../../db/connect.ts";
import { phones, pins } from "../../../../db/schema/identity.ts";
import type { ByUser } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { Id } from "../../../shared/inputs.ts";
import { isAllowedPin, isPin } from "../../../shared/phones/pin.ts";
import { requireRightOver } from "../../../shared/rights.ts";
import { command } from "../../platform/commands.ts";
import { recordWrongPin } from "../logins/login-history.ts";
import { publish } from "../logins/security-events.ts";
import { checkOwnPassword } from "../profile.ts";
import * as users from "../users.ts";
import {
  afterWrongTry,
  isForGoodAt,
  isLockedAt,
  isOpenAt,
  lockEnd,
  type PinChannel,
  UNLOCKED,
  WRONG_TRIES_MAX,
} from "./pin-locks.ts";
import { notifyLocked, record } from "./pin-notices.ts";

/** What a process needs for PINs: the keys of their digests. */
export type PinKeys = {
  key: string;
  /** The key of older digests while the secret is being replaced; a right PIN gets a digest under the new key. */
  previousKey?: string | undefined;
};

/**
 * All PINs can be tried in an hour whatever one digest costs, so the key protects them, not the cost: 256 KiB in one
 * pass takes 0.3 ms, and all phones that pay at one moment get an answer within their session. At 2 MiB it was two
 * thirds of the work of a payment.
 */
const ARGON2 = { algorithm: "argon2id", memoryCost: 256, timeCost: 1 } as const;

/** The key of the digests, derived from the secret that signs sessions. Under another secret no PIN matches. */
export function pinKey(secret: string): string {
  return createHmac("sha256", secret).update("PINs").digest("base64url");
}

export function pinKeysOf(secret: string, previous: string | null = null): PinKeys {
  return { key: pinKey(secret), previousKey: previous === null ? undefined : pinKey(previous) };
}

/** Whether the account has a PIN. */
export async function hasPin(tx: Reads, userId: number): Promise<boolean> {
  return (await find(tx, userId, "ussd")) !== null;
}

export type PinState = {
  setAt: Date;
  /** Null when it is not locked. */
  lockedUntil: Date | null;
  /** Whether only a new PIN ends the lock. */
  isLockedForGood: boolean;
};

/** When the account's PIN was set, and until when it is locked at this channel; null when there is none. */
export async function stateOf(tx: Reads, userId: number, channel: PinChannel = "ussd"): Promise<PinState | null> {
  const lockedUntil = sql<Date | null>`case when ${isLockedAt(channel)} then ${lockEnd(channel)} end`;
  const [row] = await tx
    .select({
      setAt: pins.setAt,
      lockedUntil: lockedUntil.mapWith(pins.lockedUntil),
      isLockedForGood: isForGoodAt(channel),
    })
    .from(pins)
    .where(eq(pins.userId, userId));
  return row ?? null;
}

/** Runs in the transaction that counts a wrong try, with the tries left; if it throws, the try is not counted. */
export type Alongside = (tx: Tx, counted: "wrong" | "locked", triesLeft: number) => Promise<void>;

/**
 * `known` is the PIN if the caller has just read it. `channel`: wrong PINs by SMS are counted separately
 * (pin-locks.ts). A wrong one is counted once `ready` is fulfilled, and not if it is rejected.
 */
type Options = {
  alongside?: Alongside;
  known?: KnownPin | null;
  channel?: PinChannel;
  ready?: Promise<void>;
};

export type PinVerdict = "right" | "wrong" | "locked" | "none";
/** Why a right PIN may not spend: its account waits (phone-waits.ts), or the phone's code was not typed. */
export type SpendVerdict = PinVerdict | "waits" | "unconfirmed";

/**
 * Checks a PIN that is to spend money, and counts a wrong one before returning. The third wrong one in a row returns
 * "locked": it locks the account's PIN (pin-locks.ts) and notifies the owner by SMS. Call it outside a transaction.
 *
 * The verdict is decided by the state its commit finds: of any number of concurrent guesses, those written after the
 * third wrong one return "locked", even a right one. So nobody gets a fourth guess, and concurrent right ones are all
 * right. A commit lost in a power cut was never reported to anybody. Whether a right one may spend is decided there,
 * so that a PIN which replaces a forgotten one cannot spend in the moment it is set.
 */
export async function verify(
  db: Db,
  keys: PinKeys,
  proof: { userId: number; pin: string },
  options: Options = {},
): Promise<SpendVerdict> {
  const { verdict, hindrance } = await check(db, keys, proof, options);
  return verdict === "right" ? (hindrance ?? verdict) : verdict;
}

/**
 * Sets the PIN in the browser, authorised by the password, replacing any PIN and lock before it. Throws pin.invalid,
 * pin.trivial, pin.no_phone, user.current_password_wrong, request.rate_limited.
 */
export async function set(
  db: Db,
  { key }: PinKeys,
  { by, pin, currentPassword }: { by: ByUser; pin: string; currentPassword: string },
): Promise<void> {
  const userId = by.userId;
  if (!isPin(pin)) throw new AppError("pin.invalid");
  await checkOwnPassword(db, by, currentPassword);
  const digest = await digestOf(key, { userId, pin });
  await db.transaction(async (tx) => {
    // Locked so that the number cannot change until the PIN is stored.
    const [phone] = await tx.select().from(phones).where(eq(phones.userId, userId)).for("share");
    if (!phone) throw new AppError("pin.no_phone");
    if (!isAllowedPin(pin, phone.msisdn)) throw new AppError("pin.trivial");
    const had = await hasPin(tx, userId);
    const fresh = { msisdn: phone.msisdn, digest, ...UNLOCKED, setAt: sql`now()` };
    await tx
      .insert(pins)
      .values({ userId, ...fresh })
      .onConflictDoUpdate({ target: pins.userId, set: fresh });
    await record(tx, by, userId, had ? "changed" : "set");
  });
}

/**
 * Removes the user's own PIN, and with it buying by phone. Throws user.current_password_wrong, request.rate_limited.
 */
export async function remove(db: Db, { by, currentPassword }: { by: ByUser; currentPassword: string }): Promise<void> {
  await checkOwnPassword(db, by, currentPassword);
  await db.transaction((tx) => removePin(tx, by, by.userId, "removed"));
}

/** Removes an account's PIN and lock, so that its owner sets a new one. */
export const reset = command({
  name: "user.pin_reset",
  right: "agents.manage",
  about: "Remove an account's PIN and its lock, so that its owner sets a new one",
  subject: "user",
  input: { userId: Id },
  errors: ["user.not_found"],
  run: async ({ tx, by }, { userId }) => {
    requireRightOver(by, await users.get(tx, userId), "agents.manage");
    await removePin(tx, by, userId, "reset");
    return { userId };
  },
});

/** A PIN as it was read; it may have changed by the time a verdict is written. */
export type KnownPin = { digest: string; msisdn: string; isLocked: boolean };

const isThis = (userId: number, digest: string) => and(eq(pins.userId, userId), eq(pins.digest, digest));

async function find(tx: Reads, userId: number, channel: PinChannel): Promise<KnownPin | null> {
  const [row] = await tx
    .select({ digest: pins.digest, msisdn: pins.msisdn, isLocked: isLockedAt(channel) })
    .from(pins)
    .where(eq(pins.userId, userId));
  return row ?? null;
}

/** As `find`, by a prepared statement, because every payment by phone waits for it. */
async function findFast({ $client: sql }: Db, userId: number, channel: PinChannel): Promise<KnownPin | null> {
  const [row] = await sql<KnownPin[]>`
    select digest, msisdn,
      coalesce(greatest(locked_until, case when ${channel} = 'sms' then sms_locked_until end) > now(), false)
        as "isLocked"
    from pins where user_id = ${userId}`;
  return row ?? null;
}

/** The PIN that was compared, and the channel. */
type Compared = { digest: string; channel: PinChannel };
/** Why a right PIN may not spend; null when it may. */
type Hindrance = "waits" | "unconfirmed" | null;
type Checked = { verdict: PinVerdict; found: KnownPin | null; hindrance: Hindrance };

/** Like `verify` for a PIN that spends nothing, with the PIN that was compared. */
export async function check(db: Db, keys: PinKeys, proof: Proof, options: Options = {}): Promise<Checked> {
  const checked = await compare(db, keys, proof, options);
  const outcome = checked.verdict === "right" ? "accepted" : checked.verdict;
  publish({ proof: "PIN", outcome, userId: proof.userId });
  return checked;
}

async function compare(
  db: Db,
  { key, previousKey }: PinKeys,
  proof: Proof,
  { alongside = async () => {}, known = null, channel = "ussd", ready = Promise.resolve() }: Options,
): Promise<Checked> {
  const read = () => findFast(db, proof.userId, channel);
  for (let found = known ?? (await read()); found; found = await read()) {
    if (found.isLocked) return { verdict: "locked", found, hindrance: null };
    const isRight = await matches(key, proof, found.digest);
    if (!isRight && previousKey && (await matches(previousKey, proof, found.digest))) {
      // Compared under the new key in the next round, so that tries are counted once.
      if (!found.isLocked) await renew(db, key, proof, { digest: found.digest, channel });
      continue;
    }
    if (!isRight) await ready;
    const compared = { digest: found.digest, channel };
    const { verdict, hindrance = null } = isRight
      ? await accept(db, proof.userId, compared)
      : { verdict: await db.transaction((tx) => countWrong(tx, proof.userId, compared, alongside)) };
    // "gone": another PIN was set during the comparison.
    if (verdict !== "gone") return { verdict, found, hindrance };
  }
  return { verdict: "none", found: null, hindrance: null };
}

/** Stores the PIN's digest under the current key. */
async function renew(db: Db, key: string, proof: Proof, { digest, channel }: Compared): Promise<void> {
  const fresh = await digestOf(key, proof);
  await db
    .update(pins)
    .set({ digest: fresh })
    .where(and(isThis(proof.userId, digest), isOpenAt(channel)));
}

type Committed = "right" | "wrong" | "locked" | "gone";

/**
 * A single statement, and the only commit that need not reach the disk: if it is lost in a power cut, wrong tries stay
 * counted that a right one had cleared.
 */
async function accept(
  db: Db,
  userId: number,
  compared: Compared,
): Promise<{ verdict: Committed; hindrance?: Hindrance }> {
  const { digest, channel } = compared;
  const [accepted] = await db.$client<{ hindrance: Hindrance }[]>`
    with no_sync as materialized (select set_config('synchronous_commit', 'off', true))
    update pins set
      wrong_tries = case when ${channel} = 'ussd' then 0 else wrong_tries end,
      locked_until = case when ${channel} = 'ussd' then null else locked_until end,
      locks = case when ${channel} = 'ussd' then 0 else locks end,
      sms_wrong_tries = case when ${channel} = 'sms' then 0 else sms_wrong_tries end,
      sms_locked_until = case when ${channel} = 'sms' then null else sms_locked_until end,
      sms_locks = case when ${channel} = 'sms' then 0 else sms_locks end
    from no_sync
    where user_id = ${userId} and digest = ${digest}
      and coalesce(
        greatest(locked_until, case when ${channel} = 'sms' then sms_locked_until end) > now(), false) = false
    returning case
      when exists (
        select from phone_waits where user_id = ${userId} and until > now() and lifted_at is null) then 'waits'
      when exists (select from phones where user_id = ${userId} and code_awaited_since is not null) then 'unconfirmed'
    end as hindrance`;
  return accepted ? { verdict: "right", ...accepted } : { verdict: await refusalOf(db, userId, compared) };
}

async function countWrong(tx: Tx, userId: number, compared: Compared, alongside: Alongside): Promise<Committed> {
  const { channel, digest } = compared;
  const { set, returning } = afterWrongTry(channel);
  const [counted] = await tx
    .update(pins)
    .set(set)
    .where(and(isThis(userId, digest), isOpenAt(channel)))
    .returning({ ...returning, msisdn: pins.msisdn });
  if (!counted) return refusalOf(tx, userId, compared);
  const verdict = counted.wrongTries < WRONG_TRIES_MAX ? "wrong" : "locked";
  await recordWrongPin(tx, userId, channel);
  await alongside(tx, verdict, WRONG_TRIES_MAX - counted.wrongTries);
  if (verdict === "wrong") return verdict;
  await notifyLocked(tx, userId, channel, { ...counted, until: counted.lockedUntil! });
  return verdict;
}

async function refusalOf(tx: Reads, userId: number, { digest, channel }: Compared): Promise<Committed> {
  const now = await find(tx, userId, channel);
  return now?.digest === digest ? "locked" : "gone";
}

async function removePin(tx: Tx, by: ByUser, userId: number, how: "removed" | "reset"): Promise<void> {
  const [gone] = await tx.delete(pins).where(eq(pins.userId, userId)).returning({ userId: pins.userId });
  if (gone) await record(tx, by, userId, how);
}

type Proof = { userId: number; pin: string };

/** The digest to store for a PIN. */
export function digestOf(key: string, proof: Proof): Promise<string> {
  return Bun.password.hash(keyed(key, proof), ARGON2);
}

/** Whether a digest is this PIN's, under this key. */
export function matches(key: string, proof: Proof, digest: string): Promise<boolean> {
  return Bun.password.verify(keyed(key, proof), digest);
}

/** Bound to the account, so that a digest copied to another row does not match there. */
function keyed(key: string, { userId, pin }: Proof): string {
  return createHmac("sha256", key)
    .update(JSON.stringify([userId, pin]))
    .digest("base64url");
}
