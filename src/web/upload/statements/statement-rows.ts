// The rows of a mobile money statement below its headings, with their figures read.
import { type DecimalMark, decimalMarkIn, writtenCedis } from "../../../shared/lists/written-amounts.ts";
import { COLUMNS_MAX, FIELDS, type Field, type Mapping, ROW_CHARS } from "./statement-columns.ts";
import { isNoIncome, type Trouble, troubleIn, troubleInName } from "./statement-trouble.ts";

const NAMES = Object.keys(FIELDS) as Field[];
export const MONEY = ["amount", "moneyIn", "moneyOut", "before", "after", "fee", "levy"] as const;

export type Row = {
  /** In the file, from 1. */
  number: number;
  text: (field: Field) => string;
  /** In pesewas; null for an empty cell, undefined for a figure that cannot be read. */
  money: Record<(typeof MONEY)[number], number | null | undefined>;
  /** What its cells say against its money, that it was taken back before all else; with the IDs that they name. */
  trouble: (Trouble & { names: string[] }) | null;
  /** A text in no known column that speaks against money that came in, where nothing else tells its way. */
  noIncome: string | null;
  /** What its cells name that may be a transaction's ID. */
  named: string[];
  /** A total or a balance of the account among the transactions. */
  summary: "total" | "balance" | null;
};

/** The rows below the headings that are not empty. */
export function rowsBelow(cells: readonly string[][], headingRow: number, mapping: Mapping): Row[] {
  const heading = headingRow < 0 ? null : cells[headingRow]!.join("\t");
  const below = cells
    .map((row, index) => ({ row, number: index + 1, text: textsOf(row, mapping) }))
    .slice(headingRow + 1)
    // Pages of a printed statement repeat the headings.
    .filter(({ row, text }) => row.join("\t") !== heading && NAMES.some((name) => text(name) !== ""));
  const mark = decimalMarkIn(below.flatMap(({ text }) => MONEY.map((field) => text(field))));
  const headings = headingRow < 0 ? [] : cells[headingRow]!;
  return below.map(({ row, number, text }) => ({
    number,
    text,
    money: Object.fromEntries(MONEY.map((field) => [field, moneyIn(field, text(field), mark)])) as Row["money"],
    trouble: troubleOf(row, headings, mapping),
    noIncome: noIncomeIn(row, headings, mapping),
    named: row.slice(0, COLUMNS_MAX).flatMap((cell) => namedIn(cell.slice(0, ROW_CHARS))),
    summary: idIn(text("id")) === null && text("problem") === "" ? summaryIn(row) : null,
  }));
}

function textsOf(row: readonly string[], mapping: Mapping): Row["text"] {
  return (field) => (row[mapping[field] ?? -1] ?? "").trim().slice(0, ROW_CHARS);
}

/** What stands in the columns of these is read by itself. */
const SPEAK_FOR_THEMSELVES = new Set<Field>(["id", ...MONEY, "status", "at", "time", "number", "problem"]);

function troubleOf(row: readonly string[], headings: readonly string[], mapping: Mapping): Row["trouble"] {
  const columnsOf = (names: Field[]) => new Set(names.map((name) => mapping[name]));
  const apart = columnsOf(NAMES.filter((name) => SPEAK_FOR_THEMSELVES.has(name))).difference(
    // The other party of a transaction is a number and a name.
    columnsOf(NAMES.filter((name) => !SPEAK_FOR_THEMSELVES.has(name))),
  );
  const read = (at: number) => (at === mapping.name ? troubleInName : troubleIn);
  const troubles = row
    .slice(0, COLUMNS_MAX)
    .flatMap((cell, at) => (apart.has(at) ? [] : (read(at)(textOf(cell), textOf(headings[at])) ?? [])));
  const found = troubles.find(({ isTakenBack }) => isTakenBack) ?? troubles[0] ?? null;
  const names = troubles.flatMap(({ text }) => namedIn(text));
  return found && { ...found, isUnclear: troubles.some(({ isUnclear }) => isUnclear), names };
}

function noIncomeIn(row: readonly string[], headings: readonly string[], mapping: Mapping): string | null {
  const known = new Set(Object.values(mapping));
  const texts = row.slice(0, COLUMNS_MAX).map(textOf);
  return texts.find((text, at) => !known.has(at) && isNoIncome(text, textOf(headings[at]))) ?? null;
}

const textOf = (cell: string | undefined) => (cell ?? "").trim().slice(0, ROW_CHARS);

/** A phone number, or a day with its time. */
const IS_NO_ID = /^(?:(?:233|0)\d{9}|20\d\d(?:0\d|1[0-2])[0-3]\d(?:\d{4}|\d{6})?)$/;
/** The IDs in a text. */
function namedIn(text: string): string[] {
  const digits = text.match(/(?<![\d.,])\d{6,20}(?![\d]|[.,]\d)/g) ?? [];
  return digits.filter((one) => !IS_NO_ID.test(one)).flatMap((one) => idIn(one) ?? []);
}

const TOTAL = /^\s{0,9}(?:grand |sub[- ]?)?totals?\b/i;
const BALANCE =
  /^\s{0,9}(?:(?:opening|closing|starting|ending|previous) balance|balance (?:brought|carried)|page \d)|\b[bc]\/f\b/i;

function summaryIn(row: readonly string[]): Row["summary"] {
  if (row.some((cell) => TOTAL.test(cell))) return "total";
  return row.some((cell) => BALANCE.test(cell)) ? "balance" : null;
}

/** The side behind an amount: "50.00 DR". */
export const SIDE = /\s?\b(cr|dr)\.?$/i;

/** A balance of an overdrawn account is below zero. */
function moneyIn(field: Field, text: string, mark: DecimalMark): number | null | undefined {
  const figure = figureIn(text, mark);
  const isOverdrawn = (field === "before" || field === "after") && /\bdr\.?$/i.test(text);
  return figure && isOverdrawn ? -Math.abs(figure) : figure;
}

function figureIn(text: string, mark: DecimalMark): number | null | undefined {
  const figure = text.replace(/^\+/, "").replace(SIDE, "").trim();
  return /^[-–—]?$/.test(figure) ? null : (writtenCedis(figure, mark) ?? undefined);
}

/** "0000012062913379", "'40125566778", "40125566778.0"; not "4.01E+10", of which a spreadsheet has lost the end. */
export function idIn(text: string): string | null {
  const digits = text
    .replace(/[\s']/g, "")
    .replace(/(?<=^\d{6,20})\.0{1,2}$/, "")
    .replace(/^0+(?=\d)/, "");
  return /^[1-9]\d{5,19}$/.test(digits) ? digits : null;
}
