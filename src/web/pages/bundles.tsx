// The bundle pages: one operator's bundles, bought singly or in bulk from the wallet.
import { z } from "zod";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import * as wallet from "../../core/wallet.ts";
import { limits, OPERATOR_NAMES, type Operator } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { decimal, show } from "../../shared/money.ts";
import { guessOperator, parseMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import { type Context, type Page, type Refused, readFields, redirect, type View } from "../page.tsx";
import { Field, FormKey, Money, RefusalNote } from "../parts.tsx";
import { BulkForm } from "./bulk.tsx";

export const PATHS: Record<Operator, string> = {
  MTN: "/mtn-data",
  AIRTELTIGO: "/airtel-tigo",
  TELECEL: "/telecel",
};

const missing = "Select package and enter number";
const Purchase = z.object({
  productId: z
    .string(missing)
    .regex(/^\d{1,15}$/, missing)
    .transform(Number),
  msisdn: z.string(missing).trim().min(1, missing).max(40, "msisdn.invalid"),
  quantity: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, "order.quantity_invalid")
    .transform(Number),
  expected: z.coerce.number().int().optional(),
  allowDuplicate: z.literal("yes").optional(),
});

export const bundlePages: Page[] = (Object.keys(PATHS) as Operator[]).map((operator) => ({
  path: PATHS[operator],
  role: "user",
  show: (context, refused) => showBundles(context, operator, refused),
  submit: (context) => buy(context, operator),
}));

async function buy({ db, by, form, key }: Context, operator: Operator): Promise<Response> {
  const { productId, msisdn, quantity, allowDuplicate } = readFields(Purchase, form);
  const line = { productId, msisdn, quantity, operator };
  const { answer } = await orders
    .buy(db, { by, key, line, allowDuplicate: allowDuplicate === "yes" })
    .catch((error) => {
      throw atField(error);
    });
  const { id, msisdn: to, productSize } = answer.order;
  const words = `Paid with wallet successfully. Order #${id}, ${productSize} for ${spacedMsisdn(to)}, is on its way.`;
  return redirect("/orders", words);
}

/** Puts a refusal beside the field that can mend it. */
function atField(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const fields: Partial<Record<string, string>> = {
    "msisdn.invalid": "msisdn",
    "order.quantity_invalid": "quantity",
    "product.not_found": "productId",
    "product.paused": "productId",
  };
  const field = fields[error.code];
  return field ? new AppError(error.code, { fields: { [field]: error.message } }) : error;
}

async function showBundles({ db, by }: Context, operator: Operator, refused?: Refused): Promise<View> {
  const [bundles, balancePesewas] = await Promise.all([
    products.list(db, operator),
    wallet.balance(db, by.userId!),
  ]);
  const name = OPERATOR_NAMES[operator];
  const prices = bundles.map((bundle) => bundle.pricePesewas);
  return {
    title: `${name} data`,
    body: (
      <>
        <div className="head">
          <div>
            <h1>{name} data</h1>
            {prices.length > 0 && (
              <p className="soft">
                ₵{decimal(Math.min(...prices))} – ₵{decimal(Math.max(...prices))}
              </p>
            )}
          </div>
          <p>
            <span className="soft">In your wallet</span>
            <br />
            <strong>
              <Money pesewas={balancePesewas} />
            </strong>
          </p>
        </div>
        {bundles.length === 0 ? (
          <p className="card empty">No {name} bundles are on sale at the moment.</p>
        ) : (
          <div className="two">
            <section className={`card stripe ${operator}`}>
              <h2>Buy one bundle</h2>
              <PurchaseForm operator={operator} bundles={bundles} refused={refused} />
            </section>
            <section className="card">
              <h2>Bulk order</h2>
              <BulkForm operator={operator} bundles={bundles} />
            </section>
          </div>
        )}
      </>
    ),
  };
}

type FormProps = { operator: Operator; bundles: products.ProductOnSale[]; refused?: Refused | undefined };

function PurchaseForm({ operator, bundles, refused }: FormProps) {
  const isDuplicate = refused?.error.code === "order.duplicate";
  return (
    <form method="post" action={PATHS[operator]} className="fields" noValidate>
      {isDuplicate ? <DuplicateQuestion refused={refused!} /> : <RefusalNote refused={refused} />}
      <OtherNetworkWarning operator={operator} refused={refused} />
      <FormKey />
      <Field label="Package" name="productId" refused={refused}>
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
        refused={refused}
        hint="Check it twice: a bundle that was sent cannot be called back."
      />
      <Field
        label="Quantity"
        name="quantity"
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.quantityMax}
        value="1"
        refused={refused}
      />
      {isDuplicate ? (
        <button name="allowDuplicate" value="yes" type="submit">
          Yes, order it again
        </button>
      ) : (
        <button type="submit">Pay with Wallet</button>
      )}
    </form>
  );
}

/** Bundles that are paused stand in the list and say why, but cannot be chosen. */
export function BundleOptions({ bundles }: { bundles: products.ProductOnSale[] }) {
  const lines = Map.groupBy(bundles, (bundle) => bundle.name);
  return [...lines].map(([line, ofLine]) => (
    <optgroup key={line} label={line}>
      {ofLine.map((bundle) => (
        <option key={bundle.id} value={bundle.id} disabled={bundle.paused !== null}>
          {`${bundle.size} – ${show(bundle.pricePesewas)}${bundle.paused ? ` (paused: ${bundle.paused})` : ""}`}
        </option>
      ))}
    </optgroup>
  ));
}

function DuplicateQuestion({ refused }: { refused: Refused }) {
  const msisdn = parseMsisdn(refused.values.get("msisdn") ?? "");
  return (
    <p className="note warn" role="alert">
      You ordered this bundle for {msisdn ? spacedMsisdn(msisdn) : "this number"} within the last ten minutes.
      Do you want to order it again?
    </p>
  );
}

/** A hint and never a bar: numbers are portable, so the prefix may say nothing any more. */
function OtherNetworkWarning({ operator, refused }: { operator: Operator; refused?: Refused | undefined }) {
  const msisdn = parseMsisdn(refused?.values.get("msisdn") ?? "");
  const guess = msisdn && guessOperator(msisdn);
  if (!guess || guess === operator) return null;
  return (
    <p className="note info">
      {spacedMsisdn(msisdn)} looks like {OPERATOR_NAMES[guess]}. If the number was ported to{" "}
      {OPERATOR_NAMES[operator]}, go on.
    </p>
  );
}
