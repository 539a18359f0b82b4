// Choice of an operator's package: the path of its page, the options, and their parsing.
import { z } from "zod";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { FAMILIES, familyOf, OPERATOR_PATHS } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { pausedText } from "../../../shared/pause.ts";

export const PATHS = OPERATOR_PATHS;

/** The option for an id, with or without a price; "" when the package is not on sale. */
export function optionOf(bundles: ProductOnSale[], chosen: string): string {
  const found = bundles.find(({ id }) => String(id) === chosen.split("@")[0]);
  return found ? `${found.id}@${found.pricePesewas}` : "";
}

/** The option for lists in which each line names its own size. */
export const EACH = "each";

/** The options by family. Paused bundles are listed, but cannot be chosen. */
export function BundleOptions({ bundles }: { bundles: ProductOnSale[] }) {
  const families = [...Map.groupBy(bundles, familyOf)];
  if (families.length === 1) return <Options bundles={bundles} />;
  return families.map(([family, some]) => (
    <optgroup key={family} label={FAMILIES[family].name}>
      <Options bundles={some} />
    </optgroup>
  ));
}

/** Labelled by size; names distinguish two bundles of one size in a family. */
function Options({ bundles }: { bundles: ProductOnSale[] }) {
  const ofSize = Map.groupBy(bundles, ({ size }) => size);
  return bundles.map(({ id, name, size, pricePesewas, paused }) => (
    <option key={id} value={`${id}@${pricePesewas}`} disabled={paused !== null}>
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
