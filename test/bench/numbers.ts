// Shared by the drivers and the report: invented numbers that never repeat, and percentiles.

const PREFIXES = [...["24", "54", "55", "59", "20", "50"], ...["25", "53", "26", "27", "56", "57"]];
const SUBSCRIBERS = 10_000_000;
/** Coprime to ten million, so that the sequence visits every subscriber number once. */
const STRIDE = 7_919_777;

/** The nth of 120 million invented numbers in stored form, in no visible order. */
export function numberAt(n: number): string {
  const subscriber = ((Math.floor(n / PREFIXES.length) % SUBSCRIBERS) * STRIDE) % SUBSCRIBERS;
  return `233${PREFIXES[n % PREFIXES.length]}${String(subscriber).padStart(7, "0")}`;
}

export type Latency = { p50Ms: number; p99Ms: number };

/** The median and the slowest hundredth of some durations. */
export function latencyOf(durationsMs: Iterable<number>): Latency {
  const sorted = Float64Array.from(durationsMs).sort();
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** The value below which so many per cent of the values are. */
export function percentile(values: number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The mean of values without the lowest and the highest eighth of them, and its standard error (Yuen 1974). */
export function trimmedMean(values: number[]): { mean: number; error: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const cut = Math.floor(sorted.length / 8);
  const kept = sorted.slice(cut, sorted.length - cut);
  const mean = meanOf(kept);
  // Those that were left out count as the nearest one kept.
  const winsorized = sorted.map((value) => Math.min(Math.max(value, kept[0]!), kept.at(-1)!));
  const center = meanOf(winsorized);
  const squares = winsorized.reduce((sum, value) => sum + (value - center) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (kept.length * (kept.length - 1))) };
}

const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
