// The vendors whose costs are kept: all that there are, and the desk.
import { DESK } from "../../shared/domain.ts";
import { familyOf } from "../../shared/operators.ts";
import type { Product } from "../catalog/products.ts";
import type { BundleVendor } from "./vendor.ts";

type Served = Pick<Product, "line" | "operator" | "family">;

/** The codes of all of them, the desk last. */
export function codesOf(vendors: readonly Pick<BundleVendor, "code">[]): string[] {
  return [...vendors.map(({ code }) => code), DESK];
}

/** The codes of those that can deliver a product: vendors that serve its family, and the desk. */
export function servingCodes(vendors: readonly Pick<BundleVendor, "code" | "can">[], product: Served): string[] {
  if (product.line === "afa") return [DESK];
  return codesOf(vendors.filter(({ can }) => can.lines.includes(familyOf(product))));
}
