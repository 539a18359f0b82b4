// The text for a second person about a bundle that is to be sold below its cost, or about a price below that, or below
// the other prices it is held against.
import { show } from "../../shared/money.ts";
import type { Question } from "../platform/commands.ts";
import { fingerprint } from "../platform/idempotency.ts";
import { partOf } from "./guarded-prices.ts";

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
  /** Its highest Standard price of late, where nobody but whoever prices it says what it costs. */
  standardPesewas?: number | undefined;
  /** For a bundle that is new or becomes another: the least by others of its network; null without any. */
  similarPesewas?: number | null;
  /** For an exception: its account, and what the lowest tier pays. */
  exception?: { username: string; lowestTierPesewas: number } | undefined;
};

const NAMED_MAX = 5;
const SUBJECT_CHARS_MAX = 100;

/**
 * What to ask before these prices are set; null when one person may set them, as none goes below, or further below, its
 * cost and what it is held against besides.
 */
export function askToSetBelow(changes: readonly Priced[]): Question | null {
  const below = changes.flatMap((one) => {
    if (one.beforePesewas !== null && one.afterPesewas >= one.beforePesewas) return [];
    const floor = floorsOf(one).find(({ pesewas }) => one.afterPesewas < pesewas);
    return floor ? [{ ...one, text: floor.text }] : [];
  });
  if (below.length === 0) return null;
  const named = below.slice(0, NAMED_MAX);
  const more = below.length > named.length ? ` and ${below.length - named.length} more` : "";
  const texts = named.map(({ name, afterPesewas, text }) => `${name} at ${show(afterPesewas)}, ${text}`);
  const states = named.map(({ name, beforePesewas }) => [
    `Price of ${name}`,
    beforePesewas === null ? "not on sale as this" : show(beforePesewas),
  ]);
  return {
    subject: subjectOf(below),
    seen: { state: Object.fromEntries(states), version: fingerprint(below) },
    summary: `set ${below.length === 1 ? "a low price" : "low prices"}: ${texts.join("; ")}${more}`,
  };
}

/** Below what one person does not go alone, and why: the most telling reason first. */
function floorsOf(priced: Priced): { pesewas: number; text: string }[] {
  const { costPesewas, guardedPesewas, standardPesewas, similarPesewas, exception } = priced;
  const cost = Math.max(costPesewas ?? 0, guardedPesewas ?? 0);
  const floors = [{ pesewas: cost, text: `which costs ${show(cost)}` }];
  if (exception) {
    const { username, lowestTierPesewas: pesewas } = exception;
    floors.push({ pesewas, text: `for ${username}, while no group pays less than ${show(pesewas)}` });
  }
  if (standardPesewas !== undefined)
    floors.push({
      pesewas: partOf(standardPesewas),
      text: `whose cost nobody else has entered, and whose Standard price was ${show(standardPesewas)}`,
    });
  if (similarPesewas)
    floors.push({
      pesewas: similarPesewas,
      text: `while by others of its network it would be ${show(similarPesewas)} or more`,
    });
  return floors;
}

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
): Question {
  const { id, name, costPesewas, belowCostReason } = product;
  return {
    subject: `product ${id}`,
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
