// Ghana Card numbers at rest: sealed with AES-256-GCM, and found again by a keyed digest. Sealing and finding have keys
// of their own, both derived from the one secret in the settings (HKDF, RFC 5869), and a sealed number names its key.
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

/** Seals and opens card numbers. The first key seals; the ones after it are only for what they sealed before. */
export type CardSafe = {
  /** Seals a number for one order; moved to another order it does not open. */
  seal: (card: string, orderId: number) => string;
  /** The number again. Throws when it was sealed for another order, tampered with, or under a key that is not here. */
  open: (sealed: string, orderId: number) => string;
  /** What finds a number without opening anything: under the first key, then under each of the others. */
  digests: (card: string) => [string, ...string[]];
  /** How what each key has sealed begins, in the same order. */
  prefixes: [string, ...string[]];
};

const VERSION = "1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Keys = { prefix: string; sealing: Buffer; finding: Buffer };

/** Opens the safe with secrets of 32 bytes each, the current one first. */
export function openSafe(current: Uint8Array, ...previous: Uint8Array[]): CardSafe {
  const first = derive(current);
  const all: [Keys, ...Keys[]] = [first, ...previous.map(derive)];
  const mapped = <T>(of: (keys: Keys) => T): [T, ...T[]] => [of(first), ...all.slice(1).map(of)];
  return {
    prefixes: mapped((keys) => keys.prefix),
    digests: (card) => mapped((keys) => createHmac("sha256", keys.finding).update(card).digest("base64url")),
    seal: (card, orderId) => first.prefix + encrypt(first.sealing, card, orderId),
    open: (sealed, orderId) => {
      const keys = all.find(({ prefix }) => sealed.startsWith(prefix));
      if (!keys) throw new Error("a Ghana Card number is sealed under a key that is not here");
      return decrypt(keys.sealing, sealed.slice(keys.prefix.length), orderId);
    },
  };
}

function derive(secret: Uint8Array): Keys {
  const part = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `datafie ghana card ${name}`, bytes));
  // A key's name says nothing about the key; six characters tell a handful of keys apart.
  const name = part("name", 6).toString("base64url").slice(0, 6);
  return { prefix: `${VERSION}.${name}.`, sealing: part("sealing", 32), finding: part("finding", 32) };
}

function encrypt(key: Buffer, card: string, orderId: number): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(contextOf(orderId));
  const sealed = Buffer.concat([cipher.update(card, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url");
}

function decrypt(key: Buffer, text: string, orderId: number): string {
  const bytes = Buffer.from(text, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(contextOf(orderId))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const card = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return card.toString("utf8");
}

const contextOf = (orderId: number) => Buffer.from(`afa order ${orderId}`);
