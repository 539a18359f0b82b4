// The error for everything that the shop refuses, and for answers that never came.
import type { components } from "./schema.ts";

type Failure = components["schemas"]["Failure"];

/**
 * The shop's codes never change. Two are the client's own: no answer came (it may have been done), and something other
 * than the shop answered.
 */
export type Code = Failure["code"] | "client.no_answer" | "client.not_the_shop";

export class DataFieError extends Error {
  readonly code: Code;
  readonly details: NonNullable<Failure["details"]>;
  /** Whether the same request may succeed later, unchanged and with the same key. */
  readonly retryable: boolean;
  /** For support; null when the shop did not answer. */
  readonly requestId: string | null;
  /** The answer's status; 0 without an answer. */
  readonly status: number;
  /** How long the shop asks to wait; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(
    failure: Pick<Failure, "message" | "retryable" | "details"> & { code: Code; requestId?: string | null },
    { status, retryAfterMs = null, cause }: { status: number; retryAfterMs?: number | null; cause?: unknown },
  ) {
    super(failure.message, { cause });
    this.name = "DataFieError";
    this.code = failure.code;
    this.details = failure.details ?? {};
    this.retryable = failure.retryable;
    this.requestId = failure.requestId ?? null;
    this.status = status;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The error for a request without a whole answer: the connection broke, or the time was up. */
export function noAnswer(cause: unknown): DataFieError {
  const message = "No answer came, so it may have been done. Look, or try again with the same idempotency key.";
  return new DataFieError({ code: "client.no_answer", message, retryable: true }, { status: 0, cause });
}

/** The error for an answer that is not a success. One of a proxy on the way is no word of the shop. */
export function refusalIn({ status, headers }: Response, text: string): DataFieError {
  const retryAfterMs = waitIn(headers.get("retry-after"));
  const failure = failureIn(text);
  if (failure) return new DataFieError(failure, { status, retryAfterMs });
  if (status === 429 || status >= 500) return noAnswer(`The answer had the status ${status}.`);
  const message = `Something other than the shop answered, with the status ${status}. Check the base URL.`;
  return new DataFieError({ code: "client.not_the_shop", message, retryable: false }, { status });
}

function failureIn(text: string): Failure | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.code === "string" && typeof body.retryable === "boolean" ? body : null;
  } catch {
    return null;
  }
}

/** Retry-After is a number of seconds or a date. */
function waitIn(value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
