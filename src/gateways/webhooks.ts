// The sender of webhooks, which calls addresses that strangers have named. A host name is resolved once per call, all
// its addresses are checked, and the connection goes to a checked address, so that a name that changes in between
// (DNS rebinding) has no effect.
import { lookup } from "node:dns/promises";
import type { HookAnswer, HookCall, HookSender } from "../core/webhooks/sender.ts";
import { limits } from "../shared/domain.ts";
import { isPublic, isThisMachine } from "./addresses.ts";

export type HookOptions = {
  /** Development also allows http and other ports. */
  isDevelopment: boolean;
  /** Whether endpoints on this machine may be called. */
  reachesThisMachine: boolean;
  timeoutMs?: number;
  /** The addresses of a name; the system's resolver, unless a test has its own. */
  resolve?: (name: string) => Promise<string[]>;
  /** Certificates to trust besides the system's. */
  ca?: string;
};

type Resolved = Required<Omit<HookOptions, "ca">> & Pick<HookOptions, "ca">;

/** Receivers should answer before they process a message (Standard Webhooks: within 15 to 30 seconds). */
const TIMEOUT_MS = limits.hookAnswerMs;
/** The same message for a name that does not resolve and for one in our network, so that it reveals nothing of ours. */
const NOT_PUBLIC = "No server on the public internet has this address, so nothing is sent to it";
/** Lower ports belong to system services, even in development. */
const FIRST_FREE_PORT = 1024;

/** Creates the sender. It never throws. */
export function createHookSender(options: HookOptions): HookSender {
  const resolved = { timeoutMs: TIMEOUT_MS, resolve: systemResolve, ...options };
  return {
    problemOf: async (url) => {
      const target = await targetOf(resolved, url, AbortSignal.timeout(resolved.timeoutMs));
      return "problem" in target ? target.problem : null;
    },
    post: (call) => post(resolved, call),
  };
}

async function post(options: Resolved, { url, headers, body }: HookCall): Promise<HookAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  try {
    const target = await targetOf(options, url, signal);
    if ("problem" in target) {
      return target.isFinal
        ? { kind: "refused", reason: target.problem }
        : { kind: "unanswered", reason: target.problem };
    }
    const response = await fetch(target.url, {
      method: "POST",
      headers: { ...headers, host: target.host },
      body,
      redirect: "manual",
      keepalive: false,
      decompress: false,
      tls: { serverName: target.name, rejectUnauthorized: true, ...(options.ca && { ca: options.ca }) },
      signal,
    });
    // The body is not needed, and might never end.
    await response.body?.cancel().catch(() => {});
    const retryAfterSeconds = retryAfter(response);
    return { kind: "answered", status: response.status, ...(retryAfterSeconds && { retryAfterSeconds }) };
  } catch (error) {
    return { kind: "unanswered", reason: reasonFor(error, options.timeoutMs) };
  }
}

/** The wait that an answer asks for (RFC 9110, 10.2.3), in seconds or as a date; 0 for none. */
function retryAfter({ headers }: Response): number {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  return Math.max(seconds || 0, 0);
}

type Target =
  /** The URL with the address in place of the host name, and that name. */
  | { url: string; host: string; name: string }
  /** `isFinal` unless the name merely failed to resolve, which may pass. */
  | { problem: string; isFinal: boolean };

async function targetOf(options: Resolved, text: string, signal: AbortSignal): Promise<Target> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return { problem: "Enter an address such as https://example.com/hooks", isFinal: true };
  const problem = problemOfUrl(options, url);
  if (problem) return { problem, isFinal: true };
  // The URL has an IPv6 address in brackets.
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await Promise.race([options.resolve(name), rejected(signal)]).catch(() => []);
  if (addresses.length === 0) return { problem: NOT_PUBLIC, isFinal: false };
  if (!addresses.every((address) => mayBeCalled(options, address))) return { problem: NOT_PUBLIC, isFinal: true };
  const address = addresses.find((one) => !one.includes(":")) ?? addresses[0]!;
  const host = url.host;
  url.hostname = address.includes(":") ? `[${address}]` : address;
  return { url: url.href, host, name };
}

/** What is wrong with a URL, before its name is resolved; null when nothing is. */
function problemOfUrl({ isDevelopment }: Resolved, url: URL): string | null {
  const isHttps = url.protocol === "https:";
  if (!isHttps && !(isDevelopment && url.protocol === "http:")) return "The address must begin with https://";
  if (url.href.length > limits.hookUrlChars) return `At most ${limits.hookUrlChars} characters`;
  if (url.username || url.password) return "The address must not contain a user name or password";
  const port = Number(url.port || (isHttps ? 443 : 80));
  const isUsual = port === (isHttps ? 443 : 80);
  if (!isUsual && !(isDevelopment && port >= FIRST_FREE_PORT)) return `The address must use port ${isHttps ? 443 : 80}`;
  return null;
}

function mayBeCalled({ reachesThisMachine }: Resolved, address: string): boolean {
  return isPublic(address) || (reachesThisMachine && isThisMachine(address));
}

async function systemResolve(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** The kind of fault, for the endpoint's owner. */
function reasonFor(error: unknown, timeoutMs: number): string {
  const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  if (name === "TimeoutError") return `No answer within ${timeoutMs / 1000} seconds`;
  if (code === "ECONNREFUSED" || code === "ConnectionRefused") return "The connection was refused";
  if (typeof code === "string" && /CERT|TLS|SSL|SIGNED|ISSUER/i.test(code))
    return `Its certificate is not trusted (${code})`;
  return "The connection broke";
}
