// What a second person reads before a bundle may be sold below its cost, or a price is set below it.
import { show } from "../../shared/money.ts";
import { fingerprint } from "../platform/idempotency.ts";
import type { Ask } from "../platform/second-person.ts";

/** A price about to be set. */
type Priced = {
  /** Null for a bundle that is not on sale yet. */
  productId: number | null;
  name: string;
  /** What is paid before; null for a new bundle, and for one that becomes another. */
  beforePesewas: number | null;
  afterPesewas: number;
  /** What the bundle is expected to cost; null: unknown. */
  costPesewas: number | null;
  /** What it counts as costing at least, from guarded-costs.ts; null: nothing. */
  guardedPesewas: number | null;
};

const NAMED_MAX = 5;
const SUBJECT_CHARS_MAX = 100;
const CATALOG = { right: "catalog.manage" } as const;

/** What to ask before these prices are set; null when none of them goes below its cost, or further below. */
export function askToSetBelow(act: Pick<Ask, "kind" | "command">, changes: readonly Priced[]): Ask | null {
  const below = changes.filter(
    (one) => one.afterPesewas < Math.min(leastOf(one), one.beforePesewas ?? Number.MAX_SAFE_INTEGER),
  );
  if (below.length === 0) return null;
  const named = below.slice(0, NAMED_MAX);
  const more = below.length > named.length ? ` and ${below.length - named.length} more` : "";
  const texts = named.map(
    (one) => `${one.name} at ${show(one.afterPesewas)}, which costs ${show(leastOf(one))}`,
  );
  const states = named.map(({ name, beforePesewas }) => [
    `Price of ${name}`,
    beforePesewas === null ? "not on sale as this" : show(beforePesewas),
  ]);
  return {
    ...act,
    ...CATALOG,
    subject: subjectOf(below),
    seen: { state: Object.fromEntries(states), version: fingerprint(below) },
    summary: `sell below cost: ${texts.join("; ")}${more}`,
  };
}

const leastOf = ({ costPesewas, guardedPesewas }: Priced) => Math.max(costPesewas ?? 0, guardedPesewas ?? 0);

function subjectOf(below: readonly Priced[]): string {
  const ids = [...new Set(below.map(({ productId }) => productId))].filter((id) => id !== null);
  return ids.length === 0
    ? `new bundle ${below[0]!.name}`.slice(0, SUBJECT_CHARS_MAX)
    : `prices ${ids.sort((a, b) => a - b).slice(0, 20)}`;
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
