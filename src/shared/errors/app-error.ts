// The error that the product answers with when it refuses something: a code, its message, and details about it.
import { errors } from "./codes.ts";

export type ErrorCode = keyof typeof errors;

/** One refused line of a bulk order; `line` counts from 1. */
export type LineError = {
  line: number;
  code: ErrorCode;
  message: string;
  /** The pause of the line's bundle; `until` is an ISO timestamp. */
  paused?: { message: string; until: string | null };
  /** The price of now of one, and the line's amount, in cedis. */
  currentPrice?: number;
  currentAmount?: number;
  /** The earlier order with the same bundle and number or the same reference, and its ISO timestamp. */
  orderId?: number;
  orderedAt?: string;
};

export type ErrorDetails = {
  fields?: Record<string, string>;
  lines?: LineError[];
  retryAfterSeconds?: number;
  /** The methods that work at an address. */
  allowed?: string[];
  [more: string]: unknown;
};

/** A refusal that the caller can act on. Anything else that is thrown is a fault of ours and is answered with 500. */
export class AppError extends Error {
  readonly status: number;
  constructor(
    readonly code: ErrorCode,
    readonly details?: ErrorDetails,
    message: string = errors[code].message,
  ) {
    super(message);
    this.name = "AppError";
    this.status = errors[code].status;
  }
}

/** Whether the same request may succeed later, unchanged. */
export function isRetryable(code: ErrorCode): boolean {
  return errors[code].retry === "later";
}

/** A refused line, with its code's message unless a more exact one is given. */
export function lineError(line: number, code: ErrorCode, message: string = errors[code].message): LineError {
  return { line, code, message };
}
