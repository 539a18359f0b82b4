// An operator's packages on its page: where it is, how they are chosen from, and how the choice is read.
import { z } from "zod";
import type { ProductOnSale } from "../../core/products.ts";
import { OPERATOR_PATHS } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";

export const PATHS = OPERATOR_PATHS;

/** The option of a package with this id, or with the id of another option of it; "" when it is not on sale. */
export function optionOf(bundles: ProductOnSale[], chosen: string): string {
  const found = bundles.find(({ id }) => String(id) === chosen.split("@")[0]);
  return found ? `${found.id}@${found.pricePesewas}` : "";
}

/** Bundles that are paused stand in the list, but cannot be chosen. */
export function BundleOptions({ bundles }: { bundles: ProductOnSale[] }) {
  const lines = [...Map.groupBy(bundles, (bundle) => bundle.name)];
  const options = (ofLine: ProductOnSale[]) =>
    ofLine.map(({ id, size, pricePesewas, paused }) => (
      <option key={id} value={`${id}@${pricePesewas}`} disabled={paused !== null}>
        {`${size} – ${show(pricePesewas)}${paused ? " (paused)" : ""}`}
      </option>
    ));
  if (lines.length === 1) return options(bundles);
  return lines.map(([line, ofLine]) => (
    <optgroup key={line} label={line}>
      {options(ofLine)}
    </optgroup>
  ));
}

/**
 * A package as its option says it, "12@390": with the price that stood in the list, so that nobody pays another one.
 * The price may be left out.
 */
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
