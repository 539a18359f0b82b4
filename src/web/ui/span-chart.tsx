// The chart of a span of days, beside the days before if there are any. Where there are scripts, an island replaces it.
import type { SalesPlot } from "../../../islands/sales-plot.tsx";
import { BrowserIsland } from "../island.tsx";
import { HistoryChart, type HistoryProps } from "./charts.tsx";

export function SpanChart({ first, last, values, before, measure }: HistoryProps) {
  return (
    <>
      {before.length > 0 && (
        <p className="key small soft">
          <span>These days</span>
          <span className="before">The days before</span>
        </p>
      )}
      <BrowserIsland<typeof SalesPlot> name="SalesPlot" props={{ first, values, before, measure }} on="visible" />
      <HistoryChart values={values} before={before} first={first} last={last} measure={measure} />
    </>
  );
}
