// Choice of a package in a list.
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { show } from "../../../shared/money.ts";
import { familyName, familyOf } from "../../../shared/operators.ts";
import { pausedText } from "../../../shared/pause.ts";

/** The option for lists in which each line names its own size. */
export const EACH = "each";

/** The options by family. Paused bundles are listed, but cannot be chosen. */
export function BundleOptions({ bundles }: { bundles: ProductOnSale[] }) {
  const families = [...Map.groupBy(bundles, familyOf)];
  if (families.length === 1) return <Options bundles={bundles} />;
  return families.map(([family, some]) => (
    <optgroup key={family} label={familyName(family)}>
      <Options bundles={some} />
    </optgroup>
  ));
}

/** Labelled by size; names distinguish two bundles of one size in a family. */
function Options({ bundles }: { bundles: ProductOnSale[] }) {
  const ofSize = Map.groupBy(bundles, ({ size }) => size);
  return bundles.map(({ id, name, size, pricePesewas, paused }) => (
    <option key={id} value={`${id}@${pricePesewas}`} disabled={paused !== null} data-size={size}>
      {`${size}${ofSize.get(size)!.length > 1 ? `, ${name}` : ""} – ${show(pricePesewas)}`.concat(
        paused ? ` (${pausedText(paused)})` : "",
      )}
    </option>
  ));
}
