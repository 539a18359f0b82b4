// The table in a file, whatever program wrote it: workbooks, tables in HTML, CSV. Its cells know whether they have a
// value at all. What is hidden, or on another sheet, is left out and said in a note.
import { isError } from "../../shared/lists/bulk-remarks.ts";
import { uploadLimits } from "../../shared/upload-limits.ts";
import { rowsOfCsv } from "./csv.ts";
import { readHtml, readOldXml } from "./markup.ts";
import { type FileText, textOf } from "./text-file.ts";
import { LOCKED, NO_SHEET, OTHER_FORMAT, UnreadableFile } from "./unreadable.ts";
import { readBinary, readPackage } from "./workbook.ts";

/**
 * Why a cell has no value that counts: an error such as #N/A; a formula that was never calculated; a figure that its
 * format shows as another one; a figure that stands once for several rows; or a text that was struck out.
 */
export type Lack = "error" | "formula" | "rounded" | "merged" | "struck";

/**
 * One cell. Texts are as typed, without space around them, numbers in full, dates as "2026-11-21 06:00:43". A cell with
 * a lack begins with "#": "#N/A", "#no result", "#2 or 1.5", "#for 3 rows: 6", "#struck out: 5GB".
 */
export type Cell = { text: string; lack: Lack | null };

export type Sheet = {
  /** By the row in the file, from 0; rows that are hidden or empty have no cells. */
  rows: Cell[][];
  /** What was not read, in whole sentences: hidden rows and columns, other sheets. */
  notes: string[];
};

/** What a file holds: a table, or a text that is none. */
export type Content = { sheet: Sheet } | { text: string };

/** Reads any file of a spreadsheet or a text. Throws UnreadableFile. */
export async function readFile(bytes: Uint8Array): Promise<Content> {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return { sheet: checked(await readPackage(bytes)) };
  // The container of old Excel files, and of new ones behind a password.
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    const isLocked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
      Buffer.from("EncryptedPackage", "utf16le"),
    );
    if (isLocked) throw new UnreadableFile(LOCKED);
    return { sheet: checked(await readBinary(bytes)) };
  }
  const read = textOf(bytes);
  if (read === null) throw new UnreadableFile(NO_SHEET);
  return contentOf(read);
}

async function contentOf({ text, kind }: FileText): Promise<Content> {
  switch (kind) {
    case "html":
      return { sheet: checked(await readHtml(text)) };
    case "xml":
      return { sheet: checked(await readOldXml(text)) };
    case "other":
      throw new UnreadableFile(OTHER_FORMAT);
    case "plain":
      return { text };
  }
}

/** The table of a text that was saved as CSV or TSV; without rows when it is none. Throws UnreadableFile. */
export function sheetOfText(text: string, rowsMax: number): Sheet {
  const rows = rowsOfCsv(text, rowsMax).map((row) => row.map(cellOfText));
  return checked({ rows, notes: [] });
}

function cellOfText(value: string): Cell {
  const text = value.trim();
  if (!isError(text)) return { text, lack: null };
  return { text: text.startsWith("#") ? text : "#VALUE!", lack: "error" };
}

const startsWith = (bytes: Uint8Array, ...signature: number[]) => signature.every((byte, i) => bytes[i] === byte);

const LONG_CELL =
  "A cell of this sheet holds more than 200 characters. Put each number on its own row, then choose the file again.";

/** Cuts long cells and wide rows, so that the search for numbers in them is bounded. Throws UnreadableFile. */
function checked({ rows, notes }: Sheet): Sheet {
  return {
    notes,
    rows: rows.map((row) => row.slice(0, uploadLimits.columns).map((cell) => plain(cut(cell)))),
  };
}

/** A phone number that a sheet shows with the commas of thousands: 241,234,567. */
function plain(cell: Cell): Cell {
  return GROUPED_NUMBER.test(cell.text) ? { ...cell, text: cell.text.replaceAll(",", "") } : cell;
}

const GROUPED_NUMBER = /^(?:233,)?[25]\d\d,\d{3},\d{3}$/;

/** Remarks may be cut off, numbers may not: with those the file cannot be read as it is. */
function cut({ text, lack }: Cell): Cell {
  if (text.length <= uploadLimits.cellChars) return { text, lack };
  if (/\d/.test(text.slice(uploadLimits.cellChars))) throw new UnreadableFile(LONG_CELL);
  return { text: text.slice(0, uploadLimits.cellChars), lack };
}
