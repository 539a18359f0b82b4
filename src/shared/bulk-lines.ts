// Reads bulk lines out of whatever is pasted: numbers one per line, columns of a sheet, a chat with names between.
// What can be meant in two ways is never guessed: it is a problem for a person to mend.

import { limits, type Operator } from "./domain.ts";
import type { ErrorCode } from "./errors.ts";
import { guessOperator, parseMsisdn } from "./msisdn.ts";

/** One order as it was understood. `line` is its line in the text, from 1; several numbers on one line share it. */
export type BulkLine = {
  line: number;
  text: string;
  msisdn: string | null;
  quantity: number;
  operatorGuess: Operator | null;
  problem: ErrorCode | null;
};
/** What one line of text says, whatever its place is. */
export type Entry = Omit<BulkLine, "line">;

export const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/);

/**
 * Splits a pasted text into orders; lines without any digit (names, greetings, headings) are passed over, everything
 * else is answered for. `size` is that of the chosen package ("5GB"): a line that names another is a problem.
 */
export function parseBulkLines(text: string, size?: string | null): BulkLine[] {
  return readBulk(text, size ?? null).lines;
}

/**
 * The same, with the number of lines that were passed over. `known` keeps what was read before, so that a text that
 * changes by a letter is not read anew; it belongs to one `size`.
 */
export function readBulk(
  text: string,
  size: string | null,
  known: Map<string, Entry[]> = new Map(),
): { lines: BulkLine[]; passedOver: number } {
  const lines: BulkLine[] = [];
  let passedOver = 0;
  splitLines(text).forEach((raw, index) => {
    let entries = known.get(raw);
    if (!entries) {
      entries = readLine(raw, size);
      known.set(raw, entries);
    }
    // Field by field: copying ten thousand of them with "..." is felt on a phone.
    for (const { text, msisdn, quantity, operatorGuess, problem } of entries)
      lines.push({ line: index + 1, text, msisdn, quantity, operatorGuess, problem });
    if (entries.length === 0 && raw.trim() !== "") passedOver += 1;
  });
  return { lines, passedOver };
}

/** Marks that are not seen: directions, joiners, soft hyphens, the byte order mark. Phones copy them with numbers. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
/** A chat's own line head, with the sender's name or number: "[09:30, 21/11/2026] Kofi: ", "21/11/2026, 09:30 - Kofi: ". */
const CHAT_HEAD =
  /^(?:\[(?=[^\]]{0,30}\d:\d\d)[^\]]{4,40}\]|\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)? -) [^:]{1,60}:(?= )/i;
/** 2.33241E+11: what a sheet leaves of a long number. The digits that are missing are gone. */
const ROUNDED = /\d(?:[.,]\d{1,17}e\+?|e\+)\d{1,2}(?!\d)/i;

function readLine(raw: string, size: string | null): Entry[] {
  const text = raw
    .replace(INVISIBLE, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[^\S\t]/g, " ")
    .trim()
    .replace(CHAT_HEAD, "")
    .trim();
  if (!/\p{N}/u.test(text)) return [];
  if (ROUNDED.test(text)) return [bad(text, "bulk.number_rounded")];
  // Digits of another script (or ½, ²) stand for something that is not read here.
  if (/(?=\P{ASCII})\p{N}/u.test(text)) return [bad(text, "bulk.line_unclear")];
  const numbers = numbersIn(text);
  if (numbers.length === 0) return [bad(text, "msisdn.invalid")];
  return numbers.length === 1 ? [readOne(text, numbers[0]!, size)] : readSeveral(text, numbers, size);
}

type Found = { msisdn: string; start: number; end: number };

/**
 * A number in a text: 024…, 233…, +233 (0)24…, 0024…, or without its zero, as sheets leave it; ".0" behind it comes
 * from sheets too. The gaps are bounded, so that the time to find none grows with the text and no faster.
 */
const NUMBER =
  /(?<![\d+])(\(?(?:(?:\+|00)? ?233\)?[ .-]{0,2}(?:\(?0\)?[ .-]?)?|0[ -]?)?\(?[25](?:[ .()-]{0,2}\d){8})(?!\d)(?:\.0{1,2}(?!\d))?/g;

function numbersIn(text: string): Found[] {
  return [...text.matchAll(NUMBER)].flatMap((match): Found[] => {
    const msisdn = isWrittenAsNumber(match[1]!) ? parseMsisdn(match[1]!) : null;
    return msisdn ? [{ msisdn, start: match.index, end: match.index + match[0].length }] : [];
  });
}

/** Dates and amounts in a row have as many digits as a number, but not its groups. */
function isWrittenAsNumber(text: string): boolean {
  const groups = text.match(/\d+/g)!;
  const hasPrefix = groups[0]!.startsWith("0") || groups[0]!.startsWith("233");
  if (hasPrefix) return groups.every((group, i) => group.length > 1 || (group === "0" && i < 2));
  return /^(9|2-7|2-3-4|3-3-3|2-3-2-2)$/.test(groups.map(({ length }) => length).join("-"));
}

/** One number and what is around it: a name, a quantity, a size, a list's own count. */
function readOne(text: string, { msisdn, start, end }: Found, size: string | null): Entry {
  const before = withoutSizes(text.slice(0, start).replace(LIST_COUNT, ""), size);
  const after = withoutSizes(text.slice(end), size);
  const problem = (code: ErrorCode) => ({ ...bad(text, code), msisdn, operatorGuess: guessOperator(msisdn) });
  if (before.differs || after.differs) return problem("bulk.size_differs");
  const [early, late] = [amountsIn(before.text), amountsIn(after.text)];
  if (early.length + late.length === 0) {
    if (NO_AMOUNT.test(after.text)) return problem("order.quantity_invalid");
    return COUNTED.test(text) ? problem("bulk.line_unclear") : good(text, msisdn, 1);
  }
  if (early.length + late.length > 1) return problem("bulk.line_unclear");
  const quantity =
    late.length > 0 ? quantityAfter(after.text, late[0]!) : quantityBefore(before.text, early[0]!);
  return typeof quantity === "number" ? good(text, msisdn, quantity) : problem(quantity);
}

/** Several numbers in a row, each with a quantity of its own behind it or none with any; anything between is unclear. */
function readSeveral(text: string, numbers: Found[], size: string | null): Entry[] {
  const head = withoutSizes(text.slice(0, numbers[0]!.start).replace(LIST_COUNT, ""), size);
  const gaps = numbers.map(({ end }, i) => withoutSizes(text.slice(end, numbers[i + 1]?.start), size));
  if (head.differs || gaps.some(({ differs }) => differs)) return [bad(text, "bulk.size_differs")];
  const unclear = [bad(text, "bulk.line_unclear")];
  const amounts = gaps.map((gap) => amountsIn(gap.text));
  const hasNone = amounts.every(({ length }) => length === 0);
  // "024… / 020…" is one person with two numbers.
  const isEitherOr = gaps.slice(0, -1).some((gap) => /^\s*(?:\/|\|?or\b)\s*$/i.test(gap.text));
  if (amountsIn(head.text).length > 0 || isEitherOr) return unclear;
  if (!hasNone && amounts.some(({ length }) => length !== 1)) return unclear;
  if (hasNone && (COUNTED.test(text) || gaps.some((gap) => NO_AMOUNT.test(gap.text)))) return unclear;
  const quantities = gaps.map((gap, i) => (hasNone ? 1 : quantityAfter(gap.text, amounts[i]![0]!)));
  if (quantities.some((quantity) => typeof quantity !== "number")) return unclear;
  let from = 0;
  return numbers.map(({ msisdn, end }, i) => {
    const amount = amounts[i]![0];
    const next = numbers[i + 1]?.start;
    // Sizes were blanked out where they stood, so places in a gap are places in the text.
    const to = next === undefined ? text.length : hasNone ? end : end + amount!.index + amount![0].length;
    const piece = text.slice(from, to).replace(/^[\s,;|&/+-]+/, "");
    from = to;
    return good(piece, msisdn, quantities[i] as number);
  });
}

/** "1. ", "2) ", "(3) " in front of everything: a list's count, not a quantity. */
const LIST_COUNT = /^[\s*•·▪>-]{0,8}\(?\d{1,5}[.)](?!\d)\s*/;
const SIZE = /(?<![\w.,])(\d{1,4}(?:\.\d{1,2})?) ?(gb|gigs?|g|mb)(?![\p{L}\d])/giu;
/** Quantities in words are for people to write in digits. */
const COUNTED = /\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|double|dozen)\b/i;
/** "x" with nothing behind it. */
const NO_AMOUNT = /^[\s,;]*[x×*][\s,;]*$/i;

/** The text with its sizes blanked out, and whether one of them is another than the package's. */
function withoutSizes(text: string, size: string | null): { text: string; differs: boolean } {
  let differs = false;
  const rest = text.replace(SIZE, (words) => {
    differs ||= size !== null && megabytes(words) !== megabytes(size);
    return " ".repeat(words.length);
  });
  return { text: rest, differs };
}

function megabytes(size: string): number | null {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?) ?(g|m)/i.exec(size) ?? [];
  return amount === undefined ? null : Math.round(Number(amount) * (unit!.toLowerCase() === "g" ? 1000 : 1));
}

/** Every other group of digits, with what belongs to it: 2, 1.5, 21/11/2026, 09:30. */
const amountsIn = (text: string) => [...text.matchAll(/\d+(?:[.,:/]\d+)*/g)];

const MONEY_BEFORE = /(?:gh[cs₵¢]?|[₵¢$])\s*$/i;
const MONEY_AFTER = /^\s*(?:cedis?|gh|[₵¢$%])/i;

/** The quantity that stands behind a number, or why it is none. */
function quantityAfter(text: string, amount: RegExpMatchArray): number | ErrorCode {
  const before = text.slice(0, amount.index);
  const after = text.slice(amount.index! + amount[0].length);
  if (MONEY_BEFORE.test(before) || MONEY_AFTER.test(after)) return "bulk.line_unclear";
  // A minus; a dash that joins the quantity to its number ("0241234567-2") is none.
  if (/(?:^|[\s,;])-$/.test(before) && before !== "-") return "order.quantity_invalid";
  const isBegun = before === "-" || /(?:^|[\s,;|/:=(["'])(?:[x×*] ?)?$/i.test(before);
  const isEnded = /^(?:$|[\s,;|)\]"'.!?]|[x×*](?![\p{L}\d])|pcs\b)/iu.test(after);
  return isBegun && isEnded ? asQuantity(amount[0]) : "bulk.line_unclear";
}

/** In front of a number only "2 x" is clear: "2 024…" may count lines, people or bundles. */
function quantityBefore(text: string, amount: RegExpMatchArray): number | ErrorCode {
  const after = text.slice(amount.index! + amount[0].length);
  const isClear = /(?:^|[\s,;(])$/.test(text.slice(0, amount.index)) && /^ ?[x×*]\s*$/i.test(after);
  return isClear ? asQuantity(amount[0]) : "bulk.line_unclear";
}

function asQuantity(text: string): number | ErrorCode {
  const quantity = /^\d{1,3}(?:\.0{1,2})?$/.test(text) ? Number(text) : 0;
  return quantity >= 1 && quantity <= limits.quantityMax ? quantity : "order.quantity_invalid";
}

function good(text: string, msisdn: string, quantity: number): Entry {
  return { text, msisdn, quantity, operatorGuess: guessOperator(msisdn), problem: null };
}

function bad(text: string, problem: ErrorCode): Entry {
  return { text, msisdn: null, quantity: 1, operatorGuess: null, problem };
}
