// Preview of costs from a file: old and new ones, what to check, and what is left out. Nothing is saved before its form
// is sent.
import * as costs from "../../../../core/catalog/costs.ts";
import { type PricedProduct, read as readTable } from "../../../../core/catalog/price-table.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { MAX_AMOUNT_PESEWAS, show } from "../../../../shared/money.ts";
import { bundleName } from "../../../../shared/operators.ts";
import { Sheet } from "../../../html.tsx";
import { type Context, type Leave, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { Empty } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import type { CostFileAction } from "./cost-file.tsx";
import { savedText } from "./cost-notices.ts";
import { costOf, Left } from "./price-preview.tsx";

const PATH = "/admin/prices/costs";

export type CostProposal = {
  wanted: readonly costs.WantedCost[];
  /** What is not part of it, and why. */
  left: readonly string[];
};

type Row = costs.CostChange & { product: PricedProduct };

/** Shows what costs would change; those of products that are gone are left out and named. */
export async function showCostPreview(
  { db, vendors }: Context,
  { wanted, left }: CostProposal,
  refused?: Refused,
): Promise<View> {
  const products = new Map((await readTable(db)).products.map((product) => [product.id, product]));
  const gone = [...new Set(wanted.map(({ productId }) => productId))].filter((id) => !products.has(id));
  const kept = wanted.filter(({ productId }) => products.has(productId));
  const changes = await costs.compare(db, kept, vendors);
  const rows = changes.map((change) => ({ ...change, product: products.get(change.productId)! }));
  const leftOut = [...left, ...gone.map((id) => `Product ${id} is not on sale any more`)];
  return {
    title: "Check costs",
    body: (
      <>
        <Sheet name="prices" />
        <div className="head">
          <div>
            <h2>{`Check ${countOf(rows.length)}`}</h2>
            <p className="soft small">Nothing has been saved yet.</p>
          </div>
          <a href={PATH}>Back without saving</a>
        </div>
        <RefusalNote refused={refused} />
        <Left left={[...new Set(leftOut)]} />
        {rows.length === 0 ? (
          <section className="card">
            <Empty>No cost is different from what it is now.</Empty>
          </section>
        ) : (
          <Difference rows={rows} left={leftOut} vendors={vendors} refused={refused} />
        )}
      </>
    ),
  };
}

type DifferenceProps = {
  rows: Row[];
  left: string[];
  vendors: Context["vendors"];
  refused: Refused | undefined;
};

function Difference({ rows, left, vendors, refused }: DifferenceProps) {
  const odd = rows.filter(isUnusual);
  const sorted = [...odd, ...rows.filter((row) => !isUnusual(row))];
  return (
    <Form<CostFileAction>
      to={PATH}
      does="save"
      refused={refused}
      sends={{ changes: packed(rows), left: left.join("\n") }}
      isOnce
    >
      {odd.length > 0 && (
        <p className="note warn">
          {`Check ${countOf(odd.length)} at the top: far from the cost before. A bundle is not sold below its cost.`}
        </p>
      )}
      <section className="card">
        <Table rows={sorted} columns={columnsFor(vendors)} className="difference" />
      </section>
      <Buttons count={rows.length} odd={odd.length} isPartial={left.length > 0} />
    </Form>
  );
}

function Buttons({ count, odd, isPartial }: { count: number; odd: number; isPartial: boolean }) {
  const good = count - odd;
  const save = isPartial ? `Save the good ones (${count})` : `Save ${countOf(count)}`;
  return (
    <div className="pay-bar">
      {odd === 0 ? (
        <button type="submit" data-sending="Saving…">
          {save}
        </button>
      ) : (
        <div className="actions">
          <button className="danger" type="submit">
            {`${save}, also what is marked`}
          </button>
          {good > 0 && (
            <button type="submit" name="part" value="others">
              {`Save the other ${good === 1 ? "one" : countOf(good)}`}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

/** Less than half of the cost before, or more than one and a half times. */
function isUnusual({ beforePesewas, costPesewas }: Pick<Row, "beforePesewas" | "costPesewas">): boolean {
  if (beforePesewas === null) return costPesewas === 0;
  return costPesewas * 2 < beforePesewas || costPesewas * 2 > beforePesewas * 3;
}

const countOf = (count: number) => (count === 1 ? "1 cost" : `${count.toLocaleString("en")} costs`);

const columnsFor = (vendors: Context["vendors"]): Column<Row>[] => [
  {
    head: "Bundle",
    cell: ({ product }) => (
      <>
        <strong>{bundleName(product)}</strong> <span className="small soft">#{product.id}</span>
      </>
    ),
  },
  { head: "Supplier", cell: ({ vendor }) => nameOf(vendor, vendors) },
  {
    head: "Cost",
    isNumber: "wide",
    cell: ({ beforePesewas, costPesewas }) => (
      <span className="money">
        <span className={beforePesewas === null ? "soft" : "old"}>{costOf(beforePesewas)}</span>{" "}
        <strong>{show(costPesewas)}</strong>
      </span>
    ),
  },
  { head: "Remarks", className: "full", cell: (row) => <Remarks row={row} /> },
];

function Remarks({ row }: { row: Row }) {
  const pricePesewas = [...row.product.own.values()].reduce((low, price) => Math.min(low, price));
  const isAbove = row.costPesewas > pricePesewas && row.product.belowCostReason === null;
  return (
    <>
      {isUnusual(row) && <span className="chip bad">Unusual</span>}
      {isAbove && <span className="chip warn">{`Above the price of ${show(pricePesewas)}`}</span>}
    </>
  );
}

/** Saves what the preview shows, or all of it that is not unusual. Throws as `costs.set`. */
export async function saveCosts({ db, by, key, form, vendors }: Context): Promise<Leave> {
  let wanted = unpacked(form.get("changes") ?? "");
  if (form.get("part") === "others")
    wanted = wanted.filter((cost) => !isUnusual({ ...cost, beforePesewas: cost.wasPesewas ?? null }));
  if (wanted.length === 0) return redirect(PATH, await savedText(db, []));
  const { answer: changed } = await costs.set(db, { by, key, costs: wanted, vendors });
  return redirect(PATH, await savedText(db, changed));
}

/** The preview of a form that was refused, with what it held. */
export function costProposalIn(form: URLSearchParams): CostProposal {
  const left = (form.get("left") ?? "").split(/\r?\n/).filter(Boolean).slice(0, 200);
  return { wanted: unpacked(form.get("changes") ?? ""), left };
}

/** Changes as one text, so that two thousand are a small form: "12.datamart=395>403", in pesewas. */
function packed(rows: readonly costs.CostChange[]): string {
  return rows
    .map(
      ({ productId, vendor, costPesewas, beforePesewas }) =>
        `${productId}.${vendor}=${beforePesewas ?? ""}>${costPesewas}`,
    )
    .join(" ");
}

/** The changes of `packed`. Throws request.invalid for another text. */
function unpacked(text: string): costs.WantedCost[] {
  const parts = text.split(" ").filter(Boolean);
  if (parts.length > costs.COSTS_MAX) throw new AppError("request.too_large");
  return parts.map((part) => {
    const match = /^(\d{1,15})\.([a-z0-9_-]{1,40})=(\d{0,10})>(\d{1,10})$/.exec(part);
    if (!match) throw new AppError("request.invalid");
    const [, productId, vendor, was, cost] = match;
    const [wasPesewas, costPesewas] = [was === "" ? null : Number(was), Number(cost)];
    if (costPesewas > MAX_AMOUNT_PESEWAS) throw new AppError("request.invalid");
    return { productId: Number(productId), vendor: vendor!, costPesewas, wasPesewas };
  });
}
