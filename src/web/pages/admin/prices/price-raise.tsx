// Raise of prices that are too low: of all bundles of a vendor that has become dearer, or of one bundle. Every price
// is shown before and after; nothing is saved before its form is sent.
import * as margins from "../../../../core/catalog/margins.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import { DESK } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { decimal, marginText } from "../../../../shared/money.ts";
import { bundleName } from "../../../../shared/operators.ts";
import { does } from "../../../does.ts";
import { Sheet } from "../../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, readId, redirect, type View } from "../../../page.tsx";
import { typed } from "../../../ui/columns.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { showPreview } from "./price-preview.tsx";

export const RAISE = "/admin/prices/raise";
const PRICES = "/admin/prices";

const actions = actionsOf({
  raise: does(margins.raise, (_, { count }) => {
    if (count === 0) return redirect(PRICES, "Nothing changed.");
    const raised = count === 1 ? "1 price is raised" : `${count} prices are raised`;
    return redirect("/admin/prices/changes", `${raised}, for purchases from now on. Undo is here.`);
  }),
});
type RaiseAction = keyof typeof actions;

export const priceRaisePages: Page[] = [
  {
    path: RAISE,
    right: "catalog.manage",
    tab: { section: "Bundles", under: "/admin/prices" },
    examples: ["?vendor=desk"],
    show: showRaise,
    actions,
  },
];

async function showRaise(context: Context, refused?: Refused): Promise<View> {
  const { url } = context;
  const productId = readId(url.searchParams.get("product"));
  if (productId) return showRaiseOfOne(context, productId);
  const vendor = refused?.values.get("vendor") ?? url.searchParams.get("vendor") ?? "";
  return showRaiseOf(context, vendor, refused);
}

async function showRaiseOf(
  { db, vendors: known }: Context,
  vendor: string,
  refused: Refused | undefined,
): Promise<View> {
  const { rows, fingerprint } = await margins.planRaise(db, vendor);
  const isKnown = vendor === DESK || known.some(({ code }) => code === vendor);
  // One that has left may still have costs, and then it is among the margins.
  if (!isKnown && rows.length === 0) throw new AppError("vendor.not_found");
  const name = nameOf(vendor, known);
  return {
    title: "Raise prices",
    body: (
      <>
        <Sheet name="prices" />
        <div className="head">
          <div>
            <h2>{`Raise ${countOf(rows.length)} by the costs of ${name}`}</h2>
            <p className="soft small">
              Nothing has been saved yet. Each price goes up by the rise of its cost, and at least to the smallest
              margin. Bundles that are allowed below cost, single accounts’ prices and planned prices stay.
            </p>
          </div>
          <a href={`${PRICES}#margins`}>Back without saving</a>
        </div>
        <RefusalNote refused={refused} />
        {rows.length === 0 ? (
          <section className="card">
            <Empty>{`No price has to be raised for ${name}.`}</Empty>
          </section>
        ) : (
          <Form<RaiseAction>
            to={`${RAISE}?vendor=${vendor}`}
            does="raise"
            refused={refused}
            sends={{ vendor, fingerprint }}
            isOnce
          >
            <section className="card">
              <Table rows={rows} columns={COLUMNS} className="difference" />
            </section>
            <div className="pay-bar">
              <span className="soft small">One press undoes it, under Changes.</span>
              <button type="submit" data-sending="Saving…">{`Raise ${countOf(rows.length)}`}</button>
            </div>
          </Form>
        )}
      </>
    ),
  };
}

const countOf = (count: number) => (count === 1 ? "1 price" : `${count.toLocaleString("en")} prices`);

const COLUMNS: Column<margins.RaisedPrice>[] = [
  {
    head: "Bundle",
    cell: (row) => <strong>{bundleName(row)}</strong>,
  },
  typed("For", "tier"),
  {
    head: "Cost",
    isNumber: "wide",
    cell: ({ costBeforePesewas, costPesewas }) => (
      <span className="money">
        <span className="in-cards soft small">Cost </span>
        {costBeforePesewas < costPesewas && <span className="old">{decimal(costBeforePesewas)}</span>}{" "}
        {decimal(costPesewas)}
      </span>
    ),
  },
  {
    head: "Price",
    isNumber: "wide",
    cell: ({ beforePesewas, afterPesewas }) => (
      <span className="money">
        <span className="old">{decimal(beforePesewas)}</span> <strong>{decimal(afterPesewas)}</strong>
      </span>
    ),
  },
  {
    head: "Margin",
    isNumber: "wide",
    cell: ({ afterPesewas, costPesewas }) => marginText(afterPesewas, costPesewas),
  },
];

/** The preview of one bundle's prices, each at least with the smallest margin. */
async function showRaiseOfOne(context: Context, productId: number): Promise<View> {
  const { db } = context;
  const [thin, { tiers, products }] = [await margins.thinPrices(db), await priceTable.read(db)];
  const needed = thin.find((one) => one.productId === productId);
  const product = products.find(({ id }) => id === productId);
  if (!product) throw new AppError("product.not_found");
  const wanted = tiers.flatMap(({ id: tierId }) => {
    const pesewas = product.own.get(tierId);
    if (!needed || pesewas === undefined || pesewas >= needed.neededPesewas) return [];
    return [{ productId, tierId, pricePesewas: needed.neededPesewas }];
  });
  const accounts = needed?.accounts ?? 0;
  const left = accounts > 0 ? [`${accounts === 1 ? "1 account's" : `${accounts} accounts'`} own price`] : [];
  const note = `${bundleName(product)}: at least its cost`;
  return showPreview(context, { wanted, note, left, back: PRICES });
}
