// The name and the numbers of a customer, as a cell, a vCard or a line has them, and why one of them cannot be read.
import { numbersIn } from "../../../shared/lists/bulk-lines.ts";
import { isError, lacksValue } from "../../../shared/lists/bulk-remarks.ts";
import { parseMsisdn, visibleText } from "../../../shared/phones/msisdn.ts";
import { withoutDirectionMarks } from "../../../shared/text.ts";

export type PersonRead = { msisdn: string; name: string };
/** What is left out: the text to correct, and a sentence that says what is wrong and what to do. */
export type Left = { text: string; reason: string };
/** What one row, card or line says; `numberless` is a text without any number. */
export type Entry = { people: PersonRead[]; unreadable: Left[]; numberless: string[] };

const NAME_CHARS_MAX = 60;

export const REASONS = {
  noName: "There is no name. Write it beside the number.",
  noNumber: "There is no Ghanaian mobile number. Write all of its digits.",
  half: "Only a part of this number is written. Write all of its digits.",
  rounded: "The sheet has shortened this number. Write all of its digits.",
  noValue: "A cell holds an error instead of a value. Write the value.",
  struck: "This is struck out. If it still counts, write it without that.",
  fax: "This is the number of a fax. Write a mobile number.",
  several: "There are several names and numbers. Put each person on a line of their own.",
  unclear: "It is not clear which part is the name. Leave only the name and the number.",
  against: "A word on this line may speak against it. Leave only the name and the number.",
  whichName: "Several columns may be the names. Put headings above them, such as Name and Number.",
  twoColumns: "Two columns hold different names. Keep the right one.",
  tooWide: "There are more cells than headings. Leave only the name and the number.",
  elsewhere: "The number stands in another column. Write it in the one for numbers.",
  above: "This stands above the headings. Leave only the name and the number if it is a customer.",
  tooMany: "This table is too long. Keep only the rows that are filled.",
  tooLong: "This line is too long. Put each person on a line of their own.",
};

/**
 * A text as it looks, with the digits of wide and Arabic writing as 0 to 9. Half a character, or a NUL, is no text for
 * the database.
 */
export function cleaned(text: string): string {
  if (/^[ -~]*$/.test(text)) return text.trim();
  return visibleText(withoutDirectionMarks(text.replaceAll("\0", " ").toWellFormed()))
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}

/** Why a text has no value that counts, or null. */
export function lackIn(text: string): string | null {
  if (/#struck out|[\u0335-\u0338]/i.test(text)) return REASONS.struck;
  if (lacksValue(text) || isError(text)) return REASONS.noValue;
  return ROUNDED.test(text) ? REASONS.rounded : null;
}

/** 2.33241E+11: how a sheet shows a long number. */
const ROUNDED = /\d(?:[.,]\d{1,17}e\+?|e\+)\d{1,2}(?!\d)/i;

/** A person under a name with the numbers beside it, each by itself. */
export function entryOf(name: string, numbers: readonly { text: string; isFax?: boolean }[]): Entry {
  const called = shortened(cleaned(name).replace(/\s+/g, " "));
  const entry: Entry = { people: [], unreadable: [], numberless: [] };
  const filled = numbers.filter(({ text }) => !isBlank(cleaned(text)));
  if (filled.length === 0 && !isBlank(called)) entry.numberless.push(called);
  const nameLack = lackIn(called) ?? (isName(called) ? null : REASONS.noName);
  for (const { text, isFax } of filled) {
    const number = cleaned(text);
    const leave = (part: string, reason: string) =>
      entry.unreadable.push({ text: [called, part.trim()].filter(Boolean).join("\t"), reason });
    const lack = lackIn(number) ?? (isFax ? REASONS.fax : nameLack);
    if (lack !== null) {
      leave(number, lack);
      continue;
    }
    const { msisdns, rest } = numbersOfCell(number);
    for (const msisdn of msisdns) entry.people.push({ msisdn, name: called });
    for (const part of rest) leave(part.text, part.reason);
  }
  return entry;
}

/** Nothing, or what stands for nothing: "-", "n/a", "NULL". */
export const isBlank = (text: string) => !/[\p{L}\p{N}#\p{Extended_Pictographic}]/u.test(text) || NOTHING.test(text);
const NOTHING = /^(?:[Nn]\/[Aa]|N\.?A\.?|N(?:ULL|ONE|IL)|[Nn](?:ull|one|il)|NaN|nan|undefined|TRUE|FALSE)$/;

/** Whether a text that is said to be a name is one: letters or a picture. */
const isName = (text: string) => !isBlank(text) && /[\p{L}\p{Extended_Pictographic}]/u.test(text);

/** By whole characters: an emoji is not cut in two. */
export const shortened = (name: string) => [...name].slice(0, NAME_CHARS_MAX).join("").trim();

type Numbers = { msisdns: string[]; rest: Left[] };

/** The numbers of a cell that is one for numbers, and what else in it looks like one. */
function numbersOfCell(text: string): Numbers {
  const whole = parseMsisdn(text.replace(/\.0{1,2}$/, ""));
  if (whole) return { msisdns: [whole], rest: [] };
  const { found, bare } = numbersOfText(text);
  const parts = bare.split(/[/,;|\t]|:::|\b(?:or|and)\b/i).map((part) => part.trim());
  const isNumber = (part: string) => /\d/.test(part) && (!/\p{L}/u.test(part) || /\d{7}/.test(part));
  const rest = found.length === 0 ? [text] : parts.filter(isNumber);
  return {
    msisdns: [...new Set(found.map(({ msisdn }) => msisdn))],
    rest: rest.map((part) => ({
      text: part,
      reason: found.length > 0 && part.length < 5 ? REASONS.half : REASONS.noNumber,
    })),
  };
}

export type Found = { msisdn: string; start: number; end: number };

/** The Ghanaian numbers in a text, and the text with a tab for each of them. */
export function numbersOfText(text: string): { found: Found[]; bare: string } {
  const strict = numbersIn(text).filter(({ start, end }) => !isForeign(text.slice(0, start), text.slice(start, end)));
  const found = strict.length > 0 ? strict : looseNumber(text);
  const bare = found.reduceRight((rest, { start, end }) => `${rest.slice(0, start)}\t${rest.slice(end)}`, text);
  return { found, bare };
}

/** Whether the digits before a number belong to it: another country's code, or what is no list number. */
function isForeign(before: string, number: string): boolean {
  if (/(?:\+|(?<!\d)00) ?\(?\d{1,4}\)?[ ().-]{0,3}$/.test(before)) return true;
  return /^\(?[25]/.test(number) && !number.startsWith("233") && /\d[ ()-]{1,3}$/.test(before);
}

/** A number with wider gaps, "024 - 123 - 4567", but none of those that part columns. */
function looseNumber(text: string): Found[] {
  for (const { 0: typed, index } of text.matchAll(/\+?\(?\d(?:[\d ().-]{7,20})\d/g)) {
    const msisdn = parseMsisdn(typed.trim());
    if (msisdn) return [{ msisdn, start: index, end: index + typed.length }];
  }
  return [];
}
