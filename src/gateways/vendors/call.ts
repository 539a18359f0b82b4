// The HTTP client for vendors. Its result says how much is certain: a JSON answer, an untrustworthy one, nothing
// sent, or an unknown outcome. Keys and markup never leave this file.
import { z } from "zod";

export type VendorHttp = {
  call(ask: Ask): Promise<VendorResponse>;
  /** The first candidate that is a text with letters: the vendor's own message, safe to show and to store. */
  message(...candidates: unknown[]): string | null;
};

type Ask = {
  method: "GET" | "POST";
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
};

export type VendorResponse =
  | { kind: "json"; status: number; json: Record<string, unknown>; retryAfterSeconds: number | null }
  /** HTML, an empty body, or anything else but a JSON object: usually from a proxy, not from the vendor's API. */
  | { kind: "text"; status: number; message: string; retryAfterSeconds: number | null }
  /** No connection was established, so nothing can have been accepted. */
  | { kind: "not_sent"; message: string }
  /** The request was sent, or may have been; its outcome is unknown. */
  | { kind: "lost"; message: string };

/** The address of a provider, without a slash at its end. */
export const apiAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, ""));

export type HttpOptions = {
  baseUrl: string;
  headers: Record<string, string>;
  /** Strings to remove from a vendor's messages. */
  secrets: readonly string[];
  timeoutMs?: number;
};

/** Longer than vendors usually take, because an admin has to look into a lost answer. */
const TIMEOUT_MS = 20_000;
/** For what somebody waits for at a page. */
export const SHORT_TIMEOUT_MS = 7_000;
const MESSAGE_MAX = 300;
/** Longer waits than this are capped; without a usable time the caller decides how long to wait. */
const RETRY_AFTER_SECONDS_MAX = 3600;
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ConnectionRefused", "ENOTFOUND", "EAI_AGAIN"]);

/** Creates the client of the vendor at `baseUrl`. It never throws. */
export function createHttp(options: HttpOptions): VendorHttp {
  const message = (...candidates: unknown[]) => {
    const found = candidates.find((text): text is string => typeof text === "string" && /[a-z]/i.test(text));
    return found === undefined ? null : plainText(found, options.secrets);
  };
  return { message, call: (ask) => call(options, message, ask) };
}

async function call(options: HttpOptions, message: VendorHttp["message"], ask: Ask): Promise<VendorResponse> {
  const { method, path, body } = ask;
  try {
    const response = await fetch(options.baseUrl + path, {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...options.headers,
        ...ask.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: "error",
      // A reused connection may break under the next dispatch, whose outcome would then be unknown.
      keepalive: false,
      signal: AbortSignal.timeout(Math.min(options.timeoutMs ?? TIMEOUT_MS, ask.timeoutMs ?? TIMEOUT_MS)),
    });
    const raw = await response.text();
    const { status } = response;
    const json = z.record(z.string(), z.unknown()).safeParse(jsonIn(raw)).data ?? null;
    const retryAfterSeconds = secondsIn(json?.retryAfter) ?? secondsIn(response.headers.get("retry-after"));
    if (json) return { kind: "json", status, json, retryAfterSeconds };
    return {
      kind: "text",
      status,
      message: message(raw) ?? `answered ${status} without a message`,
      retryAfterSeconds,
    };
  } catch (error) {
    // Only the kind of fault: the error may carry the request, and with it the key.
    const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
    if (typeof code === "string" && NEVER_CONNECTED.has(code))
      return { kind: "not_sent", message: `cannot be reached (${code})` };
    return {
      kind: "lost",
      message: name === "TimeoutError" ? "did not answer in time" : "the connection broke",
    };
  }
}

/** Parses JSON; undefined if it is none. */
export function jsonIn(raw: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof raw === "string" ? raw : new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

/** A number of seconds, rounded up and at most an hour; null for anything else, dates included. */
function secondsIn(value: unknown): number | null {
  const seconds = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof seconds !== "number" || !(seconds > 0)) return null;
  return Math.min(Math.ceil(seconds), RETRY_AFTER_SECONDS_MAX);
}

/** Text without markup and secrets, on one line. */
function plainText(text: string, secrets: readonly string[]): string {
  const bare = text
    .replace(/<(script|style)\b[\s\S]*?(<\/\1\s*>|$)/gi, " ")
    .replace(/<[^>]*(>|$)/g, " ")
    .replace(/&(nbsp|#160);/g, " ");
  const safe = secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, "[key]"), bare);
  return (
    safe
      .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
      .trim()
      .slice(0, MESSAGE_MAX)
      // The cut may leave half a character, which the database would refuse, and the answer with it.
      .toWellFormed()
  );
}
