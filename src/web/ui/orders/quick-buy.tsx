// The dashboard's small form for a sale: a number, the bundles sold most, and Pay. It is sent to the buying page, which
// asks what there is to ask.

import type { Habits } from "../../../core/buying/recipients.ts";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { Sheet } from "../../html.tsx";
import { Form } from "../form.tsx";
import { BundleCard } from "./bundle-card.tsx";
import { KnownNumbers } from "./known-numbers.tsx";

const CHIPS = 4;

/** `names` are those of recipients, by number. */
type Props = { bundles: ProductOnSale[]; habits: Habits; names: ReadonlyMap<string, string> };

export function QuickBuy({ bundles, habits, names }: Props) {
  const offered = usualBundles(bundles, habits);
  if (offered.length === 0) return null;
  return (
    <>
      <Sheet name="sale" />
      <Form to="/buy" isOnce className="quick-buy" data-outbox="" noValidate>
        <div className="number">
          <label htmlFor="quick-msisdn">Recipient number</label>
          <input
            id="quick-msisdn"
            name="msisdn"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            placeholder="0541234567"
            list="quick-numbers"
          />
          <KnownNumbers id="quick-numbers" recipients={habits.recipients} names={names} />
        </div>
        <div className="bundles" role="radiogroup" aria-label="Package">
          {offered.map((bundle) => (
            <BundleCard key={bundle.id} bundle={bundle} isChosen={false} isBadged />
          ))}
        </div>
        <div className="actions">
          <button name="pay" value="wallet" type="submit" data-sending="Paying…">
            Pay<span className="sr"> with Wallet</span>
          </button>
          {/* With the number that was typed, in the page's address. */}
          <button className="quiet" type="submit" formMethod="get" formAction="/buy">
            All bundles
          </button>
        </div>
      </Form>
    </>
  );
}

/** The bundles that this agent sells most, filled up with the cheapest, one of each network first. */
function usualBundles(bundles: ProductOnSale[], { bestSellers }: Habits): ProductOnSale[] {
  const onSale = bundles.filter(({ paused }) => paused === null);
  const best = bestSellers.flatMap((id) => onSale.find((bundle) => bundle.id === id) ?? []);
  const cheapest = onSale.toSorted((one, other) => one.pricePesewas - other.pricePesewas);
  const ofEach = [...Map.groupBy(cheapest, ({ operator }) => operator).values()].map(([first]) => first!);
  return [...new Set([...best, ...ofEach, ...cheapest])].slice(0, CHIPS);
}
