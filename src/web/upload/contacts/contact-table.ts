// Tables of customers, by their headings: the shop's own, those of Google Contacts, Outlook and other address books.
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";
import { uploadLimits } from "../../../shared/upload-limits.ts";
import { rowsOfCsv } from "../csv.ts";
import { kindOf as kindInOrders, normalized } from "../sheet-headings.ts";
import { UnreadableFile } from "../unreadable.ts";
import { cleaned, type Entry, entryOf, isBlank, numbersOfText, REASONS } from "./contact-values.ts";

/** Titles may stand above the headings. */
const LINES_ABOVE = 10;
const LINE_CHARS = 8_000;
/** Many of them may be empty. */
const ROWS_MAX = 10_000;
const MARKS = ["\t", ";", ",", "|"];

type Name = "full" | "given" | "middle" | "family" | "short" | "firm";
/** "either": a name or a number, as its cells have it. "known": something else. "unknown": maybe a name. */
type Kind = Name | "number" | "fax" | "either" | "known" | "unknown";

const KINDS: [Kind, RegExp][] = [
  ["unknown", /\bnames?\b.*\bnumbers?\b|\bnumbers?\b.*\bnames?\b/],
  // Names of other people and things.
  [
    "known",
    /\b(?:prefix|suffix|phonetic|yomi|initials|maiden|user ?name|bank|branch|school|product|bundle|package|plan)\b/,
  ],
  ["known", /\b(?:network|operator|provider|carrier|agent|seller|sender|assistant|manager|spouse|father|mother)\b/],
  ["known", /\b(?:emergency|kin|parent|guardian|referr\w*|partner|supplier|type|label|group|town|city|event)\b/],
  ["short", /^(?:nick ?names?|short name|alias|file as)$/],
  ["firm", /^(?:company|organi[sz]ation|business|shop)(?: names?)?$/],
  ["given", /^(?:first|given)$/],
  ["family", /^(?:last|family)$/],
  ["middle", /\b(?:middle|additional|second) ?names?\b/],
  ["given", /\b(?:first|given|fore|other) ?names?\b/],
  ["full", /\bfull ?names?\b/],
  ["family", /\b(?:last|family|sur) ?names?\b/],
  ["full", /\bnames?\b|^(?:contact person|people|buyers?|owners?)$/],
  ["either", /^(?:contacts?|customers?|clients?|persons?|recipients?|beneficiar(?:y|ies)|receivers?|no|to)$/],
  ["fax", /\b(?:fax|pager|telex)\b/],
  [
    "known",
    /\b(?:id|serial|order|account|invoice|house|box|card|code|sim|imei|extension|of|model|date|e ?mail|mail)\b/,
  ],
  ["known", /\b(?:address|location|region|area|place|country|district|street|gender|sex|birthday|title|language)\b/],
  ["known", /\b(?:category|class|level|occupation|job|tags?|labels?|joined|photo|website|url|gps)\b/],
  ["number", /\b(?:phones?|mobiles?|cell|cellphone|tel|telephone|msisdn|momo|whats ?app|numbers?|callback)\b|^lines?$/],
];

function kindOf(heading: string): Kind {
  const title = normalized(heading);
  if (title === "") return "known";
  const own = KINDS.find(([, matches]) => matches.test(title))?.[0];
  const inOrders = kindInOrders(heading);
  return own ?? (inOrders === null || inOrders === "number" ? "unknown" : "known");
}

/** Whether the cells are headings: short words, of which two are known, one of them for names or numbers. */
function isHeadings(cells: string[]): boolean {
  const filled = cells.filter((cell) => cell !== "");
  if (filled.length < 2 || filled.some((cell) => /^.{60}|\d{4}|^(?:\S+\s+){5}/.test(cell))) return false;
  const known = filled.map(kindOf).filter((kind) => kind !== "unknown");
  return known.length > 1 && known.some((kind) => kind !== "known" && kind !== "fax");
}

/** Whether a row repeats the headings, as where files were put together. */
const isHeadingsAgain = (cells: string[], titles: string[]) =>
  cells.join("\t") === titles.join("\t") || (isHeadings(cells) && cells.every((cell) => kindOf(cell) !== "unknown"));

/** Whether a line has nothing but words of headings: "Name Phone". */
export const isOfHeadings = (line: string) =>
  (line.match(/\p{L}+/gu) ?? []).every((word) => !["unknown", "either"].includes(kindOf(word)));

/**
 * The customers of a text with headings, row by row; null for a text without any. `entryOfLine` reads a row that is not
 * in columns.
 */
export function entriesOfTable(text: string, entryOfLine: (line: string) => Entry): Iterable<Entry> | null {
  const top = text.slice(0, LINE_CHARS * LINES_ABOVE).split("\n", LINES_ABOVE * 2);
  const lines = top.filter((line) => line.trim() !== "").slice(0, LINES_ABOVE);
  const heading = lines.find((line) => markOf(line) !== null);
  if (heading === undefined) return null;
  const rows = rowsOf(text, markOf(heading)!).map((row) => row.map(cleaned));
  const at = rows.findIndex(isHeadings);
  return at < 0 ? null : entriesBelow(rows, at, entryOfLine);
}

/** The mark between headings, if the line has some. */
function markOf(line: string): string | null {
  if (line.length > LINE_CHARS) return null;
  return MARKS.find((mark) => isHeadings(naiveCells(line, mark).map(cleaned))) ?? null;
}

const naiveCells = (line: string, mark: string) =>
  line.split(mark, uploadLimits.columns + 1).map((cell) => cell.trim().replace(/^"(.*)"$/, "$1"));

/** The cells of CSV, or, where its quotes do not close, those between the marks. */
function rowsOf(text: string, mark: string): string[][] {
  try {
    const rows = rowsOfCsv(`sep=${mark}\n${text}`, ROWS_MAX);
    if (rows.length > 0) return rows;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
  }
  return text.split("\n", ROWS_MAX).map((line) => naiveCells(line, mark));
}

function* entriesBelow(rows: string[][], at: number, entryOfLine: (line: string) => Entry): Generator<Entry> {
  for (const row of rows.slice(0, at))
    if (numbersOfText(row.join(" ")).found.length > 0) yield leftOut(row, REASONS.above);
  const starts = rows.flatMap((row, i) => (i === at || (i > at && isHeadingsAgain(row, rows[at]!)) ? [i] : []));
  for (const [i, start] of starts.entries()) {
    const titles = rows[start]!;
    const below = rows.slice(start + 1, starts[i + 1]).filter((row) => row.some((cell) => cell !== ""));
    const columns = columnsOf(titles, below);
    for (const row of below) yield row.length === 1 ? entryOfLine(row[0]!) : entryOfRow(row, columns, titles.length);
  }
  if (rows.length >= ROWS_MAX) yield leftOut(rows.at(-1)!, REASONS.tooMany);
}

type Columns = { names: [Kind, number][]; numbers: { column: number; isFax: boolean }[]; unknown: number[] };

/** What each column holds, by its heading; by its cells where no heading says it. */
function columnsOf(titles: string[], below: string[][]): Columns {
  const kinds = titles.map((title, column): Kind => {
    const kind = kindOf(title);
    return kind === "either" ? byContent(below, column) : kind;
  });
  const of = (kind: Kind) => kinds.flatMap((one, column) => (one === kind ? [column] : []));
  // A column of short figures counts the rows, whatever its heading.
  const headed = of("number").filter((column) => !isEvery(below, column, (cell) => /^\d{1,6}$/.test(cell)));
  const numbers = headed.length > 0 ? headed : of("unknown").filter((it) => byContent(below, it) === "number");
  const names = kinds.flatMap((kind, column): [Kind, number][] => (NAMES.includes(kind) ? [[kind, column]] : []));
  const isNamed = names.some(([kind]) => kind !== "short" && kind !== "firm");
  const hasLetters = (column: number) => below.some((row) => /\p{L}/u.test(row[column] ?? ""));
  return {
    names,
    numbers: [
      ...numbers.map((column) => ({ column, isFax: false })),
      ...of("fax").map((column) => ({ column, isFax: true })),
    ],
    unknown: isNamed ? [] : of("unknown").filter((column) => !numbers.includes(column) && hasLetters(column)),
  };
}

/** Whether a column that may be either holds numbers, names, or neither. */
function byContent(below: string[][], column: number): Kind {
  const isNumber = (cell: string) => parseMsisdn(cell.replace(/\.0{1,2}$/, "")) !== null;
  const filled = below.map((row) => row[column] ?? "").filter((cell) => cell !== "");
  if (filled.filter(isNumber).length * 2 > filled.length) return "number";
  return filled.some((cell) => /\p{L}/u.test(cell)) ? "full" : "known";
}

function isEvery(below: string[][], column: number, matches: (cell: string) => boolean): boolean {
  const filled = below.map((row) => row[column] ?? "").filter((cell) => cell !== "");
  return filled.length > 0 && filled.every(matches);
}

function entryOfRow(row: string[], { names, numbers, unknown }: Columns, width: number): Entry {
  const cells = numbers.map(({ column, isFax }) => ({ text: row[column] ?? "", isFax }));
  if (row.slice(width).some((cell) => cell !== "")) return leftOut(row, REASONS.tooWide);
  const isBare = cells.every(({ text }) => numbersOfText(text).found.length === 0);
  if (isBare && numbersOfText(row.join("\t")).found.length > 0) return leftOut(row, REASONS.elsewhere);
  const maybe = unknown.map((column) => row[column] ?? "").filter((cell) => !isBlank(cell));
  if (maybe.length > 1 && !isBare) return leftOut(row, REASONS.whichName);
  const full = names.flatMap(([kind, column]) =>
    kind === "full" && !isBlank(row[column] ?? "") ? [row[column]!] : [],
  );
  if (new Set(full.map((name) => name.toLowerCase())).size > 1) return leftOut(row, REASONS.twoColumns);
  const entry = entryOf(maybe[0] ?? nameOf(row, names), cells);
  // A row with neither is said as well.
  const isSilent = entry.people.length + entry.unreadable.length + entry.numberless.length === 0;
  const text = row.filter((cell) => !isBlank(cell)).join(" ");
  return isSilent && text !== "" ? { ...entry, numberless: [text.slice(0, LEFT_CHARS)] } : entry;
}

/** What makes up a name where no column has all of it. */
const WAYS: Name[][] = [["given", "middle", "family"], ["short"], ["firm"]];
const NAMES: readonly Kind[] = ["full", ...WAYS.flat()];

function nameOf(row: string[], names: Columns["names"]): string {
  const cellOf = (kind: Kind) =>
    names
      .filter(([one]) => one === kind)
      .map(([, at]) => row[at] ?? "")
      .find((it) => it !== "") ?? "";
  const [full, given, family] = [cellOf("full"), cellOf("given"), cellOf("family")];
  // Beside a surname alone, "Name" is the first one.
  if (full !== "") return given === "" && family !== "" && !full.includes(family) ? `${full} ${family}` : full;
  const ways = WAYS.map((way) =>
    way
      .map(cellOf)
      .filter((it) => it !== "")
      .join(" "),
  );
  return ways.find((way) => way !== "") ?? "";
}

function leftOut(row: string[], reason: string): Entry {
  const text = row.filter((cell) => cell !== "").join("\t");
  return { people: [], unreadable: [{ text: text.slice(0, LEFT_CHARS), reason }], numberless: [] };
}

const LEFT_CHARS = 300;
