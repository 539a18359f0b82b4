// A bundle as a card: a radio button with its size and price, for every form that sells one.
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { show } from "../../../shared/money.ts";
import { operatorName } from "../../../shared/operators.ts";
import { pausedTitle } from "../../../shared/pause.ts";
import { NetworkBadge } from "../frame/icons.tsx";

type CardProps = {
  bundle: ProductOnSale;
  isChosen: boolean;
  isLast?: boolean;
  isFocused?: boolean;
  /** Shows its name, to distinguish it from another one of its size. */
  isNamed?: boolean;
  /** Shows the badge of its network, among cards of several. */
  isBadged?: boolean;
};

/** A bundle to choose. A paused one is shown, but cannot be chosen. */
export function BundleCard({ bundle, isChosen, isLast, isFocused, isNamed, isBadged }: CardProps) {
  const { id, operator, name, pricePesewas, size, paused } = bundle;
  const focus = { autoFocus: isFocused || undefined };
  return (
    <label className={`bundle ${operator}`}>
      <input
        type="radio"
        name="productId"
        value={`${id}@${pricePesewas}`}
        defaultChecked={isChosen}
        disabled={paused !== null}
        {...focus}
        data-size={size}
        data-operator={operator}
      />
      {isBadged && (
        <>
          <NetworkBadge operator={operator} />
          <span className="sr">{operatorName(operator)} </span>
        </>
      )}
      {isLast && <span className="flag">Last bought</span>}
      <Size size={size} />
      <span className="money">{show(pricePesewas)}</span>
      {isNamed && <bdi className="small">{name}</bdi>}
      {paused && <span className="small pause">{pausedTitle(paused)}</span>}
    </label>
  );
}

/** "1GB" with a small unit; a size from before sizes were validated as it is. */
function Size({ size }: { size: string }) {
  const [, amount, unit] = /^([\d.]+)\s*([A-Z]{2})$/i.exec(size) ?? [];
  if (!amount) return <bdi className="size">{size}</bdi>;
  return (
    <b className="size">
      {amount}
      <small>{unit}</small>
    </b>
  );
}
