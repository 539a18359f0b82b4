// How a message reaches a developer's endpoint: the interface that the outside is behind.

/** A message as it is sent: the body to the letter, with the headers that sign it. */
export type HookCall = { url: string; headers: Record<string, string>; body: string };

/**
 * What came of a call. `refused`: the address is none that we call; nothing was sent. `unanswered`: it may have arrived,
 * nobody knows. `why` is fit to be shown to the endpoint's owner.
 */
export type HookAnswer =
  | { kind: "answered"; status: number }
  | { kind: "refused"; why: string }
  | { kind: "unanswered"; why: string };

export interface HookSender {
  /** What is wrong with an address that somebody wants to be called at, in words for them; null when nothing is. */
  problemOf(url: string): Promise<string | null>;
  /** Sends a message once. Nothing here throws. */
  post(call: HookCall): Promise<HookAnswer>;
}
