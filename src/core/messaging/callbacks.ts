// The secret in the addresses that Africa's Talking calls. It signs nothing, so whoever knows the address is believed to
// be Africa's Talking: the secret is long, compared in constant time, and in no log.
import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/** What Africa's Talking can be told to call: reports on our SMS, USSD sessions and how they ended, SMS to us. */
export type Callback = "delivery" | "ussd" | "events" | "inbound";

/** The secrets that are good, the one for new addresses first: those that were set, or else one made from each of `jwtSecrets`. */
export function secretsOf(set: readonly string[], ...jwtSecrets: string[]): readonly string[] {
  if (set.length > 0) return set;
  return jwtSecrets.map((secret) =>
    createHmac("sha256", secret).update("africastalking callbacks").digest("base64url"),
  );
}

/** Where Africa's Talking calls us; null while the shop's own address is not known. */
export function addressOf(
  baseUrl: string | null,
  secrets: readonly string[],
  callback: Callback,
): string | null {
  return baseUrl && `${baseUrl}/channels/africastalking/${secrets[0]}/${callback}`;
}

/** True when `one` is among `secrets`; how long it takes tells nothing about any of them. */
export function isAmongSecrets(secrets: readonly string[], one: string): boolean {
  return secrets.map((secret) => isSame(secret, one)).includes(true);
}

/** Whether two secrets are the same, in constant time. */
export function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
