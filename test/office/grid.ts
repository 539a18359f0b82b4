// A table as a person sees it, and the programs that save it: Excel, LibreOffice, portals, old Excel, text editors. Some
// of the files are written part by part, so that a reader is not tested against its own library alone.
import { type CellObject, utils, type WorkSheet, write } from "@e965/xlsx";
import { zip } from "../support/xlsx.ts";
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

const escaped = (text: string) =>
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
  const page = `<html><head><meta charset="utf-8"></head><body><table border=1>${rows.join("\n")}</table></body></html>`;
  return encoded(page, "utf-8");
}

/** A package as another program may write it: other quotes, prefixes, inline texts, cells without addresses. */
function packageByHand(grid: Grid, random: Random): Uint8Array {
  const shared: string[] = [];
  const [isInline, hasAddresses] = [random.chance(40), random.chance(70)];
  const prefix = random.chance(20) ? "x:" : "";
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const rels = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const cell = (value: GridCell, row: number, column: number): string => {
    const at = hasAddresses ? ` r="${utils.encode_cell({ r: row, c: column })}"` : "";
    if (value === null) return hasAddresses ? "" : `<${prefix}c/>`;
    if (typeof value === "number") return `<${prefix}c${at}><${prefix}v>${value}</${prefix}v></${prefix}c>`;
    if (typeof value === "object" && "error" in value)
      return `<${prefix}c${at} t="e"><${prefix}v>${value.error}</${prefix}v></${prefix}c>`;
    if (typeof value === "object" && "formula" in value)
      return `<${prefix}c${at}><${prefix}f>${value.formula}</${prefix}f></${prefix}c>`;
    const [text, style] = typeof value === "string" ? [value, ""] : [value.struck, ' s="1"'];
    const plain = `<${prefix}t xml:space="preserve">${escaped(text)}</${prefix}t>`;
    if (isInline)
      return `<${prefix}c${at}${style} t="inlineStr"><${prefix}is>${plain}</${prefix}is></${prefix}c>`;
    shared.push(plain);
    return `<${prefix}c${at}${style} t="s"><${prefix}v>${shared.length - 1}</${prefix}v></${prefix}c>`;
  };
  const sheet = (rows: GridCell[][], hidden: Set<number>) => {
    const lines = rows.map((row, r) => {
      const hides = hidden.has(r) ? ' hidden="1"' : "";
      const at = hasAddresses ? ` r="${r + 1}"` : "";
      return `<${prefix}row${at}${hides}>${row.map((value, c) => cell(value, r, c)).join("")}</${prefix}row>`;
    });
    const name = prefix ? `xmlns:x="${main}"` : `xmlns="${main}"`;
    return `<?xml version="1.0"?><${prefix}worksheet ${name}><${prefix}sheetData>${lines.join("")}</${prefix}sheetData></${prefix}worksheet>`;
  };
  const names = grid.other ? ["Yesterday", "Today"] : ["Sheet1"];
  const sheets = grid.other
    ? [sheet(grid.other, new Set()), sheet(grid.rows, grid.hidden)]
    : [sheet(grid.rows, grid.hidden)];
  const parts: Record<string, string> = {
    "[Content_Types].xml":
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
      names
        .map(
          (_, i) =>
            `<Override PartName="/xl/worksheets/sheet${i + 1}.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`,
        )
        .join("") +
      '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
      '<Override PartName="/xl/sharedStrings.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    "_rels/.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${rels}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml":
      `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${rels}"><bookViews><workbookView activeTab="${names.length - 1}"/></bookViews>` +
      `<sheets>${names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
      .map(
        (_, i) =>
          `<Relationship Id="rId${i + 1}" Type="${rels}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
      )
      .join(
        "",
      )}<Relationship Id="rId8" Type="${rels}/styles" Target="styles.xml"/><Relationship Id="rId9" Type="${rels}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/styles.xml":
      `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/></font><font><strike/></font></fonts>` +
      '<cellXfs count="2"><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1" applyFont="1"/></cellXfs></styleSheet>',
  };
  for (const [i, text] of sheets.entries()) parts[`xl/worksheets/sheet${i + 1}.xml`] = text;
  const items = shared.map((text) => `<${prefix}si>${text}</${prefix}si>`).join("");
  parts["xl/sharedStrings.xml"] =
    `<${prefix}sst ${prefix ? `xmlns:x="${main}"` : `xmlns="${main}"`}>${items}</${prefix}sst>`;
  if (random.chance(30))
    for (const name of Object.keys(parts))
      if (/worksheets|sharedStrings/.test(name)) parts[name] = parts[name]!.replaceAll('"', "'");
  return zip(parts, { isStored: random.chance(10) });
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
