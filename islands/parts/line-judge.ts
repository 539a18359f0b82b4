// The reading of one line of a checked list, before it is sent.
import { assignBundles, type ListChoices, type Offer } from "../../src/shared/lists/bulk-bundles.ts";
import { parseBulkLines } from "../../src/shared/lists/bulk-lines.ts";
import { withBundle } from "../../src/shared/lists/bulk-text.ts";
import { show } from "../../src/shared/money.ts";
import { operatorName } from "../../src/shared/operators.ts";
import { spacedMsisdn } from "../../src/shared/phones/msisdn.ts";
import type { LineMessages } from "./bulk-table.tsx";

type List = { offers: Offer[]; choices: ListChoices; messages: LineMessages };
type Judgement = { isGood: boolean; message: string };

/**
 * The order of a line with its price, or what is still wrong with it. `offerId` is a bundle that was chosen beside the
 * line instead of the one that it names.
 */
export function judge(line: string, offerId: number, { offers, choices, messages }: List): Judgement {
  const offer = offers.find(({ id }) => id === offerId);
  const text = offer ? withBundle(line, offer, choices.figures) : line;
  if (text.trim() === "") return { isGood: true, message: "This line will be removed." };
  const lines = assignBundles(parseBulkLines(text, 10), offers, choices);
  const bad = lines.find(({ problem }) => problem !== null);
  if (bad || lines.length === 0)
    return { isGood: false, message: (bad && messages[bad.problem!]) ?? "There is no number in this line." };
  const orders = lines.map(({ msisdn, offer, quantity }) => {
    const bundle = `${operatorName(offer!.operator)} ${offer!.size}${quantity > 1 ? ` × ${quantity}` : ""}`;
    return `✓ ${spacedMsisdn(msisdn!)} · ${bundle} · ${show(offer!.pricePesewas * quantity)}`;
  });
  return { isGood: true, message: orders.join(", ") };
}
