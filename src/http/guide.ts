// The guide for programs as data: what the API hands to the pages that show it.
import type { ErrorCode } from "../shared/errors/app-error.ts";

/** A field of a request, an answer or a message; `name` is its path: orders[].msisdn. */
export type GuideField = {
  name: string;
  /** As JSON has it: "string", "array of objects". */
  type: string;
  isRequired: boolean;
  /** "1 to 100", "at most 40 characters", "one of MTN, TELECEL". */
  limits: string;
  text: string;
};

export type GuideCall = {
  /** Its part of the address of its page: post-orders. */
  name: string;
  method: string;
  /** Behind /api/v1: /orders/{id}. */
  path: string;
  summary: string;
  /** Of the calls that it stands with: "orders". */
  group: string;
  /** What a key must be allowed to do; null: nothing in particular, or not declared. */
  scope: string | null;
  takesKey: boolean;
  isPaged: boolean;
  params: readonly GuideField[];
  query: readonly GuideField[];
  body: readonly GuideField[];
  answer: readonly GuideField[];
  /** A request that can be sent as it is, in a shop with such ids. */
  example: {
    params: Readonly<Record<string, string>>;
    query: Readonly<Record<string, string>>;
    body: unknown;
    status: number;
    answer: unknown;
  };
  /** The refusals of its own, before those of every call. */
  errors: readonly ErrorCode[];
};

/** A message to a developer's server. */
export type GuideMessage = {
  type: string;
  summary: string;
  fields: readonly GuideField[];
  example: unknown;
};

export type Guide = {
  calls: readonly GuideCall[];
  messages: readonly GuideMessage[];
  /** The refusals of several calls or of each, and what is in the details of some. */
  errors: readonly ErrorCode[];
  details: readonly GuideField[];
};
