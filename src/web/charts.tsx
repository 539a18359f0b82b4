// Charts from real figures, drawn on the server, each with its numbers in words for those who cannot see it.
import type { Day } from "../core/reports.ts";
import { OPERATOR_NAMES, OPERATORS, type Operator } from "../shared/domain.ts";
import { show } from "../shared/money.ts";

const weekday = (day: string) =>
  new Date(`${day}T12:00:00Z`).toLocaleDateString("en-GB", { weekday: "short", timeZone: "UTC" });

/** Seven days of sales as bars, the same figures as a table below. */
export function SalesChart({ days }: { days: Day[] }) {
  const highest = Math.max(1, ...days.map((day) => day.salesPesewas));
  return (
    <>
      <svg className="bars" viewBox="0 0 70 100" preserveAspectRatio="none" aria-hidden="true">
        {days.map((day, i) => {
          const height = Math.max(1, (day.salesPesewas / highest) * 100);
          return <rect key={day.day} x={i * 10 + 2} y={100 - height} width="6" height={height} />;
        })}
      </svg>
      <ul className="days" aria-hidden="true">
        {days.map((day) => (
          <li key={day.day}>{weekday(day.day)}</li>
        ))}
      </ul>
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
    </>
  );
}

/** Data bought per operator as a ring and a list. */
export function UsageRing({ volumeMb }: { volumeMb: Record<Operator, number> }) {
  const total = OPERATORS.reduce((sum, operator) => sum + volumeMb[operator], 0);
  if (total === 0) return <p className="empty">No data bought yet</p>;
  let start = 0;
  return (
    <>
      <svg className="ring" viewBox="0 0 36 36" aria-hidden="true">
        <circle cx="18" cy="18" r="15" />
        {OPERATORS.map((operator) => {
          const share = (volumeMb[operator] / total) * 100;
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
      <ul className="legend">
        {OPERATORS.map((operator) => (
          <li key={operator}>
            <span className={`dot ${operator}`} />
            <span>{OPERATOR_NAMES[operator]}</span>
            <span className="money">
              {gigabytes(volumeMb[operator])} ({Math.round((volumeMb[operator] / total) * 100)}%)
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** MB as people speak of it: 1500 is 1.5 GB. */
export function gigabytes(volumeMb: number): string {
  return `${(volumeMb / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;
}
