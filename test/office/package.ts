// A workbook written part by part as programs other than Excel write it: other quotes, prefixes, texts within cells,
// cells without addresses.
import { utils } from "@e965/xlsx";
import { zip } from "../support/xlsx.ts";
import { escaped, type Grid, type GridCell } from "./grid.ts";
import type { Random } from "./random.ts";

const SCHEMAS = "http://schemas.openxmlformats.org";
const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`;
const OFFICE = `${SCHEMAS}/officeDocument/2006/relationships`;
const PACKAGE = `${SCHEMAS}/package/2006`;
const SHEET_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml";

export function packageByHand(grid: Grid, random: Random): Uint8Array {
  const spelling: Spelling = {
    prefix: random.chance(20) ? "x:" : "",
    isInline: random.chance(40),
    hasAddresses: random.chance(70),
    shared: [],
  };
  const open = sheetXml(grid.rows, grid.hidden, spelling);
  const sheets = grid.other ? [sheetXml(grid.other, new Set(), spelling), open] : [open];
  const parts = { ...frame(sheets.length), "xl/sharedStrings.xml": textsXml(spelling) } as Record<string, string>;
  for (const [i, xml] of sheets.entries()) parts[`xl/worksheets/sheet${i + 1}.xml`] = xml;
  if (random.chance(30))
    for (const name of Object.keys(parts))
      if (/worksheets|sharedStrings/.test(name)) parts[name] = parts[name]!.replaceAll('"', "'");
  return zip(parts, { isStored: random.chance(10) });
}

/** How a program spells what means the same; `shared` are the texts that cells refer to. */
type Spelling = { prefix: string; isInline: boolean; hasAddresses: boolean; shared: string[] };

function sheetXml(rows: GridCell[][], hidden: Set<number>, spelling: Spelling): string {
  const { prefix, hasAddresses } = spelling;
  const lines = rows.map((row, r) => {
    const cells = row.map((value, c) => cellXml(value, utils.encode_cell({ r, c }), spelling));
    const at = (hasAddresses ? ` r="${r + 1}"` : "") + (hidden.has(r) ? ' hidden="1"' : "");
    return `<${prefix}row${at}>${cells.join("")}</${prefix}row>`;
  });
  const data = `<${prefix}sheetData>${lines.join("")}</${prefix}sheetData>`;
  return `<?xml version="1.0"?><${prefix}worksheet ${nameOf(prefix)}>${data}</${prefix}worksheet>`;
}

const nameOf = (prefix: string) => (prefix ? `xmlns:x="${MAIN}"` : `xmlns="${MAIN}"`);

function cellXml(value: GridCell, address: string, spelling: Spelling): string {
  const { prefix, isInline, hasAddresses, shared } = spelling;
  const at = hasAddresses ? ` r="${address}"` : "";
  const cell = (attributes: string, content: string) => `<${prefix}c${at}${attributes}>${content}</${prefix}c>`;
  const valueXml = (content: string | number) => `<${prefix}v>${content}</${prefix}v>`;
  if (value === null) return hasAddresses ? "" : cell("", "");
  if (typeof value === "number") return cell("", valueXml(value));
  if (typeof value === "object" && "error" in value) return cell(' t="e"', valueXml(value.error));
  if (typeof value === "object" && "formula" in value) return cell("", `<${prefix}f>${value.formula}</${prefix}f>`);
  const [text, style] = typeof value === "string" ? [value, ""] : [value.struck, ' s="1"'];
  const textXml = `<${prefix}t xml:space="preserve">${escaped(text)}</${prefix}t>`;
  if (isInline) return cell(`${style} t="inlineStr"`, `<${prefix}is>${textXml}</${prefix}is>`);
  shared.push(textXml);
  return cell(`${style} t="s"`, valueXml(shared.length - 1));
}

function textsXml({ prefix, shared }: Spelling): string {
  const items = shared.map((text) => `<${prefix}si>${text}</${prefix}si>`);
  return `<${prefix}sst ${nameOf(prefix)}>${items.join("")}</${prefix}sst>`;
}

/** The parts around so many sheets, the last of which was open. */
function frame(sheetsCount: number): Record<string, string> {
  const numbers = Array.from({ length: sheetsCount }, (_, i) => i + 1);
  const names = sheetsCount === 1 ? ["Sheet1"] : ["Yesterday", "Today"];
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${SHEET_TYPES}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}.xml"/>`;
  const relations = (all: string[]) =>
    `<Relationships xmlns="${PACKAGE}/relationships">${all.join("")}</Relationships>`;
  const types = [
    override("workbook", "sheet.main"),
    ...numbers.map((number) => override(`worksheets/sheet${number}`, "worksheet")),
    override("styles", "styles"),
    override("sharedStrings", "sharedStrings"),
  ];
  const sheets = numbers.map((id, i) => `<sheet name="${names[i]}" sheetId="${id}" r:id="rId${id}"/>`);
  return {
    "[Content_Types].xml": `<Types xmlns="${PACKAGE}/content-types">${types.join("")}</Types>`,
    "_rels/.rels": relations([relation(1, "officeDocument", "xl/workbook")]),
    "xl/workbook.xml":
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><bookViews>` +
      `<workbookView activeTab="${sheetsCount - 1}"/></bookViews><sheets>${sheets.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...numbers.map((number) => relation(number, "worksheet", `worksheets/sheet${number}`)),
      relation(8, "styles", "styles"),
      relation(9, "sharedStrings", "sharedStrings"),
    ]),
    "xl/styles.xml":
      `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/></font><font><strike/></font></fonts>` +
      '<cellXfs count="2"><xf numFmtId="0" fontId="0"/><xf numFmtId="0" fontId="1"/></cellXfs></styleSheet>',
  };
}
