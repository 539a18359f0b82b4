// Pauses of sale: the shop's message and the end, if known, and how people read them.
import { accraDay, accraTime, isSameDay } from "./accra.ts";

/** `until` is the moment from which it sells again automatically; null: until an admin resumes it. */
export type Pause = { message: string; until: Date | null };

/** A pause as JSON, with `until` as an ISO time. */
export function pauseJson({ message, until }: Pause): { message: string; until: string | null } {
  return { message, until: until?.toISOString() ?? null };
}

/** The latest end of a pause, in days from now. */
export const PAUSE_DAYS_MAX = 90;

/** The pause that ends later, when it can be bought again; the first if they end together. */
export function laterPause(one: Pause | null, other: Pause | null): Pause | null {
  if (!one || !other) return one ?? other;
  return endMs(other) > endMs(one) ? other : one;
}

/** "paused", "paused until 14:30" or, on another day, "paused until 24 Nov, 14:30". */
export function pausedText({ until }: Pick<Pause, "until">, now = new Date()): string {
  return until ? `paused until ${endText(until, now)}` : "paused";
}

/** The same, capitalized: "Paused until 14:30". */
export function pausedTitle(pause: Pick<Pause, "until">): string {
  const text = pausedText(pause);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "14:30" or "24 Nov, 14:30", in Accra, rounded up to the minute, by when it does sell again. */
export function endText(until: Date, now = new Date()): string {
  const end = new Date(Math.ceil(until.getTime() / 60_000) * 60_000);
  return isSameDay(end, now) ? accraTime(end) : `${accraDay(end)}, ${accraTime(end)}`;
}

function endMs({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
