// A wallet's balance, and the part of it that can be spent.

/** A wallet's balance, and how much of it is held while chargebacks are open. */
export type Funds = { balancePesewas: number; heldPesewas: number };

/** What can be spent, in pesewas. */
export function availableOf({ balancePesewas, heldPesewas }: Funds): number {
  return Math.max(0, balancePesewas - heldPesewas);
}
