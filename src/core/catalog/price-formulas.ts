// New prices computed from old ones or from costs, in whole pesewas.

/** What a price is computed from: itself, or the product's cost. */
export const FORMULAS = ["percent", "amount", "cost_percent", "cost_amount"] as const;
export type FormulaKind = (typeof FORMULAS)[number];

/** `value` is in hundredths of a per cent or in pesewas; prices are multiples of `rounding` pesewas. */
export type Formula = { kind: FormulaKind; value: number; rounding: number };

/**
 * The new price in pesewas; null where the cost is not known. A change of a price is rounded to the nearest multiple, a
 * cost with a margin upwards, so that the margin is reached. It is at least one multiple.
 */
export function priceBy(
  { kind, value, rounding }: Formula,
  { pricePesewas, costPesewas }: { pricePesewas: number; costPesewas: number | null },
): number | null {
  const isOnCost = kind === "cost_percent" || kind === "cost_amount";
  const base = isOnCost ? costPesewas : pricePesewas;
  if (base === null) return null;
  // In ten-thousandths of a pesewa, so that no fraction is lost before the rounding.
  const exact = kind === "percent" || kind === "cost_percent" ? base * (10_000 + value) : (base + value) * 10_000;
  const steps = exact / (rounding * 10_000);
  return Math.max(rounding, (isOnCost ? Math.ceil(steps) : Math.round(steps)) * rounding);
}
