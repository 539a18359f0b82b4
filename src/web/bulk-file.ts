// A file of numbers as lines for the bulk form: CSV or text in any encoding, or an Excel workbook. Which column holds the
// numbers is seen by its heading or its content; a quantity is believed only under a heading that says so.
import { limits } from "../shared/domain.ts";
import { AppError } from "../shared/errors.ts";
import { parseMsisdn } from "../shared/msisdn.ts";
import { LOCKED, readWorkbook, UnreadableFile } from "./workbook.ts";

/** Headings and a title above ten thousand lines. */
const ROWS_MAX = limits.bulkLines + 20;

/** The file's lines as the form's textarea takes them. Throws request.invalid with the words for the field "file". */
export function linesOfFile(bytes: Uint8Array): Promise<string> {
  return readable(bytes, async () => {
    const sheet = await readSheet(bytes);
    const lines =
      "rows" in sheet
        ? (linesByHeading(sheet.rows) ?? sheet.rows.map(asPasted)).join("\n")
        : (linesByHeading(rowsOfCsv(sheet.text))?.join("\n") ?? sheet.text.replaceAll('"', "").trim());
    if (!/\d/.test(lines)) throw new UnreadableFile("There are no numbers in this file.");
    return lines;
  });
}

/** The file as it would be pasted: a text as it stands, a workbook's rows with tabs. Throws like linesOfFile. */
export function textOfFile(bytes: Uint8Array): Promise<string> {
  return readable(bytes, async () => {
    const sheet = await readSheet(bytes);
    const text = "rows" in sheet ? sheet.rows.map(asPasted).join("\n") : sheet.text;
    if (text.trim() === "") throw new UnreadableFile("This file is empty.");
    return text;
  });
}

async function readable(bytes: Uint8Array, read: () => Promise<string>): Promise<string> {
  try {
    if (bytes.length > limits.bulkFileBytes)
      throw new UnreadableFile("This file is too large: up to 2 MB can be read.");
    return await read();
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    throw new AppError("request.invalid", { fields: { file: error.message } }, error.message);
  }
}

const startsWith = (bytes: Uint8Array, ...signature: number[]) =>
  signature.every((byte, i) => bytes[i] === byte);

async function readSheet(bytes: Uint8Array): Promise<{ rows: string[][] } | { text: string }> {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return { rows: await readWorkbook(bytes, ROWS_MAX) };
  // The container of old Excel files, and of new ones that are locked.
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    const isLocked = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
      Buffer.from("EncryptedPackage", "utf16le"),
    );
    throw new UnreadableFile(
      isLocked ? LOCKED : "This is an old Excel file (.xls). Save it as .xlsx or CSV, then choose that file.",
    );
  }
  const text = textOf(bytes);
  if (text === null)
    throw new UnreadableFile("This is no sheet: choose a CSV, a text or an Excel (.xlsx) file.");
  return { text };
}

/** Text as sheets save it: with a byte order mark, in UTF-8, or in the old Western encoding; null for no text at all. */
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

/** CSV with commas, semicolons or tabs, whichever its first line has most of (RFC 4180 otherwise). */
function rowsOfCsv(text: string): string[][] {
  const first = /[^\r\n]{0,2000}/.exec(text)![0];
  const counts = [",", ";", "\t"].map((mark) => [first.split(mark).length, mark] as const);
  const separator = counts.sort((a, b) => b[0] - a[0])[0]![1];
  const rows: string[][] = [[]];
  const cell = new RegExp(
    `(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n][^${separator}\\r\\n]*)?)(${separator}|\\r\\n|\\r|\\n|$)`,
    "y",
  );
  while (cell.lastIndex < text.length) {
    const match = cell.exec(text);
    // A quote that does not end: not CSV.
    if (!match) return [];
    rows.at(-1)!.push((match[1]?.replaceAll('""', '"') ?? match[2] ?? "").trim());
    if (match[3] !== separator) rows.push([]);
    if (rows.length > ROWS_MAX + 1) break;
  }
  return rows.filter((row) => row.some((value) => value !== ""));
}

const asPasted = (row: string[]) =>
  row
    .join("\t")
    .replace(/[\r\n]+/g, " ")
    .trim();

const HEADINGS = {
  quantity:
    /^\W*(?:qty|quantit(?:y|ies)|pieces|pcs|units?|count|times|bundles|(?:no\.?|number) of bundles)\W*$/i,
  size: /^\W*(?:(?:data )?(?:gb|gbs|gigs?|mb)|size|volume|data|bundle|bundle size|package|plan)\W*$/i,
  number:
    /\b(?:phone|mobile|cell|contact|tel|telephone|msisdn|recipient|beneficiary|receiver|momo|numbers?)\b/i,
};
/** Titles may stand above the headings. */
const ROWS_BEFORE_HEADINGS = 10;

/** The rows below a line of headings as "number,quantity size"; null when there is no such line. */
function linesByHeading(rows: string[][]): string[] | null {
  const at = rows.slice(0, ROWS_BEFORE_HEADINGS).findIndex(isHeadings);
  if (at < 0) return null;
  const [titles, below] = [rows[at]!, rows.slice(at + 1)];
  const columnOf = (kind: "quantity" | "size") => titles.findIndex((title) => HEADINGS[kind].test(title));
  const [number, quantity, size] = [numberColumn(titles, below), columnOf("quantity"), columnOf("size")];
  if (number === null) return below.map(asPasted);
  return below.map((row) => {
    const told = asPasted([row[number] ?? ""]);
    // Whatever else has digits, a total for example, is answered for as well.
    if (!/\d/.test(told)) return asPasted(row);
    return told + quantityWords(row[quantity] ?? "") + sizeWords(row[size] ?? "", titles[size] ?? "");
  });
}

function isHeadings(row: string[]): boolean {
  if (row.some((value) => parseMsisdn(value) !== null)) return false;
  return row.some((value) =>
    Object.values(HEADINGS).some((heading) => value.length < 40 && heading.test(value)),
  );
}

/** The one column with numbers: by its heading, or else the only one that is full of them. */
function numberColumn(titles: string[], below: string[][]): number | null {
  const isNumber = (value = "") => parseMsisdn(value) !== null || /^\d[.,]\d+e\+?\d+$/i.test(value);
  const fullOfThem = titles.flatMap((_, column) => {
    const filled = below.filter((row) => row[column]);
    return filled.filter((row) => isNumber(row[column])).length > filled.length / 2 ? [column] : [];
  });
  const named = fullOfThem.filter(
    (column) => HEADINGS.number.test(titles[column]!) && !HEADINGS.quantity.test(titles[column]!),
  );
  const [column, another] = named.length > 0 ? named : fullOfThem;
  if (another !== undefined)
    throw new UnreadableFile(
      `The columns "${titles[column!]}" and "${titles[another]}" both hold phone numbers. Keep only the one to send to.`,
    );
  return column ?? null;
}

/** A quantity that is no number is written so that it has to be mended. */
function quantityWords(value: string): string {
  if (value === "") return "";
  return /\d/.test(value) ? `,${value}` : ",x";
}

/** The size goes with the line, so that one of another package is seen. */
function sizeWords(value: string, title: string): string {
  const amount = /^\d+(?:\.\d+)?$/.test(value) && `${value}${/mb/i.test(title) ? "MB" : "GB"}`;
  return ` ${amount || (/\d+(?:\.\d+)? ?(?:gb|mb)\b/i.exec(value)?.[0] ?? "")}`.trimEnd();
}
