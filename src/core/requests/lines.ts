// The texts in which requests are kept: the fields of each in the order in which the view `api_requests` reads them.
import { keptBody, keptPath } from "./bodies.ts";
import type { Exchange } from "./exchange.ts";

/** An answered request; `at` is when it arrived, in ms since 1970. */
export type AnsweredRequest = Exchange & {
  key: { keyId: number; userId: number };
  at: number;
  method: string;
  route: string;
  url: string;
  status: number;
  code: string | null;
  ms: number;
  requestId: string;
  address: string;
};

/** Between two requests, and between the fields of one. */
export const NEXT_REQUEST = "\x1e";
const NEXT_FIELD = "\x1f";

/** A request in one text, without secrets: its fields, and then what was sent and answered; an empty one is null. */
export function textOf(given: AnsweredRequest): string {
  const { key, at, method, route, url, status, code, ms, requestId, orderId, bulkOrderId } = given;
  const { idempotencyKey, isReplayed, isPurchase, address, request, answer } = given;
  return [
    at,
    key.keyId,
    plain(method),
    route,
    isWhole(url, route) ? route : plain(keptPath(url)),
    status,
    code,
    ms,
    requestId,
    orderId,
    bulkOrderId,
    idempotencyKey === null ? null : plain(idempotencyKey),
    isReplayed ? 1 : null,
    isPurchase ? 1 : null,
    plain(address) || "unknown",
    request && keptBody(request),
    answer && keptBody(answer),
  ].join(NEXT_FIELD);
}

/** A request's text in the two parts that are kept apart. */
export function partsOf(text: string): { fields: string; bodies: string } {
  const bodiesAt = text.lastIndexOf(NEXT_FIELD, text.lastIndexOf(NEXT_FIELD) - 1);
  return { fields: text.slice(0, bodiesAt), bodies: text.slice(bodiesAt + 1) };
}

/** Whether a route is all that follows the host: most requests of a program have neither an id nor a query. */
function isWhole(url: string, route: string): boolean {
  return url.endsWith(route) && url.indexOf("/", url.indexOf("//") + 2) === url.length - route.length;
}

const TEXT_CHARS_MAX = 600;

/** What a client or a proxy chose, without control characters, which JSON has none of. Most of it is plain. */
function plain(text: string): string {
  if (text.length <= TEXT_CHARS_MAX && /^[\x20-\x7e]*$/.test(text)) return text;
  return text.slice(0, TEXT_CHARS_MAX).replace(/\p{Cc}/gu, "");
}
