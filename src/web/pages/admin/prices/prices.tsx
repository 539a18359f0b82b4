// The shop's price table: every product with its cost, its price in each tier and the margin, typed over in place or
// computed for many at once, and checked in a preview before it is saved.

import type { priceTable as PriceTableIsland } from "../../../../../islands/plain/price-table.ts";
import * as operators from "../../../../core/catalog/operators/operators.ts";
import * as formulas from "../../../../core/catalog/price-formulas.ts";
import * as priceHistory from "../../../../core/catalog/price-history.ts";
import type { WantedPrice } from "../../../../core/catalog/price-quotes.ts";
import type { PricedProduct, Shown } from "../../../../core/catalog/price-table.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import * as products from "../../../../core/catalog/products.ts";
import { isTooCheap } from "../../../../core/catalog/sale-pauses.ts";
import type { Tier } from "../../../../core/catalog/tiers.ts";
import type { Family, Operator } from "../../../../shared/domain.ts";
import { ACTION } from "../../../../shared/forms.ts";
import { decimal, marginText, priceRemark } from "../../../../shared/money.ts";
import { bundleName, familiesOf, familyName, operatorCodes, operatorName } from "../../../../shared/operators.ts";
import { isNotYet, type Pause, pausedText } from "../../../../shared/pause.ts";
import { does } from "../../../does.ts";
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
import { refusedFor, submits } from "../../../ui/action.tsx";
import { RefusalNote, SearchField } from "../../../ui/fields.tsx";
import { FilterChips } from "../../../ui/filter-chips.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { AdminDesk } from "../../../ui/orders/desk.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { RESUMING } from "../../../ui/staff/pause-form.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import {
  AddForm,
  awaitsCost,
  BundleMenu,
  DeleteQuestion,
  headingsOf,
  isFound,
  isNamedIn,
  isPriceConfirmed,
  onSaleText,
  SaleState,
  sameAgain,
  titleOf,
} from "./bundle-parts.tsx";
import { marginsNote } from "./margins.tsx";
import { CELLS_BYTES_MAX, fieldOf, seenOf, typedChanges } from "./price-cells.ts";
import { LastChange, PlannedNote } from "./price-changes.tsx";
import { FORMULA_LABELS, FormulaFold, formulaIn } from "./price-formula.tsx";
import { costOf, proposalIn, savePreview, showPreview } from "./price-preview.tsx";

const PATH = "/admin/prices";
/** What buyers read of a bundle that is paused in the table; its page has other words and an end. */
const PAUSED = "Not on sale at the moment";

const actions = actionsOf({
  add: does(products.add, (_, added, context) => redirect(...afterAdding(added, context)), {
    confirmPrice: isPriceConfirmed,
    awaitsCost,
  }),
  sell: does(products.sellWithoutCost, (_, { count }) => redirect(PATH, nowOnSale(count)), { productIds: idsIn }),
  pause: does(
    products.edit,
    async (_, __, context) =>
      redirect(pathOf(context), `Paused: buyers of ${await namedIn(context)} read “${PAUSED}”, until you resume it.`),
    { productId: productIn, pausedMessage: PAUSED, pausedUntil: null },
  ),
  resume: does(
    products.edit,
    async (_, __, context) => redirect(pathOf(context), `${await namedIn(context)} is on sale.`),
    { productId: productIn, ...RESUMING },
  ),
  delete: does(products.retire, (_, { name, size }, context) => redirect(pathOf(context), `Deleted ${name} ${size}.`), {
    productId: productIn,
  }),
  preview: { run: previewTyped },
  formula: { run: previewComputed },
  save: { run: savePreview },
});
export type PriceAction = keyof typeof actions;

export const shopPricePages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    menu: { admin: "Bundles", icon: "products" },
    tab: { section: "Bundles", label: "Bundles" },
    palette: ["Add a bundle", "Raise prices", "Change prices"],
    examples: ["", "?show=AT_ISHARE", "?show=not_sold", "?show=not_yet", "?search=1gb"],
    bodyBytesMax: CELLS_BYTES_MAX,
    show: showPrices,
    actions,
  },
  // Its former address.
  {
    path: "/admin/products",
    right: "catalog.manage",
    examples: [],
    show: async ({ url }) => redirect(PATH + url.search),
  },
];

/** More cells than this are not shown at once; a network is chosen instead. */
const CELLS_MAX = 1000;

async function showPrices(context: Context, refused?: Refused): Promise<View> {
  if (refused?.values.has("changes")) return showPreview(context, proposalIn(refused.values), refused);
  const { db, url } = context;
  const [table, last, planned, bundles, afa, networks] = await Promise.all([
    priceTable.read(db),
    priceHistory.last(db),
    priceHistory.planned(db),
    products.list(db),
    products.findAfa(db),
    operators.list(db),
  ]);
  const shown = shownOf(table, url);
  const onSale = new Map([...bundles, ...(afa ? [afa] : [])].map((one) => [one.id, one]));
  const notYet = table.products.filter(({ isNotYet }) => isNotYet);
  const isEmpty = bundles.length === 0;
  return {
    body: (
      <>
        <Sheet name="prices" />
        {await marginsNote(context)}
        <LastChange change={last} />
        <PlannedNote planned={planned} />
        <div className="head">
          <ShownForm shown={shown.shown} search={shown.search} />
          <span className="soft on-sale">{onSaleText([...onSale.values()])}</span>
          {bundles.some(isTooCheap) && <a href={`${PATH}?show=not_sold`}>Not sold: price too low</a>}
          {notYet.length > 0 && <a href={`${PATH}?show=not_yet`}>Not on sale yet: {notYet.length}</a>}
          <AddForm
            isOpen={isEmpty}
            before={url.searchParams}
            refused={refusedFor<PriceAction>("add", refused)}
            vendors={context.vendors}
          />
          <a className="button quiet tiny" href="/admin/products/add">
            Add many bundles
          </a>
        </div>
        <FilterChips
          url={url}
          clearPath={PATH}
          filters={[
            shown.search !== "" && { label: "Search", value: shown.search, without: { search: null } },
            shown.shown !== "" && { label: labelOf(shown.shown), without: { show: null } },
          ]}
        />
        {shown.shown === "not_yet" && notYet.length > 0 && <NotYetCard ids={notYet.map(({ id }) => id)} />}
        {networks.map(({ operator, paused }) => paused && <PausedNote key={operator} {...{ operator, paused }} />)}
        {(isEmpty || shown.products.length === 0) && (
          <section className="card">
            <Empty>
              {isEmpty
                ? "No bundle is on sale yet. Add your first one, or many from a list."
                : "No matching bundles found."}
            </Empty>
          </section>
        )}
        {shown.products.length > 0 && (
          <TableForm
            {...{ tiers: table.tiers, onSale, query: url.searchParams }}
            {...shown}
            refused={refused?.values.get("action") === "add" ? undefined : refused}
          />
        )}
        <AdminDesk />
      </>
    ),
  };
}

/** Where to go after adding a bundle, and what to do there. */
function afterAdding(added: products.ProductOnSale, context: Context): [path: string, notice: string] {
  const { id, name, size, paused } = added;
  if (paused === null || !isNotYet(paused)) return [sameAgain(context), `Added ${name} ${size}.`];
  return [`/admin/products/${id}#costs`, `Added ${name} ${size}. Enter its cost to put it on sale.`];
}

function nowOnSale(count: number): string {
  if (count === 0) return "They were on sale already.";
  return count === 1 ? "1 bundle is on sale." : `${count} bundles are on sale.`;
}

function NotYetCard({ ids }: { ids: number[] }) {
  const [them, their, are] = ids.length === 1 ? ["it", "its cost", "is"] : ["them", "their costs", "are"];
  return (
    <section className="card">
      <p>
        {ids.length === 1 ? "1 bundle is" : `${ids.length} bundles are`} not on sale yet, because {their} {are} not
        known. <a href="/admin/prices/costs">Enter {their}</a>, or sell {them} without.
      </p>
      <Form<PriceAction> to={PATH} does="sell" sends={{ ids: ids.join(" ") }}>
        <button className="quiet" type="submit">
          Sell {ids.length === 1 ? "it" : `all ${ids.length}`} without a cost
        </button>
      </Form>
    </section>
  );
}

/** The bundles that the form was about: others may wait by now. */
function idsIn({ form }: Context): number[] {
  return (form.get("ids") ?? "")
    .split(" ")
    .slice(0, products.NEW_BUNDLES_MAX)
    .map((id) => readId(id) ?? 0);
}

function PausedNote({ operator, paused }: { operator: Operator; paused: Pause }) {
  return (
    <p className="note warn">
      All of {operatorName(operator)} is {pausedText(paused)}: <bdi>{paused.message}</bdi>{" "}
      <PageLink href="/admin/switches#networks">Stop selling</PageLink>
    </p>
  );
}

/** The product that the pressed button of a row is about. */
function productIn({ form }: Context): number {
  return readId(form.get(ACTION)?.split(" ")[1]) ?? 0;
}

async function namedIn(context: Context): Promise<string> {
  return titleOf(await products.get(context.db, productIn(context)));
}

type ShownProducts = { shown: Shown; search: string; products: PricedProduct[] };

function shownOf({ products, tiers }: priceTable.PriceTable, url: URL): ShownProducts {
  const chosen = url.searchParams.get("show") ?? "";
  const search = url.searchParams.get("search")?.trim().slice(0, 100) ?? "";
  const shown = choices().find(([value]) => value === chosen)?.[0] ?? "";
  const found = priceTable.shownIn(products, shown).filter((product) => isFound(product, search));
  if (found.length * tiers.length <= CELLS_MAX) return { shown, search, products: found };
  const first = operatorCodes()[0]!;
  return { shown: first, search, products: priceTable.shownIn(products, first).slice(0, CELLS_MAX / tiers.length) };
}

/** The networks, the kinds of those with several, and registrations. */
function choices(): [Shown, string][] {
  const ofNetworks = operatorCodes().flatMap((operator): [Shown, string][] => {
    const kinds = familiesOf(operator);
    const named = (family: Family): [Shown, string] => [family, `${familyName(family)} alone`];
    return [[operator, operatorName(operator)], ...(kinds.length > 1 ? kinds.map(named) : [])];
  });
  return [
    ["", "All bundles"],
    ...ofNetworks,
    ["afa", "AFA registration"],
    ["not_yet", "Not on sale yet: no cost"],
    ["not_sold", "Not sold: price too low"],
    ["below_cost", "Allowed below cost"],
  ];
}

function labelOf(shown: Shown): string {
  return choices().find(([value]) => value === shown)![1];
}

function ShownForm({ shown, search }: { shown: Shown; search: string }) {
  return (
    <form method="get" action={PATH} className="filter">
      <SearchField label="Search bundles" value={search} placeholder="Name, size or network" />
      <label className="sr" htmlFor="show">
        Which
      </label>
      <select id="show" name="show" defaultValue={shown}>
        {choices().map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </form>
  );
}

type FormProps = ShownProducts & {
  tiers: Tier[];
  onSale: ReadonlyMap<number, products.ProductOnSale>;
  query: URLSearchParams;
  refused: Refused | undefined;
};

/** What the menus of the rows send: it holds none of the prices. */
const ROW_FORM = "of-row";
/** More columns than those of so many groups are wider than the page. */
const GROUPS_BESIDE_MENU = 3;
/** As many as fill a phone three times. */
const SHOWN_AT_FIRST = 40;

function TableForm({ tiers, products: listed, onSale, shown, search, query, refused }: FormProps) {
  const ids = tiers.map(({ id }) => id);
  const headingOf = headingsOf(listed);
  const selection = new URLSearchParams([
    ...(shown === "" ? [] : [["show", shown]]),
    ...(search === "" ? [] : [["search", search]]),
  ]);
  const to = selection.size > 0 ? `${PATH}?${selection}` : PATH;
  return (
    <>
      <Form {...{ to, refused }} sends={{ seen: seenOf(listed, ids) }} idPrefix="formula" noValidate>
        {/* What Enter in a field presses. */}
        <button className="sr" type="submit" tabIndex={-1} aria-hidden="true" {...submits<PriceAction>("preview")}>
          Preview
        </button>
        <RefusalNote />
        <section className="card">
          <FormulaFold {...{ tiers, query }} isOpen={refused?.values.get("action") === "formula"} />
          {tiers.length > 1 && (
            <label className="check phone-legend">
              <input type="checkbox" /> All groups
            </label>
          )}
          <Table
            rows={listed}
            columns={columnsOf({ tiers, onSale, refused, headingOf })}
            className={tiers.length > GROUPS_BESIDE_MENU ? "prices" : "prices fits"}
            groupOf={headingOf}
            cardsAtFirst={SHOWN_AT_FIRST}
          />
        </section>
        <div className="pay-bar">
          <PlainIsland<typeof PriceTableIsland> name="PriceTable" props={{}} on="load">
            <span className="soft small" role="status">
              In GH₵, and % of the cost.
              <span className="of-groups"> An empty cell has the Standard price.</span>
            </span>
          </PlainIsland>
          <button type="submit" {...submits<PriceAction>("preview")}>
            Preview changes
          </button>
        </div>
      </Form>
      <Form<PriceAction> id={ROW_FORM} to={to}>
        {null}
      </Form>
    </>
  );
}

type ColumnsProps = Pick<FormProps, "tiers" | "onSale" | "refused"> & { headingOf: (product: PricedProduct) => string };

function columnsOf({ tiers, onSale, refused, headingOf }: ColumnsProps): Column<PricedProduct>[] {
  return [
    { head: "Bundle", cell: (product) => <ProductName product={product} heading={headingOf(product)} /> },
    {
      head: "Cost",
      isNumber: true,
      className: "soft cost",
      cell: ({ costPesewas }) => (
        <span className="money">{costPesewas === null ? costOf(costPesewas) : decimal(costPesewas)}</span>
      ),
    },
    ...tiers.map(
      (tier): Column<PricedProduct> => ({
        head: <bdi>{tier.name}</bdi>,
        isNumber: true,
        className: tier.id === priceTable.STANDARD_TIER_ID ? "standard" : "other",
        cell: (product) => <PriceCell {...{ product, tier, refused }} />,
      }),
    ),
    {
      head: "State",
      isPlainInCards: true,
      className: "state",
      cell: ({ id }) => {
        const product = onSale.get(id);
        return (
          product && (
            <div>
              <SaleState product={product} />
              <BundleMenu product={product} form={ROW_FORM} />
              <DeleteQuestion product={product} form={ROW_FORM} />
            </div>
          )
        );
      },
    },
  ];
}

function ProductName({ product, heading }: { product: PricedProduct; heading: string }) {
  const called = titleOf(product);
  return (
    <>
      <span className={`dot ${product.operator}`} aria-hidden="true" />{" "}
      <a href={`/admin/products/${product.id}`}>
        <bdi>{called}</bdi>
      </a>
      {!isNamedIn(`${called} ${heading}`, product.name) && (
        <>
          {" "}
          <bdi className="soft small">{product.name}</bdi>
        </>
      )}
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

const pathOf = ({ url }: Context) => `${PATH}${url.search}`;

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
  const of = labelOf(shown);
  const note = `${of}${tierName ? `, ${tierName}` : ""}: ${FORMULA_LABELS[formula.kind]} ${form.get("by")!.trim()}`;
  const proposal = { wanted: [...typed.values()], note, left: [...new Set(left)], back: pathOf(context) };
  return showPreview(context, proposal);
}

function cellOf(price: WantedPrice | { productId: number; tierId: number }): string {
  return `${price.productId} ${"tierId" in price ? price.tierId : ""}`;
}
