// Page of one product: its details, its pause, and its price history.

import * as operators from "../../../../core/catalog/operators/operators.ts";
import * as priceHistory from "../../../../core/catalog/price-history.ts";
import * as products from "../../../../core/catalog/products.ts";
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import { STANDARD_TIER_ID } from "../../../../core/catalog/tiers.ts";
import { decimal } from "../../../../shared/money.ts";
import { familiesOf, familyOf } from "../../../../shared/operators.ts";
import { isNotYet, pausedText, pausedTitle } from "../../../../shared/pause.ts";
import { does, filled } from "../../../does.ts";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { Moment, Money } from "../../../ui/parts.tsx";
import { PAUSING, type PauseAction, PauseForm, pausedNotice, RESUMING } from "../../../ui/staff/pause-form.tsx";
import { NotSold } from "../people/sale-limits.tsx";
import {
  DeleteForm,
  FamilyOptions,
  isNamedIn,
  isPriceConfirmed,
  PriceQuestion,
  ProductInputs,
  titleOf,
} from "./bundle-parts.tsx";
import { AllowanceCard, CostsCard, costActions, MarginsCard, readCosts } from "./product-costs.tsx";

const ownActions = actionsOf({
  edit: does(
    products.edit,
    ({ productId }) => redirect(pathOf(productId), "Product saved."),
    { productId: idOf, confirmPrice: isPriceConfirmed, pausedMessage: undefined, pausedUntil: undefined },
    filled,
  ),
  pause: does(
    products.edit,
    ({ productId, pausedUntil = null }) => redirect(pathOf(productId), pausedNotice({ until: pausedUntil })),
    { productId: idOf, ...PAUSING },
  ),
  resume: does(products.edit, ({ productId }) => redirect(pathOf(productId), "It is on sale."), {
    productId: idOf,
    ...RESUMING,
  }),
  delete: does(products.retire, (_, { name, size }) => redirect("/admin/prices", `Deleted ${name} ${size}.`), {
    productId: idOf,
  }),
});
const actions = { ...ownActions, ...costActions } satisfies Record<PauseAction, unknown>;
export type ProductAction = keyof typeof actions;

export const productPage: Page[] = [
  { path: "/admin/products/:id", right: "catalog.manage", subject: "product", show: showProduct, actions },
];

async function showProduct(context: Context, refused?: Refused): Promise<View> {
  const { db } = context;
  const productId = idOf(context);
  const product = await products.get(db, productId);
  const [inTime, states, ofCosts] = await Promise.all([
    priceHistory.ofProduct(db, productId),
    operators.list(db),
    readCosts(context, product),
  ]);
  const ofEdit = refusedFor<ProductAction>("edit", refused);
  const ofPause = refusedFor<ProductAction>("pause", refused);
  const isElsewhere = refusedFor<ProductAction>(["edit", "pause", "costs", "allow"], refused);
  const operator = states.find((it) => it.operator === product.operator)!;
  const title = titleOf(product);
  return {
    title,
    body: (
      <>
        <div className="head">
          <div>
            <h1>
              <bdi>{title}</bdi>
            </h1>
            <span className="soft">
              <OperatorTag operator={product.operator} />
              {!isNamedIn(title, product.name) && (
                <>
                  {" "}
                  · <bdi>{product.name}</bdi>
                </>
              )}
            </span>
          </div>
          <a href="/admin/prices">All bundles</a>
        </div>
        {operator.paused && (
          <p className="note warn">
            All of {operator.name} is {pausedText(operator.paused)}: <bdi>{operator.paused.message}</bdi>
          </p>
        )}
        {!isElsewhere && <RefusalNote refused={refused} />}
        <div className="two">
          <EditForm product={product} refused={ofEdit} />
          <PauseCard product={product} refused={ofPause} />
        </div>
        <div className="two">
          <div>
            <CostsCard of={ofCosts} refused={refused} />
            <AllowanceCard of={ofCosts} refused={refused} />
          </div>
          <MarginsCard of={ofCosts} />
        </div>
        <section className="card">
          <h2>Price history</h2>
          <PriceHistory inTime={inTime} />
        </section>
        {product.line === "bundle" && <DeleteForm product={product} />}
      </>
    ),
  };
}

function EditForm({ product, refused }: { product: products.Product; refused: Refused | undefined }) {
  const { name, size, pricePesewas, ussdNumber } = product;
  return (
    <section className="card">
      <h2>Edit</h2>
      <Form<ProductAction> to={`/admin/products/${product.id}`} does="edit" refused={refused} idPrefix="edit">
        <RefusalNote />
        <div className="fields">
          <ProductInputs values={{ name, size, price: decimal(pricePesewas) }} isFixed={product.line === "afa"} />
          {product.line === "bundle" && familiesOf(product.operator).length > 1 && (
            <Field label="Kind" name="family" value={familyOf(product)} hint="Decides who sends new orders">
              <FamilyOptions operator={product.operator} />
            </Field>
          )}
          {ussdNumber !== null && (
            <Field
              label="USSD number"
              name="ussdNumber"
              value={String(ussdNumber)}
              inputMode="numeric"
              hint="Agents know it by heart: 5 for 5GB, or one from 51 up. The old one rests for 90 days."
            />
          )}
          <p className="hint">Past orders keep their name, size and price.</p>
          <div className="actions">
            <button type="submit">Save product</button>
            <PriceQuestion refused={refused} />
          </div>
        </div>
      </Form>
    </section>
  );
}

function PauseCard({ product, refused }: { product: products.ProductOnSale; refused: Refused | undefined }) {
  const { id, ownPause } = product;
  return (
    <section className="card">
      <h2>{ownPause ? pausedTitle(ownPause) : isTooCheap(product) ? "Not on sale" : "On sale"}</h2>
      <NotSold product={product} />
      {ownPause && isNotYet(ownPause) && (
        <p>
          What it costs you is not known. <a href="#costs">Enter its cost</a> to put it on sale, or sell it without.
        </p>
      )}
      {ownPause ? (
        <p className="note warn">
          Buyers read: <bdi>{ownPause.message}</bdi>
        </p>
      ) : (
        <p className="soft small">While it is paused, it stays in the list with your message.</p>
      )}
      <PauseForm
        action={`/admin/products/${id}`}
        idPrefix="pause"
        paused={ownPause}
        refused={refused}
        label="Message for buyers"
        buttons={{
          pause: "Pause sale",
          resume: ownPause && isNotYet(ownPause) ? "Sell it without a cost" : "Resume sale",
        }}
        className="fields"
      />
    </section>
  );
}

function PriceHistory({ inTime }: { inTime: priceHistory.PriceInTime[] }) {
  const planned = inTime.filter(({ isPlanned }) => isPlanned).reverse();
  return (
    <>
      <PriceRows rows={inTime.filter(({ isPlanned }) => !isPlanned)} />
      {planned.length > 0 && (
        <>
          <h3>Planned</h3>
          <PriceRows rows={planned} />
        </>
      )}
      <p className="small links">
        <a href="/admin/prices">Prices of all products</a>
        <a href="/admin/prices/changes">Price changes</a>
      </p>
    </>
  );
}

function PriceRows({ rows }: { rows: priceHistory.PriceInTime[] }) {
  return (
    <ul className="rows">
      {rows.map(({ at, tierId, tier, pricePesewas, username }) => (
        <li key={`${tierId} ${at.getTime()}`}>
          <strong>{pricePesewas === null ? "As Standard" : <Money pesewas={pricePesewas} />}</strong>
          <span className="soft small">
            from <Moment at={at} />, by <bdi>{username ?? "the system"}</bdi>
            {tierId !== STANDARD_TIER_ID && (
              <>
                , for <bdi>{tier}</bdi>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

const pathOf = (productId: number) => `/admin/products/${productId}`;

function idOf({ params }: Pick<Context, "params">): number {
  return readId(params.id) ?? 0;
}
