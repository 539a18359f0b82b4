// Recent recipients under the number: a tap sells again what each usually takes. Links, so that they need no script.

import type { Recipient } from "../../../core/buying/recipients.ts";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { buyPath } from "../../paths.ts";
import { NetworkBadge } from "../../ui/frame/icons.tsx";

/** As many as fit under a thumb; the others are offered while typing. */
const TAPPED = 6;

type Props = { recipients: Recipient[]; names: ReadonlyMap<string, string>; bundles: ProductOnSale[] };

export function Recents({ recipients, names, bundles }: Props) {
  if (recipients.length === 0) return null;
  const onSale = new Set(bundles.filter(({ paused }) => paused === null).map(({ id }) => id));
  return (
    <ul className="recents" aria-label="Recent recipients">
      {recipients.slice(0, TAPPED).map(({ msisdn, operator, productId, size }) => (
        <li key={msisdn}>
          <a href={buyPath({ msisdn, ...(onSale.has(productId) && { productId }) })}>
            <NetworkBadge operator={operator} />
            {names.has(msisdn) && <bdi>{`${names.get(msisdn)} `}</bdi>}
            <span className={names.has(msisdn) ? "money sr" : "money"}>{spacedMsisdn(msisdn)}</span>
            {onSale.has(productId) && ` · ${size}`}
          </a>
        </li>
      ))}
    </ul>
  );
}
