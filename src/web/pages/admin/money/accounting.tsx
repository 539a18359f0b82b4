// The accountant's page: the files of each month, the closing of months, and wallets as they stood on a day.
import type { Db } from "../../../../../db/connect.ts";
import { MONTH_FILES, type MonthFile, type MonthSums, walletsFile } from "../../../../core/accounting/files.ts";
import * as months from "../../../../core/accounting/months.ts";
import { countText, labelOf, pageOf, seenBy, type Waiting, waiting } from "../../../../core/overview/waiting.ts";
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
  const next = await nextOf(db, by, all);
  return {
    body: (
      <>
        <section className="card">
          <h2>Months</h2>
          <p className="small soft">
            A refund belongs to the month in which the money went back. The files of a closed month are kept as they
            were when it was closed; those of an open month are as of now.
          </p>
          <RefusalNote refused={refused} />
          <Table rows={all} columns={columnsFor(next)} className="lines" empty="" />
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

type Row = months.Month;

/** The month that can be closed now, with what stands in it and what began in it and waits. */
type Next = { month: string; sums: MonthSums; waiting: Waiting[] };

/** What is decided of a month later than its end counts for a later month. */
const OF_A_MONTH: readonly string[] = [
  ...["deposits", "deposits_taken_back", "cash_to_accept", "cash_at_bank", "payments_in_review"],
  ...["disputes", "differences"],
];

/** The oldest open month but for the current one; null when there is none. */
async function nextOf(db: Db, by: ByUser, all: months.Month[]): Promise<Next | null> {
  const next = all.slice(1).findLast(({ state }) => state === "open");
  if (!next || !hasRight(by, "books.close")) return null;
  const [sums, waits] = await Promise.all([months.openSums(db, next.month), waiting(db)]);
  const { until } = months.spanOf(next.month);
  const isOfIt = ({ kind, since }: Waiting) => OF_A_MONTH.includes(kind) && since !== null && since < until;
  return { month: next.month, sums, waiting: seenBy(by, waits).filter(isOfIt) };
}

function columnsFor(next: Next | null): Column<Row>[] {
  return [
    { head: "Month", className: "when", cell: ({ month }) => <b>{monthName(month)}</b> },
    {
      head: "Files",
      className: "last full small",
      isPlainInCards: true,
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
      isNumber: true,
      className: "money below",
      cell: (row) => orDash(sumsIn(row, next)?.salesPesewas),
    },
    {
      head: "Refunds",
      isNumber: true,
      className: "money below",
      cell: (row) => orDash(sumsIn(row, next)?.refundsPesewas),
    },
    {
      head: "State",
      className: "end",
      isPlainInCards: true,
      cell: (row) => <State row={row} next={next?.month === row.month ? next : null} />,
    },
  ];
}

const sumsIn = ({ month, sums }: Row, next: Next | null) => sums ?? (next?.month === month ? next.sums : null);
const orDash = (pesewas: number | undefined) => (pesewas === undefined ? "–" : <Money pesewas={pesewas} />);

function State({ row, next }: { row: Row; next: Next | null }) {
  const { month, state, closedAt, closedBy } = row;
  if (closedAt)
    return (
      <span className="small">
        Closed by <bdi>{closedBy}</bdi>, <Moment at={closedAt} />
      </span>
    );
  if (state === "closing") return <span className="chip info">Being closed</span>;
  if (!next) return <span className="chip">Open</span>;
  return (
    <details className="sure">
      <summary className="tiny" aria-label={`Close ${monthName(month)} …`}>
        Close{"\u00a0"}…
      </summary>
      <p className="small">
        This cannot be undone. Its files are kept as they are now; whatever is decided later counts for the month in
        which it is decided.
      </p>
      {next.waiting.length > 0 && (
        <>
          <p className="small">From this month or before, and not decided yet:</p>
          <ul className="plain small">
            {next.waiting.map((one) => (
              <li key={one.kind}>
                <a href={pageOf(one)}>
                  {countText(one)} {labelOf(one)}
                </a>
                , the oldest of <Moment at={one.since!} />
              </li>
            ))}
          </ul>
        </>
      )}
      <Form<AccountingAction> to="/admin/accounting" does="close" sends={{ month }}>
        <button className="tiny" type="submit">
          Close {monthName(month)}
        </button>
      </Form>
    </details>
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
