// The rows of the price board: the usual sizes beside each other, one column per network.
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { Operator } from "../../../shared/domain.ts";
import { familiesOf, familyOf, operatorCodes } from "../../../shared/operators.ts";

/** The sizes that customers ask for most, in MB. */
const USUAL_MB = [1000, 2000, 5000, 10_000, 20_000];
const ROWS_MAX = 5;

export type PriceRow = {
  volumeMb: number;
  /** As the shop writes it: "1GB". */
  size: string;
  /** The bundle of this size by network; a missing one has none. */
  bundles: Partial<Record<Operator, ProductOnSale>>;
};

/** The usual sizes that are on sale, then the smallest others while there is room, from small to large. */
export function priceRows(bundles: ProductOnSale[]): PriceRow[] {
  const ofVolume = Map.groupBy(bundles, ({ volumeMb }) => volumeMb ?? 0);
  // A bundle without a volume cannot be compared.
  ofVolume.delete(0);
  const smallestFirst = [...ofVolume.keys()].sort((a, b) => a - b);
  const [usual, others] = [true, false].map((isUsual) =>
    smallestFirst.filter((volumeMb) => USUAL_MB.includes(volumeMb) === isUsual),
  ) as [number[], number[]];
  return [...usual, ...others]
    .slice(0, ROWS_MAX)
    .sort((a, b) => a - b)
    .map((volumeMb) => rowOf(volumeMb, ofVolume.get(volumeMb)!));
}

function rowOf(volumeMb: number, sameVolume: ProductOnSale[]): PriceRow {
  const bundles = operatorCodes().flatMap((operator) => {
    const found = bestOf(sameVolume.filter((bundle) => bundle.operator === operator));
    return found ? [[operator, found] as const] : [];
  });
  return { volumeMb, size: sameVolume[0]!.size, bundles: Object.fromEntries(bundles) };
}

/** What a buyer who names only the network and the size gets: on sale, of its usual family, the cheapest. */
function bestOf(bundles: ProductOnSale[]): ProductOnSale | undefined {
  const rank = (bundle: ProductOnSale) => [
    bundle.paused ? 1 : 0,
    familiesOf(bundle.operator).indexOf(familyOf(bundle)),
    bundle.pricePesewas,
  ];
  return bundles.toSorted((a, b) => compare(rank(a), rank(b)))[0];
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}
