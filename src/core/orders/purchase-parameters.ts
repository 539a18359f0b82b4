// The parameters of the purchase statement: its groups and their lines as arrays, one for each column.
import { currentOperator } from "../../shared/operators.ts";
import { literalOf } from "../platform/sql.ts";
import type { PurchaseGroup, PurchaseLine } from "./purchase-groups.ts";

/**
 * A line with the number of its product among those wanted. `isRepeated`: an earlier line of its group has the same
 * product and phone number. `hasTwin`: one of another group of this statement has.
 */
type NumberedLine = { g: number; offer: number; line: PurchaseLine; isRepeated: boolean; hasTwin: boolean };
type Numbered = { lines: NumberedLine[]; wanted: { userId: number; productId: number }[] };

/** The parameters in the statement's order, and the number of each line's product, from 1, among those wanted. */
export function parametersOf(groups: readonly PurchaseGroup[]): {
  parameters: string[];
  offerOfLine: number[];
} {
  const { lines, wanted } = numbered(groups);
  const buyers = [...new Set(groups.map(({ userId }) => userId))];
  const parameters = [
    literalOf(groups, ({ userId }) => userId),
    literalOf(groups, ({ channel }) => channel),
    literalOf(groups, ({ bulk }) => bulk),
    literalOf(groups, ({ allowDuplicate }) => allowDuplicate),
    literalOf(groups, ({ key }) => key?.scope),
    literalOf(groups, ({ key }) => key?.key),
    literalOf(groups, ({ key }) => key?.fingerprint),
    literalOf(lines, ({ g }) => g),
    literalOf(lines, ({ offer }) => offer),
    literalOf(lines, ({ line }) => line.msisdn),
    literalOf(lines, ({ line }) => line.quantity),
    literalOf(lines, ({ line }) => line.operator && currentOperator(line.operator)),
    literalOf(lines, ({ line }) => line.expectedPesewas),
    literalOf(lines, ({ isRepeated }) => isRepeated),
    literalOf(lines, ({ hasTwin }) => hasTwin),
    literalOf(wanted, ({ userId }) => userId),
    literalOf(wanted, ({ productId }) => productId),
    literalOf(buyers, (userId) => userId),
  ];
  return { parameters, offerOfLine: lines.map(({ offer }) => offer) };
}

function numbered(groups: readonly PurchaseGroup[]): Numbered {
  const [lines, wanted]: [NumberedLine[], Numbered["wanted"]] = [[], []];
  const offers = new Map<string, number>();
  const earlier = new Map<string, { first: number; last: number }>();
  for (const [g, { userId, lines: own }] of groups.entries())
    for (const line of own) {
      const { productId, msisdn } = line;
      let offer = offers.get(`${userId} ${productId}`);
      if (offer === undefined) {
        offer = wanted.push({ userId, productId });
        offers.set(`${userId} ${productId}`, offer);
      }
      const same = earlier.get(`${offer} ${msisdn}`);
      earlier.set(`${offer} ${msisdn}`, { first: same?.first ?? g, last: g });
      const hasTwin = same !== undefined && same.first !== g;
      lines.push({ g, offer, line, isRepeated: same?.last === g, hasTwin });
    }
  return { lines, wanted };
}
