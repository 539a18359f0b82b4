// The routes as admins compare them: what each of their vendors takes, how it has done in the last days, and why a
// route by cost would leave it for last.
import type { Db } from "../../../db/connect.ts";
import { DESK, type Family } from "../../shared/domain.ts";
import { allFamilies, familyOf } from "../../shared/operators.ts";
import * as costs from "../catalog/costs.ts";
import * as products from "../catalog/products.ts";
import * as settings from "../platform/settings/settings.ts";
import { type Bound, exceededBounds, isByCost } from "./routes.ts";
import { type VendorFigures, vendorFigures } from "./vendor-figures.ts";
import * as vendors from "./vendors.ts";

export type ComparedVendor = {
  /** A vendor's code, or the desk. */
  vendor: string;
  /** What it takes for the example; null when it is not known. */
  costPesewas: number | null;
  /** Of how many bundles it takes the least, and of how many its cost is known. */
  cheapestOf: number;
  knownOf: number;
  /** Undefined for the desk, and without deliveries in the last days. */
  figures: VendorFigures | undefined;
  /** The bounds of routes by cost that it exceeds; none while there are too few deliveries to say. */
  exceeds: Bound[];
};

export type ComparedRoute = {
  family: Family;
  isByCost: boolean;
  /** The smallest bundle whose cost most of them tell; undefined while none is known. */
  example: products.ProductOnSale | undefined;
  vendors: ComparedVendor[];
};

/** All families' routes. */
export async function compareRoutes(db: Db): Promise<ComparedRoute[]> {
  const [values, onSale, known, figures] = await Promise.all([
    settings.all(db),
    products.list(db),
    costs.newest(db),
    vendorFigures(db),
  ]);
  const costOf = new Map(known.map((cost) => [`${cost.productId} ${cost.vendor}`, cost.costPesewas]));
  return allFamilies().map(({ code: family }) => {
    const own = onSale.filter((bundle) => familyOf(bundle) === family);
    const route = vendors.routeOf(values, family);
    const priced = own.map((bundle) => ({
      bundle,
      costs: new Map(
        route.flatMap((code): [string, number][] => {
          const cost = costOf.get(`${bundle.id} ${code}`);
          return cost === undefined ? [] : [[code, cost]];
        }),
      ),
    }));
    const example = priced
      .filter((one) => one.costs.size > 0)
      .toSorted((a, b) => b.costs.size - a.costs.size || a.bundle.pricePesewas - b.bundle.pricePesewas)[0];
    const compared = route.map((vendor): ComparedVendor => {
      const figure = figures.find((one) => one.vendor === vendor && one.family === family);
      const mine = priced.filter((one) => one.costs.has(vendor));
      const isCheapest = (one: (typeof priced)[number]) => one.costs.get(vendor) === Math.min(...one.costs.values());
      return {
        vendor,
        costPesewas: example?.costs.get(vendor) ?? null,
        cheapestOf: mine.filter(isCheapest).length,
        knownOf: mine.length,
        figures: figure,
        exceeds: vendor === DESK ? [] : exceededBounds(values, figure),
      };
    });
    return { family, isByCost: isByCost(values, family), example: example?.bundle, vendors: compared };
  });
}
