// How the product refuses: a code of the catalogue, its words, and what they are about.
import { errors } from "./codes.ts";

export type ErrorCode = keyof typeof errors;

/** One refused line of a bulk order: `line` counts from 1, as people count. */
export type LineError = {
  line: number;
  code: ErrorCode;
  message: string;
  /** Of a line whose bundle is paused; `until` is an ISO moment. */
  paused?: { message: string; until: string | null };
};

export type ErrorDetails = {
  fields?: Record<string, string>;
  lines?: LineError[];
  retryAfterSeconds?: number;
  [more: string]: unknown;
};

/** A refusal that a person can do something about. Anything else that is thrown is a fault of ours. */
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

/** A refused line, with the words of its code unless better ones are given. */
export function lineError(
  line: number,
  code: ErrorCode,
  message: string = errors[code].message,
): LineError {
  return { line, code, message };
}
