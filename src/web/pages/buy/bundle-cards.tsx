// Bundles as cards: a radio button for each, with its size and price, by network and family.

import type { Habits } from "../../../core/buying/recipients.ts";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { DeliveryTime } from "../../../core/fulfilment/delivery-times.ts";
import type { Operator } from "../../../shared/domain.ts";
import { decimal } from "../../../shared/money.ts";
import { familyName, familyOf, operatorCodes, operatorName } from "../../../shared/operators.ts";
import { endText, isRepricing, pausedText } from "../../../shared/pause.ts";
import type { Refused } from "../../page.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { BundleCard } from "../../ui/orders/bundle-card.tsx";
import { DeliveryLine } from "../../ui/orders/delivery-line.tsx";
import type { Filled } from "./starting-values.ts";

/** The choice of the network, which decides whose bundles are seen. */
export function NetworkChoice({ chosen }: { chosen: Operator }) {
  return (
    <fieldset className="networks">
      <legend className="sr">Network</legend>
      {operatorCodes().map((operator) => (
        <label key={operator} className={operator}>
          <input type="radio" name="operator" value={operator} defaultChecked={operator === chosen} />
          <NetworkBadge operator={operator} />
          {operatorName(operator)}
        </label>
      ))}
    </fieldset>
  );
}

type Props = {
  bundles: ProductOnSale[];
  habits: Habits;
  times: DeliveryTime[];
  filled: Filled;
  refused: Refused | undefined;
};

/** The bundles of every network, of which the stylesheet shows the chosen one's. */
export function BundleChoice({ bundles, habits, times, filled, refused }: Props) {
  const error = refused?.error.details?.fields?.productId;
  const isFirst = error !== undefined && Object.keys(refused!.error.details!.fields!)[0] === "productId";
  const recipient = habits.recipients.find(({ msisdn }) => msisdn === filled.recipient);
  const lastIds = recipient ? [recipient.lastProductId] : Object.values(habits.lastOf);
  const first = bundles.find(({ operator, paused }) => operator === filled.operator && !paused);
  return (
    <div
      id="field-productId"
      role="radiogroup"
      aria-label="Package"
      aria-required="true"
      aria-invalid={error ? true : undefined}
      aria-describedby={error && "field-productId-error"}
    >
      {error && (
        <p className="error" id="field-productId-error">
          {error}
        </p>
      )}
      {operatorCodes().map((operator) => {
        const own = bundles.filter((bundle) => bundle.operator === operator);
        const isPaused = own.length > 0 && own.every(({ paused }) => paused !== null);
        const note = <PausedNote bundles={own} name={operatorName(operator)} />;
        return (
          <section key={operator} className={`offer ${operator}`} aria-labelledby={`of-${operator}`}>
            <div className="offer-head">
              <h2 id={`of-${operator}`}>{operatorName(operator)} data</h2>
              <PriceRange bundles={own} />
            </div>
            <DeliveryLine operator={operator} times={times} />
            {isPaused && note}
            {own.length === 0 && (
              <p className="empty">No {operatorName(operator)} bundles are on sale at the moment.</p>
            )}
            <Families bundles={own} {...{ lastIds }} chosen={filled.productId} focused={isFirst && first} />
            {!isPaused && note}
          </section>
        );
      })}
    </div>
  );
}

type FamiliesProps = {
  bundles: ProductOnSale[];
  /** The bundles that were bought last, which stand first. */
  lastIds: number[];
  chosen: string;
  focused: ProductOnSale | false | undefined;
};

/** The families of a network's bundles, that of the bundle bought last first; headings where there are several. */
function Families({ bundles, lastIds, chosen, focused }: FamiliesProps) {
  const isLast = ({ id }: ProductOnSale) => lastIds.includes(id);
  const lastFirst = (some: ProductOnSale[]) => [...some.filter(isLast), ...some.filter((bundle) => !isLast(bundle))];
  const families = [...Map.groupBy(bundles, familyOf)].sort(
    ([, some], [, others]) => Number(others.some(isLast)) - Number(some.some(isLast)),
  );
  return families.map(([family, some]) => {
    const ofSize = Map.groupBy(some, ({ size }) => size);
    return (
      <div key={family}>
        {families.length > 1 && <h3>{familyName(family)}</h3>}
        <div className="bundles">
          {lastFirst(some).map((bundle) => (
            <BundleCard
              key={bundle.id}
              bundle={bundle}
              isLast={isLast(bundle)}
              isChosen={chosen === `${bundle.id}@${bundle.pricePesewas}`}
              isFocused={bundle === focused}
              isNamed={ofSize.get(bundle.size)!.length > 1}
            />
          ))}
        </div>
      </div>
    );
  });
}

function PriceRange({ bundles }: { bundles: ProductOnSale[] }) {
  if (bundles.length === 0) return null;
  const prices = bundles.map((bundle) => bundle.pricePesewas);
  const ends = [...new Set([Math.min(...prices), Math.max(...prices)])];
  return <span className="small soft money">{ends.map((pesewas) => `₵${decimal(pesewas)}`).join(" – ")}</span>;
}

const REPRICING_ADVICE = "Some prices are being updated. Please choose another bundle or come back later.";

/** The pauses of the operator or of some of its bundles, with their messages and ends. */
function PausedNote({ bundles, name }: { bundles: ProductOnSale[]; name: string }) {
  const pauses = bundles.map(({ paused }) => paused).filter((paused) => paused !== null);
  if (pauses.length === 0) return null;
  const isAll = pauses.length === bundles.length;
  const distinct = [...Map.groupBy(pauses, (pause) => `${pausedText(pause)} ${pause.message}`).values()];
  const ends = new Set(pauses.map((pause) => pausedText(pause)));
  const isOneEnd = ends.size === 1;
  return (
    <div className="note warn">
      <strong>
        {isAll ? `${name} bundles are` : `Some ${name} bundles are`} {isOneEnd ? [...ends] : "paused"}
      </strong>
      {distinct.map(([pause]) => (
        <div key={`${pause!.until} ${pause!.message}`}>
          <bdi>{isRepricing(pause!) ? REPRICING_ADVICE : pause!.message}</bdi>
          {!isOneEnd && pause!.until && <span className="soft"> (until {endText(pause!.until)})</span>}
        </div>
      ))}
    </div>
  );
}
