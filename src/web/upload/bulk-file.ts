// Reader of uploaded files: CSV or text in any encoding, or an Excel workbook, as lines for the bulk form. Runs in a
// thread of its own (see reading.ts). Limits on bytes, rows, columns and cells apply before any pattern is matched.
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { uploadLimits } from "../../shared/upload-limits.ts";
import { linesByHeading } from "./sheet-columns.ts";
import { COLUMNS_MAX, ROW_CHARS } from "./statement-columns.ts";
import { cellText, LOCKED, readWorkbook, TOO_LARGE, UnreadableFile } from "./workbook.ts";

/** The most lines of a bulk order, with a title and headings above them. */
const ROWS_MAX = limits.bulkLines + 20;

/** Returns the file's lines as the form's textarea takes them. Throws request.invalid with a message for "file". */
export function linesOfFile(bytes: Uint8Array): Promise<string> {
  return readable(bytes, async () => {
    const sheet = await readSheet(bytes);
    const lines =
      "rows" in sheet
        ? joined(linesByHeading(sheet.rows) ?? sheet.rows.map(asPasted))
        : joined(linesByHeading(rowsOfCsv(sheet.text))) || sheet.text.replaceAll('"', "").trim();
    if (!/\d/.test(lines)) throw new UnreadableFile("There are no numbers in this file.");
    return lines;
  });
}

/** Returns the file as if pasted: a text as it is, a workbook's rows with tabs. Throws like linesOfFile. */
export function textOfFile(bytes: Uint8Array): Promise<string> {
  return readable(bytes, async () => {
    const sheet = await readSheet(bytes);
    const text = "rows" in sheet ? joined(sheet.rows.map(asPasted)) : sheet.text;
    if (text.trim() === "") throw new UnreadableFile("This file is empty.");
    return text;
  });
}

/** Returns a table's cells, cut to what a statement may have. Throws like linesOfFile. */
export function cellsOfFile(bytes: Uint8Array): Promise<string[][]> {
  return readable(bytes, async () => {
    const sheet = await readSheet(bytes);
    const rows = "rows" in sheet ? sheet.rows : rowsOfCsv(sheet.text);
    if (rows.length === 0) throw new UnreadableFile("There is no table in this file.");
    return rows.map((row) => row.slice(0, COLUMNS_MAX).map((cell) => cell.slice(0, ROW_CHARS)));
  });
}

async function readable<T>(bytes: Uint8Array, read: () => Promise<T>): Promise<T> {
  try {
    if (bytes.length > limits.bulkFileBytes)
      throw new UnreadableFile("This file is too large: up to 2 MB can be read.");
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new AppError("request.invalid", { fields: { file: error.message } }, error.message);
  }
}

/** Joins lines. A sheet may repeat one long cell many times, so the result is held to the form's limit as well. */
function joined(lines: string[] | null): string {
  const chars = (lines ?? []).reduce((sum, line) => sum + line.length + 1, 0);
  if (chars > limits.bulkBodyBytes) throw new UnreadableFile(TOO_LARGE);
  return (lines ?? []).join("\n");
}

const asPasted = (row: string[]) => row.join("\t").replaceAll("\r", " ").replaceAll("\n", " ").trim();

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, i) => bytes[i] === byte);

async function readSheet(bytes: Uint8Array): Promise<{ rows: string[][] } | { text: string }> {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return { rows: await readWorkbook(bytes, ROWS_MAX) };
  // The container format of old Excel files and of locked new ones.
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    const isLocked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
      Buffer.from("EncryptedPackage", "utf16le"),
    );
    throw new UnreadableFile(
      isLocked ? LOCKED : "This is an old Excel file (.xls). Save it as .xlsx or CSV, then choose that file.",
    );
  }
  const text = textOf(bytes);
  if (text === null) throw new UnreadableFile("Choose an Excel (.xlsx), CSV or text file.");
  return { text };
}

/** Decodes a text with a byte order mark, in UTF-8 or in the old Western encoding; null when it is no text. */
function textOf(bytes: Uint8Array): string | null {
  if (startsWith(bytes, 0xff, 0xfe)) return new TextDecoder("utf-16le").decode(bytes);
  if (startsWith(bytes, 0xfe, 0xff)) return new TextDecoder("utf-16be").decode(bytes);
  if (bytes.subarray(0, 4096).includes(0)) return null;
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Parses CSV in one pass (RFC 4180, separated by whichever of comma, semicolon and tab its first line has most of).
 * Returns no rows for an unclosed quote, because then it is no CSV. Throws UnreadableFile for too many columns or a
 * long cell.
 */
function rowsOfCsv(text: string): string[][] {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length && rows.length <= ROWS_MAX + 1; at++) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, separator);
    if (!cell) return [];
    row.push(cellText(cell.value.trim()));
    if (row.length > uploadLimits.columns) throw new UnreadableFile(TOO_LARGE);
    at = cell.end;
    if (text[at] === separator) continue;
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    else if (at < text.length && text[at] !== "\r" && text[at] !== "\n") return [];
    if (row.some((value) => value !== "")) rows.push(row);
    row = [];
  }
  return rows;
}

function separatorOf(text: string): string {
  const first = text.slice(0, 2_000).split(/[\r\n]/, 1)[0]!;
  const counts = [",", ";", "\t"].map((mark) => [first.split(mark).length, mark] as const);
  return counts.sort((a, b) => b[0] - a[0])[0]![1];
}

/** A cell and the index of the character that ends it. */
type CsvCell = { value: string; end: number };

function plainCell(text: string, start: number, separator: string): CsvCell {
  let end = start;
  while (end < text.length && text[end] !== separator && text[end] !== "\r" && text[end] !== "\n") end += 1;
  return { value: text.slice(start, end), end };
}

function quotedCell(text: string, start: number): CsvCell | null {
  let end = start;
  do {
    end = text.indexOf('"', end + 1);
    if (end < 0) return null;
    // A doubled quote is one quote of the text.
    if (text[end + 1] === '"') end += 1;
    else break;
  } while (end < text.length);
  return { value: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
}
