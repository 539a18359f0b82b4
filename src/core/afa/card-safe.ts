// Ghana Card numbers at rest: encrypted with AES-256-GCM, and found by a keyed digest. Encryption and digests have keys
// of their own, both derived from one configured secret (HKDF, RFC 5869), and an encrypted number names its key.
import { createHmac, hkdfSync } from "node:crypto";
import { seal, unseal } from "../platform/encryption.ts";

/** Encrypts and decrypts card numbers. The first key encrypts; the others only decrypt what they encrypted before. */
export type CardSafe = {
  /** Encrypts a number for one order; it does not decrypt for another. */
  seal: (card: string, orderId: number) => string;
  /** Decrypts a number. Throws when it was sealed for another order, tampered with, or under an unknown key. */
  open: (sealed: string, orderId: number) => string;
  /** The digests that find a number without decrypting: under the first key, then each of the others. */
  digests: (card: string) => [string, ...string[]];
  /** The prefix of each key's encrypted numbers, in the same order. */
  prefixes: [string, ...string[]];
};

const VERSION = "1";

type Keys = { prefix: string; sealing: Buffer; finding: Buffer };

/** A card safe with secrets of 32 bytes each, the current one first. */
export function openSafe(current: Uint8Array, ...previous: Uint8Array[]): CardSafe {
  const first = derive(current);
  const keyring: [Keys, ...Keys[]] = [first, ...previous.map(derive)];
  const mapped = <T>(of: (keys: Keys) => T): [T, ...T[]] => [of(first), ...keyring.slice(1).map(of)];
  return {
    prefixes: mapped((keys) => keys.prefix),
    digests: (card) => mapped((keys) => createHmac("sha256", keys.finding).update(card).digest("base64url")),
    seal: (card, orderId) => first.prefix + seal(first.sealing, card, contextOf(orderId)),
    open: (sealed, orderId) => {
      const keys = keyring.find(({ prefix }) => sealed.startsWith(prefix));
      if (!keys) throw new Error("a Ghana Card number is encrypted under an unknown key");
      return unseal(keys.sealing, sealed.slice(keys.prefix.length), contextOf(orderId));
    },
  };
}

function derive(secret: Uint8Array): Keys {
  const part = (name: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `datafie ghana card ${name}`, bytes));
  // A key's name reveals nothing about the key; six characters distinguish a handful of keys.
  const name = part("name", 6).toString("base64url").slice(0, 6);
  return { prefix: `${VERSION}.${name}.`, sealing: part("sealing", 32), finding: part("finding", 32) };
}

const contextOf = (orderId: number) => `afa order ${orderId}`;
