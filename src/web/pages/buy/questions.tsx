// Questions before a payment: a number that looks like another network's, and a sale that was just made.
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { Operator } from "../../../shared/domain.ts";
import { show } from "../../../shared/money.ts";
import { bundleName, familiesOf, familyOf, operatorName, operatorPath } from "../../../shared/operators.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import type { Refused } from "../../page.tsx";
import { buyPath } from "../../paths.ts";
import { RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { findBundle } from "./sale.ts";
import type { Filled } from "./starting-values.ts";

type Props = { action: string; bundles: ProductOnSale[]; filled: Filled; refused: Refused };

/** The answer to a refused purchase: a question, or what is wrong. */
export function Answer(props: Omit<Props, "refused"> & { refused: Refused | undefined }) {
  const { refused } = props;
  if (!refused) return null;
  const looksLike = refused.error.details?.looksLike as Operator | undefined;
  if (looksLike) return <NetworkQuestion {...props} refused={refused} looksLike={looksLike} />;
  if (refused.error.code === "order.duplicate") return <DuplicateQuestion {...props} refused={refused} />;
  return <RefusalNote refused={refused} />;
}

/** The question is what the browser goes to first. */
const FOCUSED = { role: "alert", tabIndex: -1, autoFocus: true };

function NetworkQuestion(props: Props & { looksLike: Operator }) {
  const { filled, looksLike, bundles } = props;
  const msisdn = parseMsisdn(filled.msisdn)!;
  const own = operatorName(filled.operator);
  return (
    <div className="note warn" {...FOCUSED}>
      <p>
        <strong>
          Is {spacedMsisdn(msisdn)} on {own}?
        </strong>{" "}
        It looks like {operatorName(looksLike)}. Nothing has been paid yet.
      </p>
      <div className="actions">
        <WayOver {...{ msisdn, filled, looksLike, bundles }} />
        <YesForm {...props} yes="allowNetwork" label={`Yes, it was moved to ${own}: pay`} />
      </div>
    </div>
  );
}

type WayProps = { msisdn: string; filled: Filled; looksLike: Operator; bundles: ProductOnSale[] };

/** The same sale on the other network: with the bundle of the same size, if there is one. */
function WayOver({ msisdn, filled, looksLike, bundles }: WayProps) {
  const chosen = findBundle(bundles, filled.productId);
  const ofSize = bundles.filter((it) => it.operator === looksLike && it.size === chosen?.size && it.paused === null);
  const [usual] = familiesOf(looksLike);
  const same = ofSize.find((it) => familyOf(it) === usual) ?? ofSize[0];
  const quantity = /^\d{1,3}$/.test(filled.quantity) ? Number(filled.quantity) : 1;
  if (!same) {
    return (
      <a className="button" href={`${operatorPath(looksLike)}?msisdn=${localMsisdn(msisdn)}`}>
        Open {operatorName(looksLike)} with this number
      </a>
    );
  }
  return (
    <a className="button" href={buyPath({ msisdn, productId: same.id, quantity })}>
      Sell {bundleName(same, quantity)} instead, {show(same.pricePesewas * Math.max(1, quantity))}
    </a>
  );
}

/** Asks before the same bundle is ordered again for the same number. */
function DuplicateQuestion(props: Props) {
  const msisdn = parseMsisdn(props.filled.msisdn);
  return (
    <div className="note warn" {...FOCUSED}>
      <p>
        <strong>Order it again?</strong> You ordered this bundle for {msisdn ? spacedMsisdn(msisdn) : "this number"}{" "}
        within the last ten minutes.
      </p>
      <div className="actions">
        <YesForm {...props} yes="allowDuplicate" label="Yes, order it again" />
        <a className="button quiet" href="/orders">
          No, show my orders
        </a>
      </div>
    </div>
  );
}

/** "Yes" is a form of its own, so that it confirms this order and no other; it keeps an earlier "yes". */
function YesForm({ action, refused, filled, yes, label }: Props & { yes: string; label: string }) {
  const names = ["productId", "msisdn", "quantity", "pay", "allowNetwork", "allowDuplicate"];
  const kept = names.filter((name) => name !== yes).map((name) => [name, refused.values.get(name)]);
  return (
    <Form to={action} sends={{ operator: filled.operator, ...Object.fromEntries(kept) }} isOnce>
      <button className="quiet" name={yes} value="yes" type="submit" data-sending="Paying…">
        {label}
      </button>
    </Form>
  );
}
