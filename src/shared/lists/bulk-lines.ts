// The parser of pasted bulk orders: numbers one per line, columns of a sheet, or a chat with names in between. A line
// may name its own size, network and quantity. Ambiguous input is never guessed at; it becomes a problem to resolve.

import { type Family, type Operator, QUANTITY_MAX } from "../domain.ts";
import type { ErrorCode } from "../errors/app-error.ts";
import { allOperators, guessOperator } from "../operators.ts";
import { localMsisdn, parseMsisdn, visibleText } from "../phones/msisdn.ts";
import { headingIn, namesSizes, type Row, SPELT_NUMBERS, underHeadings } from "./bulk-headings.ts";
import { type Annotated, annotate, type NetworkName, sizeText, UNITS } from "./bulk-names.ts";
import { isSentence, lacksValue, speaksAgainst } from "./bulk-remarks.ts";
import { CHAT_HEAD, NOTICE_HEAD } from "./chat-heads.ts";

/** One parsed order. `line` is its line in the text, from 1; several numbers on one line share it. */
export type BulkLine = {
  line: number;
  text: string;
  msisdn: string | null;
  quantity: number;
  /** Whether the line itself gives its quantity. */
  hasQuantity: boolean;
  /** A figure that may be GB or a number of bundles ("0241234567 5"). */
  figure: number | null;
  /** The size that the line names, in MB. */
  sizeMb: number | null;
  /** The network that the line names, and the family of bundles where a network has several. */
  network: Operator | null;
  family: Family | null;
  operatorGuess: Operator | null;
  problem: ErrorCode | null;
};
/** The content of one line of text, without its position. */
export type Entry = Omit<BulkLine, "line">;

/** Splits a text into lines, whatever its line endings. */
export const splitLines = (text: string): string[] => text.split(/\r\n|\r|\n/);

/**
 * Splits a pasted text into orders. Lines without a digit (names, greetings) are skipped, and headings hold for the
 * lines below them; every other line becomes orders or a problem. Reading stops after `ordersMax` + 1 orders.
 */
export function parseBulkLines(text: string, ordersMax?: number): BulkLine[] {
  return readBulk(text, undefined, ordersMax).lines;
}

/**
 * The same, with the number of skipped lines. `known` caches parsed lines, so that typing a letter does not parse the
 * whole text again.
 */
export function readBulk(
  text: string,
  known: Map<string, Entry[]> = new Map(),
  ordersMax = Number.POSITIVE_INFINITY,
): { lines: BulkLine[]; skippedCount: number } {
  const read = (line: string, prefix = "", isOfSizes = false) => {
    const raw = isOfSizes ? plainText(line).replace(BETWEEN_COLUMNS, "\t") : line;
    const key = prefix === "" ? raw : `${prefix}\n${raw}`;
    let entries = known.get(key);
    if (!entries) {
      entries = readLine(raw, ordersMax, prefix);
      known.set(key, entries);
    }
    return entries;
  };
  const rows: Row[] = [];
  let ordersCount = 0;
  for (const raw of withoutCounts(splitLines(text))) {
    if (ordersCount > ordersMax) break;
    const entries = read(raw);
    const about = aboutOthers(raw, entries);
    const { heading } = about;
    if (!heading) ordersCount += entries.length;
    const sender = CHAT_HEAD.exec(raw)?.[1] ?? null;
    // "Others:" is a title that nothing is known of.
    const ends = !heading && entries.length === 0 && /:\W*$/.test(raw);
    rows.push({ raw, entries, ...about, sender, ends });
  }
  const lines: BulkLine[] = [];
  // Spreading each of ten thousand entries is noticeable on a phone; Object.assign onto a fresh object is not.
  for (const [index, entries] of underHeadings(rows, read).entries())
    for (const entry of entries) lines.push(Object.assign({ line: index + 1 }, entry));
  return {
    lines: lines.length > ordersMax ? lines.slice(0, ordersMax + 1) : lines,
    skippedCount: rows.filter(({ raw, entries, heading }) => !heading && entries.length === 0 && raw.trim() !== "")
      .length,
  };
}

/** Commas of columns; none within a figure, as in 1,5GB. */
const BETWEEN_COLUMNS = /(?<!(?<!\d)\d{1,3}),|,(?!\d)/g;

/** "1- ", "2 ", "3: " in front of lines whose figures count them: no figure of an order. */
const COUNT = /^[\s*•·▪-]{0,8}(?:no\.? ?)?(\d{1,4})(?:[.,:;)\t -]{1,3})(?=\D|0|\+|[25]\d{8}|233)/i;
const COUNTED_MIN = 3;

function withoutCounts(lines: string[]): string[] {
  const counts = lines.flatMap((line) => (/\d{7}|\d ?\d{3} ?\d{4}/.test(line) ? [COUNT.exec(line)?.[1] ?? ""] : []));
  const isCounted =
    counts.length >= COUNTED_MIN && counts.every((count, at) => count === String(Number(counts[0]) + at));
  return isCounted ? lines.map((line) => line.replace(COUNT, "")) : lines;
}

type AboutOthers = Pick<Row, "heading" | "namesSizes">;

/** By the entries of a line, which are kept while somebody types. */
const aboutKnown = new WeakMap<Entry[], AboutOthers>();

/** What a line says about those around it. */
function aboutOthers(raw: string, entries: Entry[]): AboutOthers {
  let about = aboutKnown.get(entries);
  if (!about) {
    const isWithoutNumber = entries.every(({ problem }) => problem === "msisdn.invalid");
    const text = isWithoutNumber ? plainText(raw) : "";
    about = {
      heading: isWithoutNumber ? headingIn(text) : null,
      namesSizes: entries.length === 0 ? namesSizes(text) : null,
    };
    aboutKnown.set(entries, about);
  }
  return about;
}

/** 241,234,567: how a sheet shows a number with the commas of thousands. */
const GROUPED = /(?<![\d.,])(?:233,)?[25]\d\d,\d{3},\d{3}(?![\d.,])/g;
/** The text with its numbers as phones write them. */
export const withoutGroups = (text: string) => text.replace(GROUPED, (number) => number.replaceAll(",", ""));
/** 2.33241E+11: how a sheet shows a long number. The missing digits are lost. */
export const ROUNDED = /\d(?:[.,]\d{1,17}e\+?|e\+)\d{1,2}(?!\d)/i;

/** A line without the head of a chat and what cannot be seen. */
const plainText = (raw: string) => withoutGroups(visibleText(raw).replace(CHAT_HEAD, "").replace(BOLD, "$1")).trim();
/** "*1. 0241234567 5GB*", as chats mark what is bold. */
const BOLD = /(?<![^\s(])[*_](?=\S)([^*_]{1,300}\S)[*_](?![^\s,.:;)])/g;

/** Of a line with more numbers than a list may have, those are read that make the list too long. */
function readLine(raw: string, ordersMax: number, prefix: string): Entry[] {
  const plain = plainText(raw);
  const text = prefix === "" ? plain : `${prefix} ${plain.replace(LIST_COUNT, "")}`;
  if (!/\p{N}/u.test(text.replace(NOTICE_HEAD, ""))) return [];
  if (lacksValue(text)) return [unresolved(text, "bulk.cell_without_value")];
  if (ROUNDED.test(text)) return [unresolved(text, "bulk.number_rounded")];
  // Digits of other scripts, ½ and ² are not supported.
  if (/(?=\P{ASCII})\p{N}/u.test(text)) return [unresolved(text, "bulk.line_unclear")];
  const numbers = numbersIn(text, ordersMax + 1);
  if (numbers.length === 0) return [unresolved(text, "msisdn.invalid")];
  if (speaksAgainst(text)) return [unresolved(text, "bulk.remark_unclear")];
  const read = numbers.length > ordersMax ? text.slice(0, numbers.at(-1)!.end) : text;
  return numbers.length === 1 ? [readOne(read, numbers[0]!)] : readSeveral(read, numbers);
}

export type Found = { msisdn: string; start: number; end: number };

/**
 * A number in a text: 024…, 233…, +233 (0)24…, 0024…, or without its zero, as sheets leave it; a trailing ".0" comes
 * from sheets too. The gaps are bounded, so that matching takes linear time.
 */
const NUMBER = new RegExp(
  String.raw`(?<![\d+])(\(?(?:(?:\+|00)? ?233\)?[ .-]{0,2}(?:\(?0\)?[ .-]?)?|0[ -]?)?` +
    String.raw`\(?[25](?:[ .()-]{0,2}\d){8})(?!\d)(?:\.0{1,2}(?!\d))?`,
  "g",
);

/** The first phone numbers in a text, with their places. */
export function numbersIn(text: string, countMax = Number.POSITIVE_INFINITY): Found[] {
  const found: Found[] = [];
  for (const match of text.matchAll(NUMBER)) {
    const msisdn = isWrittenAsNumber(match[1]!) ? parseMsisdn(match[1]!) : null;
    if (msisdn) found.push({ msisdn, start: match.index, end: match.index + match[0].length });
    if (found.length >= countMax) break;
  }
  return found;
}

/** Whether the digits are grouped as in a phone number: dates and amounts in a row may have as many digits. */
function isWrittenAsNumber(text: string): boolean {
  const groups = text.match(/\d+/g)!;
  const hasPrefix = groups[0]!.startsWith("0") || groups[0]!.startsWith("233");
  if (hasPrefix) return groups.every((group, i) => group.length > 1 || (group === "0" && i < 2));
  return /^(9|2-7|2-3-4|3-3-3|2-3-2-2)$/.test(groups.map(({ length }) => length).join("-"));
}

/** One number and its surroundings: a name, a quantity, a size, a network, a list number. */
function readOne(text: string, { msisdn, start, end }: Found): Entry {
  const [before, after] = [annotate(text.slice(0, start).replace(LIST_COUNT, "")), annotate(text.slice(end))];
  const unclear = { ...unresolved(text, "bulk.line_unclear"), msisdn, operatorGuess: guessOperator(msisdn) };
  const sizes = [...before.sizes, ...after.sizes];
  const networks = new Set([...before.networks, ...after.networks]);
  if (sizes.length > 1 || networks.size > 1 || UNIT_ALONE.test(`${before.text} ${after.text}`)) return unclear;
  if (sizes.length > 0 && isSentence(after.text.slice(after.end)))
    return { ...unclear, problem: "bulk.remark_unclear" };
  const shared = { sizeMb: sizes[0] ?? null, named: [...networks][0] ?? null };
  const [early, late] = [amountsIn(before.text), amountsIn(after.text)];
  const read =
    early.length === 0
      ? amountsAfter(after, late)
      : early.length + late.length > 1
        ? ("bulk.line_unclear" as const)
        : quantityBefore(before.text, early[0]!);
  if (typeof read === "string") return { ...unclear, problem: read };
  if (!read.hasQuantity && read.figure === null) {
    if (NO_AMOUNT.test(after.text)) return { ...unclear, problem: "order.quantity_invalid" };
    if (SPELT.test(text)) return unclear;
  }
  return resolved(text, msisdn, { ...read, ...shared });
}

/** Several numbers on a line: either all are followed by a quantity or none is; anything else is unclear. */
function readSeveral(text: string, numbers: Found[]): Entry[] {
  const head = annotate(text.slice(0, numbers[0]!.start).replace(LIST_COUNT, ""));
  const gaps = numbers.map(({ end }, i) => annotate(text.slice(end, numbers[i + 1]?.start)));
  const unclear = [unresolved(text, "bulk.line_unclear")];
  // The same size twice may mean two bundles, as with a single number.
  if ([head, ...gaps].some((part) => part.sizes.length > 1)) return unclear;
  const isForAll =
    /\b(?:each|all|apiece)\b/i.test(gaps.at(-1)!.text) && gaps.slice(0, -1).every((gap) => gap.sizes.length === 0);
  const sizes = isForAll
    ? distribute(
        gaps.at(-1)!.sizes,
        gaps.map(() => []),
      )
    : distribute(
        head.sizes,
        gaps.map((gap) => gap.sizes),
      );
  const networks = distribute(
    head.networks,
    gaps.map((gap) => gap.networks),
  );
  const amounts = gaps.map((gap) => amountsIn(gap.text));
  const hasNone = amounts.every(({ length }) => length === 0);
  // "024… / 020…" is one person with two numbers.
  const isEitherOr = gaps.slice(0, -1).some((gap) => /^\s*(?:\/|\|?or\b)\s*$/i.test(gap.text));
  if ([head, ...gaps].some((part) => UNIT_ALONE.test(part.text))) return unclear;
  if (!sizes || !networks || amountsIn(head.text).length > 0 || isEitherOr) return unclear;
  if (PAYER.test(text) || gaps.slice(0, -1).some((gap) => /\b(?:to|for)\b/i.test(gap.text))) return unclear;
  if (!hasNone && amounts.some(({ length }) => length !== amounts[0]!.length)) return unclear;
  if (hasNone && (SPELT.test(text) || gaps.some(lacksAmount))) return unclear;
  const read = gaps.map((gap, i) => amountsAfter(gap, amounts[i]!));
  if (read.some((one) => typeof one === "string")) return unclear;
  if (new Set((read as Amount[]).map((one) => one.figure === null)).size > 1) return unclear;
  return entriesOf(text, numbers, gaps, amounts, (i) => ({
    ...(read[i] as Amount),
    sizeMb: sizes[i]!,
    named: networks[i]!,
  }));
}

/** Whether a gap, or the part of it that stays with its number, is an "x" without a figure. */
function lacksAmount({ text, end }: Annotated): boolean {
  return NO_AMOUNT.test(text) || NO_AMOUNT.test(text.slice(0, end));
}

/** One order for each number of a line, with its own piece of the text, which parses to the same by itself. */
function entriesOf(
  text: string,
  numbers: Found[],
  gaps: Annotated[],
  amounts: RegExpMatchArray[][],
  valuesOf: (i: number) => Amount & Named,
): Entry[] {
  let from = 0;
  return numbers.map(({ msisdn, end }, i) => {
    // Sizes and networks were replaced by blanks, so positions in a gap are positions in the text.
    const part = gaps[i]!;
    const amountEnd = endOf(part.text, amounts[i]!.at(-1));
    const to = numbers[i + 1] ? end + Math.max(amountEnd, part.end) : text.length;
    const values = valuesOf(i);
    const isHeads = i > 0;
    const piece = text.slice(from, to).replace(/^[\s,;|&/+-]+/, "");
    from = to;
    const more = [
      isHeads && values.sizeMb !== null && part.sizes.length === 0 && sizeText(values.sizeMb),
      isHeads && values.named !== null && part.networks.length === 0 && values.named.text,
    ];
    return resolved([piece, ...more].filter(Boolean).join(" "), msisdn, values);
  });
}

/** The end of a figure in a text, including an "x" that belongs to it. */
function endOf(text: string, amount: RegExpMatchArray | undefined): number {
  if (!amount) return 0;
  const end = amount.index! + amount[0].length;
  return end + (TIMES_AFTER.exec(text.slice(end))?.[0].length ?? 0);
}

/** The value for each number: the head's for all, or each gap's for its own; null when ambiguous. */
function distribute<T>(head: T[], gaps: T[][]): (T | null)[] | null {
  const [inHead, inGaps] = [new Set(head), gaps.map((gap) => new Set(gap))];
  const naming = inGaps.filter((gap) => gap.size > 0).length;
  if (inHead.size > 1 || (inHead.size === 1 && naming > 0)) return null;
  if (inHead.size === 1) return gaps.map(() => head[0]!);
  if (naming > 0 && inGaps.some((gap) => gap.size !== 1)) return null;
  return gaps.map((gap) => gap[0] ?? null);
}

/** "1. ", "2) ", "(3) " at the start of a line: a list number, not a quantity. */
export const LIST_COUNT = /^[\s*•·▪>-]{0,8}\(?\d{1,5}[.)](?!\d)\s*/;
/** Quantities written as words; they must be typed in digits. */
export const SPELT = new RegExp(
  String.raw`\b(?:${SPELT_NUMBERS}|twice|thrice|dozen|pair|couple|same|ditto|as above|one (?:and|gb|gig|mb))\b`,
  "i",
);
/** "x" with nothing after it but what separates it from the next number. */
const NO_AMOUNT = /^[\s,;|&/+-]*[x×*][\s,;|&/+-]*$/i;

/** "fifteen gb", "gb 5", "a gig": a size that cannot be read. */
const UNIT_ALONE = new RegExp(String.raw`(?<![\p{L}\d])(?:${UNITS})(?![\p{L}\d])`, "iu");
/** One of several numbers may be who pays or sends. */
const PAYER = /\b(?:from|by|with|via|pay(?:s|ing|er)?|paid|momo|sender)\b/i;

type Named = { sizeMb: number | null; named: NetworkName | null };

/** A line like this one that orders this bundle and names it in full. The words before its number stay. */
export function lineFor(
  { text, msisdn, quantity, hasQuantity }: Entry,
  bundle: { sizeMb: number; family: Family },
): string {
  const before = annotate(text.slice(0, numbersIn(text)[0]?.start ?? 0)).text;
  const names = before.match(/\p{L}[\p{L}'-]+/gu)?.filter((name) => !SPELT.test(name)) ?? [];
  const number = localMsisdn(msisdn!) + (hasQuantity ? `,${quantity}` : "");
  return [...names, number, sizeText(bundle.sizeMb), nameOf(bundle.family)].join(" ");
}

/** Found here, so that only pages with lists load it. */
function nameOf(family: Family): string {
  const families = allOperators().flatMap((operator) => operator.families);
  return families.find(({ code }) => code === family)!.name;
}

/** All groups of digits with their separators: 2, 1.5, 21/11/2026, 09:30. */
const amountsIn = (text: string) => [...text.matchAll(/\d+(?:[.,:/]\d+)*/g)];

type Amount = { quantity: number; hasQuantity: boolean; figure: number | null };
const NOTHING: Amount = { quantity: 1, hasQuantity: false, figure: null };

const MONEY_BEFORE = /(?:gh[cs₵¢]?|[₵¢$@])\s*$/i;
const MONEY_AFTER = /^\s*(?:cedis?|gh|[₵¢$%])/i;
const TIMES_BEFORE = /(?:^|[\s,;(-])(?:[x×*]|qty|quantity|pcs|pieces|times)[\s:=.]{0,3}$/i;
const TIMES_AFTER = /^ ?(?:[x×*]|pcs|pieces|bundles?|times)(?![\p{L}\d])/iu;

/**
 * The quantity and figure after a number, or a problem. "x" or "qty" marks a quantity, and so does a comma, but for one
 * behind a size: that may be a price.
 */
function amountsAfter({ text, sizes, end }: Annotated, amounts: RegExpMatchArray[]): Amount | ErrorCode {
  const isSized = sizes.length > 0;
  // Beside a size it is what somebody pays.
  const counted = amounts.filter((amount) => !(isSized && isMoney(text, amount)));
  if (counted.length > 2) return "bulk.line_unclear";
  let quantity: number | null = null;
  let figure: number | null = null;
  for (const amount of counted) {
    const one = amountAfter(text, amount, isSized ? end : text.length);
    if (typeof one === "string") return one;
    if ((one.hasQuantity ? quantity : figure) !== null) return "bulk.line_unclear";
    if (one.hasQuantity) quantity = one.quantity;
    else figure = one.figure;
  }
  return { quantity: quantity ?? 1, hasQuantity: quantity !== null, figure };
}

function isMoney(text: string, amount: RegExpMatchArray): boolean {
  const after = text.slice(amount.index! + amount[0].length);
  return MONEY_BEFORE.test(text.slice(0, amount.index)) || MONEY_AFTER.test(after);
}

function amountAfter(text: string, amount: RegExpMatchArray, sizeEnd: number): Amount | ErrorCode {
  const before = text.slice(0, amount.index);
  const after = text.slice(amount.index! + amount[0].length);
  if (isMoney(text, amount)) return "bulk.line_unclear";
  // A minus sign; a dash that joins the quantity to its number ("0241234567-2") is not one.
  if (/(?:^|[\s,;])-$/.test(before) && before !== "-") return "order.quantity_invalid";
  const isTimes = TIMES_BEFORE.test(before) || TIMES_AFTER.test(after);
  const isBegun = isTimes || before === "-" || /(?:^|[\s,;|/:=(["'])$/.test(before);
  const isGlued = /^\p{L}/u.test(after) && !TIMES_AFTER.test(after);
  const isEnded = !isGlued && (isTimes || /^(?:$|[\s,;|)\]"'.!?])/u.test(after));
  if (!isBegun || !isEnded) return "bulk.line_unclear";
  if (isTimes || (/,["'\s]*$/.test(before) && amount.index! < sizeEnd)) return asQuantity(amount[0]);
  const isFigure = /^\d{1,6}(?:\.\d{1,2})?$/.test(amount[0]) && Number(amount[0]) > 0;
  return isFigure ? { ...NOTHING, figure: Number(amount[0]) } : "order.quantity_invalid";
}

/** Before a number only "2 x" is clear: "2 024…" may count lines, people or bundles. */
function quantityBefore(text: string, amount: RegExpMatchArray): Amount | ErrorCode {
  const after = text.slice(amount.index! + amount[0].length);
  const isClear = /(?:^|[\s,;(])$/.test(text.slice(0, amount.index)) && /^ ?[x×*]\s*$/i.test(after);
  return isClear ? asQuantity(amount[0]) : "bulk.line_unclear";
}

function asQuantity(text: string): Amount | ErrorCode {
  const quantity = /^\d{1,3}(?:\.0{1,2})?$/.test(text) ? Number(text) : 0;
  const isFine = quantity >= 1 && quantity <= QUANTITY_MAX;
  return isFine ? { quantity, hasQuantity: true, figure: null } : "order.quantity_invalid";
}

function resolved(text: string, msisdn: string, values: Amount & Named): Entry {
  const { quantity, hasQuantity, figure, sizeMb, named } = values;
  const [network, family] = [named?.operator ?? null, named?.family ?? null];
  const operatorGuess = guessOperator(msisdn);
  return {
    text,
    msisdn,
    quantity,
    hasQuantity,
    figure,
    sizeMb,
    network,
    family,
    operatorGuess,
    problem: null,
  };
}

function unresolved(text: string, problem: ErrorCode): Entry {
  const nothing = { ...NOTHING, sizeMb: null, network: null, family: null, operatorGuess: null };
  return { text, msisdn: null, ...nothing, problem };
}
