// Writing of Excel workbooks: what each cell is, that the shop's own reader understands them, and that neither texts
// nor lengths do harm.
import { expect, test } from "bun:test";
import { SHEET_ROWS_MAX, type SheetCell, type SheetColumn, workbook } from "../../src/web/files/workbook.ts";
import { cellsOfFile } from "../../src/web/upload/bulk-file.ts";
import { unzipped } from "../support/xlsx.ts";

const COLUMNS: SheetColumn[] = [
  { title: "Number", kind: "text", width: 14 },
  { title: "Amount", kind: "money", width: 12 },
  { title: "Date", kind: "moment", width: 17 },
  { title: "Day", kind: "day", width: 12 },
  { title: "Quantity", kind: "count", width: 9 },
];
const MOMENT = new Date("2026-11-22T06:00:43.645Z");
const ROW: SheetCell[] = ["0241234567", -125_050, MOMENT, new Date("2026-11-22"), 3];

const bytesOf = async (batches: SheetCell[][][]) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbook(COLUMNS, batches)) chunks.push(chunk);
  return new Uint8Array(Buffer.concat(chunks));
};
const sheetOf = async (batches: SheetCell[][][]) => unzipped(await bytesOf(batches))["xl/worksheets/sheet1.xml"]!;

test("numbers are texts with their zero, amounts and dates are numbers in their formats", async () => {
  const sheet = await sheetOf([[ROW]]);
  expect(sheet).toContain('<c s="5" t="inlineStr"><is><t xml:space="preserve">0241234567</t></is></c>');
  expect(sheet).toContain('<c s="2"><v>-1250.50</v></c>');
  // 22 November 2026 is day 46,348 of Excel's; six o'clock is a quarter of it.
  expect(sheet).toContain('<c s="3"><v>46348.25</v></c><c s="4"><v>46348</v></c><c s="0"><v>3</v></c>');
  const { "xl/styles.xml": styles } = unzipped(await bytesOf([[ROW]]));
  const formats = [...styles!.match(/<cellXfs.*<\/cellXfs>/)![0].matchAll(/numFmtId="(\d+)"/g)].map(([, id]) => id);
  expect(formats).toEqual(["0", "0", "4", "164", "165", "49"]);
  expect(styles).toContain('numFmtId="164" formatCode="dd/mm/yyyy\\ hh:mm"');
});

test("the headings are frozen above the rows", async () => {
  expect(await sheetOf([])).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>');
});

test("the shop's own reader reads what was written", async () => {
  const bytes = await bytesOf([[ROW], [["Kwame & “Söhne” <b>", null, null, null, 1]]]);
  const { read: rows } = await cellsOfFile(bytes);
  expect(rows).toEqual([
    ["Number", "Amount", "Date", "Day", "Quantity"],
    ["0241234567", "-1250.50", "2026-11-22 06:00:00", "2026-11-22", "3"],
    ["Kwame & “Söhne” <b>", "", "", "", "1"],
  ]);
});

test("a text is never a formula, and holds nothing that XML cannot hold", async () => {
  const texts = ['=HYPERLINK("x")', "+1", "@SUM(A1)", "\u0000\u0007\ud800\uffff]]><c>"];
  const sheet = await sheetOf([texts.map((text) => [text, null, null, null, null])]);
  expect(sheet).not.toMatch(/<f[ >]/);
  expect(sheet).toContain('<t xml:space="preserve">=HYPERLINK("x")</t>');
  expect(sheet).toContain('<t xml:space="preserve">\ufffd]]&gt;&lt;c&gt;</t>');
});

test("a long file ends with a row that says so, and is made while it is read", async () => {
  let batches = 0;
  function* endless() {
    for (;;) {
      batches += 1;
      yield Array.from({ length: 999 }, () => ROW);
    }
  }
  let bytes = 0;
  const chunks: Uint8Array[] = [];
  for await (const chunk of workbook(COLUMNS, endless())) {
    bytes += chunk.length;
    chunks.push(chunk);
  }
  expect(batches).toBe(Math.ceil(SHEET_ROWS_MAX / 999));
  expect(bytes).toBeLessThan(4_000_000);
  const sheet = unzipped(new Uint8Array(Buffer.concat(chunks)))["xl/worksheets/sheet1.xml"]!;
  expect(sheet.match(/<row>/g)).toHaveLength(1 + SHEET_ROWS_MAX + 1);
  expect(sheet).toContain("This file ends after 50,000 rows.");
});

test("a source that fails does so at once, or breaks the file off later, and a reader may leave", async () => {
  const fault = new Error("the database is gone");
  async function* failing(after: number) {
    for (let i = 0; i < after; i++) yield [ROW];
    throw fault;
  }
  expect(workbook(COLUMNS, failing(0)).next()).rejects.toBe(fault);
  const late = async () => {
    for await (const _ of workbook(COLUMNS, failing(3)));
  };
  expect(late()).rejects.toThrow("the database is gone");

  let isLeft = false;
  async function* endless() {
    try {
      for (;;) yield Array.from({ length: 999 }, () => ROW);
    } finally {
      isLeft = true;
    }
  }
  const reading = workbook(COLUMNS, endless());
  // The parts before the sheet, each with its head and its end, and some of the sheet.
  for (let i = 0; i < 20; i++) await reading.next();
  await reading.return(undefined);
  for (let i = 0; i < 100 && !isLeft; i++) await new Promise((resolve) => setImmediate(resolve));
  expect(isLeft).toBe(true);
});
