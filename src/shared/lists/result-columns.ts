// The columns of a table of results, by their headings. Only a column for the status decides the outcome of its lines:
// "Yes" below "Ported" or "OK" below "Valid" is none.

import { annotate, megabytes, UNITS } from "./bulk-names.ts";
import type { Outcome } from "./result-outcomes.ts";
import { isAboutReturn } from "./result-troubles.ts";

export type ColumnKind = "number" | "status" | "answer" | "size" | "type" | "note" | "other" | "unknown";

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

/** The table that a row of headings begins: it names a column of numbers or statuses, perhaps as "Phone 1". */
export function tableOf(row: string): ResultTable | null {
  if (/\d{3}/.test(row)) return null;
  const mark = markOf(row);
  const titles = cellsOf(row, mark);
  const isTitle = (title: string) => title.length <= HEADING_CHARS_MAX && !/^\P{L}*\d\P{L}*$/u.test(title);
  if (titles.length < 2 || !titles.every(isTitle)) return null;
  const columns = titles.map(columnCalled);
  return columns.some(({ kind }) => kind === "number" || kind === "status") ? { mark, columns } : null;
}

/** The row and the table of a line that is an object of JSON, by itself or in an array; null for any other line. */
export function objectOn(row: string): { cells: string[]; table: ResultTable } | null {
  const text = row
    .trim()
    .replace(/,$/, "")
    .replace(/^\[(.*)\]$/, "$1");
  if (!text.startsWith("{")) return null;
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, unknown>);
    const cells = entries.map(([, value]) => (typeof value === "object" ? JSON.stringify(value ?? "") : String(value)));
    return {
      cells: cells.map((cell) => (cell === '""' ? "" : cell)),
      table: { mark: ",", columns: entries.map(([title]) => columnCalled(title)) },
    };
  } catch {
    return null;
  }
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
    .replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ")
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
  "sender|from|agent|reseller|payer|buyer|purchaser|dealer|merchant|momo|wallet|seller|owner|caller|alternate",
  "name|type|email|(?:no|number) of",
  "(?:order|transaction|trans|txn|reference|ref|receipt|batch|account|serial|line|row|id|card) (?:no|numbers?|id)",
);
/** What a status may be of; "payment status" or "number status" is none of the delivery. */
const STATUS_OF =
  "delivery|order|final|bundle|data|transaction|trans|txn|recharge|top ?up|current|vendor|provider|item|fulfil?lment";
/** Steps on the way to a delivery, which may be a success without one. */
const STEP = /^(?:request|processing|send|sending|submission) (?:status|state|results?)$/;
/** What was done, which may be no delivery of data. */
const TYPE = new RegExp(
  "^(?:(?:transaction|trans|txn|order|request|service|entry|record) )?" +
    "(?:type|kind|action|service|category|event|activity|operation|purpose|debit credit|credit debit|dr cr|cr dr)$",
);
/** Columns of what a figure counts: beside one, 1 and 0 are no yes and no. */
const COUNT = /\b(?:ordered|requested|qty|quantity|total|count|pieces|pcs|units|bundles|numbers? of|no of)\b/;
const STATUS = new RegExp(`^(?:(?:${STATUS_OF}) )?(?:status|state|results?|outcomes?)$`);
const ANSWERS: readonly [RegExp, Outcome][] = [
  [/^(?:is |was )?(?:delivered|successful|success|completed?|done|delivery successful)$/, "delivered"],
  [/^(?:is |was |has )?(?:failed|failure|undelivered|not delivered|rejected|declined|cancell?ed)$/, "failed"],
  [/^(?:is |still )?(?:pending|processing|in progress)$/, "pending"],
];
const SIZE = anyOf(UNITS, "data|size|volume|bundle|package|plan|product|offer|capacity");
const NOTE = anyOf("reason|message|remarks?|comments?|notes?|description|details?|response|errors?|feedback|narration");
const CHECKED =
  "valid|validated|ported|verified|active|registered|paid|payment|kyc|checked|eligible|known|reachable|blocked";
/** Answers about the number or the order that are none about its delivery, and figures of other things. */
const OTHER = anyOf(
  CHECKED,
  "network|operator|provider|carrier|telco|date|time|at|on|by|name|price|amount|cost|fee|total|balance|qty|quantity",
  "id|ref|reference|no|sn|s n|serial|index|row|line|batch|status|state|type|channel|agent|user",
  "code",
);

function columnCalled(title: string): ResultColumn {
  const name = normalized(title);
  // "#" counts the rows.
  if (name === "" && title !== "") return { kind: "other", title };
  const outcome = ANSWERS.find(([pattern]) => pattern.test(name))?.[1];
  if (outcome) return { kind: "answer", title, outcome };
  return { kind: kindOf(name), title };
}

function kindOf(name: string): ColumnKind {
  if (name === "") return "unknown";
  if (STATUS.test(name)) return "status";
  if (TYPE.test(name)) return "type";
  if (STEP.test(name) || isBackCalled(name)) return "unknown";
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
  return sizes.length === 1 ? sizes[0] : undefined;
}

/** What takes a delivery back, and is none unless its cell says no. A return code is that of a program. */
const isBackCalled = (name: string) =>
  isAboutReturn(name.replace(/\breturn (?=code|message|value|status)/, "")) || /disput/.test(name);

export const isTakenBack = ({ title }: ResultColumn) => isBackCalled(normalized(title));

/** "Cancelled at". */
export const isOfFailure = ({ title }: ResultColumn) =>
  /\b(?:fail|cancel|reject|declin|abort|den(?:ied|ial)|timed? ?out|undeliver|unsuccess|error|delet|remov)/.test(
    normalized(title),
  );

/** "Delivered GB", "Sent": 0 below it is a delivery of nothing. */
export const isOfDelivery = ({ kind, title }: ResultColumn) =>
  (kind !== "other" || COUNT.test(normalized(title))) &&
  /\b(?:delivered|success\w*|completed|received|credited|sent|fulfilled|loaded)\b/.test(normalized(title));

/** "Delivered at", which is filled for what was delivered. */
export const isTimeOfDelivery = ({ title }: ResultColumn) =>
  /^(?:delivered (?:at|on|date|time|date time)|(?:date|time) delivered)$/.test(normalized(title));

/** What may have failed, or not be so, without a word about the delivery: "Payment status: Failed". */
export const isElsewhere = ({ kind, title }: ResultColumn) => kind === "other" && ELSEWHERE.test(normalized(title));
const ELSEWHERE = anyOf(CHECKED, "name|email|number|sim|wallet");

/** Whether a row has other figures, so that 1 and 0 below a heading such as "Delivered" may be counts as well. */
export function hasCounts(cells: readonly string[], { columns }: ResultTable): boolean {
  return columns.some(
    ({ kind, title }, at) =>
      /\d/.test(cells[at]!) &&
      (kind === "size" || COUNT.test(normalized(title)) || (kind === "unknown" && /^\s*\d{1,4}\s*$/.test(cells[at]!))),
  );
}

/** A text of one column, with its heading: "Ported: yes". */
export const underHeading = (title: string, cell: string) => (title ? `${title}: ${cell}` : cell);
