// USSD statistics: sessions by day, and for each screen how often it was shown, left and answered wrongly.
import { addDays, isDay, today } from "../../../../core/reports/sales-history.ts";
import * as gatewayAlerts from "../../../../core/ussd/gateway-alerts.ts";
import * as gatewayFigures from "../../../../core/ussd/gateway-figures.ts";
import * as usage from "../../../../core/ussd/usage.ts";
import type { Context, Page, View } from "../../../page.tsx";
import { dayText } from "../../../ui/charts.tsx";
import { Empty, Figure } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Tabs } from "../../../ui/tabs.tsx";
import { EndingsCard, GatewaysCard, RanShortCard, Troubles } from "./ussd-gateways.tsx";

export const ussdPages: Page[] = [
  {
    path: "/admin/ussd",
    right: "messages.see",
    tab: { section: "Settings", label: "Messages", part: "USSD" },
    show: showUssd,
  },
];

const RANGES = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
] as const;
const PATH = "/admin/ussd";

async function showUssd({ db, url }: Context): Promise<View> {
  const { first, last, current } = readSpan(url);
  const [figures, gateways, short, troubles] = await Promise.all([
    usage.figures(db, { first, last }),
    gatewayFigures.figures(db, { first, last }),
    gatewayFigures.ranShort(db),
    gatewayAlerts.troubles(db),
  ]);
  const tabs = RANGES.map(([days, label]) => [`${PATH}?range=${days}`, label] as const);
  return {
    body: (
      <>
        <p className="soft">
          {first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`}. A session is counted once nobody
          can continue it, eleven minutes after it began.
        </p>
        <Troubles troubles={troubles} />
        <Tabs label="How long" tabs={tabs} {...(current && { current })} />
        {figures.days.length === 0 ? (
          <>
            <section className="card">
              <Empty>
                Nobody dialled on these days. Agents can once a gateway forwards their sessions to this shop.
              </Empty>
            </section>
            {short.length > 0 && <RanShortCard agents={short} />}
          </>
        ) : (
          <>
            <Totals days={figures.days} />
            <RanShortCard agents={short} />
            <section className="card">
              <h2>Where agents leave</h2>
              <Table rows={figures.screens} columns={SCREENS} />
            </section>
            <section className="card">
              <h2>By day</h2>
              <Table rows={figures.days} columns={DAYS} />
            </section>
            <EndingsCard gateways={gateways} />
            <GatewaysCard gateways={gateways} />
          </>
        )}
      </>
    ),
  };
}

/** Reads a single day, or a number of days back from today; invalid values are left out. */
function readSpan({ searchParams }: URL): { first: string; last: string; current?: string } {
  const day = searchParams.get("day") ?? "";
  if (isDay(day)) return { first: day, last: day };
  const range = RANGES.find(([days]) => String(days) === searchParams.get("range"))?.[0] ?? RANGES[0][0];
  const last = today();
  return { first: addDays(last, 1 - range), last, current: `${PATH}?range=${range}` };
}

function Totals({ days }: { days: usage.DayFigures[] }) {
  const sum = (name: "sessions" | "hops" | "bought" | "left" | "stumbles" | "failed" | "failures") =>
    days.reduce((total, day) => total + day[name], 0);
  const sessions = sum("sessions");
  const note = (text: string) => <p className="small soft">{text}</p>;
  return (
    <div className="grid">
      <Figure name="Sessions" note={note(`${average(sum("hops"), sessions)} screens each`)}>
        {number(sessions)}
      </Figure>
      <Figure name="Bought" note={note(`${share(sum("bought"), sessions)} of the sessions`)}>
        {number(sum("bought"))}
      </Figure>
      <Figure name="Left before the end" note={note(`${share(sum("left"), sessions)} of the sessions`)}>
        {number(sum("left"))}
      </Figure>
      <Figure name="Not understood" note={note("answers that were wrong or refused")}>
        {number(sum("stumbles"))}
      </Figure>
      <Figure name="Failed at the gateway" note={note(`${share(sum("failed"), sessions)} of the sessions`)}>
        {number(sum("failed"))}
      </Figure>
      <Figure name="Answered with an error" note={note("requests that could not be read, or failed here")}>
        {number(sum("failures"))}
      </Figure>
    </div>
  );
}

const SCREENS: Column<usage.ScreenFigures>[] = [
  { head: "Screen", cell: ({ screen }) => nameOf(screen) },
  {
    head: "Left there",
    isNumber: true,
    cell: ({ shown, left }) => (
      <>
        <span className="in-cards soft">left </span>
        <strong>{number(left)}</strong> {left > 0 && <span className="soft">{share(left, shown)}</span>}
      </>
    ),
  },
  {
    head: "Shown",
    isNumber: "wide",
    className: "small",
    cell: ({ shown }) => (
      <>
        <span className="in-cards soft">Shown </span>
        {number(shown)}
      </>
    ),
  },
  figure("Not understood", ({ stumbles }) => stumbles),
];

const DAYS: Column<usage.DayFigures>[] = [
  { head: "Day", cell: ({ day }) => <a href={`${PATH}?day=${day}`}>{dayText(day)}</a> },
  {
    head: "Sessions",
    isNumber: true,
    cell: ({ sessions }) => (
      <>
        <strong>{number(sessions)}</strong>
        <span className="in-cards soft"> sessions</span>
      </>
    ),
  },
  figure("Screens", ({ hops }) => hops, "wide"),
  figure("Bought", ({ bought }) => bought),
  figure("Left", ({ left }) => left, "wide"),
  figure("Not understood", ({ stumbles }) => stumbles),
  figure("Failed", ({ failed }) => failed, "wide"),
  figure("Errors", ({ failures }) => failures),
];

/** A column of counts; in a card each count has a label. */
function figure<Row>(head: string, countOf: (row: Row) => number, isNumber: true | "wide" = true): Column<Row> {
  return {
    head,
    isNumber,
    className: "small",
    cell: (row) => (
      <>
        {number(countOf(row))}
        <span className="in-cards soft">{` ${head.toLowerCase()}`}</span>
      </>
    ),
  };
}

/** "other_network" as "Other network". */
function nameOf(screen: string): string {
  const name = screen.replaceAll("_", " ");
  return (name[0]!.toUpperCase() + name.slice(1)).replace(/\bpin\b/i, "PIN");
}

const number = (count: number) => count.toLocaleString("en");
const average = (sum: number, count: number) =>
  (sum / count).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const share = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)}%`;
