// Reader of customers from a pasted text, a sheet or the contacts of a phone: a number and a name on each line, in any
// order, in the columns of its headings, or on each vCard. What is not clear is left out with its reason.
import { LIST_COUNT } from "../../../shared/lists/bulk-lines.ts";
import { annotate } from "../../../shared/lists/bulk-names.ts";
import { isAgainst } from "../../../shared/lists/bulk-remarks.ts";
import { localMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { entriesOfTable, isOfHeadings } from "./contact-table.ts";
import {
  cleaned,
  type Entry,
  entryOf,
  isBlank,
  type Left,
  lackIn,
  numbersOfText,
  type PersonRead,
  REASONS,
  shortened,
} from "./contact-values.ts";
import { hasVcards, readVcards } from "./vcards.ts";

export type PeopleRead = {
  people: PersonRead[];
  /** What has a number and cannot be read, or not without a question. */
  unreadable: Left[];
  /** Names and other texts without a number. */
  numberless: string[];
};

/** Lines beyond these are not read. */
export const CONTACT_LINES_MAX = 2_000;
const LINE_CHARS_MAX = 300;

/** The people of texts, one for each line, row or number of a vCard. Returns null when they have too many. */
export function parseContacts(...texts: string[]): PeopleRead | null {
  const read: PeopleRead = { people: [], unreadable: [], numberless: [] };
  for (const text of texts)
    for (const entry of entriesOf(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n"))) {
      read.people.push(...entry.people);
      read.unreadable.push(...entry.unreadable);
      read.numberless.push(...entry.numberless);
      if (read.people.length + read.unreadable.length + read.numberless.length > CONTACT_LINES_MAX) return null;
    }
  return withoutConflicts(read);
}

function* entriesOf(text: string): Generator<Entry> {
  if (hasVcards(text)) {
    const parts = readVcards(text);
    for (const part of parts) if (typeof part !== "string") yield entryOf(part.name, part.numbers);
    yield* entriesOf(parts.filter((part) => typeof part === "string").join("\n"));
    return;
  }
  const table = entriesOfTable(text, entryOfLine);
  if (table) {
    yield* table;
    return;
  }
  for (const line of pairedLines(text) ?? filledLines(text)) yield entryOfLine(line);
}

function* filledLines(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf("\n", from);
    const line = text.slice(from, end < 0 ? text.length : end);
    from = end < 0 ? text.length : end + 1;
    if (line.trim() !== "") yield line;
  }
}

/**
 * Each name with the number below it, where the lines of a text are a name, a number, and so on to its end. One pair
 * may be a title and a number, and a name that comes again is the title of a group. Null for any other text.
 */
function pairedLines(text: string): string[] | null {
  const names = new Set<string>();
  const pairs: string[] = [];
  let name: string | null = null;
  for (const line of filledLines(text)) {
    if (line.length > LINE_CHARS_MAX || pairs.length > CONTACT_LINES_MAX) return null;
    if (name === null) {
      name = line;
      if (!isNameAlone(line) || names.has(line)) return null;
      names.add(line);
    } else {
      if (!isNumberAlone(line)) return null;
      pairs.push(`${name}\t${line}`);
      name = null;
    }
  }
  return name === null && pairs.length > 1 ? pairs : null;
}

function isNameAlone(line: string): boolean {
  const text = cleaned(line).replace(LIST_COUNT, "");
  const [name = "", ...more] = /\p{N}/u.test(text) ? [] : namesIn(text);
  return name !== "" && more.length === 0 && isPlainName(name) && !isWeak(name) && !isTitle(name);
}

function isNumberAlone(line: string): boolean {
  const { found, bare } = numbersOfText(cleaned(line).replace(LIST_COUNT, ""));
  return found.length > 0 && namesIn(withoutOtherNumbers(bare).rest).length === 0;
}

const nothing = (): Entry => ({ people: [], unreadable: [], numberless: [] });
const left = (text: string, reason: string): Entry => ({ ...nothing(), unreadable: [{ text, reason }] });

function entryOfLine(line: string): Entry {
  const text = cleaned(line.slice(0, LINE_CHARS_MAX)).replace(LIST_COUNT, "");
  if (/\d/.test(line.slice(LINE_CHARS_MAX))) return left(text, REASONS.tooLong);
  const lack = lackIn(text);
  if (lack !== null) return left(text, lack);
  const { found, bare } = numbersOfText(text);
  if (found.length === 0 && /\p{N}/u.test(text)) return left(text, REASONS.noNumber);
  if (found.length === 0) return isBlank(text) || isOfHeadings(text) ? nothing() : { ...nothing(), numberless: [text] };
  const { rest, others } = withoutOtherNumbers(bare);
  const [name, ...more] = namesIn(rest);
  if (name === undefined) return left(text, REASONS.noName);
  if (found.length > 1 && (more.length > 0 || !isOneOwner(rest, found.length) || hasNumberInName(text)))
    return left(text, REASONS.several);
  if (isAgainst(rest.replace(LABEL, "\t"))) return left(text, REASONS.against);
  if (more.length > 0) return left(text, REASONS.whichName);
  if (!isPlainName(name)) return left(text, REASONS.unclear);
  const msisdns = [...new Set(found.map(({ msisdn }) => msisdn))];
  return {
    people: msisdns.map((msisdn) => ({ msisdn, name: shortened(name) })),
    unreadable: others.map((other) => ({ text: `${name}\t${other}`, reason: REASONS.noNumber })),
    numberless: [],
  };
}

/** A landline or a number abroad, and the end of a number that shares its beginning: "0241234567/8". */
const OTHER_NUMBER = /(?:\+|\b0)\d[\d ().-]{6,20}\d|(?<=\t) ?\/ ?\d{1,4}(?!\d)/g;

function withoutOtherNumbers(text: string): { rest: string; others: string[] } {
  const others = (text.match(OTHER_NUMBER) ?? []).map((other) => other.trim());
  return { rest: text.replace(OTHER_NUMBER, "\t"), others };
}

/** "Name:", "Tel. no.:": what the text behind it is. */
const LABEL = new RegExp(
  String.raw`(?<![\p{L}\d])(?:(?:full |first |last |customer |client |contact )?names?` +
    "|customer|client|contact|network|(?:phone|mobile|cell|tel(?:ephone)?|contact|momo|whats ?app)?" +
    String.raw`\.? ?(?:numbers?|no|phone|mobile|cell|tel(?:ephone)?|momo|whats ?app))\.? ?(?:[:=]|-\s)`,
  "giu",
);
/** A label without its colon, at the end of what stands before a number. */
const LABEL_BEFORE = / (?:tel(?:ephone)?|phone|(?:phone|mobile|contact|cell|tel) ?(?:no|number))\.?(?=\s*\t)/giu;
/** Words that are known and no name by themselves. */
const KNOWN = setOf(
  "ghana gh network sim line phone mobile cell tel telephone home work main number no money momo cash data bundle " +
    "bundles whatsapp male female yes true false ghs cedi cedis paid unpaid owing active inactive and or x qty " +
    "my new other second",
);
/** Those that some people are called by, so that they are a name where a line has no other. */
const WEAK = setOf(
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
    "september october november december jan feb mar apr jun jul aug sep sept oct nov dec accra kumasi tema tamale " +
    "takoradi sekondi cape coast koforidua sunyani ho wa bolga bolgatanga kasoa madina techiman obuasi winneba",
);

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Whether a column has nothing but such words and figures; a date or an amount has both. */
function consistsOf(column: string, isOne: (word: string) => boolean): boolean {
  return (column.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => /^\d/.test(word) || isOne(word));
}
const isWeak = (column: string) => consistsOf(column, (word) => KNOWN.has(word) || WEAK.has(word));
const isKnown = (column: string) =>
  consistsOf(column, (word) => KNOWN.has(word)) || (/\d/.test(column) && isWeak(column));

/** The columns that may be a name: with letters, and neither a network, a size, an address nor a label. */
function namesIn(rest: string): string[] {
  const columns = rest
    .replace(LABEL_BEFORE, "\t")
    .replace(LABEL, "\t")
    .split(/[\t,;|]/);
  const isName = (text: string) => /\p{L}/u.test(text) && !isBlank(text) && !isKnown(text) && !ADDRESS.test(text);
  const names = columns.map(nameOf).filter(isName);
  const strong = names.filter((name) => !isWeak(name));
  return strong.length > 0 ? strong : names;
}

const ADDRESS = /\S@\S|^(?:https?:|www\.)/i;

/** Whether a name is one of a list: "My customers". */
const isTitle = (name: string) =>
  /(?<!\p{L})(?:customers?|clients?|contacts?|numbers?|names?|list|people)(?!\p{L})/iu.test(name);

/** A column without the marks around it, nor a size or network at its ends: they belong to the number. */
function nameOf(column: string): string {
  const { text, sizes, networks } = annotate(column);
  const hasOther = sizes.length + networks.length > 0;
  const start = hasOther ? text.search(/[\p{L}\p{N}]/u) : 0;
  const end = hasOther ? text.search(/[^\p{L}\p{N}]*$/u) : column.length;
  const own = column.slice(Math.max(start, 0), end);
  const bare = (hasOther ? own.replace(/^(?:for|to) | (?:for|to)$/gi, "") : own)
    .replace(LIST_COUNT, "")
    .replace(/^[\s"':=\-–.•*▪●<>[\]/(]+|[\s"':=\-–.*/&<>[\](]+$/g, "");
  return withBrackets(bare, column)
    .replace(/^\(([^()]*)\)$/, "$1")
    .replace(/\s+/g, " ");
}

/** A part of a column with the other half of its brackets: "Kofi (MTN Agent" with the ")" behind it. */
function withBrackets(part: string, column: string): string {
  const [at, open] = [column.indexOf(part), part.split("(").length - part.split(")").length];
  const [opens, closes] = [column.lastIndexOf("(", at), column.indexOf(")", at + part.length)];
  if (open > 0 && closes >= 0) return column.slice(at, closes + 1);
  return open < 0 && opens >= 0 ? column.slice(opens, at + part.length) : part;
}

/** Letters and digits with the marks of names. */
const PLAIN_NAME =
  /^[\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator} '’`".&()/!+_-]*$/u;
/** Words of a sentence or an amount. */
const MESSAGE = new RegExp(
  String.raw`(?<!\p{L})(?:please|pls|plz|kindly|send|buy|order|hello|hi|good (?:morning|evening)|thanks?|is|this` +
    String.raw`|that|for|from|to|number|gh[cs]|cedis?)(?!\p{L})` +
    // "My Love", "My wife Ama ❤️".
    String.raw`|(?<!\p{L})my(?!\p{L})(?!(?<=^my)(?: \p{L}[\p{L}'’-]{0,40}){1,2}[^\p{L}\p{N}]*$)`,
  "iu",
);
const NAME_PARTS_MAX = 8;
const isPlainName = (name: string) =>
  PLAIN_NAME.test(name) && !MESSAGE.test(name) && name.split(" ").length <= NAME_PARTS_MAX;

/** Whether nothing but marks, networks and "or" stands between the numbers of a line. */
function isOneOwner(rest: string, count: number): boolean {
  const between = rest.split("\t").slice(1, count).join(" ");
  return !/\p{L}/u.test(annotate(between).text.replace(/\b(?:or|and)\b/gi, " "));
}

/** Whether a row of a sheet has a number in the cell of the name, and one in a cell of its own. */
function hasNumberInName(row: string): boolean {
  const cells = row.split("\t").filter((cell) => numbersOfText(cell).found.length > 0);
  return cells.length > 1 && cells.some((cell) => /\p{L}/u.test(cell));
}

/** A number under several names is none of theirs until somebody says whose. */
function withoutConflicts(read: PeopleRead): PeopleRead {
  const names = new Map<string, Set<string>>();
  for (const { msisdn, name } of read.people)
    names.set(msisdn, (names.get(msisdn) ?? new Set()).add(name.toLowerCase()));
  const isDisputed = ({ msisdn }: PersonRead) => names.get(msisdn)!.size > 1;
  const disputed = read.people.filter(isDisputed).map(({ msisdn, name }) => ({
    text: `${name}\t${localMsisdn(msisdn)}`,
    reason: `${spacedMsisdn(msisdn)} stands under several names. Keep the line with the right one.`,
  }));
  if (disputed.length === 0) return read;
  return {
    ...read,
    people: read.people.filter((it) => !isDisputed(it)),
    unreadable: [...read.unreadable, ...disputed],
  };
}
