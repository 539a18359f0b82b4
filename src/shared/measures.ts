// What sales are measured by, and how a measured value is read: the same words on the page and in the browser.
import { show } from "./money.ts";

/** Pesewas, a count, and MB of data. */
export const MEASURES = ["amount", "orders", "volume"] as const;
export type Measure = (typeof MEASURES)[number];

export const MEASURE_NAMES: Record<Measure, string> = { amount: "Amount", orders: "Orders", volume: "Data" };

/** A value as people read it. */
export function showMeasure(measure: Measure, value: number): string {
  if (measure === "amount") return show(value);
  return measure === "volume" ? gigabytes(value) : value.toLocaleString("en");
}

/** MB as people speak of it: 1500 is 1.5 GB. */
export function gigabytes(volumeMb: number): string {
  return `${(volumeMb / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;
}

/** More than this says nothing in percent: +37,335% on a slow first week. */
const MOST_PERCENT = 999;

/** A difference in percent with its sign, as in +12%; null where there was too little to compare with. */
export function changePercent(now: number, before: number): string | null {
  if (before === 0) return null;
  if (((now - before) / before) * 100 > MOST_PERCENT) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toLocaleString("en")}%`;
}
