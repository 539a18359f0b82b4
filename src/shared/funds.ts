// A wallet's balance as SMS and USSD show it: the balance or, while something is held, the available part.
import { plain } from "./money.ts";

/** A wallet's balance, and how much of it is held while chargebacks are open. */
export type Funds = { balancePesewas: number; heldPesewas: number };

/** What can be spent, in pesewas. */
export function availableOf({ balancePesewas, heldPesewas }: Funds): number {
  return Math.max(0, balancePesewas - heldPesewas);
}

/** "balance GHS 30.00" or, if something is held, "available GHS 20.00, held GHS 10.00". */
export function fundsOf(funds: Funds): string {
  const { balancePesewas, heldPesewas } = funds;
  if (heldPesewas === 0) return `balance ${plain(balancePesewas)}`;
  return `available ${plain(availableOf(funds))}, held ${plain(heldPesewas)}`;
}

/** The same as a sentence at the end of an SMS. */
export function fundsSentence(funds: Funds): string {
  const text = fundsOf(funds);
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
}

/** A sentence about what is held; "" if nothing is. */
export function heldSentence({ heldPesewas }: Pick<Funds, "heldPesewas">): string {
  return heldPesewas > 0 ? ` ${plain(heldPesewas)} is held until the bank decides.` : "";
}
