// The measures of sales (amount, orders, data) and how a value is written: shared, so that the page and its charts
// agree.
import { show } from "./money.ts";

/** The units: pesewas, a count, and MB of data. */
export const MEASURES = ["amount", "orders", "volume"] as const;
export type Measure = (typeof MEASURES)[number];

export const MEASURE_NAMES: Record<Measure, string> = { amount: "Amount", orders: "Orders", volume: "Data" };

/** A measured value as people read it. */
export function showMeasure(measure: Measure, value: number): string {
  if (measure === "amount") return show(value);
  return measure === "volume" ? gigabytes(value) : value.toLocaleString("en");
}

/** MB as people name an amount of data: 1500 is 1.5 GB. */
export function gigabytes(volumeMb: number): string {
  return `${(volumeMb / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;
}

/** Beyond this a percentage says nothing: +37,335% after a slow first week. */
const PERCENT_MAX = 999;

/** A change in percent with its sign, such as +12%; null where there was too little to compare with. */
export function changePercent(now: number, before: number): string | null {
  if (before === 0) return null;
  if (((now - before) / before) * 100 > PERCENT_MAX) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toLocaleString("en")}%`;
}
