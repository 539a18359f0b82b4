// The chart of sales, by uPlot, compared with the period before: a tooltip follows the pointer, and dragging zooms. The
// colours are read from the page's styles when drawing, so that they follow the theme.
import uPlot from "uplot";
import { type Measure, showMeasure } from "../../src/shared/lists/measures.ts";

export type PlotData = {
  /** The first day, 2026-11-21; every day after it follows. */
  first: string;
  values: number[];
  /** Empty where nothing is compared. */
  before: number[];
  measure: Measure;
};

const DAY_SECONDS = 86_400;
const HEIGHT = 260;
const colour = (name: string) => () => getComputedStyle(document.documentElement).getPropertyValue(name);
const dayOf = (seconds: number, options: Intl.DateTimeFormatOptions) =>
  new Date(seconds * 1000).toLocaleDateString("en-GB", { timeZone: "UTC", ...options });
/** Full figures as long as they fit beside the axis: 1,250 rather than 1.3K. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 });
const axisFigure = (value: number) => (Math.abs(value) < 100_000 ? whole : compact).format(value);

/** Draws into an element and follows its width; `onZoom` is called with whether all days are visible. */
export function draw(place: HTMLElement, data: PlotData, onZoom: (isWhole: boolean) => void) {
  const start = Date.parse(data.first) / 1000;
  const times = data.values.map((_, i) => start + i * DAY_SECONDS);
  const whole = { min: times[0]!, max: times.at(-1)! };
  const plot = new uPlot(
    optionsFor(place, data, (seen) => onZoom(seen.min <= whole.min && seen.max >= whole.max)),
    [times, data.values, ...(data.before.length > 0 ? [data.before] : [])],
    place,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: place.clientWidth, height: HEIGHT }));
  sizes.observe(place);
  const theme = matchMedia("(prefers-color-scheme: dark)");
  const redraw = () => plot.redraw();
  theme.addEventListener("change", redraw);
  return {
    whole,
    seen: () => ({ min: plot.scales.x!.min!, max: plot.scales.x!.max! }),
    show: (span: { min: number; max: number }) => plot.setScale("x", span),
    end: () => {
      sizes.disconnect();
      theme.removeEventListener("change", redraw);
      plot.destroy();
    },
  };
}

function optionsFor(
  place: HTMLElement,
  data: PlotData,
  onScale: (seen: { min: number; max: number }) => void,
): uPlot.Options {
  const perUnit = { orders: 1, amount: 100, volume: 1000 }[data.measure];
  const axis = {
    stroke: colour("--soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
  };
  return {
    width: place.clientWidth,
    height: HEIGHT,
    // Half of the last day's label is to the right of its line.
    padding: [8, 20, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
    scales: { y: { range: (_, min, max) => [Math.min(0, min) * 1.08, Math.max(1, max) * 1.08] } },
    axes: [
      {
        ...axis,
        size: 28,
        incrs: [1, 2, 7, 14, 28, 56, 91].map((days) => days * DAY_SECONDS),
        values: (_, splits) => splits.map((at) => dayOf(at, { day: "numeric", month: "short" })),
      },
      { ...axis, size: 56, values: (_, splits) => splits.map((value) => axisFigure(value / perUnit)) },
    ],
    series: [
      {},
      { stroke: colour("--brand"), fill: colour("--brand-soft"), width: 2, points: { show: false } },
      ...(data.before.length > 0
        ? [{ stroke: colour("--soft"), width: 1, dash: [4, 4], points: { show: false } }]
        : []),
    ],
    hooks: {
      setCursor: [tooltip(data)],
      setScale: [(plot, name) => name === "x" && onScale({ min: plot.scales.x!.min!, max: plot.scales.x!.max! })],
    },
  };
}

/** The tooltip beside the pointer: the day, its value, and the value a period before. */
function tooltip({ values, before, measure }: PlotData): (plot: uPlot) => void {
  const box = document.createElement("div");
  box.className = "plot-tip";
  return ({ over, data, cursor: { idx, left = -1 } }) => {
    box.hidden = typeof idx !== "number" || left < 0;
    if (typeof idx !== "number" || box.hidden) return;
    if (!box.isConnected) over.append(box);
    const day = dayOf(data[0][idx]!, { weekday: "short", day: "numeric", month: "short" });
    const then = before[idx] === undefined ? "" : `\nBefore: ${showMeasure(measure, before[idx])}`;
    box.textContent = `${day}\n${showMeasure(measure, values[idx]!)}${then}`;
    const isRight = left > over.clientWidth / 2;
    box.style.transform = `translateX(${isRight ? left - box.offsetWidth - 12 : left + 12}px)`;
  };
}
