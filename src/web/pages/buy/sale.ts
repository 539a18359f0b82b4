// A sale as its form sends it: the bundle with the price that was shown, the network that was meant, and the name by
// which a repetition of it is confirmed.
import { z } from "zod";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { Operator } from "../../../shared/domain.ts";
import { currentOperator, findOperator } from "../../../shared/operators.ts";
import { parseMsisdn } from "../../../shared/phones/msisdn.ts";

/** Identifies a sale by its number and bundle: a repetition that is confirmed is this one and no other. */
export function saleName(msisdn: string, productId: number): string {
  return `${parseMsisdn(msisdn)} ${productId}`;
}

/**
 * The network that a sent form's bundle must be of: the one chosen in it, or of the address that it was sent to. Null
 * when the choice was left as the page showed it, because a browser that cannot filter the bundles shows those of every
 * network, and the bundle says which is meant.
 */
export function expectedNetwork(form: URLSearchParams, own: Operator | null): Operator | null {
  const sent = form.get("operator");
  const chosen = sent && findOperator(sent) ? currentOperator(sent) : null;
  if (!chosen) return own;
  return chosen === form.get("shown") ? null : chosen;
}

/** The bundle of an id, with or without a price ("12@390"). */
export function findBundle(bundles: ProductOnSale[], chosen: string | null): ProductOnSale | undefined {
  return bundles.find(({ id }) => String(id) === chosen?.split("@")[0]);
}

/** The option's value: with the current price, which is shown before it is paid. */
export function optionOf(bundle: ProductOnSale | undefined): string {
  return bundle ? `${bundle.id}@${bundle.pricePesewas}` : "";
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
