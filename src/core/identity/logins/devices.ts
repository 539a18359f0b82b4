// Known devices: browsers that an account has logged in from before. A stranger's wrong passwords are counted
// separately from those of a known device, so that guessing cannot lock the owner out (OWASP, "Device cookies"). The
// browser holds signed names; the database holds only the networks of API clients, which keep no cookies.
import { createHmac, timingSafeEqual } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db, Reads, TxOrDb } from "../../../../db/connect.ts";
import { loginNetworks } from "../../../../db/schema/identity.ts";
import * as waits from "../../ledger/waits.ts";
import { networkOf } from "../../platform/networks.ts";
import { deleteInParts } from "../../platform/parts.ts";
import type { Browser } from "./asking-browsers.ts";

/** The keys that sign the names, newest first. */
export type DeviceKeys = { signing: readonly string[] };

/** Where an attempt comes from: its address, and its browser's cookies if it has some. */
export type Origin = { address: string; device?: Device | undefined; asking?: Browser | undefined };

/** A browser's cookie as received, with the keys that verify it. */
export type Device = { keys: DeviceKeys; cookie: string | null };

export const DEVICE_SECONDS = 365 * 24 * 3600;
export const NETWORK_DAYS = 30;
/** People share browsers: the cookie names each of the last few accounts that logged in. */
const ACCOUNTS_MAX = 5;

/** The signing keys, derived from the secret that signs sessions and the previous one. */
export function deviceKeysOf(secret: string, previous: string | null = null): DeviceKeys {
  const keyOf = (from: string) => createHmac("sha256", from).update("known devices").digest("base64url");
  return { signing: [secret, previous].filter((from) => from !== null).map(keyOf) };
}

/** The cookie for a browser after a login of this account: a new name in front of those it already holds. */
export function cookieFor({ keys, cookie }: Device, userId: number): string {
  const nonce = crypto.getRandomValues(new Uint8Array(12)).toBase64({ alphabet: "base64url" });
  const fresh = `${userId}.${nonce}.${signatureOf(keys.signing[0]!, userId, nonce)}`;
  const others = namesIn(cookie).filter((name) => name.userId !== userId);
  return [fresh, ...others.slice(0, ACCOUNTS_MAX - 1).map(({ text }) => text)].join("~");
}

/**
 * As `cookieFor`, unless the account waits: whoever came in with the SIM alone must not become a known device.
 * Undefined then, for the browser to keep the cookie that it has.
 */
export async function cookieAfterLogin(tx: Reads, device: Device, userId: number): Promise<string | undefined> {
  return (await waits.of(tx, { userId, channel: "web" })) ? undefined : cookieFor(device, userId);
}

/** The name of this browser for the account, or null when it has not logged in here. */
export function nameOf({ keys, cookie }: Device, userId: number): string | null {
  const own = namesIn(cookie).find((name) => name.userId === userId);
  if (!own) return null;
  const isOurs = keys.signing.some((key) => isSame(own.signature, signatureOf(key, userId, own.nonce)));
  return isOurs ? `${userId}/${own.nonce}` : null;
}

/** The accounts that the cookie claims have logged in here; not verified. */
export function accountsIn({ cookie }: Device): number[] {
  return namesIn(cookie).map(({ userId }) => userId);
}

/**
 * The key that counts this account's attempts from a known device: a browser it has logged in from, or a network within
 * 30 days; otherwise null. For no account (0) it queries the database as well, and returns null.
 */
export async function knownDevice(tx: Reads, userId: number, { address, device }: Origin): Promise<string | null> {
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

/** Remembers the network of a successful login. */
export async function remember(tx: TxOrDb, userId: number, { address }: Origin): Promise<void> {
  const lastAt = sql`now()`;
  await tx
    .insert(loginNetworks)
    .values({ userId, network: networkOf(address) })
    .onConflictDoUpdate({ target: [loginNetworks.userId, loginNetworks.network], set: { lastAt } });
}

/** Deletes networks without a login for a month. */
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

/** Compares in constant time. */
export function isSame(given: string, own: string): boolean {
  return given.length === own.length && timingSafeEqual(Buffer.from(given), Buffer.from(own));
}
