// Many new bundles in one go: typed or pasted, one on each line, checked in a table, and put on sale together.
import { sized } from "../../../../core/catalog/product-identity.ts";
import * as products from "../../../../core/catalog/products.ts";
import { slipIn } from "../../../../core/catalog/unusual-prices.ts";
import { list } from "../../../../core/orders/queries.ts";
import { DESK, limits } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { marginText, show } from "../../../../shared/money.ts";
import {
  allFamilies,
  familiesOf,
  familyName,
  findOperator,
  operatorCodes,
  operatorName,
} from "../../../../shared/operators.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { type Answer, actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { money } from "../../../ui/columns.tsx";
import { Field, RefusalNote, TextArea } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Money } from "../../../ui/parts.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { type NewBundle, type NewBundles, readNewBundles, USUAL_SIZES } from "../../../upload/new-bundles.ts";
import { SHEET_KINDS, textOfUpload } from "../../../upload/reading.ts";
import { awaitsCost, SellWithoutCost, SupplierOptions } from "./bundle-parts.tsx";

const PATH = "/admin/products/add";
/** Three hundred lines. */
const TYPED_CHARS_MAX = 40_000;

const actions = actionsOf({ add: { run: addAll } });
type NewBundlesAction = keyof typeof actions;

export const newBundlePages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    under: "/admin/prices",
    palette: ["Add many bundles"],
    uploadBytesMax: limits.bulkUploadBytes,
    show: showForm,
    submit: check,
    actions,
  },
];

type Typed = { bundles: string; operator: string; vendor: string };

async function showForm(context: Context, refused?: Refused): Promise<View> {
  const { url } = context;
  const typed = {
    bundles: refused?.values.get("bundles") ?? usualLines(url.searchParams.get("usual")),
    operator: refused?.values.get("operator") ?? "",
    vendor: refused?.values.get("vendor") ?? context.vendors[0]?.code ?? DESK,
  };
  return { title: "Add many bundles", body: <ListForm typed={typed} context={context} refused={refused} /> };
}

type FormProps = {
  typed: Typed;
  context: Context;
  refused?: Refused | undefined;
  /** It stands below what was read, to be changed. */
  isBelow?: boolean;
};

function ListForm({ typed, context, refused, isBelow }: FormProps) {
  return (
    <section className="card">
      {isBelow ? <h2>Change the list</h2> : <h1>Add many bundles</h1>}
      <p className="soft">
        One bundle on each line: network, size, what it costs you, and what agents pay. A network on a line of its own,
        or a line of headings such as “Network Size Price Cost”, is for the lines below it. Or begin with the usual
        sizes:
      </p>
      <p className="actions">
        {allKinds().map(({ code, name }) => (
          <a key={code} className="button quiet tiny" href={`${PATH}?usual=${code}`}>
            {name}
          </a>
        ))}
        <a className="button quiet tiny" href={`${PATH}?usual=all`}>
          All networks
        </a>
      </p>
      <Form to={PATH} refused={refused} encType="multipart/form-data" className="fields">
        <RefusalNote />
        <TextArea
          label="Bundles"
          name="bundles"
          value={typed.bundles}
          rows={14}
          maxLength={TYPED_CHARS_MAX}
          hint="Such as MTN 1GB 3.70 3.90. With one amount, it is the price."
        />
        <Field
          label="Or a file"
          name="file"
          type="file"
          accept={SHEET_KINDS}
          isSecret
          hint="CSV or Excel with these columns"
        />
        <div className="row top-aligned">
          <Field label="Lines that name no network are" name="operator" value={typed.operator}>
            <option value="">Left out</option>
            {operatorCodes().map((code) => (
              <option key={code} value={code}>
                {operatorName(code)}
              </option>
            ))}
          </Field>
          <Field label="Supplier" name="vendor" value={typed.vendor}>
            <SupplierOptions vendors={context.vendors} />
          </Field>
        </div>
        <button type="submit">Check list</button>
      </Form>
    </section>
  );
}

async function check(context: Context): Promise<Answer> {
  const { form, files, by } = context;
  const file = files.get("file");
  const { read: uploaded, notes } = file ? await textOfUpload(file, by.userId) : { read: "", notes: [] };
  const typed = typedIn(form, uploaded);
  const read = await readAgainstShop(context, typed);
  if (read.bundles.length === 0 && read.problems.length === 0) throw invalid("Type a bundle, or choose a file.");
  return showCheck(context, typed, { ...read, problems: [...notes, ...read.problems] });
}

type Read = NewBundles & { onSale: readonly products.ProductOnSale[] };

function showCheck(context: Context, typed: Typed, { bundles, problems, onSale }: Read): View {
  const count = bundles.length === 1 ? "it" : `these ${bundles.length}`;
  const unknown = bundles.filter(({ costPesewas }) => costPesewas === undefined).length;
  return {
    title: "Check the list",
    body: (
      <>
        <section className="card">
          <h1>
            {bundles.length === 1 ? "1 bundle" : `${bundles.length} bundles`}
            {problems.length > 0 && `, ${problems.length} left out`}
          </h1>
          {problems.length > 0 && (
            <ul className="note warn">
              {problems.map((problem) => (
                <li key={problem}>
                  <bdi>{problem}</bdi>
                </li>
              ))}
            </ul>
          )}
          {bundles.length > 0 && <Table rows={lookedAt(bundles, onSale)} columns={COLUMNS} />}
          {bundles.length > 0 && (
            <Form<NewBundlesAction>
              to={PATH}
              does="add"
              sends={{ ...typed, count: bundles.length }}
              isOnce
              encType="multipart/form-data"
              className="after"
            >
              {unknown > 0 && (
                <SellWithoutCost
                  label={unknown === 1 ? "Sell the one without a cost, too" : `Sell the ${unknown} without a cost, too`}
                />
              )}
              <button type="submit" data-sending="Adding…">
                {unknown > 0 ? `Add ${count}` : `Put ${count} on sale`}
              </button>
            </Form>
          )}
        </section>
        <ListForm typed={typed} context={context} isBelow />
      </>
    ),
  };
}

type Looked = NewBundle & { slip: string };

/** The bundles, with what looks like a slip in their prices. */
function lookedAt(bundles: readonly NewBundle[], onSale: readonly products.ProductOnSale[]): Looked[] {
  const own = bundles.map((bundle) => ({ ...bundle, ...sized(bundle.size) }));
  return own.map((bundle) => ({
    ...bundle,
    slip: slipIn(bundle, [...own.filter((other) => other !== bundle), ...onSale]),
  }));
}

const COLUMNS: Column<Looked>[] = [
  { head: "Bundle", cell: ({ family, size }) => `${familyName(family)} ${size}` },
  { head: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  {
    head: "Cost",
    isNumber: true,
    cell: ({ costPesewas }) => (costPesewas === undefined ? "Not known" : <Money pesewas={costPesewas} />),
  },
  money("Price", "pricePesewas"),
  {
    head: "Margin",
    className: "full",
    cell: ({ pricePesewas, costPesewas = null, slip }) => (
      <>
        {marginText(pricePesewas, costPesewas)} {slip && <span className="chip warn">{slip}</span>}
      </>
    ),
  },
];

/** Puts on sale what was shown. Throws request.invalid where it is no longer that many. */
async function addAll(context: Context): Promise<Answer> {
  const { db, by, key, vendors, form } = context;
  const typed = typedIn(form, "");
  const read = await readAgainstShop(context, typed);
  const { bundles } = read;
  if (String(bundles.length) !== form.get("count")) {
    const problems = ["Some of it was put on sale meanwhile. Check the list again.", ...read.problems];
    return showCheck(context, typed, { ...read, problems });
  }
  const wanted = bundles.map((bundle) => ({ ...bundle, awaitsCost: awaitsCost(context) }));
  const { answer } = await products.addMany(db, { by, key, vendors, vendor: typed.vendor, bundles: wanted });
  const waiting = awaitsCost(context) ? bundles.filter(({ costPesewas }) => costPesewas === undefined).length : 0;
  if (waiting > 0) {
    const added = answer.count === 1 ? "1 bundle is added" : `${answer.count} bundles are added`;
    return redirect(
      "/admin/prices?show=not_yet",
      `${added}. Enter what ${waiting} of them ${waiting === 1 ? "costs to sell it" : "cost to sell them"}.`,
    );
  }
  const prices = bundles.map(({ pricePesewas }) => pricePesewas);
  const span = `${show(Math.min(...prices))} to ${show(Math.max(...prices))}`;
  const added = answer.count === 1 ? "1 bundle is on sale" : `${answer.count} bundles are on sale`;
  // The owner of a new shop goes on with what else it needs, which is on Today until the first order.
  const isNew = hasRight(by, "settings.change") && (await list(db, {}, { limit: 1 })).length === 0;
  return redirect(isNew ? "/admin" : "/admin/prices", `${added}, from ${span}.`);
}

function typedIn(form: URLSearchParams, uploaded: string): Typed {
  const typed = form.get("bundles") ?? "";
  const bundles = [typed, uploaded].filter((text) => text.trim() !== "").join("\n");
  if (bundles.length > TYPED_CHARS_MAX) throw invalid("This is too long for a list of bundles.");
  return { bundles, operator: form.get("operator") ?? "", vendor: form.get("vendor") ?? DESK };
}

async function readAgainstShop({ db }: Context, { bundles, operator }: Typed): Promise<Read> {
  const onSale = await products.list(db);
  return { ...readNewBundles(bundles, onSale, findOperator(operator) ? operator : null), onSale };
}

const allKinds = () => {
  const sold = new Set(operatorCodes().flatMap(familiesOf));
  return allFamilies().filter(({ code }) => sold.has(code) && code in USUAL_SIZES);
};

/** The usual sizes of a kind, or of all, as lines to which cost and price are added. */
function usualLines(wanted: string | null): string {
  const kinds = allKinds().filter(({ code }) => wanted === "all" || code === wanted);
  return kinds.flatMap(({ code, name }) => USUAL_SIZES[code]!.map((size) => `${name} ${size} `)).join("\n");
}

function invalid(message: string): AppError {
  return new AppError("request.invalid", { fields: { bundles: message } }, message);
}
