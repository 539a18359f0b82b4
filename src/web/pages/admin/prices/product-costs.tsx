// Costs on a product's page: what each vendor takes, the margins that follow, and the sale below cost.
import * as costs from "../../../../core/catalog/costs.ts";
import * as priceTable from "../../../../core/catalog/price-table.ts";
import * as products from "../../../../core/catalog/products.ts";
import { servingCodes } from "../../../../core/fulfilment/cost-vendors.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { decimal, marginText, parseCedis, priceRemark, show } from "../../../../shared/money.ts";
import { does } from "../../../does.ts";
import { actionsOf, type Context, type Leave, type Refused, readId, redirect } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";
import { nameOf } from "../../../ui/orders/holder.tsx";
import { Empty, Moment } from "../../../ui/parts.tsx";
import { savedText } from "./cost-notices.ts";
import { costOf } from "./price-preview.tsx";

export const costActions = actionsOf({
  costs: { run: enterCosts },
  allow: does(
    costs.allow,
    ({ productId }) => redirect(`/admin/products/${productId}`, "It may be sold below its cost from now on."),
    { productId: ({ params }) => idOf(params) },
  ),
  endAllowance: does(
    costs.endAllowance,
    ({ productId }) => redirect(`/admin/products/${productId}`, "It is not sold below its cost any more."),
    { productId: ({ params }) => idOf(params) },
  ),
});
type CostAction = keyof typeof costActions;

/** What the cards of a product's costs show. */
export type ProductCosts = {
  product: products.ProductOnSale;
  table: priceTable.PriceTable;
  known: costs.KnownCost[];
  history: costs.KnownCost[];
  vendors: Context["vendors"];
};

/** Reads the costs of a product on sale. */
export async function readCosts({ db, vendors }: Context, product: products.ProductOnSale): Promise<ProductCosts> {
  const [table, known, history] = await Promise.all([
    priceTable.read(db, product.id),
    costs.newest(db, [product.id]),
    costs.history(db, product.id),
  ]);
  return { product, table, known, history, vendors };
}

type CardProps = { of: ProductCosts; refused: Refused | undefined };

/** The cost at each vendor, with a field for today's. */
export function CostsCard({ of: { product, known, vendors }, refused }: CardProps) {
  const own = refusedFor<CostAction>("costs", refused);
  const costAt = new Map(known.map((cost) => [cost.vendor, cost]));
  const codes = servingCodes(vendors, product);
  const others = known.filter(({ vendor }) => !codes.includes(vendor));
  return (
    <section className="card" id="costs">
      <h2>Costs</h2>
      <Form<CostAction> to={`/admin/products/${product.id}`} does="costs" refused={refused} idPrefix="costs">
        <RefusalNote />
        <div className="fields">
          {codes.map((code) => (
            <CostField key={code} code={code} name={nameOf(code, vendors)} cost={costAt.get(code)} refused={own} />
          ))}
          {others.map((cost) => (
            <p key={cost.vendor} className="small soft">
              {nameOf(cost.vendor, vendors)}, which does not sell it now: {show(cost.costPesewas)}.{" "}
              <Origin cost={cost} />
            </p>
          ))}
          <div className="actions">
            <button type="submit">Save costs</button>
          </div>
        </div>
      </Form>
    </section>
  );
}

type CostFieldProps = {
  code: string;
  name: string;
  cost: costs.KnownCost | undefined;
  refused: Refused | undefined;
};

function CostField({ code, name, cost, refused }: CostFieldProps) {
  return (
    <div>
      <input type="hidden" name={`was.${code}`} value={cost?.costPesewas ?? ""} />
      <Field
        label={`${name}, GH₵ for one`}
        name={fieldOf(code)}
        value={cost ? decimal(cost.costPesewas) : ""}
        inputMode="decimal"
        autoComplete="off"
        hint={
          cost ? (
            <>
              {refused && `Now ${show(cost.costPesewas)}. `}
              <Origin cost={cost} />
            </>
          ) : (
            "Not known yet"
          )
        }
      />
    </div>
  );
}

const fieldOf = (code: string) => `cost.${code}`;

/** Since when a cost is known, and from whom. */
function Origin({ cost: { seenAt, source, username } }: { cost: costs.KnownCost }) {
  return (
    <>
      Since <Moment at={seenAt} />,{" "}
      {source === "vendor" ? (
        "reported"
      ) : (
        <>
          by <bdi>{username ?? "somebody who has left"}</bdi>
        </>
      )}
    </>
  );
}

/** What a sale is expected to cost, the lowest price, and the margin in each tier. */
export function MarginsCard({ of: { product, table, history, vendors } }: Pick<CardProps, "of">) {
  const { costPesewas, lowestPricePesewas } = product;
  const [row] = table.products;
  return (
    <section className="card">
      <h2>Margins</h2>
      <dl className="facts">
        <dt>Expected cost</dt>
        <dd>{costOf(costPesewas)}</dd>
        <dt>Lowest price</dt>
        <dd>{lowestPricePesewas === null ? "None" : show(lowestPricePesewas)}</dd>
        {row &&
          table.tiers.map((tier) => (
            <TierMargin key={tier.id} name={tier.name} row={row} price={priceTable.priceIn(row, tier.id)} />
          ))}
      </dl>
      <details>
        <summary>Cost history</summary>
        {history.length === 0 ? (
          <Empty>No cost is known yet.</Empty>
        ) : (
          <ul className="rows">
            {changesIn(history).map(({ cost, beforePesewas }) => (
              <li key={`${cost.vendor} ${cost.seenAt.getTime()}`}>
                <span>
                  <strong>{show(cost.costPesewas)}</strong> {nameOf(cost.vendor, vendors)}{" "}
                  {beforePesewas !== null && <Difference pesewas={cost.costPesewas - beforePesewas} />}
                </span>
                <span className="soft small">
                  <Origin cost={cost} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </details>
    </section>
  );
}

type TierMarginProps = { name: string; row: priceTable.PricedProduct; price: number };

function TierMargin({ name, row, price }: TierMarginProps) {
  const remark = priceRemark(price, row);
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {show(price)}
        {row.costPesewas !== null && <span className="small soft money"> {marginText(price, row.costPesewas)}</span>}
        {remark && (
          <>
            {" "}
            <span className="chip bad">{remark}</span>
          </>
        )}
      </dd>
    </>
  );
}

function Difference({ pesewas }: { pesewas: number }) {
  return <span className="small soft">{`${pesewas > 0 ? "+" : ""}${show(pesewas)}`}</span>;
}

/** Each cost with the one before at its vendor; null for the first that is known. */
function changesIn(history: readonly costs.KnownCost[]) {
  return history.map((cost, index) => {
    const before = history.slice(index + 1).find(({ vendor }) => vendor === cost.vendor);
    return { cost, beforePesewas: before?.costPesewas ?? null };
  });
}

/** Allows the sale below cost for a reason, or ends it. */
export function AllowanceCard({ of: { product }, refused }: CardProps) {
  const { id, belowCostReason } = product;
  const isOpen = belowCostReason !== null || refusedFor<CostAction>("allow", refused) !== undefined;
  return (
    <details className="card" open={isOpen}>
      <summary>
        <h2>{belowCostReason === null ? "Sale below cost" : "Sold below cost"}</h2>
      </summary>
      {/* Inside: browsers open the fold around what an address names. */}
      <div id="below-cost">
        {belowCostReason === null ? (
          <Form<CostAction>
            to={`/admin/products/${id}`}
            does="allow"
            refused={refused}
            idPrefix="allow"
            className="fields"
          >
            <RefusalNote />
            <p className="soft small">
              Nothing is sold below its lowest price. This product alone can be, until you end it.
            </p>
            <Field label="Reason" name="reason" hint="Only staff see it" />
            <div className="actions">
              <button className="quiet" type="submit">
                Allow a sale below cost
              </button>
            </div>
          </Form>
        ) : (
          <Form<CostAction> to={`/admin/products/${id}`} does="endAllowance" className="fields">
            <p className="note warn">
              Allowed, because: <bdi>{belowCostReason}</bdi>
            </p>
            <div className="actions">
              <button type="submit">End</button>
            </div>
          </Form>
        )}
        <p className="small links">
          <PageLink href={`/admin/audit?type=product&id=${id}`}>In the log of changes</PageLink>
        </p>
      </div>
    </details>
  );
}

async function enterCosts({ db, by, key, params, form, vendors }: Context): Promise<Leave> {
  const product = await products.get(db, idOf(params));
  const wanted = typedCosts(form, product.id, servingCodes(vendors, product));
  const path = `/admin/products/${product.id}`;
  if (wanted.length === 0) return redirect(path, await savedText(db, []));
  const { answer: changed } = await costs.set(db, { by, key, costs: wanted, vendors });
  return redirect(path, await savedText(db, changed));
}

/** The costs that were typed differently from what was shown. Throws request.invalid with a message for each field. */
function typedCosts(form: URLSearchParams, productId: number, codes: readonly string[]): costs.WantedCost[] {
  const fields: Record<string, string> = {};
  const wanted: costs.WantedCost[] = [];
  for (const vendor of codes) {
    const [typed, was] = [form.get(fieldOf(vendor))?.trim(), form.get(`was.${vendor}`) ?? ""];
    if (typed === undefined || (typed === "" && was === "")) continue;
    if (!/^\d{0,10}$/.test(was)) throw new AppError("request.invalid");
    const wasPesewas = was === "" ? null : Number(was);
    const costPesewas = parseCedis(typed);
    if (typed === "") fields[fieldOf(vendor)] = "A known cost can be replaced, but not removed";
    else if (costPesewas === null || costPesewas < 0) fields[fieldOf(vendor)] = "Enter an amount like 3.95";
    else if (costPesewas !== wasPesewas) wanted.push({ productId, vendor, costPesewas, wasPesewas });
  }
  const [message] = Object.values(fields);
  if (message) throw new AppError("request.invalid", { fields }, message);
  return wanted;
}

function idOf(params: Record<string, string>): number {
  return readId(params.id) ?? 0;
}
