// HMAC verification of webhook signatures.
import { createHmac, timingSafeEqual } from "node:crypto";

const HEX_LENGTH = { sha256: 64, sha512: 128 } as const;

/**
 * Whether `signature` is the lower-case hex HMAC of exactly these bytes under `key`, compared in constant time. False
 * for any other spelling of the digest, and for a missing signature.
 */
export function isHmac(
  algorithm: keyof typeof HEX_LENGTH,
  raw: Uint8Array,
  signature: string | null,
  key: string,
): boolean {
  if (!signature || signature.length !== HEX_LENGTH[algorithm] || !/^[0-9a-f]+$/.test(signature)) return false;
  return timingSafeEqual(createHmac(algorithm, key).update(raw).digest(), Buffer.from(signature, "hex"));
}
