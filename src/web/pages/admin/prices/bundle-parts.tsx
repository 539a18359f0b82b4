// Parts of the pages of bundles: the form that adds one, its state, its menu, and the button that deletes it.
import type * as products from "../../../../core/catalog/products.ts";
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import { DESK, type Operator } from "../../../../shared/domain.ts";
import {
  bundleName,
  familiesOf,
  familyName,
  familyOf,
  findFamily,
  lettersAndDigits,
  operatorCodes,
  operatorName,
} from "../../../../shared/operators.ts";
import { isNotYet, pausedTitle } from "../../../../shared/pause.ts";
import type { Context, Refused } from "../../../page.tsx";
import { submits } from "../../../ui/action.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
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

/** Whether a text has the name in it, in whatever spacing: "AT BigTime 25GB" is an "AT Big Time". */
export function isNamedIn(text: string, name: string): boolean {
  return lettersAndDigits(text).includes(lettersAndDigits(name));
}

/** What products stand below in the table: the name that those of a kind share, or that of the kind. */
export function headingsOf(listed: readonly Titled[]): (product: Titled) => string {
  const kindOf = ({ line, ...sold }: Titled) => (line === "afa" ? "AFA registration" : familyName(familyOf(sold)));
  const ofKinds = Map.groupBy(listed, kindOf);
  return (product) => {
    const kind = kindOf(product);
    const [first, ...others] = ofKinds.get(kind)!.map(({ name }) => name);
    const isShared = others.length > 0 && others.every((name) => name === first);
    return isShared && !isNamedIn(kind, first!) ? first! : kind;
  };
}

type Titled = Pick<products.Product, "line" | "operator" | "family" | "name" | "size">;

/** "MTN 5GB" */
export function titleOf(product: Titled): string {
  return product.line === "afa" ? product.name : bundleName(product);
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

/** "AirtelTigo only; usual: iShare" */
function kindsHint(operator: Operator): string {
  return `${operatorName(operator)} only; usual: ${findFamily(familiesOf(operator)[0]!)!.ussdLabel}`;
}

const COST_HINT = "Without it, not on sale yet";

type Vendors = Pick<Context, "vendors">["vendors"];

/** `before`: network, kind, supplier and name of the one that was added before it (sameAgain). */
type AddFormProps = { isOpen: boolean; before: URLSearchParams; refused: Refused | undefined; vendors: Vendors };

/** The form that adds one bundle, folded beside what is on sale. */
export function AddForm({ isOpen, before, refused, vendors }: AddFormProps) {
  const withKinds = operatorCodes().filter((code) => familiesOf(code).length > 1);
  return (
    <details className="adding" open={isOpen || before.has("add") || refused !== undefined || undefined}>
      <summary className="button quiet tiny">Add a bundle</summary>
      <Form<PriceAction> to="/admin/prices" does="add" refused={refused} idPrefix="add">
        <RefusalNote />
        <div className="row top-aligned">
          <Field label="Operator" name="operator" value={before.get("add") ?? "MTN"}>
            {operatorCodes().map((code) => (
              <option key={code} value={code}>
                {operatorName(code)}
              </option>
            ))}
          </Field>
          <ProductInputs name={before.get("name") ?? ""} />
          <Field label="Cost in GH₵" name="cost" value="" inputMode="decimal" placeholder="3.70" hint={COST_HINT} />
          {vendors.length > 0 && (
            <Field label="Supplier" name="vendor" value={before.get("vendor") ?? vendors[0]!.code}>
              <SupplierOptions vendors={vendors} />
            </Field>
          )}
          <Field
            label="Kind"
            name="family"
            value={before.get("family") ?? ""}
            hint={withKinds.map(kindsHint).join("; ")}
          >
            <option value="">Usual</option>
            {withKinds.map((code) => (
              <FamilyOptions key={code} operator={code} />
            ))}
          </Field>
        </div>
        <div className="actions">
          <button type="submit">Add bundle</button>
          <PriceQuestion refused={refused} />
          <SellWithoutCost label="Sell it though its cost is not known" refused={refused} />
        </div>
      </Form>
    </details>
  );
}

/** Where adding leads, to add the next size of the same network, kind, supplier and name. */
export function sameAgain({ form }: Pick<Context, "form">): string {
  const kept = { add: "operator", family: "family", vendor: "vendor", name: "name" };
  const query = new URLSearchParams(
    Object.entries(kept).flatMap(([name, field]) => (form.get(field) ? [[name, form.get(field)!]] : [])),
  );
  return `/admin/prices?${query}#add-size`;
}

/** Whose costs they are: a supplier's, or those of sending by hand. */
export function SupplierOptions({ vendors }: { vendors: Vendors }) {
  return [...vendors, { code: DESK, name: "Sent by hand" }].map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
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
  /** Of a new one. */
  name?: string;
  values?: { name: string; size: string; price: string };
  /** The size cannot be changed. */
  isFixed?: boolean;
};

/** The inputs for a product's name, size and price. */
export function ProductInputs({ name = "", values, isFixed }: InputProps) {
  return (
    <>
      <Field label="Product Name" name="name" value={values?.name ?? name} required placeholder="MTN 5GB" />
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

/** Why it is not on sale: its pause, or a price that is too low; the pause of its network stands above the table. */
export function SaleState({ product }: { product: products.ProductOnSale }) {
  const isLow = isTooCheap(product);
  const pause = isLow ? product.ownPause : product.paused;
  return (
    <>
      {pause && <span className="chip warn">{isNotYet(pause) ? "No cost yet" : pausedTitle(pause)}</span>}
      {isLow && <NotSold product={product} />}
      <Allowance reason={product.belowCostReason} />
    </>
  );
}

type MenuProps = {
  product: products.ProductOnSale;
  /** The form that its buttons send, for the row is within another. */
  form: string;
};

/** The menu of a row; without scripts, the product's page has all of it. */
export function BundleMenu({ product, form }: MenuProps) {
  const { id, line, ownPause } = product;
  const title = titleOf(product);
  return (
    <span data-desk="row" data-all="" data-name={title}>
      <a className="button" href={`/admin/products/${id}`} hidden>
        Open
      </a>
      {(ownPause === null || !isNotYet(ownPause)) && (
        <button type="submit" hidden {...{ form, ...submits<PriceAction>(ownPause ? "resume" : "pause", id) }}>
          {ownPause ? "Resume" : "Pause"}
          <span className="sr"> {title}</span>
        </button>
      )}
      {line === "bundle" && (
        <button className="danger" type="button" popoverTarget={`delete-${id}`} hidden>
          Delete …
        </button>
      )}
    </span>
  );
}

/** The question that a row's menu opens: of each bundle, so it is as small as can be. */
export function DeleteQuestion({ product, form }: MenuProps) {
  const { id, line } = product;
  const [name, dialog] = [titleOf(product), `delete-${id}`];
  if (line !== "bundle") return null;
  return (
    <div className="dialog card has-page" id={dialog} popover="auto" role="dialog" aria-label={`Delete ${name}`}>
      <h2>Delete {name}?</h2>
      <p>{DELETED}</p>
      <div className="actions">
        <button className="danger" type="submit" {...{ form, ...submits<PriceAction>("delete", id) }}>
          Delete {name}
        </button>
        <button className="quiet" type="button" popoverTarget={dialog} popoverTargetAction="hide">
          Cancel
        </button>
      </div>
    </div>
  );
}

const DELETED = "It will no longer be sold. Past orders keep it.";

/** On its own page: a button that opens the question. */
export function DeleteForm({ product }: { product: products.Product }) {
  const name = titleOf(product);
  return (
    <>
      <button className="tiny danger" type="button" popoverTarget="delete">
        Delete …
      </button>
      <Dialog id="delete" title={`Delete ${name}?`}>
        <Form<ProductAction> to={`/admin/products/${product.id}`} does="delete">
          <p>{DELETED}</p>
          <button className="danger" type="submit">
            Delete {name}
          </button>
        </Form>
      </Dialog>
    </>
  );
}
