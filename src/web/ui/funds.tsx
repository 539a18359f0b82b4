// Held and owed parts of a wallet, beside its balance.
import { HELD, type Standing } from "../../core/ledger/wallet.ts";
import { show } from "../../shared/money.ts";

/** The available, held and owed amounts, for the wallet's owner; nothing when all of it is available. */
export function HeldAndOwed({ standing }: { standing: Standing }) {
  const { availablePesewas, heldPesewas, owedPesewas } = standing;
  if (heldPesewas === 0 && owedPesewas === 0) return null;
  return (
    <p className="small warn-text">
      {heldPesewas > 0 && `Available: ${show(availablePesewas)}. ${show(heldPesewas)} ${HELD}. `}
      {owedPesewas > 0 && `You owe ${show(owedPesewas)}: your next top-up pays it first.`}
    </p>
  );
}
