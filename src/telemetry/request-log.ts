// The record of each request: its id, route and user, and the metrics, span and log line once it is answered.
import * as metrics from "../core/platform/metrics.ts";
import { newRequestId, timeOfRequestId } from "../core/platform/request-ids.ts";
import { nameSpan } from "../core/platform/tracing.ts";
import type { Exchange } from "../core/requests/exchange.ts";
import type { ErrorCode } from "../shared/errors/app-error.ts";
import type { Log } from "./log.ts";

/** Filled in while the request is handled. */
export type RequestContext = {
  requestId: string;
  /** When it arrived, in ms since 1970; its id begins with the same. */
  at: number;
  route: string;
  /** The account, and the API key, that it was made with: known even if the key was refused. */
  userId?: number;
  keyId?: number;
  /** Where a request with an API key came from. */
  address?: string;
  /** What is kept of a program's request for its owner. */
  exchange?: Exchange;
  refusal?: ErrorCode;
};

/** Returns a function that gives each request its context, which starts with only an id: `given`, or a new one. */
export function createRequestContext(
  given: (request: Request) => string | undefined = () => undefined,
): (request: Request) => RequestContext {
  const known = new WeakMap<Request, RequestContext>();
  return (request) => {
    let about = known.get(request);
    if (!about) {
      const now = Date.now();
      const requestId = given(request) ?? newRequestId(now);
      const at = timeOfRequestId(requestId)?.getTime() ?? now;
      about = { requestId, at, route: "unknown" };
      known.set(request, about);
    }
    return about;
  };
}

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]);

/** Records an answer that is about to be sent, as metrics, span and log line. */
export function recordRequest(
  log: Log,
  request: Request,
  about: RequestContext,
  answer: { status: number; ms: number },
): void {
  const { status, ms } = answer;
  const { route, requestId, userId, keyId, refusal } = about;
  // Clients may send any method; a label must not.
  const method = METHODS.has(request.method) ? request.method : "OTHER";
  metrics.requests.inc({ method, route, status: String(status) });
  const labels = { door: doorOf(request), method, status: `${Math.floor(status / 100)}xx` };
  metrics.requestSeconds.observe(labels, ms / 1000);
  nameSpan(`${method} ${route}`, {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "datafie.request_id": requestId,
  });
  if (!log.isLevelEnabled("info")) return;
  const path = withoutSecret(new URL(request.url).pathname);
  const fields = { status, requestId, userId, keyId, refusal, ms: Math.round(ms) };
  log.info({ method: request.method, path, ...fields }, "request");
}

/** The entry point of a request, as a metrics label with few values. */
export function doorOf(request: Request): string {
  const first = new URL(request.url).pathname.split("/")[1]!;
  if (first === "healthz" || first === "readyz" || first === "metrics") return "health";
  return ["api", "webhooks", "channels"].includes(first) ? first : "web";
}

/** A path for the log: a receipt and a price list have secret addresses, and providers that sign nothing call one. */
function withoutSecret(pathname: string): string {
  if (!/^\/+(webhooks|channels|r|p)\//i.test(pathname)) return pathname;
  return pathname.replace(/[^/]{20,}/g, "[redacted]");
}
