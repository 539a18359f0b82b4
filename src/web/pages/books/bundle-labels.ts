// Labels of a network's bundles as customers know them: by size, and where two have the same, by their kind as well.
import type { ProductOnSale } from "../../../core/catalog/products.ts";

import { familyName, familyOf } from "../../../shared/operators.ts";

type Bundle = Pick<ProductOnSale, "id" | "operator" | "family" | "name" | "size">;

/** The label of each of these bundles by id. */
export function sizeLabels(bundles: readonly Bundle[]): Map<number, string> {
  const ofSize = Map.groupBy(bundles, ({ size }) => size);
  return new Map(
    bundles.map((bundle) => {
      const same = ofSize.get(bundle.size)!;
      if (same.length === 1) return [bundle.id, bundle.size];
      const isOwnKind = same.filter((other) => familyOf(other) === familyOf(bundle)).length === 1;
      return [bundle.id, `${bundle.size} ${isOwnKind ? familyName(familyOf(bundle)) : bundle.name}`];
    }),
  );
}
