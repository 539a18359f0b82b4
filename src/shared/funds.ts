// How a wallet stands, in the words of SMS and USSD: its balance, or what of it can be spent while something is held.
import { plain } from "./money.ts";

/** A wallet's balance, and what of it cannot be spent while chargebacks are open. */
export type Funds = { balancePesewas: number; heldPesewas: number };

/** What can be spent, in pesewas. */
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
  const words = fundsOf(funds);
  return `${words[0]!.toUpperCase()}${words.slice(1)}.`;
}

/** Why something cannot be spent, as a sentence; "" where nothing is held. */
export function heldSentence({ heldPesewas }: Pick<Funds, "heldPesewas">): string {
  return heldPesewas > 0 ? ` ${plain(heldPesewas)} is held until the bank decides.` : "";
}
