// An operator's packages on its page: where it is, how they are chosen from, and how the choice is read.
import { z } from "zod";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { FAMILIES, familyOf, OPERATOR_PATHS } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { pausedText } from "../../../shared/pause.ts";

export const PATHS = OPERATOR_PATHS;

/** The option of a package with this id, or with the id of another option of it; "" when it is not on sale. */
export function optionOf(bundles: ProductOnSale[], chosen: string): string {
  const found = bundles.find(({ id }) => String(id) === chosen.split("@")[0]);
  return found ? `${found.id}@${found.pricePesewas}` : "";
}

/** The choice for lists in which each line names its own size. */
export const EACH = "each";

/** Bundles that are paused stand in the list, but cannot be chosen. */
export function BundleOptions({ bundles }: { bundles: ProductOnSale[] }) {
  const families = [...Map.groupBy(bundles, familyOf)];
  if (families.length === 1) return <Options bundles={bundles} />;
  return families.map(([family, some]) => (
    <optgroup key={family} label={FAMILIES[family].name}>
      <Options bundles={some} />
    </optgroup>
  ));
}

/** By size; where a family has two of one size, their names tell them apart. */
function Options({ bundles }: { bundles: ProductOnSale[] }) {
  const ofSize = Map.groupBy(bundles, ({ size }) => size);
  return bundles.map(({ id, name, size, pricePesewas, paused }) => (
    <option key={id} value={`${id}@${pricePesewas}`} disabled={paused !== null}>
      {`${size}${ofSize.get(size)!.length > 1 ? `, ${name}` : ""} – ${show(pricePesewas)}${paused ? ` (${pausedText(paused)})` : ""}`}
    </option>
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
