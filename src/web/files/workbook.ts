// Writer of Excel workbooks (.xlsx: ECMA-376) with one sheet, row by row: phone numbers are texts that keep their zero,
// dates are dates, amounts are numbers with two decimals, and the headings stay in view.
import { decimal } from "../../shared/money.ts";
import { zipped } from "./zip.ts";

/** "money" is in pesewas, "moment" and "day" are dates in Accra's time. */
export type ColumnKind = "text" | "count" | "money" | "moment" | "day";

/** The width is in characters. */
export type SheetColumn = { title: string; kind: ColumnKind; width: number };

/** Texts may stand in any column. */
export type SheetCell = string | number | Date | null;

type SheetRows = AsyncIterable<SheetCell[][]> | Iterable<SheetCell[][]>;

/** The most rows of a workbook: beyond them it ends with a row that says so. */
export const SHEET_ROWS_MAX = 50_000;
const CUT_NOTE = `This file ends after ${SHEET_ROWS_MAX.toLocaleString("en")} rows. Choose fewer days, or the CSV.`;

/** The bytes of a workbook; `batches` of rows are read as they are needed. */
export async function* workbook(columns: readonly SheetColumn[], batches: SheetRows): AsyncGenerator<Uint8Array> {
  const sheet = sheetPieces(columns, batches);
  // The first rows are read before anything is sent, so that a failure of the database still gets an error page.
  const first = await sheet.next();
  async function* pieces() {
    if (!first.done) yield first.value;
    yield* sheet;
  }
  const parts = Object.entries(PARTS).map(([name, text]) => ({ name, pieces: [text] }));
  try {
    yield* zipped([...parts, { name: "xl/worksheets/sheet1.xml", pieces: pieces() }]);
  } finally {
    // A reader who leaves before the sheet has begun has not ended it.
    await sheet.return(undefined);
  }
}

async function* sheetPieces(columns: readonly SheetColumn[], batches: SheetRows): AsyncGenerator<string> {
  const widths = columns.map(({ width }, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`);
  const titles = columns.map(({ title }) => textCell(title, STYLES.heading));
  let head =
    `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join("")}</cols><sheetData><row>${titles.join("")}</row>`;
  let left = SHEET_ROWS_MAX;
  for await (const batch of batches) {
    const rows = batch.slice(0, left);
    yield head +
      rows.map((row) => `<row>${row.map((cell, i) => cellOf(cell, columns[i]!.kind)).join("")}</row>`).join("");
    head = "";
    left -= rows.length;
    if (rows.length < batch.length) {
      head = `<row>${textCell(CUT_NOTE, STYLES.heading)}</row>`;
      break;
    }
  }
  yield `${head}</sheetData></worksheet>`;
}

function cellOf(value: SheetCell, kind: ColumnKind): string {
  if (value === null) return "<c/>";
  if (typeof value === "string") return textCell(value, STYLES.text);
  if (value instanceof Date) return `<c s="${STYLES[kind]}"><v>${serialOf(value)}</v></c>`;
  return `<c s="${STYLES[kind]}"><v>${kind === "money" ? decimal(value) : value}</v></c>`;
}

/** A text is never read as a formula, whatever it begins with. */
function textCell(text: string, style: number): string {
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** Without the characters that XML 1.0 cannot hold. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to leave out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
  );
}

const DAY_MS = 86_400_000;
/** The day that Excel numbers as 0, as days before 1970. */
const EPOCH_DAYS = 25_569;

/** A moment as Excel counts: days, to the minute. Ghana is on UTC all year. */
function serialOf(at: Date): number {
  const minutes = Math.floor(at.getTime() / 60_000);
  return EPOCH_DAYS + (minutes * 60_000) / DAY_MS;
}

/** Indexes of `cellXfs` below. */
const STYLES = { count: 0, heading: 1, money: 2, moment: 3, day: 4, text: 5 } as const;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/** The parts that are the same in every workbook. */
const PARTS = {
  "[Content_Types].xml":
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>` +
    `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  "_rels/.rels":
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml":
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>` +
    '<sheet name="DataFie" sheetId="1" r:id="rId1"/></sheets></workbook>',
  "xl/_rels/workbook.xml.rels":
    `${XML}<Relationships xmlns="${PACKAGE}/relationships">` +
    `<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml":
    `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2">` +
    '<numFmt numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"/><numFmt numFmtId="165" formatCode="dd/mm/yyyy"/>' +
    '</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
    '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
    '<fill><patternFill patternType="gray125"/></fill></fills>' +
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="6"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
    [4, 164, 165, 49]
      .map((format) => `<xf numFmtId="${format}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
      .join("") +
    '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};
