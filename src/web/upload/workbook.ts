// Reader of Excel workbooks (.xlsx: ECMA-376, a ZIP archive of XML parts): the values of the first visible sheet,
// exactly as they are stored, which is all that a list of numbers needs. Sizes that the file declares are not trusted.
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { uploadLimits } from "../../shared/upload-limits.ts";

/** A file cannot be read; its message is for the person who chose it. */
export class UnreadableFile extends Error {}

const DAMAGED = "This file is damaged and cannot be read. Save it again, or paste its columns.";
export const TOO_LARGE = "This sheet is too large. Keep only the columns of the order, or paste them.";

const LONG_CELL =
  "A cell of this sheet holds more than 200 characters. Put each number on its own row, then choose the file again.";

const PARTS_MAX = 5_000;
/** Each tag of four million bytes is at least "<a>". */
const TAGS_MAX = 1_000_000;
/** An entity takes up to ten characters for one. */
const RAW_CHARS_MAX = 10 * uploadLimits.cellChars;
/** The longest end record of an archive, which has a comment of variable length (APPNOTE 6.3, 4.3.16). */
const END_BYTES_MAX = 65_557;

/**
 * Cuts a cell's long text, so that the search for numbers in it is bounded. Remarks may be cut off, numbers may not:
 * for those it returns null, and the file cannot be read as it is.
 */
function cut(text: string): string | null {
  if (text.length <= uploadLimits.cellChars) return text;
  return /\d/.test(text.slice(uploadLimits.cellChars)) ? null : text.slice(0, uploadLimits.cellChars);
}

/** As `cut`, but throws UnreadableFile instead of returning null. */
export function cellText(text: string): string {
  const short = cut(text);
  if (short === null) throw new UnreadableFile(LONG_CELL);
  return short;
}

/** Cuts a long text before its entities are decoded. A digit beyond the cut leaves a 0, for `cut` to find. */
function cutRaw(text: string): string {
  if (text.length <= RAW_CHARS_MAX) return text;
  return text.slice(0, RAW_CHARS_MAX) + (/\d/.test(text.slice(RAW_CHARS_MAX)) ? " 0" : "");
}

/** Returns the sheet's non-empty rows as text; stops after `rowsMax` + 1 of them. Throws UnreadableFile. */
export async function readWorkbook(bytes: Uint8Array, rowsMax: number): Promise<string[][]> {
  const archive = openArchive(bytes);
  const path = archive.paths.find((name) => /(?:^|\/)workbook\d*\.xml$/.test(name));
  if (!path) throw new UnreadableFile("Save the sheet as .xlsx or CSV first, then choose that file.");
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  const [workbook, relations] = [
    await archive.read(path),
    await archive.read(`${folder}_rels/${path.slice(folder.length)}.rels`),
  ];
  const targets = targetsOf(relations, folder);
  const strings = targets.find(({ type }) => type.endsWith("/sharedStrings"));
  const sheet = targets.find(({ id }) => id === firstSheetId(workbook));
  if (!sheet) throw new UnreadableFile(DAMAGED);
  const shared = strings ? sharedStrings(await archive.read(strings.path)) : [];
  return rowsOf(await archive.read(sheet.path), shared, rowsMax);
}

type Archive = { paths: string[]; read: (path: string) => Promise<string> };
type Part = { method: number; isLocked: boolean; packedBytes: number; offset: number };

/** Opens the archive by the list of parts at its end (APPNOTE 6.3, 4.3.12 and 4.3.16). */
function openArchive(bytes: Uint8Array): Archive {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = guarded(() => partsOf(bytes, view));
  let left: number = uploadLimits.unpackedBytes;
  return {
    paths: [...parts.keys()],
    read: async (path) => {
      const part = parts.get(path);
      if (!part) throw new UnreadableFile(DAMAGED);
      if (part.isLocked) throw new UnreadableFile(LOCKED);
      const unpacked = await unpack(packedOf(bytes, view, part), part.method, left);
      left -= unpacked.byteLength;
      return new TextDecoder().decode(unpacked);
    },
  };
}

export const LOCKED = "This workbook is protected by a password. Save it without one, or paste its columns.";

function partsOf(bytes: Uint8Array, view: DataView): Map<string, Part> {
  let end = bytes.length - 22;
  const first = Math.max(0, bytes.length - END_BYTES_MAX);
  while (end >= first && view.getUint32(end, true) !== 0x06054b50) end -= 1;
  if (end < first) throw new UnreadableFile(DAMAGED);
  const parts = new Map<string, Part>();
  let at = view.getUint32(end + 16, true);
  const count = Math.min(view.getUint16(end + 10, true), PARTS_MAX);
  for (let i = 0; i < count; i++) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new UnreadableFile(DAMAGED);
    const nameBytes = view.getUint16(at + 28, true);
    parts.set(new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameBytes)), {
      isLocked: (view.getUint16(at + 8, true) & 1) === 1,
      method: view.getUint16(at + 10, true),
      packedBytes: view.getUint32(at + 20, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return parts;
}

function packedOf(bytes: Uint8Array, view: DataView, { offset, packedBytes }: Part): Uint8Array {
  return guarded(() => {
    const from = offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true);
    if (from + packedBytes > bytes.length) throw new UnreadableFile(DAMAGED);
    return bytes.subarray(from, from + packedBytes);
  });
}

/** Offsets beyond the file are a RangeError of the view. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new UnreadableFile(DAMAGED);
    throw error;
  }
}

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** Stops at the limit, so that a small file that would inflate to gigabytes costs no more than the limit. */
async function unpack(packed: Uint8Array, method: number, bytesMax: number): Promise<Uint8Array> {
  if (method === 0 && packed.byteLength <= bytesMax) return packed;
  if (method !== 8 || bytesMax < 1) throw new UnreadableFile(method === 0 ? TOO_LARGE : DAMAGED);
  try {
    return await inflate(packed, { maxOutputLength: bytesMax });
  } catch (error) {
    const isLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw new UnreadableFile(isLarge ? TOO_LARGE : DAMAGED);
  }
}

function targetsOf(relations: string, folder: string): { id: string; type: string; path: string }[] {
  return [...tagsOf(relations)].flatMap(({ name, attributes }) => {
    if (name !== "Relationship") return [];
    const target = attribute(attributes, "Target");
    const path = target.startsWith("/") ? target.slice(1) : folder + target.replace(/^\.\//, "");
    return [{ id: attribute(attributes, "Id"), type: attribute(attributes, "Type"), path }];
  });
}

function firstSheetId(workbook: string): string {
  for (const { name, attributes } of tagsOf(workbook)) {
    if (name !== "sheet" || /hidden/i.test(attribute(attributes, "state"))) continue;
    // The file chooses the prefix of "r:id" itself.
    return /(?:^|\s)\w+:id="([^"]*)"/.exec(attributes)?.[1] ?? "";
  }
  return "";
}

/** The shared strings; null for one that is too long, because it may belong to a sheet that is not read. */
function sharedStrings(xml: string): (string | null)[] {
  const strings: (string | null)[] = [];
  let string = "";
  let isReading = false;
  for (const { name, isEnd, isEmpty, text } of tagsOf(xml)) {
    if (isReading && isEnd && name === "t") string += text;
    if (name === "rPh") isReading = isEnd;
    else if (name === "si" && isEnd) strings.push(cut(string.trim()));
    if (name === "si") [string, isReading] = ["", !isEnd && !isEmpty];
    if (name === "si" && isEmpty) strings.push("");
  }
  return strings;
}

function rowsOf(xml: string, shared: (string | null)[], rowsMax: number): string[][] {
  const rows: string[][] = [];
  // Not 0: a hostile file has cells before its first row.
  let last: number | undefined;
  for (const cell of cellsOf(xml)) {
    const value = cellText(textOfCell(cell, shared));
    if (value === "" || cell.column >= uploadLimits.columns) continue;
    if (cell.row !== last) {
      if (rows.length > rowsMax) break;
      rows.push([]);
      last = cell.row;
    }
    rows.at(-1)![cell.column] = value;
  }
  return rows.map((row) => Array.from(row, (value) => value ?? ""));
}

type Cell = { row: number; column: number; type: string; value: string };

function* cellsOf(xml: string): Generator<Cell> {
  let cell: Cell = { row: 0, column: -1, type: "", value: "" };
  for (const { name, isEnd, attributes, text } of tagsOf(xml)) {
    if (isEnd) {
      if (name === "v" || name === "t") cell.value += text;
      else if (name === "c") yield cell;
    } else if (name === "row") cell = { row: cell.row + 1, column: -1, type: "", value: "" };
    else if (name === "c") {
      const column = columnOf(attribute(attributes, "r")) ?? cell.column + 1;
      cell = { row: cell.row, column, type: attribute(attributes, "t"), value: "" };
    }
  }
}

/** "BC12" is column 54; null when the cell has no reference. */
function columnOf(reference: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0];
  if (!letters) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOfCell({ type, value }: Cell, shared: (string | null)[]): string {
  if (type === "s") {
    const text = shared[Number(value)];
    if (text === null) throw new UnreadableFile(LONG_CELL);
    return text ?? "";
  }
  if (type === "e" || type === "b") return "";
  return type === "" || type === "n" ? digitsOf(value) : value.trim();
}

/**
 * A number in full: sheets store 233241234567 as it is, or as 2.33241234567E11. One that ends in six zeros was rounded
 * before it was saved, and stays in the exponential form that shows it.
 */
function digitsOf(value: string): string {
  const number = Number(value);
  if (value.trim() === "" || !Number.isSafeInteger(number)) return value.trim();
  return number >= 1e10 && number % 1e6 === 0 ? number.toExponential() : String(number);
}

type Tag = { name: string; isEnd: boolean; isEmpty: boolean; attributes: string; text: string };

/**
 * The tags of an XML text in order, each with the text before it and without its prefix. Entities that a file declares
 * are not expanded, so that none can grow.
 */
function* tagsOf(xml: string): Generator<Tag> {
  let text = "";
  let count = 0;
  for (let at = 0; ; ) {
    if (++count > TAGS_MAX) throw new UnreadableFile(TOO_LARGE);
    const open = xml.indexOf("<", at);
    if (open < 0) return;
    text += decoded(cutRaw(xml.slice(at, open)));
    const [begin, end] = xml.startsWith("<!--", open)
      ? ["<!--", "-->"]
      : xml.startsWith("<![CDATA[", open)
        ? ["<![CDATA[", "]]>"]
        : ["<", ">"];
    const close = xml.indexOf(end!, open);
    if (close < 0) return;
    const inside = xml.slice(open + begin!.length, close);
    at = close + end!.length;
    if (begin === "<![CDATA[") text += inside;
    if (begin !== "<" || /^[?!]/.test(inside)) continue;
    const [, slash, name, attributes] = /^(\/?)(?:[\w.-]+:)?([\w.-]+)([\s\S]*)$/.exec(inside) ?? [];
    if (name === undefined) continue;
    yield { name, isEnd: slash === "/", isEmpty: inside.endsWith("/"), attributes: attributes!, text };
    text = "";
  }
}

const patterns = new Map<string, RegExp>();

function attribute(attributes: string, name: string): string {
  const pattern = patterns.get(name) ?? new RegExp(`(?:^|\\s)${name}="([^"]*)"`);
  patterns.set(name, pattern);
  return decoded(pattern.exec(attributes)?.[1] ?? "");
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decoded(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
