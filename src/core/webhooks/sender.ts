// The interface of the gateway that calls developers' endpoints.

/** A message with its exact body and the headers that sign it. */
export type HookCall = {
  url: string;
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
};

/**
 * The outcome of a call. `retryAfterSeconds`: when the endpoint asks to be called again. `refused`: a forbidden
 * address, nothing was sent. `unanswered`: it may have arrived. `reason` is shown to the endpoint's owner.
 */
export type HookAnswer =
  | { kind: "answered"; status: number; retryAfterSeconds?: number }
  | { kind: "refused"; reason: string }
  | { kind: "unanswered"; reason: string };

export interface HookSender {
  /** What is wrong with an address, as a sentence for its owner; null when nothing is. */
  problemOf(url: string): Promise<string | null>;
  /** Sends a message once. Never throws. */
  post(call: HookCall): Promise<HookAnswer>;
}
