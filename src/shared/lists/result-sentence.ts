// The parts of a line without headings: phone numbers, sizes, and the texts around them. Dates, times, amounts and ids
// of orders are set aside first, because their digits are neither numbers nor sizes.

import { annotate, megabytes } from "./bulk-names.ts";
import { cellsOf, markOf } from "./result-columns.ts";
import { phonesIn, withoutPhones } from "./result-numbers.ts";

export type Sentence = {
  /** The different phone numbers. */
  numbers: string[];
  /** The different sizes in MB; none where a figure could be something else as well. */
  sizes: number[];
  /** What stands in front of the first number, and what stands between and behind them. */
  front: string[];
  behind: string[];
};

/**
 * Takes a line apart. A figure of up to 4 digits in a cell of its own or right behind the number is a size in GB when
 * it is the only one. Other figures stay in the texts: beside an outcome they may be a count.
 */
export function readSentence(row: string): Sentence {
  const plain = row.replace(/[*_]/g, " ");
  const parts = cellsOf(plain, markOf(plain)).map(partsOf);
  const first = parts.findIndex(({ numbers }) => numbers.length > 0);
  const units = new Set(parts.flatMap(({ sizes }) => sizes));
  const own = parts.slice(first + 1).flatMap(({ figure }) => figure ?? []);
  const near = parts.flatMap((part) => part.near ?? []);
  // "1,5GB" are a quantity and a size, or one size with a decimal comma.
  const isSplit = parts.some(({ sizes }, at) => sizes.length > 0 && at > 0 && parts[at - 1]!.figure !== null);
  const isSize = units.size === 0 && own.length + near.length === 1;
  const unexplained = isSize || near.length === 0 ? [] : [near.join(" ")];
  return {
    numbers: [...new Set(parts.flatMap(({ numbers }) => numbers))],
    sizes: isSplit ? [] : isSize ? [megabytes([...own, ...near][0]!, "gb")] : [...units],
    front: parts.flatMap(({ front, behind }, at) => (at < first ? [...front, ...behind] : at === first ? front : [])),
    behind: [...unexplained, ...parts.slice(Math.max(0, first)).flatMap(({ behind }) => behind)],
  };
}

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const CURRENCY = "(?:GH[S₵¢C]|₵|cedis?)";
const AMOUNT_BEHIND = String.raw`${CURRENCY}\s?-?\d[\d,]{0,12}(?:\.\d{1,2})?(?!\d)`;
const AMOUNT_BEFORE = String.raw`(?<![\d.,])\d{1,9}(?:\.\d{1,2})?\s?${CURRENCY}(?!\p{L})`;
/** "Ref"; not "refund". */
const ID_NAME = String.raw`\b(?:ref|reference|txn|trans(?:action)?|receipt)(?=no|id|num|[^a-z])`;
/**
 * Digits that are no number and no size. An id of an order has at most 8 digits, unless a # or "ref" precedes it. A
 * date without its year has a day that is no month: 1/2 may be one of two.
 */
const OTHER_DIGITS = [
  /\[[\d/.:, -]{0,20}\d:\d\d[^\]\d]{0,6}\]/g,
  /(?<![\d.])\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g,
  /(?<![\d.])\d{1,4}[-/.]\d{1,2}[-/.]\d{2,4}(?!\d|\.\d)/g,
  /(?<![\d./])(?:1[3-9]|2\d|3[01])\/(?:0?[1-9]|1[0-2])(?![\d./])/g,
  new RegExp(String.raw`(?<!\d)\d{1,2}(?:st|nd|rd|th)?[ -]${MONTH}[ -,]{1,2}(?:\d{4}|\d\d)(?!\d)`, "gi"),
  /(?<![\d:])\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?(?![\d:])/gi,
  new RegExp(`${AMOUNT_BEHIND}|${AMOUNT_BEFORE}`, "giu"),
  /#\s?\w{1,30}|\b(?:order|batch)\s?(?:no\.?|id|number)?\s?[:.]?\s?(?!0+(?!\d))\d{1,8}(?!\d)/gi,
  new RegExp(`${ID_NAME}${String.raw`\s?(?:no\.?|id|number)?\s?[:.]?\s?(?=[\w-]{0,30}\d)[\w-]{4,30}`}`, "gi"),
  /^\s{0,9}\d{1,4}[.)](?=\s|$)/,
];
/** A cell with nothing but an id: digits that are no phone number, with at most three letters in front. */
const ID = /^(?:(?!ERR|NO)[A-Z]{1,3}[-_ ]?\d[\dA-Z-]{2,24}|\d{5,8}|\d{13,20}|[\da-f]{8}-[\da-f-]{27})$/;

/** The text without dates, times, amounts and ids. */
export function withoutOtherDigits(text: string): string {
  return OTHER_DIGITS.reduce((rest, pattern) => rest.replace(pattern, " "), text);
}

const FIGURE = String.raw`(?!0+(?:[.,]0+)?(?!\d))\d{1,4}(?:\.\d{1,3}|,\d{1,2})?`;
const ONLY_FIGURE = new RegExp(String.raw`^\s*(${FIGURE})\s*$`);
const MARK = "\u0002";
/** A figure right behind a number, and one by itself in front of it, which counts the lines. */
const NEAR_FIGURE = new RegExp(
  String.raw`${MARK}[\s:=-]*(${FIGURE})(?![\p{L}\p{N}%/]|[.,]\d| ?(?:/|(?:out )?of) ?\d)`,
  "iu",
);
const LINE_COUNT = new RegExp(String.raw`^\s*${FIGURE}\s*(?=${MARK})`);

type Parts = {
  numbers: string[];
  sizes: number[];
  /** The figure that the cell consists of. */
  figure: number | null;
  /** The figure right behind its number. */
  near: number | null;
  front: string[];
  behind: string[];
};

const NOTHING: Parts = { numbers: [], sizes: [], figure: null, near: null, front: [], behind: [] };

function partsOf(cell: string): Parts {
  const figureOf = (match: RegExpExecArray | null) => (match ? Number(match[1]!.replace(",", ".")) : null);
  const figure = figureOf(ONLY_FIGURE.exec(cell));
  if (figure !== null || ID.test(cell.trim())) return { ...NOTHING, figure };
  const plain = withoutOtherDigits(cell);
  const numbers = phonesIn(plain);
  const rest = withoutPhones(plain, numbers, MARK);
  const { text, sizes } = annotate(rest.replace(/(?<![\d.,])(\d{1,4}),(\d{1,2})(?= ?(?:gb|mb))/gi, "$1.$2"));
  const near = figureOf(NEAR_FIGURE.exec(text));
  const [front = "", ...behind] = text
    .replace(NEAR_FIGURE, MARK)
    .replace(LINE_COUNT, "")
    .split(MARK)
    .map((part) => part.replace(/\s+/g, " ").replace(/^[\s,.;:–—>•-]+|[\s,;:–—-]+$/g, ""));
  const filled = (texts: string[]) => texts.filter((it) => it !== "");
  const isFront = numbers.length > 0;
  return {
    numbers: numbers.map(({ msisdn }) => msisdn),
    sizes,
    figure,
    near,
    front: filled(isFront ? [front] : []),
    behind: filled(isFront ? behind : [front]),
  };
}
