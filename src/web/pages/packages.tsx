// An operator's packages on its page: where it is, how they are chosen from, and how the choice is read.
import { z } from "zod";
import type { ProductOnSale } from "../../core/products.ts";
import type { Operator } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";

export const PATHS: Record<Operator, string> = {
  MTN: "/mtn-data",
  AIRTELTIGO: "/airtel-tigo",
  TELECEL: "/telecel",
};

/** The choice for lists in which each line names its own size. */
export const EACH = "each";

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
