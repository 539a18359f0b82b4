// Sales over any range of days, compared with the range before: an agent's own, and for admins the whole shop's.

import type { ReactNode } from "react";
import * as overview from "../../../core/overview/today.ts";
import * as profit from "../../../core/reports/profit.ts";
import * as salesHistory from "../../../core/reports/sales-history.ts";
import * as shopProfit from "../../../core/reports/shop-profit.ts";
import type { Operator } from "../../../shared/domain.ts";
import { compared, MEASURE_NAMES, MEASURES, type Measure, showMeasure } from "../../../shared/lists/measures.ts";
import { show } from "../../../shared/money.ts";
import { Sheet } from "../../html.tsx";
import type { Context, Download, Page, View } from "../../page.tsx";
import { dayText, HoursChart } from "../../ui/charts.tsx";
import {
  type ChosenSpan,
  daysText,
  FileLinks,
  isOnlyToday,
  isSpanCompared,
  pathWith,
  readSpan,
  SpanChoice,
  SpanText,
} from "../../ui/day-span.tsx";
import { OperatorTag } from "../../ui/frame/icons.tsx";
import { Empty, Figure } from "../../ui/parts.tsx";
import { SpanChart } from "../../ui/span-chart.tsx";
import { ShopProfit } from "../../ui/staff/shop-profit.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { salesFile } from "./statistics-file.ts";

export const statisticsPages: Page[] = [
  {
    path: "/statistics",
    role: "user",
    menu: { agent: "Sales history", icon: "statistics" },
    show: (context) => showSales(context, context.by.userId),
  },
  {
    path: "/statistics/export",
    role: "user",
    examples: [],
    show: (context) => exportSales(context, context.by.userId),
  },
  {
    path: "/admin/statistics",
    right: "profit.see",
    menu: { admin: "Reports", icon: "statistics" },
    tab: { section: "Reports", label: "Sales" },
    show: (context) => showSales(context, undefined),
  },
  {
    path: "/admin/statistics/export",
    right: "profit.see",
    examples: [],
    show: (context) => exportSales(context, undefined),
  },
];

/** Longer ranges are listed by month; the file has every day. */
const DAYS_LISTED = 92;

type Query = ChosenSpan & { measure: Measure };

/** Reads the address; invalid parts are left out. */
function readQuery(url: URL): Query {
  const measure = MEASURES.find((value) => value === url.searchParams.get("by")) ?? "amount";
  return { ...readSpan(url), measure };
}

async function showSales({ db, url }: Context, userId: number | undefined): Promise<View> {
  const query = readQuery(url);
  const isShop = userId === undefined;
  const hasHours = isShop && isOnlyToday(query) && !query.operator;
  const [sales, earned, shopEarned, began, hours] = await Promise.all([
    salesHistory.sales(db, query, { userId, operator: query.operator }),
    earnedIn(db, userId, query),
    isShop ? shopProfit.ofSpan(db, query, query) : null,
    isShop ? salesHistory.beganAfter(db, query) : null,
    hasHours ? overview.today(db) : null,
  ]);
  const isCompared = isSpanCompared(query, began);
  const isEmpty = sales.total.orders === 0 && sales.totalBefore.orders === 0;
  return {
    body: (
      <>
        <Sheet name="plot" />
        {!isShop && <h1>Sales history</h1>}
        <SpanText span={query} began={began} countedAt={shopEarned?.countedAt} />
        <SpanChoice url={url} span={query} kept={{ by: query.measure }} />
        <Totals sales={sales} length={query.length} isCompared={isCompared}>
          {earned && earned !== "too many" && <Profit {...earned} />}
          {shopEarned && <ShopProfit earned={shopEarned} span={query} url={url} isCompared={isCompared} />}
        </Totals>
        {!isShop && <ProfitNote earned={earned} />}
        {hours && (
          <section className="card">
            <h2>Today beside yesterday</h2>
            <HoursChart {...hours.salesByHour} />
          </section>
        )}
        {query.length > 1 && (
          <section className="card">
            <h2>{PER_DAY[query.measure]}</h2>
            {isEmpty ? (
              <Empty>Nothing was sold on these days.</Empty>
            ) : (
              <Chart url={url} query={query} sales={sales} isCompared={isCompared} />
            )}
          </section>
        )}
        <OperatorTable sales={sales} />
        {query.length > 1 && <DayTable days={sales.days} earned={earned} />}
        <p className="actions">
          <FileLinks url={url} />
          {!isShop && (
            <a className="button quiet" href="/closing">
              Daily closing
            </a>
          )}
        </p>
      </>
    ),
  };
}

type Earned = Awaited<ReturnType<typeof profit.ofSpan>>;

/** An agent's profit in these days, of all networks; null for the whole shop. */
async function earnedIn(db: Context["db"], userId: number | undefined, query: Query): Promise<Earned> {
  return userId === undefined ? null : profit.ofSpan(db, userId, query);
}

/** Why an agent's profit is not among the figures. */
function ProfitNote({ earned }: { earned: Earned }) {
  if (earned === "too many")
    return <p className="note">These are too many orders to add up the profit. Choose fewer days.</p>;
  if (earned !== null) return null;
  return (
    <p className="soft">
      <a href="/prices">Set your prices</a> to see your profit here.
    </p>
  );
}

function Profit({ profitPesewas, pricedOrders }: profit.SpanProfit) {
  const sales = pricedOrders === 1 ? "1 sale" : `${pricedOrders.toLocaleString("en")} sales`;
  const note = <span className="soft small">from {sales}</span>;
  return (
    <Figure name="Profit" note={note}>
      {show(profitPesewas)}
    </Figure>
  );
}

const PER_DAY = { amount: "Amount per day, GH₵", orders: "Orders per day", volume: "Data per day, GB" } as const;
const FIELD = { amount: "amountPesewas", orders: "orders", volume: "volumeMb" } as const;

type TotalsProps = { sales: salesHistory.Sales; length: number; isCompared: boolean; children: ReactNode };

/** The sums, and beside them what else there is to say in one figure. */
function Totals({ sales, length, isCompared, children }: TotalsProps) {
  const names = { amount: "Sales", orders: "Orders", volume: "Data sold" };
  return (
    <div className="grid sums">
      {MEASURES.map((measure) => {
        const [now, before] = [sales.total[FIELD[measure]], sales.totalBefore[FIELD[measure]]];
        return (
          <Figure
            key={measure}
            name={names[measure]}
            note={
              isCompared && (
                <span className="soft small">
                  {compared(measure, now, before)} in the {daysText(length)} before
                </span>
              )
            }
          >
            {showMeasure(measure, now)}
          </Figure>
        );
      })}
      {children}
    </div>
  );
}

type ChartProps = { url: URL; query: Query; sales: salesHistory.Sales; isCompared: boolean };

function Chart({ url, query, sales, isCompared }: ChartProps) {
  const { measure, first, last } = query;
  const values = sales.days.map((day) => day[FIELD[measure]]);
  const before = (isCompared ? sales.daysBefore : []).map((day) => day[FIELD[measure]]);
  const tabs = MEASURES.map((it) => [pathWith(url, { by: it }), MEASURE_NAMES[it]] as const);
  return (
    <>
      <Tabs label="Chart of" tabs={tabs} current={pathWith(url, { by: measure })} />
      <SpanChart {...{ first, last, values, before, measure }} />
    </>
  );
}

function OperatorTable({ sales }: { sales: salesHistory.Sales }) {
  const byOperator = Object.entries(sales.byOperator);
  const all = byOperator.reduce((sum, [, { amountPesewas }]) => sum + amountPesewas, 0);
  const columns: Column<salesHistory.Sums & { operator: Operator }>[] = [
    { head: "Network", cell: ({ operator }) => <OperatorTag operator={operator} /> },
    ...SUMS,
    {
      head: "Share",
      isNumber: true,
      className: "full",
      cell: ({ amountPesewas }) => (
        <>
          <span className="in-cards small soft">Share </span>
          {all === 0 ? "–" : `${Math.round((amountPesewas / all) * 100)}%`}
        </>
      ),
    },
  ];
  return (
    <section className="card">
      <h2>By network</h2>
      <Table rows={byOperator.map(([operator, sums]) => ({ operator, ...sums }))} columns={columns} />
    </section>
  );
}

const SUMS = MEASURES.map(
  (measure): Column<salesHistory.Sums> => ({
    head: MEASURE_NAMES[measure],
    isNumber: true,
    className: "money",
    cell: (sums) => (
      <>
        {measure === "orders" && <span className="in-cards small soft">Orders </span>}
        {showMeasure(measure, sums[FIELD[measure]])}
      </>
    ),
  }),
);

/** The figures of the chart, newest first, with an agent's profit. */
function DayTable({ days, earned }: { days: salesHistory.SalesDay[]; earned: Earned }) {
  const profits = profitsBy(earned, days.length > DAYS_LISTED ? "month" : "day");
  const rows =
    days.length > DAYS_LISTED
      ? salesHistory.byMonth(days).map(({ month, ...sums }) => ({
          when: monthText(month),
          profit: profits?.get(month) ?? 0,
          ...sums,
        }))
      : days.map(({ day, ...sums }) => ({ when: dayText(day), profit: profits?.get(day) ?? 0, ...sums }));
  const when: Column<(typeof rows)[number]> = {
    head: days.length > DAYS_LISTED ? "Month" : "Day",
    cell: ({ when }) => when,
  };
  return (
    <details className="card">
      <summary>{days.length > DAYS_LISTED ? "Figures by month" : "Figures by day"}</summary>
      <Table rows={rows.reverse()} columns={[when, ...SUMS, ...(profits ? [PROFIT] : [])]} />
    </details>
  );
}

const PROFIT: Column<{ profit: number }> = {
  head: "Profit",
  isNumber: true,
  className: "money",
  cell: ({ profit }) => (
    <>
      <span className="in-cards small soft">Profit </span>
      {show(profit)}
    </>
  ),
};

/** The profit in pesewas by day (2026-11-21) or month (2026-11); null where none is known. */
function profitsBy(earned: Earned, unit: "day" | "month"): Map<string, number> | null {
  if (earned === null || earned === "too many") return null;
  const sums = new Map<string, number>();
  for (const { day, profitPesewas } of earned.days) {
    const key = unit === "day" ? day : day.slice(0, 7);
    sums.set(key, (sums.get(key) ?? 0) + profitPesewas);
  }
  return sums;
}

function monthText(month: string): string {
  const format = { month: "long", year: "numeric", timeZone: "UTC" } as const;
  return new Date(`${month}-15T12:00:00Z`).toLocaleDateString("en-GB", format);
}

async function exportSales({ db, url }: Context, userId: number | undefined): Promise<Download> {
  const query = readQuery(url);
  const [{ days }, earned] = await Promise.all([
    salesHistory.sales(db, query, { userId, operator: query.operator }),
    earnedIn(db, userId, query),
  ]);
  return salesFile(days, profitsBy(earned, "day"), { name: `sales-${query.first}-${query.last}`, url });
}
