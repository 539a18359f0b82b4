// Codes that an authenticator app makes from a secret and the time: RFC 6238 with what every app knows, SHA-1, 30 seconds
// and six digits.
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** How many steps a phone's clock may be off to either side (RFC 6238, 5.2). */
const SKEW_STEPS = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The step of time that a moment (seconds since 1970) is in. */
export function stepAt(seconds: number): number {
  return Math.floor(seconds / STEP_SECONDS);
}

/** The code of a step (RFC 4226, 5.3). */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const offset = mac[mac.length - 1]! & 15;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step whose code this is, of those that count at this moment and come after `lastStep`; null when it is none. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { seconds, lastStep }: { seconds: number; lastStep: number },
): number | null {
  const now = stepAt(seconds);
  let found: number | null = null;
  // All are compared, so that the time it takes says nothing.
  for (let step = now - SKEW_STEPS; step <= now + SKEW_STEPS; step++)
    if (isSame(codeOf(secret, step), code) && step > lastStep) found ??= step;
  return found;
}

/** RFC 4648 base32 without padding: how people and apps write secrets. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** The bytes of what `toBase32` made. */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** What an authenticator app reads out of the picture (Google Authenticator's Key Uri Format). */
export function uriOf(secret: string, account: string): string {
  return `otpauth://totp/DataFie:${encodeURIComponent(account)}?secret=${secret}&issuer=DataFie`;
}

function isSame(own: string, given: string): boolean {
  const [a, b] = [Buffer.from(own), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
