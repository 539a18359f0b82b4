// Ghana Card numbers at rest: sealed with AES-256-GCM, and found again by a keyed digest. Sealing and finding have keys
// of their own, both derived from the one secret in the settings (HKDF, RFC 5869), and a sealed number names its key.
import { createHmac, hkdfSync } from "node:crypto";
import { seal, unseal } from "../platform/encryption.ts";

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

type Keys = { prefix: string; sealing: Buffer; finding: Buffer };

/** Opens the safe with secrets of 32 bytes each, the current one first. */
export function openSafe(current: Uint8Array, ...previous: Uint8Array[]): CardSafe {
  const first = derive(current);
  const all: [Keys, ...Keys[]] = [first, ...previous.map(derive)];
  const mapped = <T>(of: (keys: Keys) => T): [T, ...T[]] => [of(first), ...all.slice(1).map(of)];
  return {
    prefixes: mapped((keys) => keys.prefix),
    digests: (card) => mapped((keys) => createHmac("sha256", keys.finding).update(card).digest("base64url")),
    seal: (card, orderId) => first.prefix + seal(first.sealing, card, contextOf(orderId)),
    open: (sealed, orderId) => {
      const keys = all.find(({ prefix }) => sealed.startsWith(prefix));
      if (!keys) throw new Error("a Ghana Card number is sealed under a key that is not here");
      return unseal(keys.sealing, sealed.slice(keys.prefix.length), contextOf(orderId));
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

const contextOf = (orderId: number) => `afa order ${orderId}`;
