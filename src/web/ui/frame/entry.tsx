// Frame of the pages that lead into the shop: a panel that says what the shop is, beside a form.
import type { ReactNode } from "react";
import type { Db } from "../../../../db/connect.ts";
import * as products from "../../../core/catalog/products.ts";

import { operatorCodes, orderedBundle } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import { Money } from "../parts.tsx";
import { NetworkBadge } from "./icons.tsx";

/** The cheapest bundle of each network that can be bought now. */
export async function cheapest(db: Db): Promise<products.ProductOnSale[]> {
  const onSale = (await products.list(db)).filter(({ paused }) => !paused);
  // The list is ordered by price.
  return operatorCodes().flatMap((operator) => onSale.find((bundle) => bundle.operator === operator) ?? []);
}

type Props = { bundles: products.ProductOnSale[]; children: ReactNode };

/** On a phone the panel is one line. */
export function Entry({ bundles, children }: Props) {
  return (
    <div className="entry">
      <Sheet name="entry" />
      <div className="pitch">
        <p className="claim">Sell data bundles from one wallet.</p>
        <div className="proof">
          {bundles.length > 0 && (
            <>
              <p className="small">Prices today, from</p>
              <ul>
                {bundles.map((bundle) => (
                  <li key={bundle.id}>
                    <NetworkBadge operator={bundle.operator} />
                    <bdi>{orderedBundle({ ...bundle, productSize: bundle.size })}</bdi>
                    <strong>
                      <Money pesewas={bundle.pricePesewas} />
                    </strong>
                  </li>
                ))}
              </ul>
            </>
          )}
          <p className="small">
            An order that fails is refunded to your wallet. <a href="/status">How deliveries go right now</a>
          </p>
        </div>
      </div>
      <div className="card">{children}</div>
    </div>
  );
}
