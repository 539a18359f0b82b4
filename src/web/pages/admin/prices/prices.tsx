// The shop's price table: every product with its cost, its price in each tier and the margin, typed over in place or
// computed for many at once, and checked in a preview before it is saved.

import type { priceTable as PriceTableIsland } from "../../../../../islands/plain/price-table.ts";
import * as formulas from "../../../../core/catalog/price-formulas.ts";
import * as priceHistory from "../../../../core/catalog/price-history.ts";
import type { WantedPrice } from "../../../../core/catalog/price-quotes.ts";
import type { PricedProduct, Shown } from "../../../../core/catalog/price-table.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import type { Tier } from "../../../../core/catalog/tiers.ts";
import type { Family } from "../../../../shared/domain.ts";
import { decimal, marginText, priceRemark } from "../../../../shared/money.ts";
import { bundleName, familiesOf, familyName, operatorCodes, operatorName } from "../../../../shared/operators.ts";
import { Sheet } from "../../../html.tsx";
import { PlainIsland } from "../../../island.tsx";
import {
  type Answer,
  actionsOf,
  type Context,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { submits } from "../../../ui/action.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { Allowance } from "../people/sale-limits.tsx";
import { CELLS_BYTES_MAX, fieldOf, seenOf, typedChanges } from "./price-cells.ts";
import { LastChange } from "./price-changes.tsx";
import { FORMULA_LABELS, FormulaCard, formulaIn } from "./price-formula.tsx";
import { costOf, proposalIn, savePreview, showPreview } from "./price-preview.tsx";

const actions = actionsOf({
  preview: { run: previewTyped },
  formula: { run: previewComputed },
  save: { run: savePreview },
});
export type PriceAction = keyof typeof actions;

export const shopPricePages: Page[] = [
  {
    path: "/admin/prices",
    right: "catalog.manage",
    menu: { admin: "Bundles", icon: "products" },
    tab: { section: "Bundles", label: "Prices", part: "Table" },
    palette: ["Raise prices", "Change prices"],
    examples: ["", "?show=AT_ISHARE", "?show=not_sold"],
    bodyBytesMax: CELLS_BYTES_MAX,
    show: showPrices,
    actions,
  },
];

/** More cells than this are not shown at once; a network is chosen instead. */
const CELLS_MAX = 1000;

async function showPrices(context: Context, refused?: Refused): Promise<View> {
  if (refused?.values.has("changes")) return showPreview(context, proposalIn(refused.values), refused);
  const { db, url } = context;
  const [table, last] = await Promise.all([priceTable.read(db), priceHistory.last(db)]);
  const { shown, products } = shownOf(table, url);
  return {
    title: "Prices",
    body: (
      <>
        <Sheet name="prices" />
        <LastChange change={last} />
        <ShownForm shown={shown} />
        {products.length === 0 ? (
          <section className="card">
            <Empty>
              {table.products.length === 0
                ? "No products are shown. Add them under Products."
                : "No products of this kind."}
            </Empty>
          </section>
        ) : (
          <TableForm tiers={table.tiers} products={products} shown={shown} query={url.searchParams} refused={refused} />
        )}
      </>
    ),
  };
}

function shownOf({ products, tiers }: priceTable.PriceTable, url: URL): { shown: Shown; products: PricedProduct[] } {
  const chosen = url.searchParams.get("show") ?? "";
  const shown = choices().find(([value]) => value === chosen)?.[0] ?? "";
  const found = priceTable.shownIn(products, shown);
  if (found.length * tiers.length <= CELLS_MAX) return { shown, products: found };
  const first = operatorCodes()[0]!;
  return { shown: first, products: priceTable.shownIn(products, first).slice(0, CELLS_MAX / tiers.length) };
}

/** The networks, the kinds of those with several, and registrations. */
function choices(): [Shown, string][] {
  const ofNetworks = operatorCodes().flatMap((operator): [Shown, string][] => {
    const kinds = familiesOf(operator);
    const named = (family: Family): [Shown, string] => [family, `${familyName(family)} alone`];
    return [[operator, operatorName(operator)], ...(kinds.length > 1 ? kinds.map(named) : [])];
  });
  return [
    ["", "All products"],
    ...ofNetworks,
    ["afa", "AFA registration"],
    ["not_sold", "Not sold: price too low"],
    ["below_cost", "Allowed below cost"],
  ];
}

function ShownForm({ shown }: { shown: Shown }) {
  return (
    <form method="get" action="/admin/prices" className="card formula">
      <div>
        <label htmlFor="show">Products</label>
        <select id="show" name="show" defaultValue={shown}>
          {choices().map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <button className="quiet" type="submit">
        Show
      </button>
    </form>
  );
}

type FormProps = {
  tiers: Tier[];
  products: PricedProduct[];
  shown: Shown;
  query: URLSearchParams;
  refused: Refused | undefined;
};

function TableForm({ tiers, products, shown, query, refused }: FormProps) {
  const ids = tiers.map(({ id }) => id);
  const columns: Column<PricedProduct>[] = [
    { head: "Product", cell: (product) => <ProductName product={product} /> },
    ...tiers.map(
      (tier): Column<PricedProduct> => ({
        head: <bdi>{tier.name}</bdi>,
        isNumber: true,
        cell: (product) => <PriceCell {...{ product, tier, refused }} />,
      }),
    ),
  ];
  return (
    <Form
      to={shown === "" ? "/admin/prices" : `/admin/prices?show=${shown}`}
      refused={refused}
      sends={{ seen: seenOf(products, ids) }}
      idPrefix="formula"
      noValidate
    >
      {/* What Enter in a field presses. */}
      <button className="sr" type="submit" tabIndex={-1} aria-hidden="true" {...submits<PriceAction>("preview")}>
        Preview
      </button>
      <RefusalNote />
      <FormulaCard tiers={tiers} query={query} />
      <section className="card">
        <Table rows={products} columns={columns} className="prices" />
      </section>
      <div className="pay-bar">
        <PlainIsland<typeof PriceTableIsland> name="PriceTable" props={{}} on="load">
          <span className="soft small">Empty cells have the Standard price. Margins are on the cost.</span>
        </PlainIsland>
        <button type="submit" {...submits<PriceAction>("preview")}>
          Preview changes
        </button>
      </div>
    </Form>
  );
}

function ProductName({ product }: { product: PricedProduct }) {
  return (
    <>
      <span className={`dot ${product.operator}`} aria-hidden="true" />{" "}
      <a href={`/admin/products/${product.id}`}>
        <bdi>{product.line === "afa" ? product.name : bundleName(product)}</bdi>
      </a>
      <br />
      <span className="small soft">Cost {costOf(product.costPesewas)}</span>
      <Allowance reason={product.belowCostReason} />
    </>
  );
}

type CellProps = { product: PricedProduct; tier: Tier; refused: Refused | undefined };

function PriceCell({ product, tier, refused }: CellProps) {
  const field = fieldOf(product.id, tier.id);
  const error = refused?.error.details?.fields?.[field];
  const [own, price] = [product.own.get(tier.id), priceTable.priceIn(product, tier.id)];
  const { costPesewas, lowestPricePesewas } = product;
  const remark = priceRemark(price, product);
  return (
    <div className="cell" data-cost={costPesewas ?? undefined} data-lowest={lowestPricePesewas ?? undefined}>
      <label htmlFor={field}>{tier.name}</label>
      <input
        id={field}
        name={field}
        inputMode="decimal"
        autoComplete="off"
        maxLength={20}
        placeholder={decimal(price)}
        defaultValue={refused?.values.get(field) ?? (own === undefined ? "" : decimal(own))}
        {...(error && { "aria-invalid": true as const, "aria-describedby": `${field}-error` })}
      />
      <span className={remark ? "gain small bad" : "gain small soft"} data-gain="">
        {[marginText(price, costPesewas), remark].filter(Boolean).join(" ")}
      </span>
      {error && (
        <p className="error" id={`${field}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

async function previewTyped(context: Context): Promise<Answer> {
  const wanted = typedChanges(context.form);
  if (wanted.length === 0) return redirect(pathOf(context), "Nothing has been changed yet.");
  return showPreview(context, { wanted, note: "", left: [], back: pathOf(context) });
}

const pathOf = ({ url }: Context) => `/admin/prices${url.search}`;

/** Computes the prices that are shown, on top of what has been typed. */
async function previewComputed(context: Context): Promise<Answer> {
  const { db, form, url } = context;
  const formula = formulaIn(form);
  const table = await priceTable.read(db);
  const { shown, products } = shownOf(table, url);
  const tierId = readId(form.get("tier"));
  const typed = new Map(typedChanges(form).map((price) => [cellOf(price), price]));
  const left: string[] = [];
  for (const product of products) {
    const { id: productId, own, costPesewas } = product;
    for (const tier of table.tiers) {
      // A tier without a price of its own follows the Standard one, unless it is the one that is chosen.
      if (tierId === null ? !own.has(tier.id) : tier.id !== tierId) continue;
      const before = { productId, tierId: tier.id, wasPesewas: own.get(tier.id) ?? null };
      const pricePesewas = formulas.priceBy(formula, {
        pricePesewas: typed.get(cellOf(before))?.pricePesewas ?? priceTable.priceIn(product, tier.id),
        costPesewas,
      });
      if (pricePesewas !== null) typed.set(cellOf(before), { ...before, pricePesewas });
      else left.push(`${bundleName(product)}: its cost is not known`);
    }
  }
  const tierName = table.tiers.find(({ id }) => id === tierId)?.name;
  const [, of] = choices().find(([value]) => value === shown)!;
  const note = `${of}${tierName ? `, ${tierName}` : ""}: ${FORMULA_LABELS[formula.kind]} ${form.get("by")!.trim()}`;
  const proposal = { wanted: [...typed.values()], note, left: [...new Set(left)], back: pathOf(context) };
  return showPreview(context, proposal);
}

function cellOf(price: WantedPrice | { productId: number; tierId: number }): string {
  return `${price.productId} ${"tierId" in price ? price.tierId : ""}`;
}
