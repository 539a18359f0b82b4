// Files for Excel and phones, as workbooks and as CSV, written so that a spreadsheet cannot misread them. Files of the
// API stay plain.
import { csvHeaders } from "../shared/lists/csv.ts";
import { spacedMsisdn } from "../shared/phones/msisdn.ts";
import { type SheetCell, type SheetColumn, workbook } from "./files/workbook.ts";
import type { Download } from "./page.tsx";

/** Makes Excel read UTF-8; without it GH₵ is garbled. */
const BYTE_ORDER_MARK = "\ufeff";

/** A CSV download under this file name. */
export function sheetFile(name: string, pieces: AsyncIterable<string> | Iterable<string>): Download {
  async function* marked() {
    yield BYTE_ORDER_MARK;
    yield* pieces;
  }
  return { pieces: marked(), headers: csvHeaders(name) };
}

/** 233541234567 as 054 123 4567: the spaces make it text, which keeps its zero. */
export const sheetNumber = spacedMsisdn;

/** Whether the address asks for an Excel workbook. */
export function wantsWorkbook({ searchParams }: URL): boolean {
  return searchParams.get("format") === "xlsx";
}

/** A download of an Excel workbook under this name, without its ending; `batches` of rows are read as it is sent. */
export function workbookFile(
  name: string,
  columns: readonly SheetColumn[],
  batches: AsyncIterable<SheetCell[][]> | Iterable<SheetCell[][]>,
): Download {
  return {
    pieces: workbook(columns, batches),
    headers: {
      "content-type": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "content-disposition": `attachment; filename="${name}.xlsx"`,
    },
  };
}
