// A writer of Excel workbooks for tests, part by part, so that a test can break any of them; and a reader of the parts
// of an archive, as they are.
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

type Cell = string | number | null;
type ZipOptions = { isLocked?: boolean; isStored?: boolean; directoryBytes?: number };

/** A ZIP archive of these parts; `directoryBytes` overrides the sizes in its directory. */
export function zip(parts: Record<string, string | Uint8Array>, options: ZipOptions = {}): Uint8Array {
  const [locals, list]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content);
    const packed = options.isStored ? bytes : deflateRawSync(bytes);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(options.isLocked ? 1 : 0, 2);
    head.writeUInt16LE(options.isStored ? 0 : 8, 4);
    head.writeUInt32LE(crc32(bytes), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(options.directoryBytes ?? bytes.length, 18);
    head.writeUInt16LE(name.length, 22);
    locals.push(Buffer.from("PK\u0003\u0004"), head, Buffer.from(name), packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    list.push(Buffer.from("PK\u0001\u0002\u0014\u0000"), head, tail, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(18);
  const count = Object.keys(parts).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(list).length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...list, Buffer.from("PK\u0005\u0006"), end]);
}

const MAIN = "application/vnd.openxmlformats-officedocument.spreadsheetml";
/** Of all parts with cells and texts. */
export const NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const TYPE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** The parts of a workbook with one sheet: texts are shared strings, numbers are stored as a sheet stores them. */
export function workbookParts(rows: Cell[][]): Record<string, string> {
  const shared: string[] = [];
  const cell = (value: Cell, column: number, row: number) => {
    const at = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (value === null) return "";
    if (typeof value === "number") return `<c r="${at}" s="1"><v>${value}</v></c>`;
    shared.push(value);
    return `<c r="${at}" t="s"><v>${shared.length - 1}</v></c>`;
  };
  const lines = rows.map((row, i) => `<row r="${i + 1}">${row.map((it, j) => cell(it, j, i)).join("")}</row>`);
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const strings = shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`);
  return {
    "[Content_Types].xml":
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      `<Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${MAIN}.worksheet+xml"/>` +
      `<Override PartName="/xl/sharedStrings.xml" ContentType="${MAIN}.sharedStrings+xml"/></Types>`,
    "xl/workbook.xml":
      `<?xml version="1.0"?><workbook xmlns="${NAMESPACE}"><sheets>` +
      `<sheet name="Old" sheetId="2" state="hidden" r:id="rId9"/>` +
      '<sheet name="Numbers" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels":
      `<Relationships><Relationship Id="rId1" Type="${TYPE}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId9" Type="${TYPE}/worksheet" Target="worksheets/sheet9.xml"/>` +
      `<Relationship Id="rId3" Type="${TYPE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/worksheets/sheet9.xml": `<worksheet xmlns="${NAMESPACE}"><sheetData/></worksheet>`,
    "xl/worksheets/sheet1.xml":
      `<worksheet xmlns="${NAMESPACE}"><!-- <row><c><v>7</v></c></row> -->` +
      `<sheetData>${lines.join("")}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst xmlns="${NAMESPACE}">${strings.join("")}</sst>`,
  };
}

export const workbook = (rows: Cell[][], options?: ZipOptions) => zip(workbookParts(rows), options);

/** The parts of an archive as text, read by its directory, with their sizes and sums checked. */
export function unzipped(bytes: Uint8Array): Record<string, string> {
  const file = Buffer.from(bytes);
  const end = file.lastIndexOf("PK\u0005\u0006");
  const parts: Record<string, string> = {};
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left--) {
    const [sum, packedBytes, fullBytes] = [16, 20, 24].map((offset) => file.readUInt32LE(at + offset));
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.toString("utf8", at + 46, at + 46 + nameBytes);
    const local = file.readUInt32LE(at + 42);
    const from = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const content = inflateRawSync(file.subarray(from, from + packedBytes!));
    if (content.length !== fullBytes || crc32(content) !== sum) throw new Error(`${name} is damaged`);
    parts[name] = content.toString();
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return parts;
}
