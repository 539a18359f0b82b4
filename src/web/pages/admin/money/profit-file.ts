// The shop's profit as a file for spreadsheets, a line for each row of one dimension.
import type { ProfitRow } from "../../../../core/reports/profit-figures.ts";
import type { Dimension } from "../../../../core/reports/shop-profit-by.ts";
import { toCsv } from "../../../../shared/lists/csv.ts";
import { decimal } from "../../../../shared/money.ts";
import type { SheetColumn } from "../../../files/workbook.ts";
import type { Download } from "../../../page.tsx";
import { sheetFile, wantsWorkbook, workbookFile } from "../../../sheet.ts";
import { DIMENSION_NAMES } from "./profit-table.tsx";

/** The figures in pesewas; null where a row has none. */
const AMOUNTS: [title: string, of: (row: ProfitRow) => number | null][] = [
  ["Sales", ({ amountPesewas }) => amountPesewas],
  ["Cost", ({ costPesewas }) => costPesewas],
  ["Sales without a known cost", ({ uncostedPesewas }) => uncostedPesewas],
  ["Payment fees", ({ feesPesewas }) => feesPesewas],
  ["Losses", ({ lossesPesewas }) => lossesPesewas],
  ["Profit", ({ profitPesewas }) => profitPesewas],
];

/** The file in the format that the address asks for. Only days have payment fees and losses. */
export function profitFile(rows: ProfitRow[], by: Dimension, file: { name: string; url: URL }): Download {
  const amounts = AMOUNTS.filter(([, of]) => rows.some((row) => of(row) !== null));
  const columns: SheetColumn[] = [
    { title: DIMENSION_NAMES[by].one, kind: by === "day" ? "day" : "text", width: by === "day" ? 12 : 24 },
    { title: "Orders", kind: "count", width: 9 },
    ...amounts.map(([title]): SheetColumn => ({ title, kind: "money", width: 14 })),
    { title: "Margin %", kind: "count", width: 10 },
  ];
  if (wantsWorkbook(file.url)) {
    const cells = rows.map((row) => [
      by === "day" && row.key !== null ? new Date(row.key) : row.name,
      row.orders,
      ...amounts.map(([, of]) => of(row)),
      row.marginPercent,
    ]);
    return workbookFile(file.name, columns, [cells]);
  }
  const lines = rows.map((row) => [
    row.name,
    row.orders,
    ...amounts.map(([, of]) => decimalOf(of(row))),
    row.marginPercent,
  ]);
  return sheetFile(`${file.name}.csv`, [toCsv([columns.map(({ title }) => title), ...lines])]);
}

const decimalOf = (pesewas: number | null) => (pesewas === null ? null : decimal(pesewas));
