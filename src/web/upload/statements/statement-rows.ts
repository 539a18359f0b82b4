// The rows of a mobile money statement below its headings, with their figures read.
import { type DecimalMark, decimalMarkIn, writtenCedis } from "../../../shared/lists/written-amounts.ts";
import { FIELDS, type Field, type Mapping, ROW_CHARS } from "./statement-columns.ts";

const NAMES = Object.keys(FIELDS) as Field[];
export const MONEY = ["amount", "moneyIn", "moneyOut", "before", "after", "fee", "levy"] as const;

export type Row = {
  /** In the file, from 1. */
  number: number;
  text: (field: Field) => string;
  /** In pesewas; null for an empty cell, undefined for a figure that cannot be read. */
  money: Record<(typeof MONEY)[number], number | null | undefined>;
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
  return below.map(({ row, number, text }) => ({
    number,
    text,
    money: Object.fromEntries(MONEY.map((field) => [field, figureIn(text(field), mark)])) as Row["money"],
    summary: idIn(text("id")) === null && text("problem") === "" ? summaryIn(row) : null,
  }));
}

function textsOf(row: readonly string[], mapping: Mapping): Row["text"] {
  return (field) => (row[mapping[field] ?? -1] ?? "").trim().slice(0, ROW_CHARS);
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

function figureIn(text: string, mark: DecimalMark): number | null | undefined {
  const figure = text.replace(/^\+/, "").replace(SIDE, "").trim();
  return /^[-–—]?$/.test(figure) ? null : (writtenCedis(figure, mark) ?? undefined);
}

/** "0000012062913379", "'40125566778"; not "4.01E+10", of which a spreadsheet has lost the end. */
export function idIn(text: string): string | null {
  const digits = text.replace(/[\s']/g, "").replace(/^0+(?=\d)/, "");
  return /^[1-9]\d{5,19}$/.test(digits) ? digits : null;
}
