// Pauses of sale: the shop's message and the end, if known, and how people read them.
import { accraDay, accraTime, isSameDay } from "./accra.ts";

/** `until` is the moment from which it sells again automatically; null: until an admin resumes it. */
export type Pause = { message: string; until: Date | null };

/** The pause of what is not sold because its price is too low. Buyers need not know that the shop would lose by it. */
export const REPRICING: Pause = { message: "Its price is being updated", until: null };

/** The pause of a new bundle whose cost is not known yet. Its cost ends it, or an admin who resumes the sale. */
export const NOT_YET: Pause = { message: "It will be on sale soon", until: null };

/** What people read of a pause: its end and, where it is known, why it pauses. */
type Shown = Pick<Pause, "until"> & Partial<Pause>;

/** Whether it is a pause until the price is updated. */
export function isRepricing({ message }: Partial<Pause>): boolean {
  return message === REPRICING.message;
}

/** Whether it is the pause of a new bundle. */
export function isNotYet({ message }: Partial<Pause>): boolean {
  return message === NOT_YET.message;
}

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

/**
 * What it is: "paused", "paused until 14:30" or, on another day, "paused until 24 Nov, 14:30", "waiting for a new
 * price", or "not on sale yet".
 */
export function pausedText({ message, until }: Shown, now = new Date()): string {
  if (isRepricing({ message })) return "waiting for a new price";
  if (isNotYet({ message })) return "not on sale yet";
  return until ? `paused until ${endText(until, now)}` : "paused";
}

/** The same, capitalized: "Paused until 14:30". */
export function pausedTitle(pause: Shown): string {
  const text = pausedText(pause);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** "14:30" or "24 Nov, 14:30", in Accra, rounded up to the minute, by when it does sell again. */
export function endText(until: Date, now = new Date()): string {
  const end = new Date(Math.ceil(until.getTime() / 60_000) * 60_000);
  return isSameDay(end, now) ? accraTime(end) : `${accraDay(end)}, ${accraTime(end)}`;
}

/** Whole seconds from now to an end, at least one: for a program to wait. */
export function secondsTo(until: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000));
}

function endMs({ until }: Pause): number {
  return until?.getTime() ?? Number.POSITIVE_INFINITY;
}
