// What a purchase takes from the wallet and what it leaves, for the forms that spend.
import { show } from "../../src/shared/money.ts";

/** The price that stands in a package's option ("12@390"); null when none is chosen. */
export function unitPriceOf(productId: string): number | null {
  const price = /@(\d{1,12})$/.exec(productId)?.[1];
  return price === undefined ? null : Number(price);
}

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
