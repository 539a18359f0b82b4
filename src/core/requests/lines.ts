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

/** Between two requests. */
export const NEXT_REQUEST = "\x1e";

/**
 * The fields of a request without its bodies and without secrets; an empty one is null. Written out, because every
 * purchase of a program makes one.
 */
export function lineOf(given: AnsweredRequest): string {
  const { key, at, method, route, url, status, code, ms, requestId, orderId, bulkOrderId } = given;
  const { idempotencyKey, isReplayed, isPurchase, address } = given;
  return (
    `${at}\x1f${key.keyId}\x1f${textOf(method)}\x1f${route}\x1f${textOf(keptPath(url))}\x1f${status}\x1f${code ?? ""}` +
    `\x1f${ms}\x1f${requestId}\x1f${orderId ?? ""}\x1f${bulkOrderId ?? ""}` +
    `\x1f${idempotencyKey === null ? "" : textOf(idempotencyKey)}\x1f${isReplayed ? 1 : ""}\x1f${isPurchase ? 1 : ""}` +
    `\x1f${textOf(address) || "unknown"}`
  );
}

/** What was sent and answered, shortened and without secrets; what is empty is null. */
export function bodiesOf({ request, answer }: AnsweredRequest): string {
  return `${request ? keptBody(request) : ""}\x1f${answer ? keptBody(answer) : ""}`;
}

const TEXT_CHARS_MAX = 600;

/** What a client or a proxy chose, without control characters, which JSON has none of. Most of it is plain. */
function textOf(text: string): string {
  if (text.length <= TEXT_CHARS_MAX && /^[\x20-\x7e]*$/.test(text)) return text;
  return text.slice(0, TEXT_CHARS_MAX).replace(/\p{Cc}/gu, "");
}
