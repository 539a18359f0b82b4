// Form that buys one bundle, with its questions before payment.
import { NumberHint } from "../../../../islands/number-hint.tsx";
import { PurchaseTotal } from "../../../../islands/purchase-total.tsx";
import type { ProductOnSale } from "../../../core/catalog/products.ts";
import { limits, OPERATOR_NAMES, type Operator } from "../../../shared/domain.ts";
import { localMsisdn, parseMsisdn, spacedMsisdn } from "../../../shared/msisdn.ts";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { Field, FormKey, Once, RefusalNote } from "../../ui/parts.tsx";
import { BundleOptions, optionOf, PATHS } from "./packages.tsx";

type Props = {
  operator: Operator;
  bundles: ProductOnSale[];
  balancePesewas: number;
  /** Values from the page's address: ?msisdn=…&product=…&quantity=… */
  prefill: URLSearchParams;
  refused?: Refused | undefined;
};

export function PurchaseForm({ operator, bundles, balancePesewas, prefill, refused: sent }: Props) {
  const refused = sent && { ...sent, values: atTodaysPrice(bundles, sent.values) };
  const filled = {
    productId: optionOf(bundles, prefill.get("product") ?? ""),
    msisdn: prefill.get("msisdn")?.slice(0, 40) ?? "",
    quantity: prefill.get("quantity")?.slice(0, 6) || "1",
  };
  const typed = (name: keyof typeof filled) => refused?.values.get(name) ?? filled[name];
  const isPaused = bundles.every((bundle) => bundle.paused !== null);
  return (
    <>
      <Answer operator={operator} refused={refused} />
      <form method="post" action={PATHS[operator]} className="fields" noValidate>
        <FormKey refused={refused} />
        <Field label="Package" name="productId" value={filled.productId} refused={refused} required>
          <option value="">Select a package</option>
          <BundleOptions bundles={bundles} />
        </Field>
        <Field
          label="Recipient number"
          name="msisdn"
          type="tel"
          inputMode="tel"
          autoComplete="off"
          placeholder="0541234567"
          value={filled.msisdn}
          refused={refused}
          required
          live={<Island component={NumberHint} props={{ operator, msisdn: typed("msisdn") }} on="load" />}
          hint="Check it twice: a bundle that was sent cannot be recalled."
        />
        <Field
          label="Quantity"
          name="quantity"
          type="number"
          inputMode="numeric"
          min={1}
          max={limits.quantityMax}
          value={filled.quantity}
          refused={refused}
          live={
            <Island
              component={PurchaseTotal}
              props={{ balancePesewas, productId: typed("productId"), quantity: typed("quantity") }}
              on="load"
            />
          }
        />
        <button name="pay" value="wallet" type="submit" disabled={isPaused} data-sending="Paying…">
          Pay with Wallet
        </button>
        <button
          className="quiet"
          name="pay"
          value="momo"
          type="submit"
          disabled={isPaused}
          data-sending="One moment…"
        >
          Pay with MoMo
        </button>
        <Once />
      </form>
    </>
  );
}

/** Keeps a package chosen whose price has changed, at its current price, which is shown before it is paid. */
function atTodaysPrice(bundles: ProductOnSale[], sent: URLSearchParams): URLSearchParams {
  const values = new URLSearchParams(sent);
  values.set("productId", optionOf(bundles, sent.get("productId") ?? ""));
  return values;
}

function Answer({ operator, refused }: { operator: Operator; refused: Refused | undefined }) {
  const looksLike = refused?.error.details?.looksLike as Operator | undefined;
  if (refused && looksLike) return <NetworkQuestion {...{ operator, refused, looksLike }} />;
  if (refused?.error.code === "order.duplicate")
    return <DuplicateQuestion operator={operator} refused={refused} />;
  return <RefusalNote refused={refused} />;
}

type QuestionProps = { operator: Operator; refused: Refused };

function NetworkQuestion({ operator, refused, looksLike }: QuestionProps & { looksLike: Operator }) {
  const msisdn = parseMsisdn(refused.values.get("msisdn") ?? "")!;
  const [own, other] = [OPERATOR_NAMES[operator], OPERATOR_NAMES[looksLike]];
  return (
    <div className="note warn" role="alert">
      <p>
        <strong>
          Is {spacedMsisdn(msisdn)} on {own}?
        </strong>{" "}
        It looks like {other}. Nothing has been paid yet.
      </p>
      <div className="actions">
        <a className="button" href={`${PATHS[looksLike]}?msisdn=${localMsisdn(msisdn)}`}>
          Open {other} with this number
        </a>
        <YesForm
          operator={operator}
          values={refused.values}
          yes="allowNetwork"
          label={`Yes, it was moved to ${own}: pay`}
        />
      </div>
    </div>
  );
}

/** Asks before the same bundle is ordered again for the same number. */
function DuplicateQuestion({ operator, refused: { values } }: QuestionProps) {
  const msisdn = parseMsisdn(values.get("msisdn") ?? "");
  return (
    <div className="note warn" role="alert">
      <p>
        <strong>Order it again?</strong> You ordered this bundle for{" "}
        {msisdn ? spacedMsisdn(msisdn) : "this number"} within the last ten minutes.
      </p>
      <div className="actions">
        <YesForm operator={operator} values={values} yes="allowDuplicate" label="Yes, order it again" />
        <a className="button quiet" href="/orders">
          No, show my orders
        </a>
      </div>
    </div>
  );
}

type YesProps = { operator: Operator; values: URLSearchParams; yes: string; label: string };

/** "Yes" is a form of its own, so that it confirms this order and no other; it keeps an earlier "yes". */
function YesForm({ operator, values, yes, label }: YesProps) {
  const kept = ["productId", "msisdn", "quantity", "pay", "allowNetwork"].filter((name) => name !== yes);
  return (
    <form method="post" action={PATHS[operator]}>
      <FormKey />
      {kept.map(
        (name) =>
          values.has(name) && <input key={name} type="hidden" name={name} value={values.get(name)!} />,
      )}
      <button className="quiet" name={yes} value="yes" type="submit" data-sending="Paying…">
        {label}
      </button>
      <Once />
    </form>
  );
}
