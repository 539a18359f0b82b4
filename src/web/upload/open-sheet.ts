// The sheet of a workbook that was open when it was saved, without its hidden rows and columns. What is not read is
// said in notes.
import type { CellObject, ColInfo, Range, RowInfo, WorkBook, WorkSheet } from "@e965/xlsx";
import { uploadLimits } from "../../shared/upload-limits.ts";
import type { Cell, Sheet } from "./sheet.ts";
import { cellOf, mergedCell } from "./sheet-cell.ts";
import { DAMAGED, UnreadableFile } from "./unreadable.ts";
import type { SheetJs } from "./workbook.ts";

type Place = { sheet: string; row: number; column: number };
type Reading = {
  sheetJs: SheetJs;
  /** The index of the sheet that was open. */
  open: number;
  isStruck: (cell: CellObject, place: Place) => boolean;
};

/** Beyond a gap of this many empty rows, rows are no longer numbered as in the file. */
const GAP_MAX = 1_000;

/** Reads the open sheet; if it is empty or hidden, the first one that is neither. Throws UnreadableFile. */
export function openSheet(book: WorkBook, reading: Reading): Sheet {
  const sheets = book.SheetNames.flatMap((name, index): Known[] => {
    const sheet = book.Sheets[name];
    if (!sheet?.["!data"]) return [];
    return [{ name, index, sheet, filled: filledRows(sheet), isHidden: isHidden(book, index) }];
  });
  if (sheets.length === 0) throw new UnreadableFile(DAMAGED);
  const seen = sheets.filter(({ filled, isHidden }) => filled.length > 0 && !isHidden);
  const known = seen.find(({ index }) => index === reading.open) ?? seen[0];
  if (!known) return { rows: [], notes: [] };
  const others = sheets.filter((one) => one !== known && one.filled.length > 0);
  const { rows, notes } = visible(known, book, reading);
  return { rows, notes: [...othersNote(known, others, reading.open), ...notes] };
}

const isHidden = (book: WorkBook, index: number) => Boolean(book.Workbook?.Sheets?.[index]?.Hidden);

type Known = { name: string; index: number; sheet: WorkSheet; filled: number[]; isHidden: boolean };

const OTHERS_NAMED = 3;

function othersNote(known: Known, others: Known[], open: number): string[] {
  if (others.length === 0) return [];
  const which = known.index === open ? "which was open" : "the first one with rows";
  const named = others.slice(0, OTHERS_NAMED).map(({ name, filled, isHidden }) => {
    const rows = filled.length === 1 ? "1 more row" : `${filled.length.toLocaleString("en")} more rows`;
    return `${isHidden ? "The hidden sheet " : ""}“${name}” has ${rows}.`;
  });
  const rest = others.length - OTHERS_NAMED;
  const more = rest > 0 ? [`So have ${rest === 1 ? "1 other sheet" : `${rest} other sheets`}.`] : [];
  return [[`Read the sheet “${known.name}”, ${which}.`, ...named, ...more].join(" ")];
}

/** The indexes of the rows that hold something. */
function filledRows(sheet: WorkSheet): number[] {
  const data = sheet["!data"]!;
  // Hostile files have cells in row four billion: the keys are those that are there.
  return Object.keys(data).flatMap((key) => {
    const cells: CellObject[] = data[Number(key)] ?? [];
    return Object.values(cells).some((cell) => cell && (cell.t !== "z" || cell.f)) ? [Number(key)] : [];
  });
}

/** The rows that are seen, and notes on those that are not. */
function visible({ name, sheet, filled }: Known, book: WorkBook, { sheetJs, isStruck }: Reading): Sheet {
  const [hiddenRows, hiddenColumns] = [new Set<number>(), new Set<number>()];
  const context = { sheetJs, is1904: Boolean(book.Workbook?.WBProps?.date1904) };
  const data = sheet["!data"]!;
  const merges = mergesDown(sheet);
  const read = (row: number, column: number): Cell => {
    const cell: CellObject | undefined = data[row]?.[column];
    return cell ? cellOf(cell, isStruck(cell, { sheet: name, row, column }), context) : EMPTY;
  };
  const rows: Cell[][] = [];
  for (const row of filled) {
    if (isCollapsed(sheet["!rows"]?.[row])) {
      hiddenRows.add(row);
      continue;
    }
    const cells: Cell[] = [];
    const keep = (column: number, cell: Cell) => {
      if (cell.text === "") return;
      if (isCollapsed(sheet["!cols"]?.[column])) hiddenColumns.add(column);
      else if (column < uploadLimits.columns) cells[column] = cell;
    };
    for (const key of Object.keys(data[row]!)) keep(Number(key), read(row, Number(key)));
    for (const { s, e } of merges.get(row) ?? []) keep(s.c, mergedCell(read(s.r, s.c), e.r - s.r + 1));
    const at = Math.min(row, rows.length + GAP_MAX);
    while (rows.length < at) rows.push([]);
    rows.push(Array.from(cells, (cell) => cell ?? EMPTY));
  }
  const notes = [
    hiddenNote(
      "row",
      "rows",
      [...hiddenRows].map((row) => String(row + 1)),
    ),
    hiddenNote(
      "column",
      "columns",
      [...hiddenColumns].map((column) => sheetJs.utils.encode_col(column)),
    ),
  ];
  return { rows, notes: notes.filter((note) => note !== "") };
}

const EMPTY: Cell = { text: "", lack: null };

/** Hidden, or of no height or width. */
function isCollapsed(info: RowInfo | ColInfo | undefined): boolean {
  if (!info) return false;
  return Boolean(info.hidden) || ("hpt" in info && info.hpt === 0) || ("width" in info && info.width === 0);
}

const MERGED_ROWS_MAX = 100_000;

/** The merged cells that reach over several rows, by each of these rows. */
function mergesDown(sheet: WorkSheet): Map<number, Range[]> {
  const merges = new Map<number, Range[]>();
  let left = MERGED_ROWS_MAX;
  for (const range of sheet["!merges"] ?? []) {
    if (range.e.r <= range.s.r) continue;
    for (let row = range.s.r; row <= range.e.r && left > 0; row++, left--)
      merges.set(row, [...(merges.get(row) ?? []), range]);
  }
  return merges;
}

const NAMED_MAX = 3;

function hiddenNote(one: string, many: string, names: string[]): string {
  if (names.length === 0) return "";
  if (names.length === 1) return `The hidden ${one} ${names[0]} was left out.`;
  const rest = names.length - NAMED_MAX;
  const named = names.slice(0, NAMED_MAX).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
  return `${names.length} hidden ${many} were left out: ${named}.`;
}
