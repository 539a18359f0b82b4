// A pause of sale as people read it: the shop's message, and the end where one is known.
import { accraDay, accraTime, isSameDay } from "./accra.ts";

/** `until` is the moment from which on it sells again by itself; null: when somebody resumes it. */
export type Pause = { message: string; until: Date | null };

/** As programs read it: `until` is an ISO moment. */
export function pauseJson({ message, until }: Pause): { message: string; until: string | null } {
  return { message, until: until?.toISOString() ?? null };
}

/** How far ahead the end of a pause may be. */
export const PAUSE_DAYS_MAX = 90;

/** The one of two pauses that ends later, which is when it can be bought again; the first where they end together. */
export function laterPause(one: Pause | null, other: Pause | null): Pause | null {
  if (!one || !other) return one ?? other;
  return endMs(other) > endMs(one) ? other : one;
}

/** "paused", "paused until 14:30" or, where that is another day, "paused until 24 Nov, 14:30". */
export function pausedWords({ until }: Pick<Pause, "until">, now = new Date()): string {
  return until ? `paused until ${endWords(until, now)}` : "paused";
}

/** The same at the beginning of a line: "Paused until 14:30". */
export function pausedTitle(pause: Pick<Pause, "until">): string {
  const words = pausedWords(pause);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** "14:30" or "24 Nov, 14:30", in Accra; a moment within a minute is that minute's end, when it does sell again. */
export function endWords(until: Date, now = new Date()): string {
  const end = new Date(Math.ceil(until.getTime() / 60_000) * 60_000);
  return isSameDay(end, now) ? accraTime(end) : `${accraDay(end)}, ${accraTime(end)}`;
}

function endMs({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
