// Calling addresses that strangers have named. A name is resolved once for a call, every address that it has is looked at,
// and the connection goes to the one that was looked at: a name that says something else a moment later changes nothing.
import { lookup } from "node:dns/promises";
import type { HookAnswer, HookCall, HookSender } from "../core/webhooks/sender.ts";
import { limits } from "../shared/domain.ts";
import { isPublic, isThisMachine } from "./addresses.ts";

export type HookOptions = {
  /** In development http is taken, too, and ports of one's own. */
  isDevelopment: boolean;
  /** Whether endpoints on this machine may be called. */
  reachesThisMachine: boolean;
  timeoutMs?: number;
  /** The addresses of a name; the system's resolver, unless a test has its own. */
  resolve?: (name: string) => Promise<string[]>;
  /** Certificates to believe besides the system's. */
  ca?: string;
};

type Settled = Required<Omit<HookOptions, "ca">> & Pick<HookOptions, "ca">;

/** Receivers are asked to answer before they work (Standard Webhooks: 15 to 30 seconds at most). */
const TIMEOUT_MS = 10_000;
/** The same for a name that means nothing and for one that means this network: which is which is nobody's business. */
const NOT_PUBLIC = "There is no server at this address on the public internet, so nothing is sent to it";
/** Below it are the services of a system, even in development. */
const FIRST_FREE_PORT = 1024;

/** A sender under these rules. */
export function createHookSender(options: HookOptions): HookSender {
  const settled = { timeoutMs: TIMEOUT_MS, resolve: systemResolve, ...options };
  return {
    problemOf: async (url) => {
      const target = await targetOf(settled, url, AbortSignal.timeout(settled.timeoutMs));
      return "problem" in target ? target.problem : null;
    },
    post: (call) => post(settled, call),
  };
}

async function post(options: Settled, { url, headers, body }: HookCall): Promise<HookAnswer> {
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
    // Nobody needs what it says, and it may never end.
    await response.body?.cancel().catch(() => {});
    return { kind: "answered", status: response.status };
  } catch (error) {
    return { kind: "unanswered", reason: wordsFor(error, options.timeoutMs) };
  }
}

type Target =
  /** The URL with the address in place of the name, and what the name was. */
  | { url: string; host: string; name: string }
  /** `isFinal`: not for lack of an answer to whose it is. */
  | { problem: string; isFinal: boolean };

async function targetOf(options: Settled, text: string, signal: AbortSignal): Promise<Target> {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) return { problem: "This is no address such as https://example.com/hooks", isFinal: true };
  const problem = problemOfUrl(options, url);
  if (problem) return { problem, isFinal: true };
  // An IPv6 address stands in brackets.
  const name = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = await Promise.race([options.resolve(name), rejected(signal)]).catch(() => []);
  if (addresses.length === 0) return { problem: NOT_PUBLIC, isFinal: false };
  if (!addresses.every((address) => mayBeCalled(options, address)))
    return { problem: NOT_PUBLIC, isFinal: true };
  const address = addresses.find((one) => !one.includes(":")) ?? addresses[0]!;
  const host = url.host;
  url.hostname = address.includes(":") ? `[${address}]` : address;
  return { url: url.href, host, name };
}

/** What is wrong with a URL before anybody is asked what its name means. */
function problemOfUrl({ isDevelopment }: Settled, url: URL): string | null {
  const isHttps = url.protocol === "https:";
  if (!isHttps && !(isDevelopment && url.protocol === "http:")) return "The address must begin with https://";
  if (url.href.length > limits.hookUrlChars) return `At most ${limits.hookUrlChars} characters`;
  if (url.username || url.password) return "The address must not carry a name or a password";
  const port = Number(url.port || (isHttps ? 443 : 80));
  const isUsual = port === (isHttps ? 443 : 80);
  if (!isUsual && !(isDevelopment && port >= FIRST_FREE_PORT))
    return `The address must be at port ${isHttps ? 443 : 80}`;
  return null;
}

function mayBeCalled({ reachesThisMachine }: Settled, address: string): boolean {
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

/** Only the kind of fault, in words for the endpoint's owner. */
function wordsFor(error: unknown, timeoutMs: number): string {
  const { name, code } = error instanceof Error ? (error as Error & { code?: unknown }) : {};
  if (name === "TimeoutError") return `No answer within ${timeoutMs / 1000} seconds`;
  if (code === "ECONNREFUSED" || code === "ConnectionRefused") return "The connection was refused";
  if (typeof code === "string" && /CERT|TLS|SSL|SIGNED|ISSUER/i.test(code))
    return `Its certificate is not believed (${code})`;
  return "The connection broke";
}
