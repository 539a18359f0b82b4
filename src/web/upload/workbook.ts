// Workbooks (.xlsx, .xlsm, .xls), as SheetJS reads them. Runs in the thread for uploads only, so that SheetJS ends with
// its thread.
import type { CellObject, ParsingOptions, WorkBook } from "@e965/xlsx";
import { uploadLimits } from "../../shared/upload-limits.ts";
import { unpackParts } from "./archive.ts";
import { openSheet } from "./open-sheet.ts";
import type { Sheet } from "./sheet.ts";
import { DAMAGED, LOCKED, OTHER_FORMAT, TOO_LARGE, UnreadableFile } from "./unreadable.ts";

export type SheetJs = typeof import("@e965/xlsx");

/** SheetJS keeps a formula without a result only as a stub; without stubs it would be an empty cell. */
const OPTIONS: ParsingOptions = {
  dense: true,
  cellFormula: true,
  cellHTML: true,
  cellNF: true,
  cellStyles: true,
  sheetStubs: true,
};

/** Ten thousand rows of twenty cells; empty ones that have a format count. */
const CELLS_MAX = 200_000;
const TABLES_MAX = 100;
/** Charts and the like are sheets, too. */
const SHEETS_MISSING = 20;

/** Reads a workbook that is a ZIP archive (ECMA-376). Throws UnreadableFile. */
export async function readPackage(bytes: Uint8Array): Promise<Sheet> {
  const parts = await unpackParts(bytes, isRead, uploadLimits.unpackedBytes);
  if (![...parts.keys()].some((name) => /(?:^|\/)workbook\d*\.xml$/i.test(name)))
    throw new UnreadableFile(OTHER_FORMAT);
  const texts = [...parts].map(([name, content]) => ({ name, text: content.toString("latin1") }));
  const sheets = texts.filter(({ name }) => /sheets\//i.test(name));
  refuseLarge(sheets.map(({ text }) => text).join(""));
  // One part may be several sheets of a hostile book.
  if (countOf(texts, /<(?:\w+:)?sheet\s/g) > sheets.length + SHEETS_MISSING) throw new UnreadableFile(DAMAGED);
  for (const { name, text } of sheets) {
    const bare = withoutFormulas(text);
    if (bare !== text) parts.set(name, Buffer.from(bare, "latin1"));
  }
  const sheetJs = await load();
  const book = guarded(() => parsePackage(sheetJs, parts)) as PackageBook;
  const styles = guarded(() => struckOutStyles(book));
  const marked = styles && guarded(() => parsePackage(sheetJs, new Map([...parts, styles])));
  return openSheet(book, {
    sheetJs,
    open: Number(book.Workbook.WBView?.[0]?.activeTab ?? 0),
    isStruck: (_, { sheet, row, column }) => marked?.Sheets[sheet]?.["!data"]?.[row]?.[column]?.z === STRUCK_FORMAT,
  });
}

/**
 * The parts with the sheets, their texts and their formats, without pictures, comments and the like; but with those
 * that SheetJS cannot do without where the package names them: metadata and persons.
 */
const isRead = (name: string) => /\.(?:xml|rels)$/i.test(name) && !UNUSED.test(name);
const UNUSED =
  /(?:^|\/)(?:docProps|drawings|media|theme|charts|pivot\w*|comments\w*|externalLinks|tables)(?:\/|\.xml)/i;

/**
 * That a cell has a formula counts, not which. SheetJS writes a shared one out for each of its cells: a long one in
 * sixty thousand cells would be gigabytes.
 */
const withoutFormulas = (text: string) => text.replace(/(?<tag><(?:\w+:)?f(?:\s[^<>]*)?>)[^<]+/g, "$<tag>0");

/** What SheetJS returns for a package, and does not describe. */
type PackageBook = WorkBook & {
  Directory: { style?: string };
  Styles: { Fonts?: { strike?: unknown }[]; CellXf?: { fontId?: number | string }[] };
  Workbook: { WBView?: { activeTab?: string }[] };
};

/** Gives SheetJS the unpacked parts, so that it unpacks nothing itself. */
function parsePackage(sheetJs: SheetJs, parts: ReadonlyMap<string, Buffer>): WorkBook {
  const files = Object.fromEntries([...parts].map(([name, content]) => [name, { name, asNodeBuffer: () => content }]));
  const { parse_zip } = sheetJs as unknown as {
    parse_zip: (zip: { files: object }, options: ParsingOptions) => WorkBook;
  };
  return parse_zip({ files }, { ...OPTIONS, type: "buffer" });
}

const STRUCK_FORMAT = '"struck"';

/**
 * SheetJS keeps no cell's font, but its number format. So if any format of the workbook strikes its text out, the
 * workbook is read once more with styles in which these formats have a number format of their own. Null without any.
 */
function struckOutStyles({ Directory, Styles }: PackageBook): [string, Buffer] | null {
  const struck = (Styles.CellXf ?? []).map(({ fontId }) => Boolean(Styles.Fonts?.[Number(fontId)]?.strike));
  if (!Directory.style || !struck.includes(true)) return null;
  const formats = struck.map((isStruck) => `<xf numFmtId="${isStruck ? 200 : 0}"/>`);
  const xml =
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1">' +
    `<numFmt numFmtId="200" formatCode="${STRUCK_FORMAT.replaceAll('"', "&quot;")}"/></numFmts>` +
    `<cellXfs count="${formats.length}">${formats.join("")}</cellXfs></styleSheet>`;
  return [Directory.style.replace(/^\//, ""), Buffer.from(xml)];
}

/** Reads an old workbook (BIFF in a compound file). Throws UnreadableFile. */
export async function readBinary(bytes: Uint8Array): Promise<Sheet> {
  const sheetJs = await load();
  // Each formula has a result here, and a shared one would be written out for each of its cells.
  const book = guarded(() => sheetJs.read(bytes, { ...OPTIONS, cellFormula: false, type: "array" }));
  const { open, struckFonts } = guarded(() => headOf(bytes, sheetJs));
  return openSheet(book, {
    sheetJs,
    open,
    isStruck: (cell) => struckFonts.has((cell as { XF?: { ifnt?: number } }).XF?.ifnt ?? -1),
  });
}

/**
 * The records at the start of an old workbook that SheetJS does not pass on: Window1 and Font (MS-XLS 2.4.345 and
 * 2.4.122).
 */
function headOf(bytes: Uint8Array, { CFB }: SheetJs): { open: number; struckFonts: Set<number> } {
  const container = CFB.read(bytes, { type: "array" });
  const entry = CFB.find(container, "/Workbook") ?? CFB.find(container, "/Book");
  const stream = Buffer.from(entry?.content ?? []);
  const head = { open: 0, struckFonts: new Set<number>() };
  let fonts = 0;
  for (let at = 0; at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const type = stream.readUInt16LE(at);
    if (type === RECORDS.end) break;
    if (type === RECORDS.window) head.open = stream.readUInt16LE(at + 14);
    if (type !== RECORDS.font) continue;
    // There is no font 4.
    if ((stream.readUInt16LE(at + 6) & 8) !== 0) head.struckFonts.add(fonts < 4 ? fonts : fonts + 1);
    fonts += 1;
  }
  return head;
}

const RECORDS = { end: 0x0a, window: 0x3d, font: 0x31 };

/** Reads a text in one of the formats that SheetJS recognises by itself. Throws UnreadableFile. */
export async function readTags(
  text: string,
  isStruck: (cell: CellObject) => boolean,
  { open }: { open: number },
): Promise<Sheet> {
  refuseLarge(text);
  const sheetJs = await load();
  const book = guarded(() => sheetJs.read(text, { ...OPTIONS, type: "string", raw: true }));
  return openSheet(book, { sheetJs, open, isStruck });
}

/** Loaded with the first workbook. */
const load = (): Promise<SheetJs> => import("@e965/xlsx");

/** What SheetJS throws for is a file that it cannot read. */
function guarded<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UnreadableFile(/password|encrypt/i.test(String(error)) ? LOCKED : DAMAGED);
  }
}

/**
 * Refuses what SheetJS would take long or much memory for: too many cells, and places beyond those that a sheet has,
 * for which it makes room. Throws UnreadableFile.
 */
function refuseLarge(text: string): void {
  const cells = countOf([{ text }], /<(?:\w+:)?(?:c|cell|td|th)[\s/>]/gi);
  const tables = countOf([{ text }], /<table[\s>]/gi);
  if (cells > CELLS_MAX || tables > TABLES_MAX || TOO_FAR.test(text)) throw new UnreadableFile(TOO_LARGE);
}

/** A row, a column or a span of eight digits or more, or of fewer where it counts columns. */
const TOO_FAR = new RegExp(
  String.raw`\b(?:r|ref|Index|MergeDown)\s?=\s?["']?[A-Z]{0,3}\d{8}` +
    String.raw`|\b(?:max|Span|MergeAcross)\s?=\s?["']?\d{6}|\b(?:row|col)span\s?=\s?["']?\d{4}|\br\s?=\s?["'][A-Z]{4}`,
);

function countOf(parts: readonly { text: string }[], pattern: RegExp): number {
  return parts.reduce((count, { text }) => count + (text.match(pattern)?.length ?? 0), 0);
}
