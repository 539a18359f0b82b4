// The parameters of the purchase statement: its groups and their lines as arrays, one for each column.
import type { Operator } from "../../shared/domain.ts";
import { currentOperator } from "../../shared/operators.ts";
import { arrayLiteral } from "../platform/sql.ts";
import type { PurchaseGroup } from "./purchase-groups.ts";

/** The parameters in the statement's order, and the number of each line's product, from 1, among those wanted. */
export function parametersOf(groups: readonly PurchaseGroup[]): {
  parameters: string[];
  offerOfLine: number[];
} {
  const { lines, wanted } = columnsOf(groups);
  const columns = [
    groups.map(({ userId }) => userId),
    groups.map(({ channel }) => channel),
    groups.map(({ bulk }) => bulk),
    groups.map(({ allowDuplicate }) => allowDuplicate),
    groups.map(({ key }) => key?.scope),
    groups.map(({ key }) => key?.key),
    groups.map(({ key }) => key?.fingerprint),
    groups.map(({ reference }) => reference),
    groups.map(({ metadata }) => metadata && JSON.stringify(metadata)),
    groups.map(({ isReferenceUnique }) => isReferenceUnique),
    ...Object.values(lines),
    ...Object.values(wanted),
    [...new Set(groups.map(({ userId }) => userId))],
    // Only the statement for purchases by API key has a place for these.
    ...(groups.some(({ keyId }) => keyId !== undefined) ? [groups.map(({ keyId }) => keyId)] : []),
  ];
  return { parameters: columns.map(arrayLiteral), offerOfLine: lines.offer };
}

/** The columns of the lines, and of the products that they want, for each buyer; in the statement's order, too. */
function columnsOf(groups: readonly PurchaseGroup[]) {
  const lines = {
    g: [] as number[],
    /** The number of its product among those wanted. */
    offer: [] as number[],
    msisdn: [] as string[],
    quantity: [] as number[],
    operator: [] as (Operator | null | undefined)[],
    expected: [] as (number | null | undefined)[],
    /** An earlier line of its group has the same product and phone number. */
    isRepeated: [] as boolean[],
    /** A line of another group of this statement has. */
    hasTwin: [] as boolean[],
    reference: [] as (string | undefined)[],
    metadata: [] as (string | undefined)[],
    once: [] as (Once | undefined)[],
  };
  const wanted = { userId: [] as number[], productId: [] as number[] };
  const offers = new Map<string, number>();
  const earlier = new Map<string, { first: number; last: number }>();
  const onceOf = referencesSeen();
  for (const [g, group] of groups.entries()) {
    const { userId } = group;
    for (const { productId, msisdn, quantity, operator, expectedPesewas, reference, metadata } of group.lines) {
      const id = `${userId} ${productId}`;
      let offer = offers.get(id);
      if (offer === undefined) {
        wanted.userId.push(userId);
        offer = wanted.productId.push(productId);
        offers.set(id, offer);
      }
      const same = earlier.get(`${offer} ${msisdn}`);
      earlier.set(`${offer} ${msisdn}`, { first: same?.first ?? g, last: g });
      lines.g.push(g);
      lines.offer.push(offer);
      lines.msisdn.push(msisdn);
      lines.quantity.push(quantity);
      lines.operator.push(operator && currentOperator(operator));
      lines.expected.push(expectedPesewas);
      lines.isRepeated.push(same?.last === g);
      lines.hasTwin.push(same !== undefined && same.first !== g);
      lines.reference.push(reference);
      lines.metadata.push(metadata && JSON.stringify(metadata));
      lines.once.push(reference === undefined ? undefined : onceOf(g, group, reference));
    }
  }
  return { lines, wanted };
}

/**
 * A reference that no other order of its buyer may have: the first in this statement, again in its own group, or in an
 * earlier group that may be placed or not.
 */
type Once = "first" | "repeated" | "twin";

/** Returns a function that notes a line's reference, and says what it is if it is to be the only one. */
function referencesSeen(): (g: number, group: PurchaseGroup, reference: string) => Once | undefined {
  const lastGroup = new Map<string, number>();
  return (g, { userId, isReferenceUnique }, reference) => {
    const id = `${userId} ${reference}`;
    const last = lastGroup.get(id);
    lastGroup.set(id, g);
    if (!isReferenceUnique) return undefined;
    if (last === undefined) return "first";
    return last === g ? "repeated" : "twin";
  };
}
