// The log of requests by API keys, seen from the server: which requests belong in it, and what of them.
import type { Db } from "../../db/connect.ts";
import { type Exchange, newExchange } from "../core/requests/exchange.ts";
import type { AnsweredRequest } from "../core/requests/lines.ts";
import { createRequestRecorder } from "../core/requests/recorder.ts";
import type { Log } from "../telemetry/log.ts";
import type { RequestContext } from "../telemetry/request-log.ts";

export type KeyRequests = {
  /** Where a route reports what it reads and answers; null for a request without an API key. */
  exchangeOf: (context: RequestContext) => Exchange | null;
  /**
   * Takes an answer that is about to be sent. A request is in the log of the account whose key it came with, also when
   * the key was refused; one with a text that is no key of anybody is in nobody's.
   */
  record: (request: Request, context: RequestContext, response: Response, ms: number) => void;
  /** Writes what waits. */
  flush: () => Promise<void>;
};

/** In which nothing is. */
export const NO_LOG: KeyRequests = { exchangeOf: () => null, record: () => {}, flush: async () => {} };

/** Opens the log. What still waits when the process ends without `flush` is lost. */
export function openKeyRequests(db: Db, log: Log): KeyRequests {
  const onFault = (error: unknown) => log.error({ error }, "requests of API keys could not be logged");
  const recorder = createRequestRecorder(db, { onFault });
  const exchangeOf = (context: RequestContext) => {
    if (context.keyId === undefined) return null;
    context.exchange ??= newExchange();
    return context.exchange;
  };

  return {
    exchangeOf,
    record: (request, context, response, ms) => {
      const exchange = exchangeOf(context);
      if (!exchange) return;
      const { refusal = null } = context;
      const answered = { status: response.status, ms: Math.round(ms), code: refusal };
      if (refusal === null) return recorder.record(requestOf(request, context, exchange, answered));
      // Refusals are short, and rare beside what succeeds.
      void jsonOf(response.clone()).then((value) => {
        exchange.answer = value === undefined ? null : { value };
        recorder.record(requestOf(request, context, exchange, answered));
      });
    },
    flush: recorder.flush,
  };
}

type Answered = Pick<AnsweredRequest, "status" | "ms" | "code">;

/** Written out, because every purchase of a program makes one. */
function requestOf(
  { method, url }: Request,
  { keyId, userId, at, route, requestId, address }: RequestContext,
  exchange: Exchange,
  { status, ms, code }: Answered,
): AnsweredRequest {
  const { orderId, bulkOrderId, idempotencyKey, isReplayed, request, answer, isPurchase } = exchange;
  return {
    key: { keyId: keyId!, userId: userId! },
    at,
    method,
    url,
    route,
    requestId,
    status,
    ms,
    address: address!,
    code,
    orderId,
    bulkOrderId,
    idempotencyKey,
    isReplayed,
    request,
    answer,
    isPurchase,
  };
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}
