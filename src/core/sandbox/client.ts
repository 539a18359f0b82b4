// The sandbox as a live server sees it: another shop, reached by HTTP and never by its database. Implemented by
// src/gateways/sandbox.ts.
import type { LiveOwner, Origin } from "./passes.ts";

/** A request with a test key, as it came in. */
export type ForwardedRequest = Origin & {
  method: string;
  /** With its query. */
  path: string;
  headers: Headers;
  /** Reads the body, which is limited; null for a request without one. */
  readBody: () => Promise<Uint8Array | null>;
};

/** A call of one of its routes for a live account. */
export type OwnersCall = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  idempotencyKey?: string;
};

export type SandboxClient = {
  /**
   * Passes a request on and returns the sandbox's answer, whose body streams. Throws service.unavailable, with a
   * message about the sandbox, when it does not answer; request.rate_limited when too many requests wait for it; and as
   * `readBody`.
   */
  forward: (request: ForwardedRequest) => Promise<Response>;
  /**
   * The JSON answer to a call as the twin of a live account, which the first call creates. Throws what the sandbox
   * refuses with, and service.unavailable as `forward`.
   */
  call: <T>(owner: LiveOwner, call: OwnersCall) => Promise<T>;
  /** As `call`, for a page of a list: its rows, and the cursor of the next page; null at the end. */
  page: <T>(owner: LiveOwner, path: string) => Promise<{ rows: T[]; next: number | null }>;
  /** Tells it that a live account has left; returns when it has closed the twin. Throws as `call`. */
  sendFarewell: (liveUserId: number) => Promise<void>;
  /** Whether it runs as far as is known; false if a call would start it. */
  isAwake: () => boolean;
};

/** Where it hears farewells. */
export const FAREWELL_PATH = "/webhooks/live-shop/farewells";

/** Carries the stamp of a forwarded request; see passes.ts. */
export const FORWARDED_HEADER = "x-datafie-forwarded";
