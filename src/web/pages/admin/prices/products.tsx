// Product inventory: the products on sale by operator, and the form that adds one.
import * as operators from "../../../../core/catalog/operators/operators.ts";
import * as products from "../../../../core/catalog/products.ts";
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import type { Operator } from "../../../../shared/domain.ts";
import {
  bundleName,
  familiesOf,
  familyName,
  familyOf,
  findFamily,
  operatorCodes,
  operatorName,
} from "../../../../shared/operators.ts";
import { type Pause, pausedText, pausedTitle } from "../../../../shared/pause.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { money } from "../../../ui/columns.tsx";
import { Field, RefusalNote, SearchField } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Allowance, NotSold } from "../people/sale-limits.tsx";
import { costOf } from "./price-preview.tsx";
import type { ProductAction } from "./product.tsx";

export const productPages: Page[] = [
  {
    path: "/admin/products",
    right: "catalog.manage",
    tab: { section: "Bundles", label: "List" },
    palette: ["Add a product"],
    show: showProducts,
    submit: does(products.add, (_, { name, size }) => redirect("/admin/products", `Added ${name} ${size}.`), {
      confirmPrice: isPriceConfirmed,
    }),
  },
];

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

async function showProducts({ db, url }: Context, refused?: Refused): Promise<View> {
  const search = url.searchParams.get("search")?.trim().slice(0, 100) ?? "";
  const [all, afa, states] = await Promise.all([products.list(db), products.findAfa(db), operators.list(db)]);
  const matching = all.filter((product) => isFound(product, search));
  const registration = afa && isFound(afa, search) ? afa : null;
  return {
    title: "Bundles",
    body: (
      <>
        <AddForm refused={refused} />
        <div className="head">
          <h2>Product Inventory</h2>
          <nav className="actions" aria-label="Networks">
            {states.map(({ operator }) => (
              <NetworkLink key={operator} operator={operator} products={matching} />
            ))}
          </nav>
          <span className="soft">{onSaleText(all)}</span>
          {all.some(isTooCheap) && <a href="/admin/prices?show=not_sold">Not sold: price too low</a>}
        </div>
        {all.length > 0 && <SearchForm search={search} />}
        {matching.length === 0 && (all.length === 0 || !registration) && (
          <section className="card">
            <Empty>
              {all.length === 0 ? "No products available. Add your first product!" : "No matching products found."}
            </Empty>
          </section>
        )}
        {states.map(({ operator, paused }) => (
          <OperatorProducts
            key={operator}
            operator={operator}
            paused={paused}
            products={matching.filter((product) => product.operator === operator)}
          />
        ))}
        {registration && (
          <section className="card stripe MTN">
            <h2>Registration</h2>
            <Table rows={[registration]} columns={COLUMNS} />
          </section>
        )}
      </>
    ),
  };
}

/** "51 on sale, 1 paused". */
export function onSaleText(all: readonly products.ProductOnSale[]): string {
  const paused = all.filter((one) => one.paused !== null).length;
  return `${all.length - paused} on sale${paused > 0 ? `, ${paused} paused` : ""}`;
}

/** Whether the operator, name or size contains the search, or it is the id. */
function isFound(product: products.ProductOnSale, search: string): boolean {
  const displayName = `${operatorName(product.operator)} ${bundleName(product)}`;
  const searchable = `${product.operator} ${displayName} ${product.name} ${product.size}`;
  return searchable.toLowerCase().includes(search.toLowerCase()) || String(product.id) === search;
}

/** "AirtelTigo only: iShare, unless BigTime is chosen" */
function kindsHint(operator: Operator): string {
  const [usual, ...others] = familiesOf(operator).map((code) => findFamily(code)!.ussdLabel);
  return `${operatorName(operator)} only: ${usual}, unless ${others.join(" or ")} is chosen`;
}

/** Leads to a network's bundles further down. */
function NetworkLink({ operator, products }: Pick<OperatorProps, "operator" | "products">) {
  const count = products.filter((product) => product.operator === operator).length;
  return count === 0 ? null : (
    <a href={`#${operator}`}>
      {operatorName(operator)} ({count})
    </a>
  );
}

function AddForm({ refused }: { refused: Refused | undefined }) {
  const withKinds = operatorCodes().filter((code) => familiesOf(code).length > 1);
  return (
    <details className="card" open>
      <summary>
        <h2>Add New Product</h2>
      </summary>
      <p>
        <a href="/admin/products/add">Add many bundles</a> <span className="soft">from a list or a file</span>
      </p>
      <Form to="/admin/products" refused={refused} idPrefix="add">
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
          <Field label="Kind" name="family" value="" hint={withKinds.map(kindsHint).join("; ")}>
            <option value="">Usual</option>
            {withKinds.map((code) => (
              <FamilyOptions key={code} operator={code} />
            ))}
          </Field>
        </div>
        <div className="actions after">
          <button type="submit">Add Product</button>
          <PriceQuestion refused={refused} />
        </div>
      </Form>
    </details>
  );
}

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

function SearchForm({ search }: { search: string }) {
  return (
    <form method="get" action="/admin/products" className="card filter">
      <SearchField label="Search products" value={search} placeholder="Name, size or network" />
      {search && <a href="/admin/products">Clear</a>}
    </form>
  );
}

type OperatorProps = { operator: Operator; paused: Pause | null; products: products.ProductOnSale[] };

function OperatorProducts({ operator, paused, products }: OperatorProps) {
  if (products.length === 0) return null;
  return (
    <section className={`card stripe ${operator}`} id={operator}>
      <h2>
        {operatorName(operator)} <span className="soft small">({products.length})</span>
      </h2>
      {paused && (
        <p className="note warn">
          All of {operatorName(operator)} is {pausedText(paused)}: <bdi>{paused.message}</bdi>{" "}
          <PageLink href="/admin/switches#networks">Stop selling</PageLink>
        </p>
      )}
      <Table rows={products} columns={COLUMNS} />
    </section>
  );
}

const COLUMNS: Column<products.ProductOnSale>[] = [
  { head: "Product", cell: (product) => <ProductName product={product} /> },
  money("Price", "pricePesewas", { isPlainInCards: true }),
  {
    head: "Cost",
    isNumber: "wide",
    className: "soft",
    cell: ({ costPesewas }) => <span className="money">{costOf(costPesewas)}</span>,
  },
  {
    head: "State",
    isPlainInCards: true,
    className: "end",
    cell: (product) => <SaleState product={product} />,
  },
  {
    head: "Actions",
    cell: (product) => (
      <div className="actions">
        <a className="button tiny quiet" href={`/admin/products/${product.id}`}>
          Edit<span className="sr"> product {product.id}</span>
        </a>
        {product.line === "bundle" && <DeleteForm product={product} />}
      </div>
    ),
  },
];

/** Its pause, or the price that is too low to sell it at; the pause of its network stands above the table. */
function SaleState({ product }: { product: products.ProductOnSale }) {
  const isLow = isTooCheap(product);
  const pause = isLow ? product.ownPause : product.paused;
  return (
    <>
      {pause && <span className="chip warn">{pausedTitle(pause)}</span>}
      {isLow && <NotSold product={product} />}
      {!pause && !isLow && <span className="chip good">On sale</span>}
      <Allowance reason={product.belowCostReason} />
    </>
  );
}

function ProductName({ product }: { product: products.ProductOnSale }) {
  return (
    <>
      <bdi>
        <a href={`/admin/products/${product.id}`}>{product.name}</a>
      </bdi>{" "}
      <bdi>
        <strong>{product.size}</strong>
      </bdi>
      {product.line === "bundle" && familiesOf(product.operator).length > 1 && (
        <span className="soft small"> {familyName(familyOf(product))}</span>
      )}
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
