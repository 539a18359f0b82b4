// A pause of sale as buyers read it: the shop's message, and the end where one is known.
import { accraDay, accraTime, isSameDay } from "./accra.ts";

/** `until` is when sale resumes by itself; null where somebody must resume it. */
export type Pause = { message: string; until: Date | null };

/** The pause as JSON: `until` is an ISO timestamp. */
export function pauseJson({ message, until }: Pause): { message: string; until: string | null } {
  return { message, until: until?.toISOString() ?? null };
}

/** How far ahead the end of a pause may be. */
export const PAUSE_DAYS_MAX = 90;

/** The later-ending of two pauses, which decides when sale resumes; the first where they end together. */
export function laterPause(first: Pause | null, second: Pause | null): Pause | null {
  if (!first || !second) return first ?? second;
  return endMs(second) > endMs(first) ? second : first;
}

/** "paused", "paused until 14:30" or, where that is another day, "paused until 24 Nov, 14:30". */
export function pausedText({ until }: Pick<Pause, "until">, now = new Date()): string {
  return until ? `paused until ${endText(until, now)}` : "paused";
}

/** The same at the start of a line: "Paused until 14:30". */
export function pausedTitle(pause: Pick<Pause, "until">): string {
  const text = pausedText(pause);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "14:30" or "24 Nov, 14:30", in Accra; rounded up to a whole minute, so that sale has resumed by then. */
export function endText(until: Date, now = new Date()): string {
  const end = new Date(Math.ceil(until.getTime() / 60_000) * 60_000);
  return isSameDay(end, now) ? accraTime(end) : `${accraDay(end)}, ${accraTime(end)}`;
}

function endMs({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
