// CSV export of the list of orders: all that match the filter or, for agents, only their new ones.

import type { ExportedOrder } from "../../../core/orders/queries.ts";
import * as orderQueries from "../../../core/orders/queries.ts";
import { accraSheetMoment } from "../../../shared/accra.ts";
import { toCsv } from "../../../shared/csv.ts";
import { isAdmin } from "../../../shared/domain.ts";
import { decimal } from "../../../shared/money.ts";
import { type Context, type Download, type Leave, type Page, redirect } from "../../page.tsx";
import { sheetFile, sheetNumber } from "../../sheet.ts";
import { type Cells, linesToSend, SEND_TITLES } from "../../ui/order-files.tsx";
import { readFilter } from "../../ui/order-filter.tsx";

export const exportPages: Page[] = [
  { path: "/orders/export", role: "user", examples: [], show: exportOrders },
];

async function exportOrders({ db, by, url }: Context): Promise<Download | Leave> {
  const admin = isAdmin(by);
  const { cursor: _, onlyNew: __, ...filter } = readFilter(url.searchParams);
  const isAdmins = admin && url.searchParams.get("tab") !== "mine";
  const selection = { ...filter, isAdmins, userId: isAdmins ? filter.userId : by.userId };
  if (url.searchParams.get("kind") === "new") {
    // An admin who exports new orders takes them as a batch, which a form must do, not a link.
    if (isAdmins && selection.userId !== by.userId)
      return redirect(`/admin/desk/new${filter.operator ? `?operator=${filter.operator}` : ""}`);
    const batches = orderQueries.inBatches(db, { ...selection, toSend: true });
    return csv("new_orders.csv", SEND_TITLES, batches, sheetLinesToSend);
  }
  const titles = ["Order ID", "Number", "Status", "Operator", "Product", "Quantity", "Amount", "Date"];
  if (admin) titles.splice(1, 0, "User ID");
  const batches = orderQueries.inBatches(db, selection);
  return csv("orders.csv", titles, batches, (order) => [lineOf(order, admin)]);
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
  ];
}

/** As `linesToSend`, for people who open the file in a spreadsheet. */
function sheetLinesToSend(order: ExportedOrder): Cells[] {
  return linesToSend(order).map(([operator, , gigs]) => [
    operator ?? null,
    sheetNumber(order.msisdn),
    gigs ?? null,
  ]);
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
