// The daily closing: what a day began with, what came in and went out, and what it ended with, equal to the wallet's
// statement to the pesewa; with the profit where selling prices are known, and what customers owe.
import { Fragment } from "react";
import { CLOSING_DAYS_MAX, closings, type DayClosing, owedOn } from "../../../core/books/closing.ts";
import { type DayTurnover, TURNOVER_KINDS, type TurnoverKind } from "../../../core/ledger/daily-turnover.ts";
import { addDays, isDay, today } from "../../../core/reports/sales-history.ts";
import { toCsv } from "../../../shared/lists/csv.ts";
import { decimal, show } from "../../../shared/money.ts";
import type { SheetCell, SheetColumn } from "../../files/workbook.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Download, Page, View } from "../../page.tsx";
import { whatsAppPath } from "../../paths.ts";
import { sheetFile, wantsWorkbook, workbookFile } from "../../sheet.ts";
import { dayText } from "../../ui/charts.tsx";
import { Money } from "../../ui/parts.tsx";

export const closingPages: Page[] = [
  {
    path: "/closing",
    role: "user",
    menu: { agent: "Daily closing", icon: "done" },
    show: showClosing,
  },
  { path: "/closing/export", role: "user", examples: [], show: exportClosings },
];

const LABELS: Record<TurnoverKind, string> = {
  topUps: "Top-ups",
  orders: "Orders",
  refunds: "Refunds",
  corrections: "Corrections",
  reversals: "Reversed by the bank",
};

/** The day in the address; today when it is invalid or still to come. */
function dayIn({ searchParams }: URL): string {
  const day = searchParams.get("day") ?? "";
  return isDay(day) && day <= today() ? day : today();
}

async function showClosing({ db, by, url }: Context): Promise<View> {
  const day = dayIn(url);
  const [[closing], owed] = await Promise.all([
    closings(db, by.userId, { first: day, last: day }),
    owedOn(db, by.userId, day),
  ]);
  return {
    body: (
      <>
        <Sheet name="books" />
        <div className="head">
          <h1>Daily closing</h1>
          <DayForm day={day} />
        </div>
        <DayLinks day={day} />
        <div className="two even">
          <Account closing={closing!} isToday={day === today()} />
          <Business closing={closing!} owed={owed} />
        </div>
        <p className="actions">
          <a className="button" href={whatsAppPath(messageOf(closing!, owed))} rel="noreferrer">
            Share on WhatsApp
          </a>
          <a className="button quiet" href={`/closing/export?day=${day}&format=xlsx`}>
            Excel
          </a>
          <a className="button quiet" href={`/closing/export?day=${day}`}>
            CSV
          </a>
        </p>
        <p className="hint">The files have the {CLOSING_DAYS_MAX} days up to this one, a line each.</p>
      </>
    ),
  };
}

function DayForm({ day }: { day: string }) {
  return (
    <form method="get" action="/closing" className="actions">
      <label className="sr" htmlFor="day">
        Day
      </label>
      <input id="day" name="day" type="date" className="day" defaultValue={day} max={today()} required />
      <button className="quiet" type="submit">
        Show
      </button>
    </form>
  );
}

function DayLinks({ day }: { day: string }) {
  return (
    <p className="actions">
      <a className="button quiet tiny" rel="prev" href={`/closing?day=${addDays(day, -1)}`}>
        ‹ Day before
      </a>
      <strong>{dayText(day)}</strong>
      {day < today() && (
        <a className="button quiet tiny" rel="next" href={`/closing?day=${addDays(day, 1)}`}>
          Day after ›
        </a>
      )}
    </p>
  );
}

/** The kinds of movements that a day had; top-ups and orders always. */
function shownKinds(turnover: DayTurnover): TurnoverKind[] {
  return TURNOVER_KINDS.filter((kind) => kind === "topUps" || kind === "orders" || turnover[kind].count > 0);
}

function Account({ closing, isToday }: { closing: DayClosing; isToday: boolean }) {
  return (
    <section className="card">
      <h2>Wallet</h2>
      <dl className="facts">
        <dt>Opening balance</dt>
        <dd>
          <Money pesewas={closing.openingPesewas} />
        </dd>
        {shownKinds(closing).map((kind) => (
          <Fragment key={kind}>
            <dt>
              {LABELS[kind]} {closing[kind].count > 0 && <span className="small">({count(closing[kind].count)})</span>}
            </dt>
            <dd className="money">{signed(closing[kind].pesewas)}</dd>
          </Fragment>
        ))}
        <dt>
          <strong>{isToday ? "Balance now" : "Closing balance"}</strong>
        </dt>
        <dd>
          <strong>
            <Money pesewas={closing.closingPesewas} />
          </strong>
        </dd>
      </dl>
    </section>
  );
}

type Owed = Awaited<ReturnType<typeof owedOn>>;

function Business({ closing: { profit }, owed }: { closing: DayClosing; owed: Owed }) {
  return (
    <section className="card">
      <h2>Your business</h2>
      <dl className="facts">
        <dt>Profit</dt>
        <dd>
          {profit ? (
            <>
              <strong>
                <Money pesewas={profit.pesewas} />
              </strong>
              <br />
              <span className="small soft">
                from {profit.pricedOrders.toLocaleString("en")} {profit.pricedOrders === 1 ? "sale" : "sales"}
              </span>
            </>
          ) : (
            <a href="/prices">Set your prices</a>
          )}
        </dd>
        <dt>Owed for this day</dt>
        <dd>
          <Money pesewas={owed.ofDayPesewas} />
        </dd>
        <dt>Owed in all</dt>
        <dd>
          <a href="/customers?owing=1">
            <Money pesewas={owed.allPesewas} />
          </a>
        </dd>
      </dl>
    </section>
  );
}

const count = (value: number) => value.toLocaleString("en");
const orders = (value: number) => (value === 1 ? "1 order" : `${count(value)} orders`);
const signed = (pesewas: number) => `${pesewas > 0 ? "+" : ""}${show(pesewas)}`;

/** The day as a message for WhatsApp. */
function messageOf(closing: DayClosing, owed: Owed): string {
  const { profit } = closing;
  return [
    `*Closing ${dayText(closing.day)}*`,
    `Opening balance: ${show(closing.openingPesewas)}`,
    ...shownKinds(closing).map(
      (kind) => `${LABELS[kind]} (${count(closing[kind].count)}): ${signed(closing[kind].pesewas)}`,
    ),
    `Closing balance: ${show(closing.closingPesewas)}`,
    ...(profit ? [`Profit on ${orders(profit.pricedOrders)}: ${show(profit.pesewas)}`] : []),
    ...(owed.allPesewas > 0 ? [`Owed to me: ${show(owed.allPesewas)}`] : []),
  ].join("\n");
}

const COLUMNS: SheetColumn[] = [
  { title: "Day", kind: "day", width: 12 },
  { title: "Opening balance", kind: "money", width: 16 },
  ...TURNOVER_KINDS.map((kind): SheetColumn => ({ title: LABELS[kind], kind: "money", width: 13 })),
  { title: "Closing balance", kind: "money", width: 16 },
  { title: "Orders placed", kind: "count", width: 13 },
  { title: "Profit", kind: "money", width: 12 },
];

async function exportClosings({ db, by, url }: Context): Promise<Download> {
  const last = dayIn(url);
  const first = addDays(last, 1 - CLOSING_DAYS_MAX);
  const days = await closings(db, by.userId, { first, last });
  const name = `closing-${first}-${last}`;
  const rows = days.map((day): SheetCell[] => [
    new Date(day.day),
    day.openingPesewas,
    ...TURNOVER_KINDS.map((kind) => day[kind].pesewas),
    day.closingPesewas,
    day.orders.count,
    day.profit?.pesewas ?? null,
  ]);
  if (wantsWorkbook(url)) return workbookFile(name, COLUMNS, [rows]);
  const lines = rows.map((row) => row.map((cell, i) => csvCell(cell, COLUMNS[i]!)));
  return sheetFile(`${name}.csv`, [toCsv([COLUMNS.map(({ title }) => title), ...lines])]);
}

function csvCell(cell: SheetCell, { kind }: SheetColumn): string | number | null {
  if (cell instanceof Date) return cell.toISOString().slice(0, 10);
  return kind === "money" && typeof cell === "number" ? decimal(cell) : cell;
}
