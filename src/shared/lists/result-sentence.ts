// The parts of a line without headings: phone numbers, sizes, and the texts around them. Dates, times, amounts and ids
// of orders are set aside first, because their digits are neither numbers nor sizes.

import { parseMsisdn } from "../phones/msisdn.ts";
import { annotate, megabytes } from "./bulk-names.ts";
import { cellsOf, markOf } from "./result-columns.ts";

export type Sentence = {
  /** The different phone numbers. */
  numbers: string[];
  /** The different sizes in MB; none where a figure could be something else as well. */
  sizes: number[];
  /** What stands before, between and after them, those after the number last. */
  texts: string[];
};

/** Takes a line apart. A figure of up to 4 digits behind the number is a size in GB when it is the only one. */
export function readSentence(row: string): Sentence {
  const plain = row.replace(CHAT_SENDER, "").replace(/[*_]/g, " ");
  const parts = cellsOf(plain, markOf(plain)).map(partsOf);
  const first = parts.findIndex(({ numbers }) => numbers.length > 0);
  const units = new Set(parts.flatMap(({ sizes }) => sizes));
  const figures = parts.flatMap(({ figures, later }, at) => (at > first ? figures : at === first ? later : []));
  // "1,5GB" are a quantity and a size, or one size with a decimal comma.
  const isSplit = parts.some(
    ({ sizes }, at) => sizes.length > 0 && parts[at - 1]?.figures.length === 1 && parts[at - 1]!.texts.length === 0,
  );
  const bare = figures.length === 1 ? [megabytes(figures[0]!, "gb")] : [];
  return {
    numbers: [...new Set(parts.flatMap(({ numbers }) => numbers))],
    sizes: isSplit ? [] : units.size > 0 ? [...units] : bare,
    texts: [
      ...parts.slice(0, Math.max(0, first)).flatMap(({ texts }) => texts),
      ...parts.slice(Math.max(0, first)).flatMap(({ texts }) => texts),
    ],
  };
}

/** "[21/11/2026, 9:30:15 AM] Ama: " of an exported chat, whose sender may be a number. */
const CHAT_SENDER =
  /^\s{0,9}\[?\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? {1,2}\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\.?)?\]?(?: -)? [^:]{1,60}: /i;

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const CURRENCY = "(?:GH[S₵¢C]|₵|cedis?)";
const AMOUNT_BEHIND = String.raw`${CURRENCY}\s?-?\d[\d,]{0,12}(?:\.\d{1,2})?(?!\d)`;
const AMOUNT_BEFORE = String.raw`(?<![\d.,])\d{1,9}(?:\.\d{1,2})?\s?${CURRENCY}(?!\p{L})`;
/** Digits that are no number and no size. An id of an order has at most 8 digits, unless a # or "ref" precedes it. */
const OTHER_DIGITS = [
  /(?<![\d.])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /(?<![\d.])\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?![\d.]\d)/g,
  new RegExp(String.raw`(?<!\d)\d{1,2}(?:st|nd|rd|th)?[ -]${MONTH}[ -,]{1,2}(?:\d{4}|\d\d)(?!\d)`, "gi"),
  /(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])/gi,
  new RegExp(`${AMOUNT_BEHIND}|${AMOUNT_BEFORE}`, "giu"),
  /#\s?\w{1,30}|\b(?:order|batch)\s?(?:no\.?|id|number)?\s?[:.]?\s?\d{1,8}(?!\d)/gi,
  /\b(?:ref|reference|txn|trans(?:action)?|receipt)\s?(?:no\.?|id|number)?\s?[:.]?\s?(?=[\w-]{0,30}\d)[\w-]{4,30}/gi,
  /^\s{0,9}\d{1,4}[.)](?=\s|$)/,
];
/** What may not follow a number: it would be longer. */
const NO_MORE = String.raw`(?!\p{L}|[.,]?\p{N})`;
const WITH_ZERO = String.raw`(?:(?:\+|00)?233[ .-]?(?:\(0\)|0)?[ .-]?[25]\d|\(?0[25]\d\)?)(?:[ .-]?\d){7}`;
/** A number of Ghana in any form that parseMsisdn reads, without digits beside it. */
const PHONE = new RegExp(
  String.raw`(?<![\p{L}\p{N}.#/])${WITH_ZERO}${NO_MORE}|(?<![\p{L}\p{N}.,#/-])[25]\d{8}${NO_MORE}`,
  "gu",
);
const FIGURE = /(?<![\p{L}\p{N}.,])\d{1,4}(?:\.\d{1,3})?(?![\p{L}\p{N}]|[.,]\d)/gu;

const MARK = "\u0002";

type Parts = {
  numbers: string[];
  sizes: number[];
  figures: number[];
  /** Those of the figures that stand behind a number. */
  later: number[];
  texts: string[];
};

/** The text without dates, times, amounts and ids. */
export function withoutOtherDigits(text: string): string {
  return OTHER_DIGITS.reduce((rest, pattern) => rest.replace(pattern, " "), text);
}

function partsOf(cell: string): Parts {
  let rest = withoutOtherDigits(cell);
  const numbers: string[] = [];
  rest = rest.replace(PHONE, (match) => {
    const msisdn = parseMsisdn(match);
    if (msisdn === null) return match;
    numbers.push(msisdn);
    return MARK;
  });
  const { text, sizes } = annotate(rest.replace(/(?<![\d.,])(\d{1,4}),(\d{1,2})(?= ?(?:gb|mb))/gi, "$1.$2"));
  const figuresIn = (part: string) => (part.match(FIGURE) ?? []).map(Number);
  const behind = text.includes(MARK) ? text.slice(text.indexOf(MARK)) : "";
  const texts = text
    .replace(FIGURE, " ")
    .split(MARK)
    .map((part) => part.replace(/\s+/g, " ").replace(/^[\s,.;:–—>•-]+|[\s,;:–—-]+$/g, ""))
    .filter((part) => part !== "");
  return { numbers, sizes, figures: figuresIn(text), later: figuresIn(behind), texts };
}
