// A table as a person sees it, and the programs that save it: Excel, LibreOffice, portals, old Excel, text editors.
// Some of the files are written part by part, so that a reader is not tested against its own library alone.
import { type CellObject, utils, type WorkSheet, write } from "@e965/xlsx";
import { packageByHand } from "./package.ts";
import type { Random } from "./random.ts";

/** A cell: a text, a number, an error, a formula without a result, a text that is struck out; null is empty. */
export type GridCell = string | number | { error: string } | { formula: string } | { struck: string } | null;

export type Grid = {
  rows: GridCell[][];
  /** Indexes of rows that are hidden. */
  hidden: Set<number>;
  /** A sheet in front of the open one, with other rows. */
  other: GridCell[][] | null;
};

/** What a table's cells and sheets need of the file that holds it. */
export type Needs = { hides: boolean; sheets: boolean; formulas: boolean; strikes: boolean };

export type Program = {
  name: string;
  /** What a file of this kind can hold. */
  can: Needs;
  /** Whether figures are written with a decimal comma. */
  isContinental?: boolean;
  save: (grid: Grid, random: Random) => Uint8Array;
};

const ALL: Needs = { hides: true, sheets: true, formulas: true, strikes: true };
const OF_LIBRARY: Needs = { hides: true, sheets: false, formulas: false, strikes: false };
const TEXT: Needs = { hides: false, sheets: false, formulas: false, strikes: false };

export const PROGRAMS: readonly Program[] = [
  { name: "by-hand.xlsx", can: ALL, save: packageByHand },
  { name: "library.xlsx", can: OF_LIBRARY, save: (grid) => byLibrary(grid, "xlsx") },
  { name: "old.xls", can: TEXT, save: (grid) => byLibrary(grid, "biff8") },
  { name: "2003.xls", can: OF_LIBRARY, save: (grid) => byLibrary(grid, "xlml") },
  { name: "page.xls", can: { ...TEXT, hides: true, strikes: true }, save: pageByHand },
  ...(["utf-8", "utf-8 with mark", "utf-16le", "utf-16be", "windows-1252"] as const).flatMap((encoding) =>
    ([",", ";", "\t"] as const).map(
      (mark): Program => ({
        name: `${encoding} ${mark === "\t" ? "tab" : mark}.csv`,
        can: TEXT,
        isContinental: mark === ";",
        save: (grid, random) => encoded(csv(grid, mark, random), encoding),
      }),
    ),
  ),
];

export const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A cell as a text shows it. */
export function shown(cell: GridCell, isContinental = false): string {
  if (cell === null) return "";
  if (typeof cell === "number") return isContinental ? String(cell).replace(".", ",") : String(cell);
  if (typeof cell === "string") return cell;
  if ("error" in cell) return cell.error;
  return "struck" in cell ? cell.struck : "";
}

const MARKS = { "utf-8 with mark": [0xef, 0xbb, 0xbf], "utf-16le": [0xff, 0xfe], "utf-16be": [0xfe, 0xff] };
type Encoding = "utf-8" | "windows-1252" | keyof typeof MARKS;

export function encoded(text: string, encoding: Encoding): Uint8Array {
  const mark = encoding in MARKS ? MARKS[encoding as keyof typeof MARKS] : [];
  const body =
    encoding === "windows-1252"
      ? Buffer.from(text, "latin1")
      : encoding.startsWith("utf-16")
        ? Buffer.from(text, "utf16le")
        : Buffer.from(text);
  return Buffer.concat([Buffer.from(mark), encoding === "utf-16be" ? body.swap16() : body]);
}

function csv(grid: Grid, mark: string, random: Random): string {
  const quotesAll = random.chance(25);
  const end = random.one(["\n", "\r\n"]);
  const cell = (value: GridCell) => {
    const text = shown(value, mark === ";");
    const needsQuotes = text.includes(mark) || text.includes('"') || text.includes("\n");
    return quotesAll || needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const lines = grid.rows.map((row) => row.map(cell).join(mark));
  const head = mark === ";" && random.chance(20) ? [`sep=${mark}`] : [];
  return [...head, ...lines, ""].join(end);
}

function pageByHand(grid: Grid, random: Random): Uint8Array {
  const tag = random.one(["td", "TD"]);
  const cell = (value: GridCell) => {
    const text = escaped(shown(value));
    const isStruck = value !== null && typeof value === "object" && "struck" in value;
    return `<${tag}>${isStruck ? `<s>${text}</s>` : text}</${tag}>`;
  };
  const rows = grid.rows.map((row, at) => {
    const hides = grid.hidden.has(at) ? ' style="display:none"' : "";
    return `<tr${hides}>${row.map(cell).join(random.one(["", "\n"]))}</tr>`;
  });
  const head = '<head><meta charset="utf-8"></head>';
  const page = `<html>${head}<body><table border=1>${rows.join("\n")}</table></body></html>`;
  return encoded(page, "utf-8");
}

function byLibrary(grid: Grid, bookType: "xlsx" | "biff8" | "xlml"): Uint8Array {
  const sheetOf = (rows: GridCell[][], hidden: Set<number>): WorkSheet => {
    const sheet: WorkSheet = {};
    for (const [r, row] of rows.entries())
      for (const [c, value] of row.entries()) {
        const cell = libraryCell(value);
        if (cell) sheet[utils.encode_cell({ r, c })] = cell;
      }
    const width = Math.max(1, ...rows.map((row) => row.length));
    sheet["!ref"] = utils.encode_range({
      s: { r: 0, c: 0 },
      e: { r: Math.max(0, rows.length - 1), c: width - 1 },
    });
    if (hidden.size > 0) sheet["!rows"] = rows.map((_, r) => (hidden.has(r) ? { hidden: true } : {}));
    return sheet;
  };
  const book = utils.book_new();
  utils.book_append_sheet(book, sheetOf(grid.rows, grid.hidden), "Today");
  return new Uint8Array(write(book, { type: "array", bookType }) as ArrayBuffer);
}

function libraryCell(value: GridCell): CellObject | null {
  if (value === null) return null;
  if (typeof value === "number") return { t: "n", v: value };
  if (typeof value === "string") return { t: "s", v: value };
  if ("error" in value) return { t: "e", v: ERROR_CODES[value.error] ?? 15, w: value.error };
  throw new Error("the library cannot write this cell");
}

const ERROR_CODES: Record<string, number> = { "#N/A": 42, "#VALUE!": 15, "#REF!": 23, "#DIV/0!": 7 };
