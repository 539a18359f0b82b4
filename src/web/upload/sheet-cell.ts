// The value of one cell of a workbook, as a text that says no more than the sheet knows.
import type { CellObject } from "@e965/xlsx";
import type { Cell } from "./sheet.ts";
import type { SheetJs } from "./workbook.ts";

type Context = { sheetJs: SheetJs; is1904: boolean };

/** Reads a cell; see Cell for its text. */
export function cellOf(cell: CellObject, isStruck: boolean, context: Context): Cell {
  const read = readValue(cell, context);
  if (read.text === "" || read.lack !== null) return read;
  const isPartlyStruck = cell.t === "s" && (cell.h?.includes("<s>") ?? false);
  return isStruck || isPartlyStruck ? { text: `#struck out: ${read.text}`, lack: "struck" } : read;
}

/** A cell that reaches over several rows: a text goes for all of them, a figure for each or together. */
export function mergedCell(cell: Cell, rowsCount: number): Cell {
  if (cell.lack !== null || !/^\d{1,6}(?:\.\d+)?$/.test(cell.text)) return cell;
  return { text: `#for ${rowsCount} rows: ${cell.text}`, lack: "merged" };
}

function readValue(cell: CellObject, context: Context): Cell {
  switch (cell.t) {
    case "z":
      return cell.f ? { text: "#no result", lack: "formula" } : plain("");
    case "e":
      return { text: cell.w?.startsWith("#") ? cell.w : "#VALUE!", lack: "error" };
    case "b":
      return plain(cell.v ? "TRUE" : "FALSE");
    case "n":
      return numberOf(cell, context);
    default:
      return plain(String(cell.v ?? "").trim());
  }
}

const plain = (text: string): Cell => ({ text, lack: null });

function numberOf({ v, w, z }: CellObject, context: Context): Cell {
  const value = Number(v);
  const date = dateOf(value, z, context);
  if (date !== null) return plain(date);
  const shown = (w ?? "").trim();
  // A format may carry the unit: 5 shown as "5 GB", 0.5 as "50%".
  if (/^\d[\d.,]* ?(?:[gm]b?s?|gigs?|%)$/i.test(shown)) return plain(shown);
  const digits = digitsOf(value);
  if (digits.includes("e") || !/^-?\d[\d,]*(?:\.\d+)?$/.test(shown)) return plain(digits);
  const figure = shown.replaceAll(",", "");
  const apart = Math.abs(Number(figure) - value);
  if (apart > SHOWN_APART) return { text: `#${shown} or ${digits}`, lack: "rounded" };
  // As it is shown where that is exact: with the zeros of 3.90, or of a number with its zero.
  const isExact = apart < SHOWN_EXACTLY && !(Number.isInteger(value) && figure.includes("."));
  return plain(isExact ? figure : digits);
}

/** Amounts may be shown to the pesewa. */
const SHOWN_APART = 0.0051;
const SHOWN_EXACTLY = 1e-9;

/**
 * A number in full: sheets store 233241234567 as it is, or as 2.33241234567E11. One that ends in six zeros was rounded
 * before it was saved, and stays in the exponential form that shows it.
 */
function digitsOf(value: number): string {
  if (!Number.isSafeInteger(value)) return String(Math.abs(value) < 1e12 ? Number(value.toPrecision(12)) : value);
  return value >= 1e10 && value % 1e6 === 0 ? value.toExponential() : String(value);
}

/** The days of the years 1900 to 2199. */
const DAYS_MAX = 110_000;

/** A number that is shown as a date, in a form that is the same in every country. */
function dateOf(value: number, format: CellObject["z"], { sheetJs, is1904 }: Context): string | null {
  if (typeof format !== "string" || value < 0 || value > DAYS_MAX || !sheetJs.SSF.is_date(format)) return null;
  const parts: Record<"y" | "m" | "d" | "H" | "M" | "S", number> | null = sheetJs.SSF.parse_date_code(value, {
    date1904: is1904,
  });
  if (!parts) return null;
  const two = (part: number) => String(part).padStart(2, "0");
  const [day, time] = [`${parts.y}-${two(parts.m)}-${two(parts.d)}`, [parts.H, parts.M, parts.S].map(two).join(":")];
  if (value < 1) return time;
  return Number.isInteger(value) ? day : `${day} ${time}`;
}
