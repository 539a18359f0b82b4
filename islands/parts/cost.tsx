// The cost of a purchase and the balance afterwards, for forms that spend money.
import { show } from "../../src/shared/money.ts";

export function Cost({ totalPesewas, balancePesewas }: { totalPesewas: number; balancePesewas: number }) {
  const leftPesewas = balancePesewas - totalPesewas;
  return (
    <dl className="facts cost">
      <dt>Total</dt>
      <dd>
        <strong className="money">{show(totalPesewas)}</strong>
      </dd>
      <dt>Available afterwards</dt>
      <dd className={leftPesewas < 0 ? "error" : "money"}>
        {leftPesewas < 0 ? `${show(-leftPesewas)} short` : show(leftPesewas)}
      </dd>
    </dl>
  );
}
