// What a bundle is called wherever people read it in a line: how many, which family, the size, the network.
import { OPERATOR_NAMES, type Operator } from "./domain.ts";

type Named = { operator: Operator; name: string; size: string };

/** "3 x iShare 1GB AirtelTigo" of the product "AT iShare", 1GB; one alone is not counted. */
export function bundleName(bundle: Named, quantity = 1): string {
  const words = withoutOperator(bundle.name);
  const what = words.includes(bundle.size) ? words : `${words} ${bundle.size}`.trim();
  const name = `${what} ${OPERATOR_NAMES[bundle.operator]}`;
  return quantity > 1 ? `${quantity} x ${name}` : name;
}

/** "iShare" of "AT iShare": what is left of a product's name without its operator and its size, perhaps nothing. */
export function familyOf({ name, size }: Pick<Named, "name" | "size">): string {
  return withoutOperator(name).replace(size, "").replace(/\s+/g, " ").trim();
}

function withoutOperator(name: string): string {
  return name.replace(/^(MTN|AT|AirtelTigo|Telecel)\b/i, "").trim();
}
