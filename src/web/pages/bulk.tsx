// Bulk orders: paste lines, look at what was understood, then place the good ones.
import { z } from "zod";
import { BulkCheck } from "../../../islands/bulk-check.tsx";
import * as bulk from "../../core/bulk.ts";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import * as wallet from "../../core/wallet.ts";
import { type BulkLine, parseBulkLines } from "../../shared/bulk-lines.ts";
import { limits, OPERATOR_NAMES, OPERATORS, type Operator } from "../../shared/domain.ts";
import { AppError, catalogue } from "../../shared/errors.ts";
import { Island } from "../island.tsx";
import {
  type Context,
  type Leave,
  type Page,
  type Refused,
  readFields,
  redirect,
  type View,
} from "../page.tsx";
import { RefusalNote } from "../parts.tsx";
import { BulkPreview } from "./bulk-preview.tsx";
import { BundleOptions, PATHS, readPackage } from "./packages.tsx";

const Asked = z.object({
  operator: z.enum(OPERATORS),
  productId: readPackage("Select a package"),
  lines: z.string("Add at least one number"),
  allowDuplicate: z.literal("yes").optional(),
});
export type Asked = z.output<typeof Asked>;

export const bulkPages: Page[] = [
  { path: "/bulk/preview", role: "user", bodyBytesMax: limits.bulkBodyBytes, show: showAgain, submit: check },
  { path: "/bulk", role: "user", bodyBytesMax: limits.bulkBodyBytes, show: showAgain, submit: place },
];

type FormProps = {
  operator: Operator;
  bundles: products.ProductOnSale[];
  balancePesewas: number;
  /** What was sent before, to be changed. */
  values?: URLSearchParams;
  /** Asks whether repeated numbers are meant. */
  asksForRepeats?: boolean;
  /** What is wrong with the package that was chosen. */
  packageError?: string | undefined;
};

/** Why a line cannot be read, for the island that says it while the lines are pasted. */
const LINE_WORDS = {
  "msisdn.invalid": catalogue["msisdn.invalid"].message,
  "order.quantity_invalid": catalogue["order.quantity_invalid"].message,
};

export function BulkForm(props: FormProps) {
  const { operator, bundles, balancePesewas, values, asksForRepeats, packageError } = props;
  return (
    <form method="post" action="/bulk/preview" className="fields" noValidate>
      <input type="hidden" name="operator" value={operator} />
      <div>
        <label htmlFor="bulk-product">Package</label>
        <select
          id="bulk-product"
          name="productId"
          defaultValue={values?.get("productId") ?? ""}
          aria-required="true"
          aria-invalid={packageError ? true : undefined}
          aria-describedby={packageError && "bulk-product-error"}
        >
          <option value="">Select a package</option>
          <BundleOptions bundles={bundles} />
        </select>
        {packageError && (
          <p className="error" id="bulk-product-error">
            {packageError}
          </p>
        )}
      </div>
      <div>
        <label htmlFor="bulk-lines">Numbers</label>
        <textarea
          id="bulk-lines"
          name="lines"
          aria-describedby="bulk-hint"
          placeholder={"0541234567\n0241234567,2"}
          defaultValue={values?.get("lines") ?? ""}
          rows={8}
        />
        <p className="hint" id="bulk-hint">
          One number per line; a quantity after a comma, as in 0241234567,2. Up to{" "}
          {limits.bulkLines.toLocaleString("en")} lines.
        </p>
      </div>
      <Island
        of={BulkCheck}
        props={{ balancePesewas, productId: values?.get("productId") ?? "", words: LINE_WORDS }}
        on="visible"
      />
      {asksForRepeats && (
        <label className="check">
          <input
            type="checkbox"
            name="allowDuplicate"
            value="yes"
            defaultChecked={values?.get("allowDuplicate") === "yes"}
          />
          Order repeated numbers as well
        </label>
      )}
      <button className="quiet" type="submit" disabled={bundles.every((bundle) => bundle.paused !== null)}>
        Check Bulk Order
      </button>
      <p className="hint">You see every line and the price before anything is placed.</p>
    </form>
  );
}

/** The form once more, with everything that was pasted and why it was not taken. */
async function showAgain({ db, by }: Context, refused?: Refused): Promise<View | Leave> {
  const operator = OPERATORS.find((code) => code === refused?.values.get("operator"));
  if (!refused || !operator) return redirect("/mtn-data");
  return {
    title: "Bulk order",
    body: (
      <>
        <h1>Bulk order</h1>
        <section className={`card stripe ${operator}`}>
          <RefusalNote refused={refused} />
          <RefusedLines error={refused.error} />
          <BulkForm
            operator={operator}
            bundles={await products.list(db, operator)}
            balancePesewas={await wallet.balance(db, by.userId!)}
            values={refused.values}
            packageError={refused.error.details?.fields?.productId}
            asksForRepeats
          />
        </section>
      </>
    ),
  };
}

const REFUSED_SHOWN = 20;

function RefusedLines({ error }: { error: AppError }) {
  const lines = error.details?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="error">
      {lines.slice(0, REFUSED_SHOWN).map((line) => (
        <li key={line.line}>
          Line {line.line}: {line.message}
        </li>
      ))}
      {lines.length > REFUSED_SHOWN && (
        <li>and {(lines.length - REFUSED_SHOWN).toLocaleString("en")} more</li>
      )}
    </ul>
  );
}

async function check({ db, by, form }: Context): Promise<View> {
  const asked = readFields(Asked, form);
  const parsed = parse(asked.lines);
  const allowDuplicate = asked.allowDuplicate === "yes";
  const lines = parsed.map((line) => toLine(line, asked));
  const seen = await bulk.preview(db, { by, lines, allowDuplicate });
  const hasRepeats = allowDuplicate || seen.lines.some((line) => line.problem === "order.duplicate");
  return {
    title: "Check bulk order",
    body: (
      <>
        <div className="head">
          <div>
            <h1>Check bulk order</h1>
            <p className="soft">Nothing has been placed or paid yet.</p>
          </div>
          <a className="button quiet" href={PATHS[asked.operator]}>
            Back to {OPERATOR_NAMES[asked.operator]}
          </a>
        </div>
        <BulkPreview seen={seen} parsed={parsed} values={form} />
        <section className={`card stripe ${asked.operator}`}>
          <h2>Change the lines</h2>
          <BulkForm
            operator={asked.operator}
            bundles={await products.list(db, asked.operator)}
            balancePesewas={seen.balancePesewas}
            values={form}
            asksForRepeats={hasRepeats}
          />
        </section>
      </>
    ),
  };
}

async function place({ db, by, form, key }: Context): Promise<Leave> {
  const asked = readFields(Asked, form);
  const lines = parse(asked.lines).map((line) => toLine(line, asked));
  const allowDuplicate = asked.allowDuplicate === "yes";
  const { answer } = await orders.buyBulk(db, { by, key, lines, allowDuplicate });
  return redirect("/orders", `Created ${answer.orders.length} orders`);
}

function parse(text: string): BulkLine[] {
  const lines = parseBulkLines(text);
  const problem =
    lines.length === 0
      ? "Add at least one number"
      : lines.length > limits.bulkLines
        ? `At most ${limits.bulkLines.toLocaleString("en")} lines at once`
        : null;
  if (problem) throw new AppError("request.invalid", { fields: {} }, problem);
  return lines;
}

/** The line as the core takes it; a quantity that could not be read is none, so that the core refuses it. */
function toLine({ msisdn, text, quantity, problem }: BulkLine, { productId: chosen, operator }: Asked) {
  const understood = problem === "order.quantity_invalid" ? Number.NaN : quantity;
  return {
    productId: chosen.productId,
    operator,
    msisdn: msisdn ?? text.slice(0, 40),
    quantity: understood,
    expectedPesewas: chosen.pricePesewas && chosen.pricePesewas * understood,
  };
}
