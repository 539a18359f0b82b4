// An agent's selling prices: what each bundle costs, what the agent charges for it, and the margin, edited in one form.
import * as products from "../../../core/catalog/products.ts";
import * as sellingPrices from "../../../core/catalog/selling-prices.ts";
import type { Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import { decimal, parseCedis, show, withMargin } from "../../../shared/money.ts";
import { operatorCodes, operatorName } from "../../../shared/operators.ts";
import { Sheet } from "../../html.tsx";
import { type Context, type Leave, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Once, RefusalNote } from "../../ui/fields.tsx";
import { Form } from "../../ui/form.tsx";
import { NetworkBadge } from "../../ui/frame/icons.tsx";
import { Empty, Money } from "../../ui/parts.tsx";
import { sizeLabels } from "./bundle-labels.ts";

export const pricesPages: Page[] = [
  {
    path: "/prices",
    role: "user",
    menu: { agent: "Prices", icon: "products" },
    examples: ["", "?margin=10"],
    show: showPrices,
    submit: savePrices,
  },
];

const MARGIN_OTHERWISE = 10;
const MARGIN_MAX = 200;

type Bundle = products.ProductOnSale;

async function showPrices({ db, by, url }: Context, refused?: Refused): Promise<View> {
  const bundles = await products.listFor(db, by.userId);
  const ids = bundles.map(({ id }) => id);
  const own = await sellingPrices.currentOf(db, by.userId, ids);
  const margin = marginIn(url);
  const isBelow = (bundle: Bundle) => (own.get(bundle.id) ?? bundle.pricePesewas) < bundle.pricePesewas;
  return {
    body: (
      <>
        <Sheet name="books" />
        <div className="head">
          <div>
            <h1>Prices</h1>
            <p className="soft small">What your customers pay you. Only you see what it costs you.</p>
          </div>
          <a className="button quiet" href="/prices/share">
            Share price list
          </a>
        </div>
        <MarginForm margin={margin} hasAll={bundles.every(({ id }) => own.has(id))} />
        {bundles.some(isBelow) && (
          <p className="note warn">Some of your prices are below what you pay: you lose money on each sale.</p>
        )}
        {bundles.length === 0 ? (
          <Empty>No bundles are on sale at the moment.</Empty>
        ) : (
          <Form to="/prices" refused={refused} noValidate>
            <RefusalNote />
            {operatorCodes().map((operator) => (
              <NetworkPrices
                key={operator}
                operator={operator}
                bundles={bundles.filter((bundle) => bundle.operator === operator)}
                {...{ own, margin, refused }}
              />
            ))}
            <div className="pay-bar">
              <span className="soft small">Profit counts from the next sale on.</span>
              <button type="submit" data-sending="Saving…">
                Save prices
              </button>
            </div>
            <Once />
          </Form>
        )}
      </>
    ),
  };
}

/** The margin to fill in, in percent; null for none. */
function marginIn({ searchParams }: URL): number | null {
  const typed = searchParams.get("margin") ?? "";
  return /^\d{1,3}$/.test(typed) && Number(typed) <= MARGIN_MAX ? Number(typed) : null;
}

function MarginForm({ margin, hasAll }: { margin: number | null; hasAll: boolean }) {
  if (margin !== null)
    return (
      <p className="note info" role="status">
        {hasAll
          ? "Every bundle has a price already, so nothing was filled in."
          : `Filled in where you had no price: cost + ${margin}%, rounded up to 10 pesewas. Nothing is saved yet.`}
      </p>
    );
  if (hasAll) return null;
  return (
    <form method="get" action="/prices" className="card actions">
      <label htmlFor="margin">Cost +</label>
      <input
        id="margin"
        name="margin"
        type="number"
        className="percent"
        min={0}
        max={MARGIN_MAX}
        defaultValue={MARGIN_OTHERWISE}
        aria-describedby="margin-hint"
      />
      <span>%</span>
      <button className="quiet" type="submit">
        Fill in
      </button>
      <span className="hint" id="margin-hint">
        Fills empty prices, rounded up to 10 pesewas. You can change each one.
      </span>
    </form>
  );
}

type PricesProps = {
  own: Map<number, number>;
  margin: number | null;
  refused: Refused | undefined;
};

function NetworkPrices(props: PricesProps & { operator: Operator; bundles: Bundle[] }) {
  const { operator, bundles, ...prices } = props;
  if (bundles.length === 0) return null;
  const labels = sizeLabels(bundles);
  return (
    <section className="card">
      <h2 className="network-title">
        <NetworkBadge operator={operator} /> {operatorName(operator)}
      </h2>
      <ul className="price-rows">
        {bundles.map((bundle) => (
          <PriceRow key={bundle.id} bundle={bundle} label={labels.get(bundle.id)!} {...prices} />
        ))}
      </ul>
    </section>
  );
}

const fieldOf = (id: number) => `price.${id}`;

function PriceRow({ bundle, label, own, margin, refused }: PricesProps & { bundle: Bundle; label: string }) {
  const { id, pricePesewas } = bundle;
  const field = fieldOf(id);
  const set = own.get(id);
  const filled = margin === null ? undefined : withMargin(pricePesewas, margin);
  const shown = set ?? filled;
  const error = refused?.error.details?.fields?.[field];
  return (
    <li>
      <label htmlFor={field}>
        <bdi className="size">{label}</bdi>{" "}
        <span className="soft small">
          Cost <Money pesewas={pricePesewas} />
        </span>
      </label>
      <input
        id={field}
        name={field}
        inputMode="decimal"
        autoComplete="off"
        placeholder="–"
        maxLength={20}
        defaultValue={refused?.values.get(field) ?? (shown === undefined ? "" : decimal(shown))}
        {...(error && marked(field, refused!))}
      />
      <Margin set={set} costPesewas={pricePesewas} />
      {error && (
        <p className="error" id={`${field}-error`}>
          {error}
        </p>
      )}
    </li>
  );
}

/** The attributes of a field with an error; the first one gets the focus. */
function marked(field: string, { error }: Refused) {
  const isFirst = Object.keys(error.details!.fields!)[0] === field;
  return { "aria-invalid": true as const, "aria-describedby": `${field}-error`, autoFocus: isFirst };
}

function Margin({ set, costPesewas }: { set: number | undefined; costPesewas: number }) {
  if (set === undefined) return <span className="margin soft small">No price</span>;
  const margin = set - costPesewas;
  return (
    <span className="margin">
      <span className={`chip ${margin < 0 ? "bad" : margin === 0 ? "" : "good"}`}>
        {margin > 0 && "+"}
        {show(margin)}
      </span>
    </span>
  );
}

async function savePrices({ db, by, form }: Context): Promise<Leave> {
  const bundles = await products.listFor(db, by.userId);
  const prices = new Map<number, number | null>();
  const fields: Record<string, string> = {};
  for (const { id } of bundles) {
    const typed = form.get(fieldOf(id))?.trim();
    if (typed === undefined) continue;
    const price = typed === "" ? null : parseCedis(typed);
    if (typed !== "" && (price === null || price <= 0)) fields[fieldOf(id)] = "Enter an amount like 4.50";
    prices.set(id, price);
  }
  const count = Object.keys(fields).length;
  if (count > 0) {
    const message = count === 1 ? "One price is not an amount." : `${count} prices are not amounts.`;
    throw new AppError("request.invalid", { fields }, message);
  }
  const changed = await sellingPrices.save(db, { by, prices });
  const below = bundles.filter(({ id, pricePesewas }) => (prices.get(id) ?? pricePesewas) < pricePesewas);
  const saved = changed === 0 ? "Nothing changed." : changed === 1 ? "1 price saved." : `${changed} prices saved.`;
  if (below.length === 0) return redirect("/prices", saved);
  const names = below.slice(0, 3).map(({ operator, size }) => `${operatorName(operator)} ${size}`);
  const more = below.length > 3 ? ` and ${below.length - 3} more` : "";
  return redirect("/prices", `!${saved} Below what you pay: ${names.join(", ")}${more}.`);
}
