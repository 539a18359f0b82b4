// Time-based one-time passwords of authenticator apps: RFC 6238 with the parameters that every app supports, SHA-1,
// 30 seconds and six digits.
import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_SECONDS = 30;
const DIGITS = 6;
/** How many steps a phone's clock may be off either way (RFC 6238, 5.2). */
const SKEW_STEPS = 1;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The time step of a moment in seconds since 1970. */
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

/** The step that this code belongs to, among those valid now and after `lastStep`; null for none. */
export function matchingStep(
  secret: Uint8Array,
  code: string,
  { seconds, lastStep }: { seconds: number; lastStep: number },
): number | null {
  const now = stepAt(seconds);
  let found: number | null = null;
  // All are compared, so that timing reveals nothing.
  for (let step = now - SKEW_STEPS; step <= now + SKEW_STEPS; step++)
    if (isSame(codeOf(secret, step), code) && step > lastStep) found ??= step;
  return found;
}

/** RFC 4648 base32 without padding, the notation of secrets in apps. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** The bytes behind `toBase32`. */
export function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Uint8Array.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** The URI in the QR code for authenticator apps (Google Authenticator's Key Uri Format). */
export function uriOf(secret: string, account: string): string {
  return `otpauth://totp/DataFie:${encodeURIComponent(account)}?secret=${secret}&issuer=DataFie`;
}

function isSame(own: string, given: string): boolean {
  const [a, b] = [Buffer.from(own), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
