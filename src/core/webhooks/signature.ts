// Signatures of webhook messages by the Standard Webhooks specification (https://www.standardwebhooks.com), so that its
// libraries verify them.
import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";
/** The specification requires 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret as developers store it: whsec_ and 32 random bytes as base64. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The headers with the message's id, its time and its signatures: one for each secret, separated by a space.
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, atSeconds, body }: { id: string; atSeconds: number; body: string },
): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(atSeconds),
    "webhook-signature": secrets.map((secret) => `v1,${signature(secret, `${id}.${atSeconds}.${body}`)}`).join(" "),
  };
}

function signature(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return createHmac("sha256", key).update(signed).digest("base64");
}
