// The columns of a table of results, by their headings. Only a column for the status decides the outcome of its lines:
// "Yes" below "Ported" or "OK" below "Valid" is none.

import { parseMsisdn } from "../phones/msisdn.ts";
import { annotate, megabytes } from "./bulk-names.ts";
import { type Outcome, yesOrNo } from "./result-outcomes.ts";

export type ColumnKind = "number" | "status" | "answer" | "size" | "note" | "other" | "unknown";

export type ResultColumn = {
  kind: ColumnKind;
  /** As it stands in the table. */
  title: string;
  /** What "Yes" means in a column whose heading is an outcome, such as "Delivered". */
  outcome?: Outcome;
};
export type ResultTable = { mark: string; columns: ResultColumn[] };

const MARKS = ["\t", ";", ",", "|"] as const;
const HEADING_CHARS_MAX = 60;

/** The table that a row of headings begins: it names a column of numbers or statuses, and has no digit. */
export function tableOf(row: string): ResultTable | null {
  if (/\d/.test(row)) return null;
  const mark = markOf(row);
  const titles = cellsOf(row, mark);
  if (titles.length < 2 || titles.some((title) => title.length > HEADING_CHARS_MAX)) return null;
  const columns = titles.map(columnCalled);
  return columns.some(({ kind }) => kind === "number" || kind === "status") ? { mark, columns } : null;
}

/** The mark between the cells of a row: of those outside of quotes the first of tab, semicolon, comma and bar. */
export function markOf(row: string): string {
  const bare = row.replace(/"[^"]*"/g, "");
  return MARKS.find((mark) => bare.includes(mark)) ?? ",";
}

/** The cells of a row, without their quotes. */
export function cellsOf(row: string, mark: string): string[] {
  const cells: string[] = [];
  let at = 0;
  while (at <= row.length) {
    const quoted = /^\s{0,9}"((?:[^"]|"")*)"\s{0,9}/.exec(row.slice(at));
    const isWhole = quoted && (row[at + quoted[0].length] ?? mark) === mark;
    const found = row.indexOf(mark, at);
    const end = isWhole ? at + quoted[0].length : found < 0 ? row.length : found;
    const cell = isWhole ? quoted[1]!.replaceAll('""', '"') : row.slice(at, end);
    cells.push(cell.trim().replace(/^["'‘“]|["'’”]$/g, ""));
    at = end + 1;
  }
  return cells;
}

const normalized = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, " ")
    .trim();

/** Any of the names as whole words. */
const anyOf = (...names: string[]) => new RegExp(String.raw`\b(?:${names.join("|")})\b`);

const PHONE = anyOf(
  "phone|mobile|cell|contact|tel|telephone|msisdn|recipients?|beneficiary|receiver|numbers?|customer|destination",
  "client",
);
const OTHER_NUMBER = anyOf(
  "sender|from|agent|reseller|payer|momo|wallet|seller|owner|caller|alternate|name|type|email|(?:no|number) of",
  "(?:order|transaction|trans|txn|reference|ref|receipt|batch|account|serial|line|row|id|card) (?:no|numbers?|id)",
);
/** What a status may be of; "payment status" or "number status" is none of the delivery. */
const STATUS_OF =
  "delivery|order|final|bundle|data|transaction|trans|txn|recharge|top ?up|request|processing|current|vendor|provider" +
  "|item|fulfil?lment|send|sending";
const STATUS = new RegExp(`^(?:(?:${STATUS_OF}) )?(?:status|state|results?|outcomes?)$`);
const ANSWERS: readonly [RegExp, Outcome][] = [
  [/^(?:is |was )?(?:delivered|successful|success|completed?|done|delivery successful)$/, "delivered"],
  [/^(?:is |was |has )?(?:failed|failure|undelivered|not delivered|rejected|declined|cancell?ed)$/, "failed"],
  [/^(?:is |still )?(?:pending|processing|in progress)$/, "pending"],
];
const SIZE = anyOf("gbs?|gigs?|gigabytes?|mbs?|megabytes?|data|size|volume|bundle|package|plan|product|offer|capacity");
const NOTE = anyOf("reason|message|remarks?|comments?|notes?|description|details?|response|errors?|feedback|narration");
/** Answers about the number or the order that are none about its delivery, and figures of other things. */
const OTHER = anyOf(
  "valid|validated|ported|verified|active|registered|paid|payment|kyc|checked|eligible|known|reachable|blocked",
  "network|operator|provider|carrier|telco|date|time|at|on|name|price|amount|cost|fee|total|balance|qty|quantity",
  "id|ref|reference|no|sn|serial|index|row|line|batch|status|state|type|channel|agent|user|sent|submitted|refunded",
  "code",
);

function columnCalled(title: string): ResultColumn {
  const name = normalized(title);
  const outcome = ANSWERS.find(([pattern]) => pattern.test(name))?.[1];
  if (outcome) return { kind: "answer", title, outcome };
  return { kind: kindOf(name), title };
}

function kindOf(name: string): ColumnKind {
  if (name === "") return "unknown";
  if (STATUS.test(name)) return "status";
  if (NOTE.test(name)) return "note";
  if (OTHER_NUMBER.test(name)) return "other";
  if (PHONE.test(name) && !/\b(?:status|valid|ported|verified|network)\b/.test(name)) return "number";
  if (/\b(?:amount|price|cost)\b/.test(name)) return "other";
  if (SIZE.test(name)) return "size";
  return OTHER.test(name) ? "other" : "unknown";
}

/** The size in a cell of its column, in MB; null for an empty cell, undefined where it cannot be read. */
export function sizeIn(cell: string, { title }: ResultColumn): number | null | undefined {
  const text = cell.replace(/(\d),(\d{1,2})(?!\d)/, "$1.$2").trim();
  if (text === "") return null;
  const bare = /^(\d{1,5}(?:\.\d{1,3})?)$/.exec(text);
  if (bare) return megabytes(Number(bare[1]), /\bm(?:b|bs|egabytes?)\b/.test(normalized(title)) ? "mb" : "gb");
  const { sizes } = annotate(text);
  return sizes.length === 1 && sizes[0]! > 0 ? sizes[0] : undefined;
}

/** The outcome of an answer below a heading such as "Delivered"; the text to ask about, or null for an empty cell. */
export function answerIn(cell: string, { outcome, title }: ResultColumn): Outcome | { unclear: string } | null {
  if (cell.trim() === "") return null;
  const answer = yesOrNo(cell);
  if (answer === true) return outcome!;
  // "Failed: no" may still be on its way.
  if (answer === false && outcome === "delivered") return "failed";
  return { unclear: underHeading(title, cell) };
}

/** A text of one column, with its heading: "Ported: yes". */
export const underHeading = (title: string, cell: string) => (title ? `${title}: ${cell}` : cell);

/** The one number in the columns for it, or in those of no known heading; "several" for different ones. */
export function numberIn(cells: readonly string[], { columns }: ResultTable): string | null | "several" {
  const wanted = columns.some(({ kind }) => kind === "number") ? "number" : "unknown";
  const numbers = new Set(
    columns.flatMap(({ kind }, at) => (kind === wanted ? (parseMsisdn(cells[at] ?? "") ?? []) : [])),
  );
  if (numbers.size > 1) return "several";
  return [...numbers][0] ?? null;
}
