// The text of a request by USSD is everything that was typed in its session, joined with "*", and nothing numbers the
// requests. How far it was read is kept as a length and a keyed digest: what is new is what comes after, and PINs are
// kept nowhere.
import { createHmac } from "node:crypto";
import type { Cursor } from "../../src/core/ussd/sessions.ts";

/**
 * What a request is to its session. `start` and `extend` have something new (perhaps an empty answer), the words from
 * `from` on; `repeat` is the last request once more, `stale` one before it, `diverged` no continuation of what was read.
 */
export type Advance =
  | { kind: "start" | "extend"; words: string[]; from: number; next: Cursor }
  | { kind: "repeat" | "stale" | "diverged" };

/** Compares the text of a request with how far its session was read; null for a session that was not read yet. */
export function advance(key: string, sessionId: string, cursor: Cursor | null, text: string): Advance {
  const mac = (read: string) => createHmac("sha256", key).update(`${sessionId}\n${read}`).digest("base64url");
  const next = { length: text.length, mac: mac(text) };
  const words = text === "" ? [] : text.split("*");
  if (!cursor) return { kind: "start", words, from: 0, next };
  if (text.length < cursor.length) return { kind: "stale" };
  const read = text.slice(0, cursor.length);
  if (mac(read) !== cursor.mac) return { kind: "diverged" };
  if (text.length === cursor.length) return { kind: "repeat" };
  if (cursor.length > 0 && text[cursor.length] !== "*") return { kind: "diverged" };
  const from = read === "" ? 0 : read.split("*").length;
  return { kind: "extend", words, from, next };
}
