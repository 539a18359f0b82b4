// Charts drawn on the server, each with its figures as text for those who cannot see it.
import type { Day } from "../../core/reports/reports.ts";
import type { Operator } from "../../shared/domain.ts";
import { gigabytes, type Measure, showMeasure } from "../../shared/lists/measures.ts";
import { brief, decimal, show } from "../../shared/money.ts";
import { operatorName } from "../../shared/operators.ts";
import { Sheet } from "../html.tsx";
import { NetworkBadge } from "./frame/icons.tsx";

const weekday = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" });

/** Seven days of sales as bars with their figures, today last, below their total; the exact figures are in a table. */
export function SalesChart({ days }: { days: Day[] }) {
  const highest = Math.max(1, ...days.map((day) => day.salesPesewas));
  const total = days.reduce((sum, day) => sum + day.salesPesewas, 0);
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  if (orders === 0) return <p className="empty">No sales in the last seven days</p>;
  return (
    <>
      <Sheet name="charts" />
      <p className="total">
        <strong className="figure">{show(total)}</strong>{" "}
        <span className="soft small">
          from {orders.toLocaleString("en")} {orders === 1 ? "order" : "orders"}
        </span>
      </p>
      <ol className="bars" aria-hidden="true">
        {days.map((day, i) => {
          const height = day.salesPesewas === 0 ? 0 : Math.max(2, (day.salesPesewas / highest) * 100);
          const isToday = i === days.length - 1;
          return (
            <li key={day.day} className={isToday ? "now" : undefined}>
              <svg viewBox="0 0 10 100" preserveAspectRatio="none" aria-hidden="true">
                <rect x="0" y={100 - height} width="10" height={height} />
              </svg>
              <span className="sum">{brief(day.salesPesewas)}</span>
              <span className="day">{isToday ? "Today" : weekday(day.day)}</span>
            </li>
          );
        })}
      </ol>
      <DayFigures days={days} />
    </>
  );
}

function DayFigures({ days }: { days: Day[] }) {
  return (
    <details>
      <summary>Figures</summary>
      <table>
        <thead>
          <tr>
            <th>Day</th>
            <th className="num">Orders</th>
            <th className="num">Sales</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <td>
                {weekday(day.day)} {day.day}
              </td>
              <td className="num">{day.orders}</td>
              <td className="num money">{show(day.salesPesewas)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** Sales by the hour of the day, today's before yesterday's; the exact figures are in a table. */
export function HoursChart({ today, yesterday }: { today: number[]; yesterday: number[] }) {
  const highest = Math.max(1, ...today, ...yesterday);
  const bar = (pesewas: number, hour: number, className: string) => {
    const height = pesewas === 0 ? 0 : Math.max(2, (pesewas / highest) * 100);
    return <rect key={hour} className={className} x={hour * 10 + 1} y={100 - height} width="8" height={height} />;
  };
  return (
    <>
      <Sheet name="charts" />
      <div className="hours" aria-hidden="true">
        <p>Sales by the hour. Grey: yesterday</p>
        <svg viewBox="0 0 240 100" preserveAspectRatio="none" aria-hidden="true">
          {yesterday.map((pesewas, hour) => bar(pesewas, hour, "past"))}
          {today.map((pesewas, hour) => bar(pesewas, hour, hour === today.length - 1 ? "now" : "so-far"))}
        </svg>
        <p>
          <span>0:00</span>
          <span>6:00</span>
          <span>12:00</span>
          <span>18:00</span>
          <span>24:00</span>
        </p>
      </div>
      <details>
        <summary>Figures by the hour, in GH₵</summary>
        <table>
          <thead>
            <tr>
              <th>From</th>
              <th className="num">Today</th>
              <th className="num">Yesterday</th>
            </tr>
          </thead>
          <tbody>
            {yesterday.map((pesewas, hour) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the hours of a day.
              <tr key={hour}>
                <td>{hour}:00</td>
                <td className="num money">{today[hour] === undefined ? "–" : decimal(today[hour])}</td>
                <td className="num money">{decimal(pesewas)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Data sold by network, as a ring around its total, with a legend. */
export function UsageRing({ volumeMb }: { volumeMb: Record<Operator, number> }) {
  const volumes = Object.entries(volumeMb);
  const total = volumes.reduce((sum, [, ofOne]) => sum + ofOne, 0);
  if (total === 0) return <p className="empty">No data sold yet</p>;
  let start = 0;
  return (
    <>
      <Sheet name="charts" />
      <div className="usage">
        <div className="ring">
          <svg viewBox="0 0 36 36" aria-hidden="true">
            <circle cx="18" cy="18" r="15" />
            {volumes.map(([operator, ofOne]) => {
              const share = (ofOne / total) * 100;
              const arc = (
                <circle
                  key={operator}
                  className={operator}
                  cx="18"
                  cy="18"
                  r="15"
                  pathLength="100"
                  strokeDasharray={`${share} ${100 - share}`}
                  strokeDashoffset={25 - start}
                />
              );
              start += share;
              return arc;
            })}
          </svg>
          <p>
            <strong>{gigabytes(total)}</strong>
            <span className="soft small">sold</span>
          </p>
        </div>
        <ul className="legend">
          {volumes.map(([operator, ofOne]) => (
            <li key={operator}>
              <NetworkBadge operator={operator} />
              <span>{operatorName(operator)}</span>
              <span className="money">
                {gigabytes(ofOne)} ({Math.round((ofOne / total) * 100)}%)
              </span>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}

export type HistoryProps = {
  values: number[];
  /** As many days right before them; none where there is nothing to compare with. */
  before: number[];
  first: string;
  last: string;
  measure: Measure;
};

/** Any number of days as a line above or below zero, with the preceding days dashed behind it. */
export function HistoryChart({ values, before, first, last, measure }: HistoryProps) {
  const all = [...values, ...before];
  const range = { lowest: Math.min(0, ...all), highest: Math.max(1, ...all) };
  const line = pointsOf(values, range);
  const [zero] = pointsOf([0], range).split(" ");
  const base = zero!.split(",")[1];
  return (
    <div className="history" aria-hidden="true">
      <span className="most small soft">{showMeasure(measure, Math.max(...all))}</span>
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        <polygon points={`0,${base} ${line} 1000,${base}`} />
        {before.length > 0 && <polyline className="before" points={pointsOf(before, range)} />}
        <polyline points={line} />
      </svg>
      <div className="ends small soft">
        <span>{dayText(first)}</span>
        <span>{dayText(last)}</span>
      </div>
    </div>
  );
}

/** The points of a line, in a box of 1000 by 100; a single day is a level line. */
function pointsOf(values: number[], { lowest, highest }: { lowest: number; highest: number }): string {
  const all = values.length === 1 ? [values[0]!, values[0]!] : values;
  const tenths = (number: number) => Math.round(number * 10) / 10;
  const heightOf = (value: number) => tenths(100 - ((value - lowest) / (highest - lowest)) * 100);
  return all.map((value, i) => `${tenths((i / (all.length - 1)) * 1000)},${heightOf(value)}`).join(" ");
}

/** 2026-11-21 as 21 Nov 2026. */
export function dayText(day: string): string {
  return new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  });
}
