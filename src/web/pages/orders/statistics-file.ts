// The sales of a span of days as a file for spreadsheets, a line for each day.
import type { SalesDay } from "../../../core/reports/sales-history.ts";
import { toCsv } from "../../../shared/lists/csv.ts";
import { decimal } from "../../../shared/money.ts";
import type { SheetColumn } from "../../files/workbook.ts";
import type { Download } from "../../page.tsx";
import { sheetFile, wantsWorkbook, workbookFile } from "../../sheet.ts";

const COLUMNS: SheetColumn[] = [
  { title: "Day", kind: "day", width: 12 },
  { title: "Amount", kind: "money", width: 13 },
  { title: "Orders", kind: "count", width: 9 },
  { title: "GB", kind: "count", width: 9 },
];
const PROFIT: SheetColumn = { title: "Profit", kind: "money", width: 12 };

/** The file in the format that the address asks for; with an agent's profit by day where it is known. */
export function salesFile(
  days: SalesDay[],
  profits: Map<string, number> | null,
  file: { name: string; url: URL },
): Download {
  const columns = profits ? [...COLUMNS, PROFIT] : COLUMNS;
  const profitOf = (day: string) => (profits ? [profits.get(day) ?? 0] : []);
  if (wantsWorkbook(file.url)) {
    const rows = days.map(({ day, amountPesewas, orders, volumeMb }) => [
      ...[new Date(day), amountPesewas, orders, volumeMb / 1000],
      ...profitOf(day),
    ]);
    return workbookFile(file.name, columns, [rows]);
  }
  const lines = days.map(({ day, amountPesewas, orders, volumeMb }) => [
    ...[day, decimal(amountPesewas), orders, volumeMb / 1000],
    ...profitOf(day).map(decimal),
  ]);
  return sheetFile(`${file.name}.csv`, [toCsv([columns.map(({ title }) => title), ...lines])]);
}
