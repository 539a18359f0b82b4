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

/** Ten thousand rows of a dozen cells have about half as many. */
const TAGS_MAX = 1_000_000;

/** Reads a workbook that is a ZIP archive (ECMA-376). Throws UnreadableFile. */
export async function readPackage(bytes: Uint8Array): Promise<Sheet> {
  const parts = await unpackParts(bytes, isRead, uploadLimits.unpackedBytes);
  if (![...parts.keys()].some((name) => /(?:^|\/)workbook\d*\.xml$/i.test(name)))
    throw new UnreadableFile(OTHER_FORMAT);
  if (tagsIn(parts.values()) > TAGS_MAX) throw new UnreadableFile(TOO_LARGE);
  const sheetJs = await load();
  const book = guarded(() => parsePackage(sheetJs, parts)) as PackageBook;
  const styles = guarded(() => struckOutStyles(book));
  const marked = styles && guarded(() => parsePackage(sheetJs, new Map([...parts, styles])));
  return openSheet(book, {
    sheetJs,
    open: Number(book.Workbook.WBView?.[0]?.activeTab ?? 0),
    isStruck: (_, { sheet, row, column }) =>
      marked?.Sheets[sheet]?.["!data"]?.[row]?.[column]?.z === STRUCK_FORMAT,
  });
}

/**
 * The parts with the sheets, their texts and their formats, without pictures, comments and the like; but with what
 * SheetJS cannot do without, where the package names it.
 */
const isRead = (name: string) =>
  /\.(?:xml|rels)$/i.test(name) &&
  !/(?:^|\/)(?:docProps|drawings|media|theme|charts|pivot\w*|comments\w*|externalLinks|tables)(?:\/|\.xml)/i.test(
    name,
  );

/** What SheetJS returns for a package, and does not describe. */
type PackageBook = WorkBook & {
  Directory: { style?: string };
  Styles: { Fonts?: { strike?: unknown }[]; CellXf?: { fontId?: number | string }[] };
  Workbook: { WBView?: { activeTab?: string }[] };
};

/** Gives SheetJS the unpacked parts, so that it unpacks nothing itself. */
function parsePackage(sheetJs: SheetJs, parts: ReadonlyMap<string, Buffer>): WorkBook {
  const files = Object.fromEntries(
    [...parts].map(([name, content]) => [name, { name, asNodeBuffer: () => content }]),
  );
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
  const book = guarded(() => sheetJs.read(bytes, { ...OPTIONS, type: "array" }));
  const { open, struckFonts } = guarded(() => headOf(bytes, sheetJs));
  return openSheet(book, {
    sheetJs,
    open,
    isStruck: (cell) => struckFonts.has((cell as { XF?: { ifnt?: number } }).XF?.ifnt ?? -1),
  });
}

/** The records at the start of an old workbook that SheetJS does not pass on: Window1 and Font (MS-XLS 2.4.345, 2.4.122). */
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
  if (tagsIn([Buffer.from(text)]) > TAGS_MAX) throw new UnreadableFile(TOO_LARGE);
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

function tagsIn(contents: Iterable<Buffer>): number {
  let count = 0;
  for (const content of contents)
    for (let at = content.indexOf(0x3c); at >= 0 && count <= TAGS_MAX; at = content.indexOf(0x3c, at + 1))
      count += 1;
  return count;
}
