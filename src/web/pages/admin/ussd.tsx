// How agents get on by USSD: sessions by day, and by screen how often it was shown, left and not understood.
import { addDays, isDay, today } from "../../../core/orders/sales-history.ts";
import * as usage from "../../../core/ussd/usage.ts";
import type { Context, Page, View } from "../../page.tsx";
import { dayWords } from "../../ui/charts.tsx";
import { Empty, Figure, Tabs } from "../../ui/parts.tsx";

export const ussdPages: Page[] = [
  { path: "/admin/ussd", role: "admin", menu: { admin: "USSD" }, show: showUssd },
];

const RANGES = [
  [7, "7 days"],
  [30, "30 days"],
  [90, "90 days"],
] as const;
const PATH = "/admin/ussd";

async function showUssd({ db, url }: Context): Promise<View> {
  const { first, last, here } = readSpan(url);
  const figures = await usage.figures(db, { first, last });
  const tabs = RANGES.map(([days, words]) => [`${PATH}?range=${days}`, words] as const);
  return {
    title: "USSD",
    body: (
      <>
        <h1>USSD</h1>
        <p className="soft">
          {first === last ? dayWords(first) : `${dayWords(first)} to ${dayWords(last)}`}. A session counts
          once nobody can go on with it, eleven minutes after it began.
        </p>
        <Tabs label="How long" tabs={tabs} {...(here && { here })} />
        {figures.days.length === 0 ? (
          <section className="card">
            <Empty>
              Nobody dialled in these days. Agents can once Africa's Talking sends their dials to this shop.
            </Empty>
          </section>
        ) : (
          <>
            <Totals days={figures.days} />
            <Screens screens={figures.screens} />
            <Days days={figures.days} />
          </>
        )}
      </>
    ),
  };
}

/** A day of its own, or so many back from today; what cannot be read is left out. */
function readSpan({ searchParams }: URL): { first: string; last: string; here?: string } {
  const day = searchParams.get("day") ?? "";
  if (isDay(day)) return { first: day, last: day };
  const range = RANGES.find(([days]) => String(days) === searchParams.get("range"))?.[0] ?? RANGES[0][0];
  const last = today();
  return { first: addDays(last, 1 - range), last, here: `${PATH}?range=${range}` };
}

function Totals({ days }: { days: usage.DayFigures[] }) {
  const sum = (name: "sessions" | "hops" | "bought" | "left" | "stumbles" | "failed" | "failures") =>
    days.reduce((total, day) => total + day[name], 0);
  const sessions = sum("sessions");
  const note = (words: string) => <p className="small soft">{words}</p>;
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

function Screens({ screens }: { screens: usage.ScreenFigures[] }) {
  return (
    <section className="card">
      <h2>Where people leave</h2>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Screen</th>
              <th className="num">Left there</th>
              <th className="num">Shown</th>
              <th className="num">Not understood</th>
            </tr>
          </thead>
          <tbody>
            {screens.map(({ screen, shown, left, stumbles }) => (
              <tr key={screen}>
                <td>{nameOf(screen)}</td>
                <td className="num">
                  <span className="in-cards soft">left </span>
                  <strong>{number(left)}</strong>{" "}
                  {left > 0 && <span className="soft">{share(left, shown)}</span>}
                </td>
                <td className="small wide-num">
                  <span className="in-cards soft">Shown </span>
                  {number(shown)}
                </td>
                <td className="num small">
                  {number(stumbles)}
                  <span className="in-cards soft"> not understood</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Days({ days }: { days: usage.DayFigures[] }) {
  return (
    <section className="card">
      <h2>By day</h2>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Day</th>
              <th className="num">Sessions</th>
              <th className="num">Screens</th>
              <th className="num">Bought</th>
              <th className="num">Left</th>
              <th className="num">Not understood</th>
              <th className="num">Failed</th>
              <th className="num">Errors</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, sessions, hops, bought, left, stumbles, failed, failures }) => (
              <tr key={day}>
                <td>
                  <a href={`${PATH}?day=${day}`}>{dayWords(day)}</a>
                </td>
                <td className="num">
                  <strong>{number(sessions)}</strong>
                  <span className="in-cards soft"> sessions</span>
                </td>
                <td className="small wide-num">
                  {number(hops)}
                  <span className="in-cards soft"> screens</span>
                </td>
                <td className="num small">
                  {number(bought)}
                  <span className="in-cards soft"> bought</span>
                </td>
                <td className="small wide-num">
                  {number(left)}
                  <span className="in-cards soft"> left</span>
                </td>
                <td className="num small">
                  {number(stumbles)}
                  <span className="in-cards soft"> not understood</span>
                </td>
                <td className="small wide-num">
                  {number(failed)}
                  <span className="in-cards soft"> failed</span>
                </td>
                <td className="num small">
                  {number(failures)}
                  <span className="in-cards soft"> errors</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** "other_network" as people read it. */
function nameOf(screen: string): string {
  const words = screen.replaceAll("_", " ");
  return (words[0]!.toUpperCase() + words.slice(1)).replace(/\bpin\b/i, "PIN");
}

const number = (count: number) => count.toLocaleString("en");
const average = (sum: number, count: number) =>
  (sum / count).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const share = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)}%`;
