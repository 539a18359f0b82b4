// Browsers that have asked for a code without a login. Each gets a signed name for what it asked about, so that
// strangers' guesses at the code are counted apart from its own. The name proves nothing else: anybody may ask.
import { createHmac } from "node:crypto";
import { isSame } from "./devices.ts";

/** The cookie of a browser, with the keys that sign the names, newest first. */
export type Browser = { keys: { signing: readonly string[] }; cookie: string | null };

/** Longer than a code is valid. */
export const ASKER_SECONDS = 15 * 60;

/** The cookie for a browser that has just asked about a mailbox or number: its name, the same when it asks again. */
export function cookieFor(browser: Browser, about: string): string {
  if (nameOf(browser, about)) return browser.cookie!;
  const nonce = crypto.getRandomValues(new Uint8Array(12)).toBase64({ alphabet: "base64url" });
  return `${nonce}.${signatureOf(browser.keys.signing[0]!, about, nonce)}`;
}

/** The name of a browser that has asked about this; null for any other. */
export function nameOf({ keys, cookie }: Browser, about: string): string | null {
  const [, nonce, signature] = /^([\w-]{16})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (!nonce || !signature) return null;
  return keys.signing.some((key) => isSame(signature, signatureOf(key, about, nonce))) ? nonce : null;
}

function signatureOf(key: string, about: string, nonce: string): string {
  return createHmac("sha256", key)
    .update(JSON.stringify(["asked", about, nonce]))
    .digest("base64url");
}
