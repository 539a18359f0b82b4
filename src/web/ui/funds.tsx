// What an agent reads of a wallet beside its balance.
import { HELD, type Standing } from "../../core/ledger/wallet.ts";
import { show } from "../../shared/money.ts";

/** What of a wallet is available, held and owed, for its owner; nothing where all of it is available. */
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
