// Parts of the pages of bundles: the form that adds one, its state, and the button that deletes it.
import type * as products from "../../../../core/catalog/products.ts";
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import { DESK, type Operator } from "../../../../shared/domain.ts";
import {
  bundleName,
  familiesOf,
  familyName,
  findFamily,
  operatorCodes,
  operatorName,
} from "../../../../shared/operators.ts";
import { isNotYet, pausedTitle } from "../../../../shared/pause.ts";
import type { Context, Refused } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Allowance, NotSold } from "../people/sale-limits.tsx";
import type { PriceAction } from "./prices.tsx";
import type { ProductAction } from "./product.tsx";

/** Whether the form confirms exactly this price. */
export function isPriceConfirmed({ form }: Context): boolean {
  return form.has("confirmPrice") && form.get("confirmPrice") === form.get("price");
}

/** The button that confirms an unusual price, within the form, which keeps the typed values. */
export function PriceQuestion({ refused }: { refused: Refused | undefined }) {
  const price = refused?.values.get("price") ?? "";
  if (refused?.error.code !== "product.price_needs_confirmation") return null;
  return (
    <button className="danger" name="confirmPrice" value={price} type="submit">
      Yes, sell it at GH₵ {price.replace(/^\s*GH[₵S]\s*/i, "")}
    </button>
  );
}

/** "51 on sale, 1 paused", without new ones that wait for their cost. */
export function onSaleText(all: readonly products.ProductOnSale[]): string {
  const begun = all.filter(({ paused }) => paused === null || !isNotYet(paused));
  const paused = begun.filter((one) => one.paused !== null).length;
  return `${begun.length - paused} on sale${paused > 0 ? `, ${paused} paused` : ""}`;
}

/** Whether the operator, name or size contains the search, or it is the id. */
export function isFound(
  product: Pick<products.ProductOnSale, "id" | "operator" | "family" | "name" | "size">,
  search: string,
): boolean {
  const displayName = `${operatorName(product.operator)} ${bundleName(product)}`;
  const searchable = `${product.operator} ${displayName} ${product.name} ${product.size}`;
  return searchable.toLowerCase().includes(search.toLowerCase()) || String(product.id) === search;
}

/** "AirtelTigo only: iShare, unless BigTime is chosen" */
function kindsHint(operator: Operator): string {
  const [usual, ...others] = familiesOf(operator).map((code) => findFamily(code)!.ussdLabel);
  return `${operatorName(operator)} only: ${usual}, unless ${others.join(" or ")} is chosen`;
}

const COST_HINT = "What you pay for one. Without it, the bundle is not on sale yet.";

type Vendors = Pick<Context, "vendors">["vendors"];

type AddFormProps = { isOpen: boolean; refused: Refused | undefined; vendors: Vendors };

/** The form that adds one bundle, folded beside what is on sale. */
export function AddForm({ isOpen, refused, vendors }: AddFormProps) {
  const withKinds = operatorCodes().filter((code) => familiesOf(code).length > 1);
  return (
    <details className="card" open={isOpen || refused !== undefined || undefined}>
      <summary>
        <h2>Add a bundle</h2>
      </summary>
      <Form<PriceAction> to="/admin/prices" does="add" refused={refused} idPrefix="add">
        <RefusalNote />
        <div className="row top-aligned">
          <Field label="Operator" name="operator" value="MTN">
            {operatorCodes().map((code) => (
              <option key={code} value={code}>
                {operatorName(code)}
              </option>
            ))}
          </Field>
          <ProductInputs />
          <Field label="Cost in GH₵" name="cost" value="" inputMode="decimal" placeholder="3.70" hint={COST_HINT} />
          {vendors.length > 0 && (
            <Field label="The cost is what" name="vendor" value={vendors[0]!.code}>
              <SupplierOptions vendors={vendors} />
            </Field>
          )}
          <Field label="Kind" name="family" value="" hint={withKinds.map(kindsHint).join("; ")}>
            <option value="">Usual</option>
            {withKinds.map((code) => (
              <FamilyOptions key={code} operator={code} />
            ))}
          </Field>
        </div>
        <SellWithoutCost label="Sell it though its cost is not known" refused={refused} />
        <div className="actions after">
          <button type="submit">Add bundle</button>
          <PriceQuestion refused={refused} />
        </div>
      </Form>
    </details>
  );
}

/** Whose costs they are: a supplier's, or what sending by hand takes. */
export function SupplierOptions({ vendors }: { vendors: Vendors }) {
  return [...vendors, { code: DESK, name: "sending by hand" }].map(({ code, name }) => (
    <option key={code} value={code}>
      {name} takes
    </option>
  ));
}

/** Ticked, new bundles are on sale at once. */
export function SellWithoutCost({ label, refused }: { label: string; refused?: Refused | undefined }) {
  return (
    <label className="check">
      <input type="checkbox" name="sellWithoutCost" value="1" defaultChecked={refused?.values.has("sellWithoutCost")} />{" "}
      {label}
    </label>
  );
}

/** Whether new bundles without a cost wait for it. */
export const awaitsCost = ({ form }: Pick<Context, "form">) => !form.has("sellWithoutCost");

/** An operator's kinds of bundles. */
export function FamilyOptions({ operator }: { operator: Operator }) {
  return familiesOf(operator).map((code) => (
    <option key={code} value={code}>
      {familyName(code)}
    </option>
  ));
}

type InputProps = {
  values?: { name: string; size: string; price: string };
  /** The size cannot be changed. */
  isFixed?: boolean;
};

/** The inputs for a product's name, size and price. */
export function ProductInputs({ values, isFixed }: InputProps) {
  return (
    <>
      <Field label="Product Name" name="name" value={values?.name ?? ""} required placeholder="MTN 5GB" />
      {isFixed ? (
        <input type="hidden" name="size" value={values?.size} />
      ) : (
        <Field label="Size" name="size" value={values?.size ?? ""} required placeholder="1GB, 5GB" />
      )}
      <Field
        label="Price in GH₵"
        name="price"
        value={values?.price ?? ""}
        required
        inputMode="decimal"
        placeholder="3.90"
      />
    </>
  );
}

/** Its pause, or the price that is too low to sell it at; the pause of its network stands above the table. */
export function SaleState({ product }: { product: products.ProductOnSale }) {
  const isLow = isTooCheap(product);
  const pause = isLow ? product.ownPause : product.paused;
  return (
    <>
      {pause && <span className="chip warn">{isNotYet(pause) ? "No cost yet" : pausedTitle(pause)}</span>}
      {isLow && <NotSold product={product} />}
      {!pause && !isLow && <span className="chip good">On sale</span>}
      <Allowance reason={product.belowCostReason} />
    </>
  );
}

/** A button that deletes a product, after a confirmation. */
export function DeleteForm({ product }: { product: products.Product }) {
  return (
    <Form<ProductAction> to={`/admin/products/${product.id}`} does="delete">
      <details className="sure">
        <summary className="tiny danger">
          Delete …<span className="sr"> product {product.id}</span>
        </summary>
        <p className="small">Are you sure you want to delete this product?</p>
        <button className="tiny danger" type="submit">
          Delete product {product.id}
        </button>
      </details>
    </Form>
  );
}
