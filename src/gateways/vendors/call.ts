// Asking a vendor over HTTP. What came back is told honestly: an answer, nothing that can be trusted, or surely nothing
// sent. Keys and markup never leave this file.
import { z } from "zod";

export type VendorHttp = {
  call(ask: Ask): Promise<Heard>;
  /** The first of these that is text with letters in it: a vendor's own words, fit to be shown and kept. */
  words(...candidates: unknown[]): string | null;
};

type Ask = { method: "GET" | "POST"; path: string; body?: unknown; headers?: Record<string, string> };

export type Heard =
  | { kind: "json"; status: number; json: Record<string, unknown>; retryAfterSeconds: number | null }
  /** HTML, an empty body, or anything else that is no JSON object: seldom from the vendor's own program. */
  | { kind: "text"; status: number; words: string; retryAfterSeconds: number | null }
  /** The connection never came to be, so nothing can have been taken. */
  | { kind: "not_sent"; words: string }
  /** It was sent, or may have been; nobody knows what became of it. */
  | { kind: "lost"; words: string };

export type HttpOptions = {
  baseUrl: string;
  headers: Record<string, string>;
  /** What must never be seen in a vendor's words. */
  secrets: readonly string[];
  timeoutMs?: number;
};

/** A lost answer costs a person's attention, so that we wait for longer than vendors usually take. */
const TIMEOUT_MS = 20_000;
const WORDS_MAX = 300;
/** Vendors that name no sensible time are left alone for as long as each caller thinks right. */
const RETRY_AFTER_SECONDS_MAX = 3600;
const NEVER_CONNECTED = new Set(["ECONNREFUSED", "ConnectionRefused", "ENOTFOUND", "EAI_AGAIN"]);

/** A vendor at `baseUrl`; nothing here throws. */
export function createHttp(options: HttpOptions): VendorHttp {
  const words = (...candidates: unknown[]) => {
    const said = candidates.find((text): text is string => typeof text === "string" && /[a-z]/i.test(text));
    return said === undefined ? null : plainText(said, options.secrets);
  };
  return { words, call: (ask) => call(options, words, ask) };
}

async function call(options: HttpOptions, words: VendorHttp["words"], ask: Ask): Promise<Heard> {
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
      // A connection that was kept may break under the next parcel, and nobody would know what became of it.
      keepalive: false,
      signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    });
    const raw = await response.text();
    const { status } = response;
    const json = z.record(z.string(), z.unknown()).safeParse(jsonIn(raw)).data ?? null;
    const retryAfterSeconds = secondsIn(json?.retryAfter) ?? secondsIn(response.headers.get("retry-after"));
    if (json) return { kind: "json", status, json, retryAfterSeconds };
    return {
      kind: "text",
      status,
      words: words(raw) ?? `answered ${status} without a word`,
      retryAfterSeconds,
    };
  } catch (error) {
    // Only the kind of fault: the error may carry the request, and with it the key.
    const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
    if (typeof code === "string" && NEVER_CONNECTED.has(code))
      return { kind: "not_sent", words: `cannot be reached (${code})` };
    return {
      kind: "lost",
      words: name === "TimeoutError" ? "did not answer in time" : "the connection broke",
    };
  }
}

/** The JSON in these bytes, or undefined where there is none. */
export function jsonIn(raw: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof raw === "string" ? raw : new TextDecoder().decode(raw));
  } catch {
    return undefined;
  }
}

/** Whole seconds, at most an hour; null for anything else, a date included. */
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
      .slice(0, WORDS_MAX)
      // Half a character, which a cut may leave, is refused by the database, and the answer would be lost with it.
      .toWellFormed()
  );
}
