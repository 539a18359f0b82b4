// The accountant's page: the files of each month, the closing of months, and wallets as they stood on a day.
import { MONTH_FILES, type MonthFile, walletsFile } from "../../../../core/accounting/files.ts";
import * as months from "../../../../core/accounting/months.ts";
import * as salesHistory from "../../../../core/reports/sales-history.ts";
import type { ByUser } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { does } from "../../../does.ts";
import {
  actionsOf,
  type Context,
  type Download,
  type Page,
  type Refused,
  redirect,
  type View,
} from "../../../page.tsx";
import { sheetFile } from "../../../sheet.ts";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Moment, Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const actions = actionsOf({
  close: does(months.close, ({ month }) =>
    redirect("/admin/accounting", `${monthName(month)} is being closed: its files are kept in a moment.`),
  ),
});
type AccountingAction = keyof typeof actions;

export const accountingPages: Page[] = [
  {
    path: "/admin/accounting",
    right: "books.see",
    tab: { section: "Money", label: "Month", part: "Accountant" },
    show: showMonths,
    actions,
  },
  { path: "/admin/accounting/file", right: "books.see", examples: [], show: downloadFile },
  { path: "/admin/accounting/wallets", right: "books.see", examples: [], show: downloadWallets },
];

async function showMonths({ db, by }: Context, refused?: Refused): Promise<View> {
  const all = await months.list(db);
  return {
    body: (
      <>
        <section className="card">
          <h2>Months</h2>
          <p className="soft">
            A refund belongs to the month in which the money went back. The files of a closed month are kept as they
            were when it was closed; those of an open month are as of now.
          </p>
          <RefusalNote refused={refused} />
          <Table rows={all.map((month) => ({ ...month, by }))} columns={columnsFor(all)} empty="" />
        </section>
        <section className="card">
          <h2>Wallets on a day</h2>
          <form method="get" action="/admin/accounting/wallets" className="row">
            <div>
              <label htmlFor="day">At the end of</label>
              <input id="day" name="day" type="date" defaultValue={salesHistory.today()} required />
            </div>
            <button type="submit">Download</button>
          </form>
        </section>
      </>
    ),
  };
}

type Row = months.Month & { by: ByUser };

/** The month that can be closed now is the oldest open one but for the current month. */
function columnsFor(all: months.Month[]): Column<Row>[] {
  const next = all.slice(1).findLast(({ state }) => state === "open")?.month;
  return [
    { head: "Month", className: "full", cell: ({ month }) => <b>{monthName(month)}</b> },
    {
      head: "Files",
      className: "full small",
      cell: ({ month }) => (
        <div className="links">
          {Object.entries(MONTH_FILES).map(([name, { title }]) => (
            <a key={name} href={`/admin/accounting/file?${new URLSearchParams({ month, file: name })}`}>
              {title}
            </a>
          ))}
        </div>
      ),
    },
    {
      head: "Sales",
      className: "money",
      cell: ({ sums }) => (sums ? <Money pesewas={sums.salesPesewas} /> : "–"),
    },
    {
      head: "Refunds",
      className: "money",
      cell: ({ sums }) => (sums ? <Money pesewas={sums.refundsPesewas} /> : "–"),
    },
    { head: "State", cell: (row) => <State row={row} canClose={row.month === next} /> },
  ];
}

function State({ row, canClose }: { row: Row; canClose: boolean }) {
  const { month, state, closedAt, closedBy, by } = row;
  if (closedAt)
    return (
      <span className="small">
        Closed by <bdi>{closedBy}</bdi>, <Moment at={closedAt} />
      </span>
    );
  if (state === "closing") return <span className="chip info">Being closed</span>;
  if (!canClose || !hasRight(by, "books.close")) return <span className="chip">Open</span>;
  return (
    <Form<AccountingAction> to="/admin/accounting" does="close" sends={{ month }}>
      <button className="tiny" type="submit">
        Close {monthName(month)}
      </button>
    </Form>
  );
}

function monthName(month: string): string {
  const at = new Date(`${month}-01T00:00:00Z`);
  return at.toLocaleDateString("en-GB", { timeZone: "Africa/Accra", month: "long", year: "numeric" });
}

async function downloadFile({ db, url }: Context): Promise<Download> {
  const [month, file] = [url.searchParams.get("month") ?? "", url.searchParams.get("file") ?? ""];
  if (!months.isMonth(month) || !Object.hasOwn(MONTH_FILES, file)) throw new AppError("request.not_found");
  return sheetFile(`${month}-${file}.csv`, months.read(db, month, file as MonthFile));
}

async function downloadWallets({ db, url }: Context): Promise<Download> {
  const day = url.searchParams.get("day") ?? "";
  if (!salesHistory.isDay(day)) throw new AppError("request.not_found");
  return sheetFile(`wallets-${day}.csv`, walletsFile(db, new Date(salesHistory.addDays(day, 1))));
}
