// The phone numbers in a line or cell of results, and what to say about a text without one.

import { type Found, numbersIn, ROUNDED } from "./bulk-lines.ts";
import { beginsWithOutcome } from "./result-terms.ts";

export const NO_NUMBER = "there is no phone number in it";
export const TWO_NUMBERS = "two numbers stand on this line: keep the one that the result is about";
const ROUNDED_NUMBER = "a sheet has rounded its number: write it in full, like 0241234567";
const UNREADABLE_NUMBER = "its phone number cannot be read: write it like 0241234567";
/** A text with fewer digits has no phone number, whatever they are. */
const DIGITS_MIN = 7;

/** The phone numbers in a text that are no part of an id. */
export function phonesIn(text: string): Found[] {
  // A space in front of 233 is no part of it.
  const found = numbersIn(text).map((one) => ({
    ...one,
    start: one.end - text.slice(one.start, one.end).trim().length,
  }));
  return found.filter(({ start, end }) => {
    const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end)];
    if (/[\p{L}\p{N}.#]$|\p{L}\/$/u.test(before)) return false;
    // Without a zero in front, it may be the end of something longer.
    if (/^[25]\d{8}/.test(text.slice(start)) && /[,/-]$/.test(before)) return false;
    return !/^(?:[.,]?\p{N}|\p{L})/u.test(after) || beginsWithOutcome(after);
  });
}

/** The text with a mark in place of each number. */
export function withoutPhones(text: string, numbers: readonly Found[], mark: string): string {
  const starts = [0, ...numbers.map(({ end }) => end)];
  return starts.map((from, i) => text.slice(from, numbers[i]?.start)).join(mark);
}

/** What is wrong with a text, without dates and ids, in which no number was found. */
export function numberProblem(text: string): string {
  if (ROUNDED.test(text)) return ROUNDED_NUMBER;
  return (text.match(/\p{N}/gu) ?? []).length < DIGITS_MIN ? NO_NUMBER : UNREADABLE_NUMBER;
}
