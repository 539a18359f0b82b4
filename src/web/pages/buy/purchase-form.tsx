// Form that buys one bundle: the number, the network, the bundle, and the bar that pays.

import { Counter } from "../../../../islands/counter.tsx";
import type { Habits } from "../../../core/buying/recipients.ts";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import type { DeliveryTime } from "../../../core/fulfilment/delivery-times.ts";
import { limits } from "../../../shared/domain.ts";
import { Sheet } from "../../html.tsx";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { Field } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { KnownNumbers } from "../../ui/orders/known-numbers.tsx";
import { OperatorsForIslands } from "../../ui/orders/operator-facts.tsx";
import { BundleChoice, NetworkChoice } from "./bundle-cards.tsx";
import { Recents } from "./recents.tsx";
import type { Filled } from "./starting-values.ts";

type Props = {
  /** The address of the page, where its form is sent. */
  action: string;
  userId: number;
  bundles: ProductOnSale[];
  habits: Habits;
  /** The names of recipients, by number. */
  names: ReadonlyMap<string, string>;
  times: DeliveryTime[];
  balancePesewas: number;
  filled: Filled;
  refused: Refused | undefined;
};

export function PurchaseForm(props: Props) {
  const { action, bundles, habits, names, filled, refused } = props;
  return (
    <>
      <Sheet name="sale" />
      <Form
        to={action}
        refused={refused}
        sends={{ shown: filled.operator, allowDuplicate: filled.allowDuplicate || null }}
        isOnce
        className="counter"
        data-outbox=""
        noValidate
      >
        <div className="to-whom">
          <NumberField {...props} />
          <Recents recipients={habits.recipients} names={names} bundles={bundles} />
          <NetworkChoice chosen={filled.operator} />
        </div>
        <div>
          <BundleChoice {...props} />
          <div className="more">
            <Quantity filled={filled} refused={refused} />
            <p className="small">
              <a href={`/bulk?operator=${filled.operator}`}>Buy for many numbers at once</a>
            </p>
          </div>
        </div>
        <PayBar {...props} />
      </Form>
    </>
  );
}

/** What the island knows besides the form. */
function counterProps({ filled: { msisdn }, balancePesewas, userId }: Props) {
  return { msisdn, balancePesewas, userId };
}

/** The first field: large, and ready to be typed in unless something else comes first. */
function NumberField(props: Props) {
  const { filled, refused, habits, names } = props;
  const fields = refused?.error.details?.fields;
  const error = fields?.msisdn;
  const isFirst = error !== undefined && Object.keys(fields!)[0] === "msisdn";
  const isFresh = refused === undefined && filled.msisdn === "";
  const focus = { autoFocus: isFirst || isFresh || undefined };
  return (
    <div className="number">
      <label htmlFor="field-msisdn">Recipient number</label>
      <input
        id="field-msisdn"
        name="msisdn"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        placeholder="0541234567"
        list="known-numbers"
        required
        defaultValue={filled.msisdn}
        {...focus}
        aria-invalid={error ? true : undefined}
        aria-describedby={error && "field-msisdn-error"}
      />
      {error && (
        <p className="error" id="field-msisdn-error">
          {error}
        </p>
      )}
      <OperatorsForIslands />
      <Island component={Counter} props={{ part: "number", ...counterProps(props) }} on="load" />
      <KnownNumbers id="known-numbers" recipients={habits.recipients} names={names} />
    </div>
  );
}

/** Most sales are of one bundle: more are behind a fold. */
function Quantity({ filled, refused }: Pick<Props, "filled" | "refused">) {
  const isOpen = filled.quantity !== "1" || refused?.error.details?.fields?.quantity !== undefined;
  return (
    <details className="more-than-one" open={isOpen}>
      <summary>More than one</summary>
      <Field
        label="Quantity"
        name="quantity"
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.quantityMax}
        value={filled.quantity}
      />
    </details>
  );
}

/** The sale in one line with its buttons, always in reach of the thumb. */
function PayBar(props: Props) {
  const isPaused = props.bundles.every((bundle) => bundle.paused !== null);
  return (
    <div className="pay-bar">
      <Island component={Counter} props={{ part: "bar", ...counterProps(props) }} on="load" />
      <div className="pay-buttons">
        <button name="pay" value="wallet" type="submit" disabled={isPaused} data-sending="Paying…">
          Pay<span className="sr"> with Wallet</span>
        </button>
        <button className="quiet" name="pay" value="momo" type="submit" disabled={isPaused} data-sending="One moment…">
          <span className="sr">Pay with </span>MoMo
        </button>
      </div>
    </div>
  );
}
