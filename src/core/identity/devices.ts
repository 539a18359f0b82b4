// Browsers that an account has logged in from before. A stranger's wrong passwords are counted apart from those of a known
// device, so that nobody can keep an owner out by guessing (OWASP, "Device cookies"). The browser holds signed names; the
// database holds only the networks of programs, which keep no cookies.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Tx } from "../../../db/connect.ts";
import { loginNetworks } from "../../../db/schema/identity.ts";
import { networkOf } from "../platform/networks.ts";
import { deleteInParts } from "../platform/parts.ts";

/** The keys that sign the names, the newest first. */
export type DeviceKeys = { keys: readonly string[] };

/** Where an attempt comes from: its address, and the cookie of its browser where it has one. */
export type Origin = { address: string; device?: Device | undefined };

/** A browser's cookie as it came, with the keys that tell whether we wrote it. */
export type Device = { means: DeviceKeys; cookie: string | null };

export const DEVICE_SECONDS = 365 * 24 * 3600;
const NETWORK_DAYS = 30;
/** People share a browser: the cookie holds a name for each of the last few who logged in. */
const ACCOUNTS_MAX = 5;

/** The keys of the names, from the secret that signs sessions and the one before it. */
export function deviceKeysOf(secret: string, previous: string | null = null): DeviceKeys {
  const keyOf = (one: string) => createHmac("sha256", one).update("known devices").digest("base64url");
  return { keys: [secret, previous].filter((one) => one !== null).map(keyOf) };
}

/** The cookie for a browser in which this account has just logged in: a new name before those that it holds already. */
export function cookieFor({ means, cookie }: Device, userId: number): string {
  const nonce = crypto.getRandomValues(new Uint8Array(12)).toBase64({ alphabet: "base64url" });
  const fresh = `${userId}.${nonce}.${signatureOf(means.keys[0]!, userId, nonce)}`;
  const others = namesIn(cookie).filter((one) => one.userId !== userId);
  return [fresh, ...others.slice(0, ACCOUNTS_MAX - 1).map(({ text }) => text)].join("~");
}

/** The account's name for this browser, or null when it has not logged in here. */
export function nameOf({ means, cookie }: Device, userId: number): string | null {
  const own = namesIn(cookie).find((one) => one.userId === userId);
  if (!own) return null;
  const isOurs = means.keys.some((key) => isSame(own.signature, signatureOf(key, userId, own.nonce)));
  return isOurs ? `${userId}/${own.nonce}` : null;
}

/** Who this browser says has logged in here; nothing is believed yet. */
export function accountsIn({ cookie }: Device): number[] {
  return namesIn(cookie).map(({ userId }) => userId);
}

/**
 * What attempts of this account from here are counted by, when it has logged in from this browser before or, within 30
 * days, from this network; otherwise null. For nobody (0) it asks the database as well, and is null.
 */
export async function knownAs(tx: Tx, userId: number, { address, device }: Origin): Promise<string | null> {
  const network = networkOf(address);
  const [row] = await tx
    .select({ userId: loginNetworks.userId })
    .from(loginNetworks)
    .where(
      and(
        eq(loginNetworks.userId, userId),
        eq(loginNetworks.network, network),
        sql`${loginNetworks.lastAt} > now() - make_interval(days => ${NETWORK_DAYS})`,
      ),
    );
  return (device && nameOf(device, userId)) ?? (row ? `${userId}/${network}` : null);
}

/** Remembers the network of a login that has succeeded. */
export async function remember(tx: Tx, userId: number, { address }: Origin): Promise<void> {
  const lastAt = sql`now()`;
  await tx
    .insert(loginNetworks)
    .values({ userId, network: networkOf(address) })
    .onConflictDoUpdate({ target: [loginNetworks.userId, loginNetworks.network], set: { lastAt } });
}

/** Deletes networks that nobody has logged in from for a month. */
export async function forgetOld(db: Db): Promise<void> {
  const oldest = sql`now() - make_interval(days => ${NETWORK_DAYS})`;
  await deleteInParts(db, loginNetworks, lt(loginNetworks.lastAt, oldest));
}

type Name = { userId: number; nonce: string; signature: string; text: string };

function namesIn(cookie: string | null): Name[] {
  return (cookie ?? "")
    .split("~")
    .slice(0, ACCOUNTS_MAX)
    .flatMap((text) => {
      const [, userId, nonce, signature] = /^(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/.exec(text) ?? [];
      return userId ? [{ userId: Number(userId), nonce: nonce!, signature: signature!, text }] : [];
    });
}

function signatureOf(key: string, userId: number, nonce: string): string {
  return createHmac("sha256", key).update(`${userId}.${nonce}`).digest("base64url");
}

function isSame(given: string, own: string): boolean {
  return given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));
}
