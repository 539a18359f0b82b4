// The reading position in a session. Some gateways send everything typed so far with each request, joined with "*", and
// others the last input alone, numbered or not. The position is stored as a number and a keyed digest, so that no PIN
// is stored; a request that does not go beyond it is a repeat, and brings nothing new.
import { createHmac } from "node:crypto";
import type { Cursor } from "../../src/core/ussd/sessions.ts";

/** What a request carries of what was typed. */
export type Typed =
  /** Everything since the code was dialled. */
  | { kind: "everything"; text: string }
  /** The first request of a session: what was dialled, perhaps with inputs behind the code (*713*55*1*1#). */
  | { kind: "dialled"; text: string; number: number | null }
  /** Any later one: the last input. `number` rises from request to request; null from a gateway that counts nothing. */
  | { kind: "input"; text: string; number: number | null };

/** An input, with a name that is the same in every repeat of its request and no other input of the session has. */
export type Input = { text: string; name: string };

/**
 * How a request relates to its session. `start` and `extend` bring new inputs (perhaps one empty one); `repeat` is the
 * last request again, `stale` an earlier one; `diverged` does not continue what was read.
 */
export type Advance =
  | { kind: "start" | "extend"; inputs: Input[]; next: Cursor }
  | { kind: "repeat" | "stale"; mac: string }
  | { kind: "diverged" };

/** How far a session was read. */
export type Position = {
  cursor: Cursor;
  /** The digest of another request that got the last answer without being taken as a reply to it. */
  repeatMac: string | null;
  /** The milliseconds from when the last answer left to this request; negative if the request was here before. */
  sinceLeftMs: number;
  /** How long the input that led to the last screen cannot be a reply to it as well, because it must be read first. */
  readingMs: number;
  isOver: boolean;
};

/** Nobody reads a screen and answers it sooner. */
export const REPEAT_MS = 1_500;

/** Whether requests that carry this say where in their session they belong. */
export function isNumbered(typed: Typed): boolean {
  return typed.kind === "everything" || typed.number !== null;
}

/** Compares a request with its session's position; null for a new session. `codes` may have been dialled: *713*55#. */
export function advance(
  { key, sessionId, codes }: { key: string; sessionId: string; codes: readonly string[] },
  at: Position | null,
  typed: Typed,
): Advance {
  const mac = (text: string) => createHmac("sha256", key).update(`${sessionId}\n${text}`).digest("base64url");
  if (typed.kind === "everything") return advanceByText(mac, at?.cursor ?? null, typed.text);
  const digest = mac(`${typed.kind}\n${typed.text}`);
  const length = typed.number ?? (at ? at.cursor.length + 1 : 1);
  const inputs = typed.kind === "dialled" ? shortcutIn(typed.text, codes) : typed.text.split("*");
  const read = {
    inputs: inputs.map((text, i) => ({ text, name: `${length}.${i}` })),
    next: { length, mac: digest },
  };
  if (!at) return typed.kind === "dialled" ? { kind: "start", ...read } : { kind: "diverged" };
  const known = knownAs(at, typed, digest);
  if (known === null) return { kind: "extend", ...read };
  return known === "diverged" ? { kind: known } : { kind: known, mac: digest };
}

type Last = Exclude<Typed, { kind: "everything" }>;

/** How a request with the last input alone is known already; null for a new one. */
function knownAs(
  { cursor, repeatMac, sinceLeftMs, readingMs, isOver }: Position,
  typed: Last,
  digest: string,
): "repeat" | "stale" | "diverged" | null {
  const isSame = digest === cursor.mac;
  if (typed.number !== null) {
    if (typed.number < cursor.length || typed.kind === "dialled") return "stale";
    if (typed.number > cursor.length) return null;
    return isSame ? "repeat" : "diverged";
  }
  // A session is dialled once.
  if (typed.kind === "dialled") return "stale";
  // What was here before the screen left cannot reply to it, and neither can a copy of that.
  if (sinceLeftMs < 0) return "repeat";
  if (digest === repeatMac) return isOver || sinceLeftMs < REPEAT_MS ? "repeat" : null;
  // Without a number, the same input soon after is the same request, and so is one after the last screen.
  return isSame && (isOver || sinceLeftMs < readingMs) ? "repeat" : null;
}

function advanceByText(mac: (text: string) => string, cursor: Cursor | null, text: string): Advance {
  const next = { length: text.length, mac: mac(text) };
  const typed = (text === "" ? [] : text.split("*")).map((input, i) => ({ text: input, name: `${i}` }));
  if (!cursor) return { kind: "start", inputs: typed, next };
  if (text.length < cursor.length) return { kind: "stale", mac: next.mac };
  const read = text.slice(0, cursor.length);
  if (mac(read) !== cursor.mac) return { kind: "diverged" };
  if (text.length === cursor.length) return { kind: "repeat", mac: next.mac };
  if (cursor.length > 0 && text[cursor.length] !== "*") return { kind: "diverged" };
  const from = read === "" ? 0 : read.split("*").length;
  return { kind: "extend", inputs: typed.slice(from), next };
}

/** What was dialled behind the first code that it begins with: 1 and 5 in *713*55*1*5#. Nothing behind any other. */
function shortcutIn(dialled: string, codes: readonly string[]): string[] {
  const bare = (text: string) => text.replace(/#$/, "");
  const start = codes
    .map((code) => bare(code))
    .find((code) => code !== "" && `${bare(dialled)}*`.startsWith(`${code}*`));
  const behind = start === undefined ? "" : bare(dialled).slice(start.length + 1);
  return behind === "" ? [] : behind.split("*");
}
