// Routes: who may send a bundle, in which sequence. In fixed order, or the cheapest first among the vendors whose
// deliveries are quick and clear enough; and never to a vendor that takes more than was paid.
import { DESK, type Family } from "../../shared/domain.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { VendorFigures } from "./vendor-figures.ts";
import * as vendors from "./vendors.ts";

/** Whether orders of a family go to the cheapest of their route. */
export function isByCost(settings: Settings, family: Family): boolean {
  return settings.routes_by_cost.toUpperCase().split(/[ ,]+/).includes(family);
}

/** What a vendor takes for an order, in pesewas; null when it is not known. */
export type CostOf = (vendor: string) => number | null;

/**
 * A family's route by its rule. By cost: first the vendors within bounds, the cheapest first, then those whose cost is
 * not known, then those out of bounds; equals in the sequence of the route. The desk is last, unless its cost is known.
 */
export function ranked(
  settings: Settings,
  family: Family,
  costOf: CostOf,
  figures: readonly VendorFigures[],
): string[] {
  const route = vendors.routeOf(settings, family);
  if (!isByCost(settings, family)) return route;
  const rank = (code: string): [group: number, pesewas: number] => {
    const cost = costOf(code);
    if (code === DESK && cost === null) return [3, 0];
    const figure = figures.find((one) => one.vendor === code && one.family === family);
    if (exceededBounds(settings, figure).length > 0) return [2, 0];
    return cost === null ? [1, 0] : [0, cost];
  };
  const ranks = new Map(route.map((code) => [code, rank(code)]));
  return route.toSorted((a, b) => {
    const [first, second] = [ranks.get(a)!, ranks.get(b)!];
    return first[0] - second[0] || first[1] - second[1];
  });
}

/** What a route by cost asks of a vendor. */
export type Bound = "time" | "clarity";

/** The bounds that a vendor exceeds: it is too slow, or its results are unclear too often. Without figures, none. */
export function exceededBounds(settings: Settings, figure: VendorFigures | undefined): Bound[] {
  const { slow_delivery_minutes: minutes, unknown_results_percent: percent } = settings;
  const isSlow = figure?.slowSeconds != null && figure.slowSeconds > minutes * 60;
  const isUnclear = figure?.unknownPercent != null && figure.unknownPercent > percent;
  return [...(isSlow ? (["time"] as const) : []), ...(isUnclear ? (["clarity"] as const) : [])];
}

/**
 * Those of `codes` that are not known to take more than was paid. When all do, the desk, unless it has failed before:
 * somebody has to decide.
 */
export function affordable(
  codes: string[],
  costOf: CostOf,
  paidPesewas: number,
  failed: ReadonlySet<string>,
): string[] {
  const left = codes.filter((code) => (costOf(code) ?? 0) <= paidPesewas);
  if (left.length > 0 || codes.length === 0 || failed.has(DESK)) return left;
  return [DESK];
}
