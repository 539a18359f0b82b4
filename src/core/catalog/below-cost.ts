// What a second person reads before a bundle may be sold below its cost, or a price is set below it.
import { show } from "../../shared/money.ts";
import { fingerprint } from "../platform/idempotency.ts";
import type { Ask } from "../platform/second-person.ts";

/** A price about to be set: what is paid before and after, and what the bundle is expected to cost; null: unknown. */
type Priced = {
  productId: number;
  name: string;
  beforePesewas: number;
  afterPesewas: number;
  costPesewas: number | null;
};

const NAMED_MAX = 5;
const CATALOG = { right: "catalog.manage" } as const;

/** What to ask before these prices are set; null when none of them goes below its cost, or further below. */
export function askToSetBelow(act: Pick<Ask, "kind" | "command">, changes: readonly Priced[]): Ask | null {
  const below = changes.filter(
    ({ beforePesewas, afterPesewas, costPesewas }) =>
      costPesewas !== null && afterPesewas < Math.min(costPesewas, beforePesewas),
  );
  if (below.length === 0) return null;
  const named = below.slice(0, NAMED_MAX);
  const more = below.length > named.length ? ` and ${below.length - named.length} more` : "";
  const texts = named.map(
    (one) => `${one.name} at ${show(one.afterPesewas)}, which costs ${show(one.costPesewas!)}`,
  );
  return {
    ...act,
    ...CATALOG,
    subject: `prices ${[...new Set(below.map(({ productId }) => productId))].sort((a, b) => a - b).slice(0, 20)}`,
    seen: {
      state: Object.fromEntries(named.map((one) => [`Price of ${one.name}`, show(one.beforePesewas)])),
      version: fingerprint(below),
    },
    summary: `sell below cost: ${texts.join("; ")}${more}`,
  };
}

/** What to ask before a product may be sold below its cost. */
export function askToAllow(
  product: { id: number; name: string; costPesewas: number | null; belowCostReason: string | null },
  reason: string,
): Ask {
  const { id, name, costPesewas, belowCostReason } = product;
  return {
    ...CATALOG,
    kind: "product.allow_below_cost",
    subject: `product ${id}`,
    command: { productId: id, reason },
    seen: {
      state: {
        Cost: costPesewas === null ? "not known" : show(costPesewas),
        Allowed: belowCostReason ?? "no",
      },
    },
    summary: `allow ${name} to be sold below its cost`,
    reason,
  };
}
