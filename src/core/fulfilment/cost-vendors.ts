// The vendors whose cost of a product is kept.
import { DESK } from "../../shared/domain.ts";
import { familyOf } from "../../shared/operators.ts";
import { codesOf } from "../catalog/costs.ts";
import type { Product } from "../catalog/products.ts";
import type { BundleVendor } from "./vendor.ts";

type Served = Pick<Product, "line" | "operator" | "family">;

/** The codes of those that can deliver a product: vendors that serve its family, and the desk. */
export function servingCodes(vendors: readonly Pick<BundleVendor, "code" | "can">[], product: Served): string[] {
  if (product.line === "afa") return [DESK];
  return codesOf(vendors.filter(({ can }) => can.lines.includes(familyOf(product))));
}
