// Choice of a package in a list: the options, and their parsing.
import { z } from "zod";
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

/** Parses an option, "12@390": with the price that was shown, so that nobody pays another. The price is optional. */
export const readPackage = (missing: string) =>
  z
    .string(missing)
    .regex(/^\d{1,15}(@\d{1,12})?$/, missing)
    .transform((value) => {
      const [productId, pricePesewas] = value.split("@");
      return {
        productId: Number(productId),
        pricePesewas: pricePesewas === undefined ? undefined : Number(pricePesewas),
      };
    });
