// Requests with a test key, which a live server passes on to its sandbox before anything else looks at them; and what
// the sandbox learns of such a request from the stamp that it carries.
import type { SandboxClient } from "../core/sandbox/client.ts";
import { FORWARDED_HEADER } from "../core/sandbox/client.ts";
import { type Origin, originOf, type PassKeys } from "../core/sandbox/passes.ts";
import { readBytes } from "../http/requests.ts";
import { type KeyMode, modeOfKey } from "../shared/api-keys.ts";
import { limits } from "../shared/domain.ts";

type Forwarder = (request: Request) => Promise<Response> | null;

/**
 * Returns a function that passes on requests with a test key; null for others, and without a sandbox for all. It throws
 * request.too_large and request.timeout for a body, and service.unavailable.
 */
export function forwarderOf(
  sandbox: SandboxClient | null,
  { addressOf, requestIdOf }: { addressOf: (request: Request) => string; requestIdOf: (request: Request) => string },
): Forwarder {
  if (!sandbox) return () => null;
  return (request) => {
    if (!hasTestKey(request)) return null;
    const { pathname, search } = new URL(request.url);
    if (!pathname.startsWith("/api/v1/")) return null;
    const { method, headers } = request;
    return sandbox.forward({
      ...{ method, headers, path: pathname + search },
      ...{ address: addressOf(request), requestId: requestIdOf(request) },
      readBody: async () => (request.body ? readBytes(request, limits.bulkBodyBytes) : null),
    });
  };
}

function hasTestKey({ headers }: Request): boolean {
  const bearer = /^Bearer +(dfk_test_\S+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  return bearer !== undefined && modeOfKey(bearer) === "test";
}

/** Returns a function that reads where a forwarded request came from; null for any other, and in a live shop. */
export function originReader(mode: KeyMode, keys: PassKeys): (request: Request) => Origin | null {
  if (mode === "live") return () => null;
  const known = new WeakMap<Request, Origin | null>();
  return (request) => {
    const stamp = request.headers.get(FORWARDED_HEADER);
    if (stamp === null) return null;
    if (!known.has(request)) known.set(request, originOf(keys, stamp));
    return known.get(request)!;
  };
}
