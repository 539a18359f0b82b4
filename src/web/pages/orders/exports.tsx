// Export of the list of orders as CSV or an Excel workbook: all that match the filter or, for agents, only their new
// ones.

import type { ExportedOrder } from "../../../core/orders/queries.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { accraSheetMoment } from "../../../shared/accra.ts";
import { toCsv } from "../../../shared/lists/csv.ts";
import { decimal } from "../../../shared/money.ts";
import { metadataText } from "../../../shared/orders/own-reference.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";
import { hasRight } from "../../../shared/rights.ts";
import type { SheetCell, SheetColumn } from "../../files/workbook.ts";
import { type Context, type Download, type Leave, type Page, redirect } from "../../page.tsx";
import { sheetFile, sheetNumber, wantsWorkbook, workbookFile } from "../../sheet.ts";
import { type Cells, linesToSend, SEND_TITLES } from "../../ui/orders/order-files.tsx";
import { readFilter } from "../../ui/orders/order-filter.tsx";

export const exportPages: Page[] = [{ path: "/orders/export", role: "user", examples: [], show: exportOrders }];

async function exportOrders({ db, by, url }: Context): Promise<Download | Leave> {
  const admin = hasRight(by, "orders.see");
  const { cursor: _, onlyNew: __, ...filter } = readFilter(url.searchParams);
  const isAdmins = admin && url.searchParams.get("tab") !== "mine";
  const selection = { ...filter, isAdmins, userId: isAdmins ? filter.userId : by.userId };
  if (url.searchParams.get("kind") === "new") {
    // An admin who exports new orders takes them as a batch, which a form must do, not a link.
    if (isAdmins && selection.userId !== by.userId)
      return redirect(`/admin/desk/new${filter.operator ? `?operator=${filter.operator}` : ""}`);
    const batches = orderQueries.inBatches(db, { ...selection, toSend: true });
    if (wantsWorkbook(url)) return workbookFile("new_orders", SEND_COLUMNS, rowsOf(batches, linesToSend));
    return csv("new_orders.csv", SEND_TITLES, batches, sheetLinesToSend);
  }
  const columns = admin ? COLUMNS : COLUMNS.filter(({ title }) => title !== "User ID");
  const batches = orderQueries.inBatches(db, selection);
  if (wantsWorkbook(url))
    return workbookFile(
      "orders",
      columns,
      rowsOf(batches, (order) => [rowOf(order, admin)]),
    );
  const titles = columns.map(({ title }) => title);
  return csv("orders.csv", titles, batches, (order) => [lineOf(order, admin)]);
}

const COLUMNS: SheetColumn[] = [
  { title: "Order ID", kind: "count", width: 10 },
  { title: "User ID", kind: "count", width: 10 },
  { title: "Number", kind: "text", width: 14 },
  { title: "Status", kind: "text", width: 13 },
  { title: "Operator", kind: "text", width: 12 },
  { title: "Product", kind: "text", width: 24 },
  { title: "Quantity", kind: "count", width: 9 },
  { title: "Amount", kind: "money", width: 12 },
  { title: "Date", kind: "moment", width: 17 },
  { title: "Reference", kind: "text", width: 20 },
  { title: "Own data", kind: "text", width: 24 },
];

const SEND_COLUMNS: SheetColumn[] = SEND_TITLES.map((title) => ({
  title,
  kind: title === "GIGs" ? "count" : "text",
  width: 14,
}));

/** As `lineOf`, for a workbook. */
function rowOf(order: ExportedOrder, admin: boolean): SheetCell[] {
  return [
    order.id,
    ...(admin ? [order.userId] : []),
    localMsisdn(order.msisdn),
    order.status,
    order.operator,
    `${order.productName} ${order.productSize}`,
    order.quantity,
    order.amountPesewas,
    order.createdAt,
    ...ownCells(order),
  ];
}

function lineOf(order: ExportedOrder, admin: boolean): Cells {
  return [
    order.id,
    ...(admin ? [order.userId] : []),
    sheetNumber(order.msisdn),
    order.status,
    order.operator,
    `${order.productName} ${order.productSize}`,
    order.quantity,
    decimal(order.amountPesewas),
    accraSheetMoment(order.createdAt),
    ...ownCells(order),
  ];
}

/** What the agent's program wrote on an order. */
function ownCells({ reference, metadata }: ExportedOrder): (string | null)[] {
  return [reference, metadata && metadataText(metadata)];
}

/** As `linesToSend`, for people who open the file in a spreadsheet. */
function sheetLinesToSend(order: ExportedOrder): Cells[] {
  return linesToSend(order).map(([operator, , gigs]) => [operator ?? null, sheetNumber(order.msisdn), gigs ?? null]);
}

async function* rowsOf(
  batches: AsyncGenerator<ExportedOrder[]>,
  linesOf: (order: ExportedOrder) => SheetCell[][],
): AsyncGenerator<SheetCell[][]> {
  for await (const batch of batches) yield batch.flatMap(linesOf);
}

function csv(
  name: string,
  titles: string[],
  batches: AsyncGenerator<ExportedOrder[]>,
  linesOf: (order: ExportedOrder) => Cells[],
): Download {
  async function* pieces() {
    let head: Cells[] = [titles];
    for await (const batch of batches) {
      yield toCsv([...head, ...batch.flatMap(linesOf)]);
      head = [];
    }
    if (head.length > 0) yield toCsv(head);
  }
  return sheetFile(name, pieces());
}
