// The reading position in a session's text. The gateway does not number requests: each carries everything typed so far,
// joined with "*". The position is stored as a length and a keyed digest, so that no PIN is stored; whatever follows it
// is new.
import { createHmac } from "node:crypto";
import type { Cursor } from "../../src/core/ussd/sessions.ts";

/**
 * How a request relates to its session. `start` and `extend` bring new inputs, those from index `from` (perhaps one
 * empty one); `repeat` is the last request again, `stale` an earlier one; `diverged` does not continue what was read.
 */
export type Advance =
  | { kind: "start" | "extend"; inputs: string[]; from: number; next: Cursor }
  | { kind: "repeat" | "stale" | "diverged" };

/** Compares a request's text with the session's cursor; the cursor of a new session is null. */
export function advance(key: string, sessionId: string, cursor: Cursor | null, text: string): Advance {
  const mac = (read: string) => createHmac("sha256", key).update(`${sessionId}\n${read}`).digest("base64url");
  const next = { length: text.length, mac: mac(text) };
  const inputs = text === "" ? [] : text.split("*");
  if (!cursor) return { kind: "start", inputs, from: 0, next };
  if (text.length < cursor.length) return { kind: "stale" };
  const read = text.slice(0, cursor.length);
  if (mac(read) !== cursor.mac) return { kind: "diverged" };
  if (text.length === cursor.length) return { kind: "repeat" };
  if (cursor.length > 0 && text[cursor.length] !== "*") return { kind: "diverged" };
  const from = read === "" ? 0 : read.split("*").length;
  return { kind: "extend", inputs, from, next };
}
