// Checks that a webhook's message is the shop's, by Standard Webhooks (https://www.standardwebhooks.com), with WebCrypto.
import type { webhooks } from "./schema.ts";

type Message<Operation> = Operation extends {
  post: { requestBody: { content: { "application/json": infer Body } } };
}
  ? Body
  : never;

/** A message, told apart by `type`. Ignore types that you do not know: there may be more of them. */
export type WebhookMessage = { [Type in keyof webhooks]: Message<webhooks[Type]> }[keyof webhooks];

/** The message is not the shop's, or not of now: answer 400, and do nothing with it. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
}

type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** More are never sent: while a secret is being replaced there are two. */
const SIGNATURES_MAX = 10;

/**
 * The message in a request, once its signature and its time were checked. `body` is the exact text or bytes that
 * arrived; several `secrets` are for the hours in which one is being replaced. Throws WebhookError.
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: GivenHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() } = {},
): Promise<WebhookMessage> {
  const [id, at, given] = ["id", "timestamp", "signature"].map((name) => headerIn(headers, `webhook-${name}`));
  if (!id || !at || !given) throw new WebhookError("A header of the signature is missing.");
  const isFresh = /^\d{1,12}$/.test(at) && Math.abs(nowMs / 1000 - Number(at)) <= toleranceSeconds;
  if (!isFresh) throw new WebhookError("The message is too old, or from the future.");
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const signed = joined(`${id}.${at}.`, body);
  const signatures = given
    .split(" ", SIGNATURES_MAX)
    .flatMap((one) => (one.startsWith("v1,") ? [bytesIn(one.slice(3))] : []));
  for (const secret of typeof secrets === "string" ? [secrets] : secrets) {
    const raw = bytesIn(secret.replace(/^whsec_/, ""));
    if (!raw?.length) throw new WebhookError("A secret is not of the form whsec_…");
    const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
    // `verify` compares in constant time.
    for (const one of signatures)
      if (one && (await crypto.subtle.verify("HMAC", key, one, signed))) return JSON.parse(text);
  }
  throw new WebhookError("The signature is not the shop's.");
}

function headerIn(headers: GivenHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : null;
}

function joined(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [first, rest] = [encoder.encode(head), typeof body === "string" ? encoder.encode(body) : body];
  const whole = new Uint8Array(first.length + rest.length);
  whole.set(first);
  whole.set(rest, first.length);
  return whole;
}

function bytesIn(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}
