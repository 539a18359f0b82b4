// Names of bundles and of their pauses for USSD, where every character counts.
import type { Db } from "../../../db/connect.ts";
import * as products from "../../../src/core/catalog/products.ts";
import type { Translate } from "../../../src/core/messaging/languages/translate.ts";
import type { Family, Operator } from "../../../src/shared/domain.ts";
import { familyOf, findFamily, findOperator } from "../../../src/shared/operators.ts";
import { endText, isRepricing, type Pause } from "../../../src/shared/pause.ts";
import { asciiText, cutTo } from "../../../src/shared/phones/sms-text.ts";
import type { Listed } from "../conversation.ts";

const SIZE_SEPTETS = 8;
/** The room of "AT Big Time 9999.5GB", the longest that texts count on. */
const NAME_SEPTETS = 20;

type Named = { operator: Operator; family: Family | null; size: string };

/** "1GB", or "iShare 1GB" if its network sells several families. */
export function labelOf(bundle: Named, hasFamilies: boolean): string {
  // The screen already names the network.
  const family = hasFamilies ? ussdFamilyLabel(familyOf(bundle)) : "";
  return `${family} ${cutTo(oneLine(bundle.size), SIZE_SEPTETS)}`.trim();
}

/** The network's short name: AirtelTigo's families are called AT everywhere. */
export function shortNameOf(operator: Operator): string {
  return findOperator(operator)?.shortName ?? operator;
}

/** "MTN 1GB", "3 x AT iShare 2GB": like `bundleName`, for a bundle that already has its label. */
export function nameOf({ operator, label }: { operator: Operator; label: string }, quantity: number): string {
  const full = `${shortNameOf(operator)} ${label}`;
  // A line of a merged network is known by its label.
  const name = full.length > NAME_SEPTETS ? label : full;
  return quantity > 1 ? `${quantity} x ${name}` : name;
}

/** Whether one network's bundles belong to several families. */
function hasSeveralFamilies(bundles: Named[]): boolean {
  return new Set(bundles.map(familyOf)).size > 1;
}

/** The networks with several families on sale today. */
export async function networksWithFamilies(db: Db): Promise<Set<Operator>> {
  const byOperator = Map.groupBy(await products.list(db), ({ operator }) => operator);
  return new Set([...byOperator].filter(([, bundles]) => hasSeveralFamilies(bundles)).map(([operator]) => operator));
}

/** "paused", "paused until 14:30" or "waiting for a new price". */
export function pausedPart(t: Translate, pause: Pause): string {
  if (isRepricing(pause)) return t("part.repricing");
  return pause.until ? t("part.paused.until", { end: endText(pause.until) }) : t("part.paused");
}

/** Bundles as list entries, labelled with their family where the operator has several. */
export function listed(t: Translate, bundles: products.Bundle[]): Listed[] {
  const hasFamilies = hasSeveralFamilies(bundles);
  return bundles.map((product) => {
    const { id, operator, pricePesewas, number, volumeMb } = product;
    const paused = product.paused && pausedPart(t, product.paused);
    return { id, operator, label: labelOf(product, hasFamilies), pricePesewas, number, volumeMb, paused };
  });
}

function ussdFamilyLabel(family: Family): string {
  return findFamily(family)?.ussdLabel ?? family;
}

function oneLine(text: string): string {
  return asciiText(text).replaceAll("\n", " ");
}
