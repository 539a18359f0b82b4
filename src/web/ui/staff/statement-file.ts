// A wallet's statement as a file for spreadsheets: CSV, or an Excel workbook.
import type { Db } from "../../../../db/connect.ts";
import { csvPieces, lineBatches } from "../../../core/ledger/statement.ts";
import type { Range } from "../../../core/ledger/wallet.ts";
import { accraSheetMoment } from "../../../shared/accra.ts";
import type { SheetCell, SheetColumn } from "../../files/workbook.ts";
import type { Download } from "../../page.tsx";
import { sheetFile, wantsWorkbook, workbookFile } from "../../sheet.ts";

/** The statement in the format that the address asks for; `name` has no ending. */
export function statementFile(db: Db, userId: number, range: Range, file: { name: string; url: URL }): Download {
  if (wantsWorkbook(file.url)) return workbookFile(file.name, COLUMNS, rows(db, userId, range));
  return sheetFile(`${file.name}.csv`, csvPieces(db, userId, range, accraSheetMoment));
}

const COLUMNS: SheetColumn[] = [
  { title: "Date", kind: "moment", width: 17 },
  { title: "Type", kind: "text", width: 11 },
  { title: "Description", kind: "text", width: 40 },
  { title: "Order ID", kind: "count", width: 10 },
  { title: "Amount", kind: "money", width: 12 },
  { title: "Balance", kind: "money", width: 12 },
];

async function* rows(db: Db, userId: number, range: Range): AsyncGenerator<SheetCell[][]> {
  for await (const batch of lineBatches(db, userId, range))
    yield batch.map(({ at, type, description, orderId, changePesewas, balancePesewas }) => [
      ...[at, type, description],
      ...[orderId, changePesewas, balancePesewas],
    ]);
}
