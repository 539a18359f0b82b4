// Encryption of short texts at rest with AES-256-GCM, bound to their purpose: a text moved elsewhere does not decrypt.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a text under a key of 32 bytes, as base64url. `context` names its purpose and is not secret. */
export function seal(key: Uint8Array, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString("base64url");
}

/** Decrypts what `seal` returned. Throws when the key or context differ, or it was tampered with. */
export function unseal(key: Uint8Array, sealed: string, context: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  return text.toString("utf8");
}

/** Two keys while one replaces the other: the first encrypts, both decrypt. */
export type SealingKeys = { key: Uint8Array; previousKey?: Uint8Array | undefined };

/** Decrypts under either key; null when it was sealed under neither, for another purpose, or tampered with. */
export function unsealUnder({ key, previousKey }: SealingKeys, sealed: string, context: string): string | null {
  for (const candidate of previousKey ? [key, previousKey] : [key]) {
    try {
      return unseal(candidate, sealed, context);
    } catch {
      // The other key may open it.
    }
  }
  return null;
}

/** The same text encrypted under the first key; null when it already is, or when neither key opens it. */
export function resealed({ key, previousKey }: SealingKeys, sealed: string, context: string): string | null {
  if (!previousKey || unsealUnder({ key }, sealed, context) !== null) return null;
  const text = unsealUnder({ key: previousKey }, sealed, context);
  return text === null ? null : seal(key, text, context);
}
