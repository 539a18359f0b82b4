// What is known of a request beside itself, and what is told of it once it is answered: counted, traced and logged.
import * as metrics from "../core/platform/metrics.ts";
import { nameSpan } from "../core/platform/tracing.ts";
import type { ErrorCode } from "../shared/errors/app-error.ts";
import type { Log } from "./log.ts";

/** Filled in while the request is answered. */
export type RequestContext = { requestId: string; route: string; userId?: number; refusal?: ErrorCode };

/** What is known of each request; at first a request id and nothing else. */
export function createRequestContext(): (request: Request) => RequestContext {
  const known = new WeakMap<Request, RequestContext>();
  return (request) => {
    const about = known.get(request) ?? { requestId: crypto.randomUUID().slice(0, 13), route: "unknown" };
    known.set(request, about);
    return about;
  };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PATCH", "DELETE"]);

/** Tells of an answer that is about to go out. */
export function recordRequest(
  log: Log,
  request: Request,
  about: RequestContext,
  answer: { status: number; ms: number },
): void {
  const { status, ms } = answer;
  const { route, ...who } = about;
  // Anybody may send any word for a method.
  const method = METHODS.has(request.method) ? request.method : "OTHER";
  metrics.requests.inc({ method, route, status: String(status) });
  const labels = { door: doorOf(request), method, status: `${Math.floor(status / 100)}xx` };
  metrics.requestSeconds.observe(labels, ms / 1000);
  nameSpan(`${method} ${route}`, {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "datafie.request_id": who.requestId,
  });
  if (!log.isLevelEnabled("info")) return;
  const path = withoutSecret(new URL(request.url).pathname);
  log.info({ method: request.method, path, status, ...who, ms: Math.round(ms) }, "request");
}

/** Which door a request came to: a label that is one of a few words. */
export function doorOf(request: Request): string {
  const first = new URL(request.url).pathname.split("/")[1]!;
  if (first === "healthz" || first === "readyz" || first === "metrics") return "health";
  return ["api", "webhooks", "channels"].includes(first) ? first : "web";
}

/** A path as it may stand in the log: some hold a secret that a provider was told in place of a key to sign with. */
function withoutSecret(pathname: string): string {
  if (!/^\/+(webhooks|channels)\//i.test(pathname)) return pathname;
  return pathname.replace(/[^/]{20,}/g, "[redacted]");
}
