// A wallet's balance as SMS and USSD show it: the balance, or the available amount while part of it is held.
import { plain } from "./money.ts";

/** A wallet's balance, and the part of it that is held while chargebacks are open. */
export type Funds = { balancePesewas: number; heldPesewas: number };

/** The amount that can be spent, in pesewas; never negative. */
export function availableOf({ balancePesewas, heldPesewas }: Funds): number {
  return Math.max(0, balancePesewas - heldPesewas);
}

/** "balance GHS 30.00"; where something is held, what can be spent: "available GHS 20.00, held GHS 10.00". */
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

/** Why something cannot be spent, as a sentence; "" where nothing is held. */
export function heldSentence({ heldPesewas }: Pick<Funds, "heldPesewas">): string {
  return heldPesewas > 0 ? ` ${plain(heldPesewas)} is held until the bank decides.` : "";
}
