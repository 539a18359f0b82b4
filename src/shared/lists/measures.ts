// Measures of sales and their formatting, shared by the server and the islands.
import { show } from "../money.ts";

/** In pesewas, orders and MB respectively. */
export const MEASURES = ["amount", "orders", "volume"] as const;
export type Measure = (typeof MEASURES)[number];

export const MEASURE_NAMES: Record<Measure, string> = { amount: "Amount", orders: "Orders", volume: "Data" };

/** Formats a value of a measure. */
export function showMeasure(measure: Measure, value: number): string {
  if (measure === "amount") return show(value);
  return measure === "volume" ? gigabytes(value) : value.toLocaleString("en");
}

/** Formats MB as GB: 1500 is "1.5 GB". */
export function gigabytes(volumeMb: number): string {
  return `${(volumeMb / 1000).toLocaleString("en", { maximumFractionDigits: 1 })} GB`;
}

/** Beyond this a percentage is meaningless: +37,335% after a slow first week. */
const PERCENT_MAX = 999;

/** A signed change in percent, as in +12%; null if there was too little to compare with, or less than nothing. */
export function changePercent(now: number, before: number): string | null {
  if (before <= 0) return null;
  if (((now - before) / before) * 100 > PERCENT_MAX) return null;
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : "±"}${Math.abs(percent).toLocaleString("en")}%`;
}

/**
 * A comparison with a period, whose name follows: "GH₵ 3,556.40 more than" in the 7 days before. A percentage precedes
 * it unless it would mean nothing.
 */
export function compared(measure: Measure, now: number, before: number): string {
  if (before === 0) return "Nothing";
  if (now === before) return "As much as";
  const difference = `${showMeasure(measure, Math.abs(now - before))} ${now > before ? "more" : "less"} than`;
  const change = changePercent(now, before);
  return change ? `${change}: ${difference}` : difference;
}
