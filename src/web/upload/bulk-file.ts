// Uploaded files as lines for the bulk form, as a pasted text, or as cells. Runs in a thread of its own (see
// reading.ts). Limits on bytes, rows, columns and cells apply before any pattern is matched.
import { limits } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors/app-error.ts";
import { hasVcards, withoutVcards } from "./contacts/vcards.ts";
import { type Cell, type Content, readFile, sheetOfText } from "./sheet.ts";
import { linesByHeading } from "./sheet-columns.ts";
import { COLUMNS_MAX, ROW_CHARS } from "./statements/statement-columns.ts";
import { TOO_LARGE, UnreadableFile } from "./unreadable.ts";

/** The most lines of a bulk order, with a title and headings above them. */
const ROWS_MAX = limits.bulkLines + 20;

/** What was read from a file, and notes on what was not: hidden rows, other sheets. */
export type Noted<T> = { read: T; notes: string[] };

/** Returns the file's lines as the form's textarea takes them. Throws request.invalid with a message for "file". */
export function linesOfFile(bytes: Uint8Array): Promise<Noted<string>> {
  return readable(bytes, async () => {
    const content = withLines(await readFile(bytes));
    const isTable = "sheet" in content;
    const sheet = isTable ? content.sheet : sheetOfText(content.text, ROWS_MAX);
    const filled = sheet.rows.filter((row) => row.length > 0).slice(0, ROWS_MAX);
    const headed = linesByHeading(filled);
    const lines = headed?.lines ?? (isTable ? filled.map((row) => asPasted(row).trim()) : null);
    const notes = [...sheet.notes, ...(headed?.notes ?? [])];
    const text = lines ? joined(lines) : "text" in content ? content.text.replaceAll('"', "").trim() : "";
    if (!/\d/.test(text)) throw new UnreadableFile(["There are no numbers in this file.", ...notes].join(" "));
    return { read: text, notes };
  });
}

/** Returns the file as if pasted: a text as it is, a workbook's rows with tabs. Throws like linesOfFile. */
export function textOfFile(bytes: Uint8Array): Promise<Noted<string>> {
  return readable(bytes, async () => {
    const content = await readFile(bytes);
    // Rows keep their number in the file.
    const text =
      "text" in content ? content.text.replace(/^sep=.(?=\r?\n)/i, "") : joined(content.sheet.rows.map(asPasted));
    if (text.trim() === "") throw new UnreadableFile("This file is empty.");
    return { read: text, notes: "text" in content ? [] : content.sheet.notes };
  });
}

/** Returns a table's cells, cut to what a statement may have. Throws like linesOfFile. */
export function cellsOfFile(bytes: Uint8Array): Promise<Noted<string[][]>> {
  return readable(bytes, async () => {
    const content = withLines(await readFile(bytes));
    const { rows, notes } = "text" in content ? sheetOfText(content.text, ROWS_MAX) : content.sheet;
    if (rows.length === 0) throw new UnreadableFile("There is no table in this file.");
    const cells = rows.slice(0, ROWS_MAX).map((row) => row.slice(0, COLUMNS_MAX));
    return { read: cells.map((row) => row.map(({ text }) => text.slice(0, ROW_CHARS))), notes };
  });
}

/** Contacts of a phone as lines of name and number. */
function withLines(content: Content): Content {
  return "text" in content && hasVcards(content.text) ? { text: withoutVcards(content.text) } : content;
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
function joined(lines: string[]): string {
  const chars = lines.reduce((sum, line) => sum + line.length + 1, 0);
  if (chars > limits.bulkBodyBytes) throw new UnreadableFile(TOO_LARGE);
  return lines.join("\n");
}

const asPasted = (row: Cell[]) => row.map(({ text }) => text.replace(/\s+/g, " ")).join("\t");
