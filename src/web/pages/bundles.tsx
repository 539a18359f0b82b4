// The bundle pages: one operator's bundles, bought singly or in bulk from the wallet.
import { z } from "zod";
import { NumberHint } from "../../../islands/number-hint.tsx";
import { PurchaseTotal } from "../../../islands/purchase-total.tsx";
import { deliveryTimes } from "../../core/delivery-times.ts";
import * as drafts from "../../core/drafts.ts";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import * as wallet from "../../core/wallet.ts";
import { limits, OPERATOR_NAMES, type Operator } from "../../shared/domain.ts";
import { decimal } from "../../shared/money.ts";
import { guessOperator, parseMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import { offersOf } from "../bulk-list.ts";
import { Island } from "../island.tsx";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../page.tsx";
import { Field, FormKey, HeldAndOwed, Money, RefusalNote } from "../parts.tsx";
import { DraftList } from "./bulk-drafts.tsx";
import { BulkForm } from "./bulk-form.tsx";
import { BundleOptions, PATHS, readPackage } from "./packages.tsx";
import { DeliveryLine } from "./status.tsx";

const missing = "Select package and enter number";
const Purchase = z.object({
  productId: readPackage(missing),
  msisdn: z.string(missing).trim().min(1, missing).max(40, "msisdn.invalid"),
  quantity: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, "order.quantity_invalid")
    .transform(Number)
    .default(1),
  allowDuplicate: z.literal("yes").optional(),
});

export const bundlePages: Page[] = (Object.keys(PATHS) as Operator[]).map((operator) => ({
  path: PATHS[operator],
  role: "user",
  show: (context, refused) => showBundles(context, operator, refused),
  submit: (context) => buy(context, operator),
}));

async function buy({ db, by, form, key }: Context, operator: Operator): Promise<Leave> {
  const { productId: chosen, msisdn, quantity, allowDuplicate } = readFields(Purchase, form);
  const expectedPesewas = chosen.pricePesewas && chosen.pricePesewas * quantity;
  const line = { productId: chosen.productId, msisdn, quantity, operator, expectedPesewas };
  if (form.get("pay") === "momo") {
    const created = await orders.create(db, { by, key, line, allowDuplicate: allowDuplicate === "yes" });
    return redirect(`/checkout?order=${created.answer.id}`);
  }
  const { answer } = await orders.buy(db, { by, key, line, allowDuplicate: allowDuplicate === "yes" });
  const { id, msisdn: to, productSize } = answer.order;
  const guess = guessOperator(to);
  const words = [
    `Paid with wallet successfully. Order #${id}, ${productSize} for ${spacedMsisdn(to)}, is on its way.`,
    guess && guess !== operator
      ? `The number looks like ${OPERATOR_NAMES[guess]}: if that is a mistake, cancel the order now.`
      : "",
  ];
  return redirect("/orders", words.join(" ").trim());
}

async function showBundles({ db, by }: Context, operator: Operator, refused?: Refused): Promise<View> {
  const [bundles, offers, standing, times, kept] = await Promise.all([
    products.list(db, operator),
    offersOf(db),
    wallet.standing(db, by.userId!),
    deliveryTimes(db),
    drafts.list(db, by, operator),
  ]);
  const name = OPERATOR_NAMES[operator];
  return {
    title: `${name} data`,
    body: (
      <>
        <div className="head">
          <div>
            <h1>{name} data</h1>
            <PriceRange bundles={bundles} />
            <DeliveryLine operator={operator} times={times} />
          </div>
          <a className="purse" href="/wallet">
            <span className="small soft">Wallet balance</span>
            <strong>
              <Money pesewas={standing.balancePesewas} />
            </strong>
          </a>
        </div>
        <HeldAndOwed standing={standing} />
        <PausedNote bundles={bundles} name={name} />
        <DraftList of={kept} back={PATHS[operator]} />
        {bundles.length === 0 ? (
          <p className="card empty">No {name} bundles are on sale at the moment.</p>
        ) : (
          <div className="two">
            <section className={`card stripe ${operator}`}>
              <h2>Buy one bundle</h2>
              <PurchaseForm
                operator={operator}
                bundles={bundles}
                balancePesewas={standing.availablePesewas}
                refused={refused}
              />
            </section>
            <section className="card">
              <h2>Bulk order</h2>
              <BulkForm
                operator={operator}
                bundles={bundles}
                offers={offers}
                balancePesewas={standing.availablePesewas}
                userId={by.userId!}
              />
            </section>
          </div>
        )}
      </>
    ),
  };
}

function PriceRange({ bundles }: { bundles: products.ProductOnSale[] }) {
  if (bundles.length === 0) return null;
  const prices = bundles.map((bundle) => bundle.pricePesewas);
  return (
    <p className="soft money">
      ₵{decimal(Math.min(...prices))} – ₵{decimal(Math.max(...prices))}
    </p>
  );
}

/** What is paused and why: everything of the operator, or some of its bundles. */
function PausedNote({ bundles, name }: { bundles: products.ProductOnSale[]; name: string }) {
  const reasons = new Set(bundles.map((bundle) => bundle.paused).filter((words) => words !== null));
  if (reasons.size === 0) return null;
  const isAll = bundles.every((bundle) => bundle.paused !== null);
  return (
    <div className="note warn">
      <strong>{isAll ? `${name} bundles are paused` : `Some ${name} bundles are paused`}</strong>
      {[...reasons].map((words) => (
        <div key={words} dir="auto">
          {words}
        </div>
      ))}
    </div>
  );
}

type FormProps = {
  operator: Operator;
  bundles: products.ProductOnSale[];
  balancePesewas: number;
  refused?: Refused | undefined;
};

function PurchaseForm({ operator, bundles, balancePesewas, refused }: FormProps) {
  const typed = (name: string, otherwise = "") => refused?.values.get(name) ?? otherwise;
  const isDuplicate = refused?.error.code === "order.duplicate";
  const isPaused = bundles.every((bundle) => bundle.paused !== null);
  return (
    <>
      {isDuplicate ? (
        <DuplicateQuestion operator={operator} refused={refused} />
      ) : (
        <RefusalNote refused={refused} />
      )}
      <form method="post" action={PATHS[operator]} className="fields" noValidate>
        <FormKey refused={refused} />
        <Field label="Package" name="productId" refused={refused} required>
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
          required
          live={<Island of={NumberHint} props={{ operator, msisdn: typed("msisdn") }} on="load" />}
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
          live={
            <Island
              of={PurchaseTotal}
              props={{ balancePesewas, productId: typed("productId"), quantity: typed("quantity", "1") }}
              on="load"
            />
          }
        />
        <button name="pay" value="wallet" type="submit" disabled={isPaused}>
          Pay with Wallet
        </button>
        <button className="quiet" name="pay" value="momo" type="submit" disabled={isPaused}>
          Pay with MoMo
        </button>
      </form>
    </>
  );
}

/** Asks before the same is ordered again; "yes" is a form of its own, so that it is about that order and no other. */
function DuplicateQuestion({ operator, refused }: { operator: Operator; refused: Refused }) {
  const { values } = refused;
  const msisdn = parseMsisdn(values.get("msisdn") ?? "");
  return (
    <div className="note warn" role="alert">
      <p>
        <strong>Order it again?</strong> You ordered this bundle for{" "}
        {msisdn ? spacedMsisdn(msisdn) : "this number"} within the last ten minutes.
      </p>
      <form method="post" action={PATHS[operator]} className="actions">
        <FormKey />
        {["productId", "msisdn", "quantity", "pay"].map((name) => (
          <input key={name} type="hidden" name={name} value={values.get(name) ?? ""} />
        ))}
        <button name="allowDuplicate" value="yes" type="submit">
          Yes, order it again
        </button>
        <a className="button quiet" href="/orders">
          No, show my orders
        </a>
      </form>
    </div>
  );
}
