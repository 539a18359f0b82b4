// Form for bulk orders: on a wide screen what is pasted is on the left, and the list as it is read on the right.

import { BulkCheck } from "../../../../islands/bulk-check.tsx";
import type * as products from "../../../core/catalog/products.ts";
import { limits } from "../../../shared/domain.ts";
import { errors } from "../../../shared/errors/codes.ts";
import type { Offer } from "../../../shared/lists/bulk-bundles.ts";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { Form } from "../../ui/form.tsx";
import { OperatorsForIslands } from "../../ui/orders/operator-facts.tsx";
import { SHEET_KINDS } from "../../upload/reading.ts";
import { BundleOptions } from "./packages.tsx";
import { findBundle, optionOf } from "./sale.ts";

type FormProps = {
  /** The bundles on sale, the ones of the wanted network first. */
  bundles: products.ProductOnSale[];
  /** The same, because a line may name another size or network. */
  offers: Offer[];
  balancePesewas: number;
  userId: number;
  /** The values of a refused form or a draft. */
  values?: URLSearchParams;
  refused?: Refused | undefined;
  /** Shows the checkbox for repeated numbers. */
  asksForRepeats?: boolean;
};

const messageOf = <Code extends keyof typeof errors>(code: Code) => errors[code].message;
/** Messages about lines that are not good, for the islands that check them while typing. */
export const LINE_MESSAGES = {
  "msisdn.invalid": messageOf("msisdn.invalid"),
  "order.quantity_invalid": messageOf("order.quantity_invalid"),
  "bulk.line_unclear": messageOf("bulk.line_unclear"),
  "bulk.remark_unclear": messageOf("bulk.remark_unclear"),
  "bulk.cell_without_value": messageOf("bulk.cell_without_value"),
  "bulk.number_rounded": messageOf("bulk.number_rounded"),
  "bulk.figure_unclear": messageOf("bulk.figure_unclear"),
  "bulk.size_missing": messageOf("bulk.size_missing"),
  "bulk.size_not_sold": messageOf("bulk.size_not_sold"),
  "bulk.bundle_unclear": messageOf("bulk.bundle_unclear"),
  "bulk.network_missing": messageOf("bulk.network_missing"),
  "bulk.network_unconfirmed": messageOf("bulk.network_unconfirmed"),
};

/** The form, with the list as it is read beside it. */
export function BulkForm(props: FormProps) {
  const { bundles, offers, balancePesewas, userId, values, refused, asksForRepeats } = props;
  const chosen = optionOf(findBundle(bundles, values?.get("productId") ?? null));
  return (
    <Form
      to="/bulk/preview"
      sends={{ draft: values?.get("draft") || null }}
      isOnce
      encType="multipart/form-data"
      className="bulk-form"
      noValidate
    >
      <section className="card fields">
        <LinesField typed={values?.get("lines") ?? ""} refused={refused} />
        <PackageField bundles={bundles} chosen={chosen} refused={refused} />
        <FileField refused={refused} />
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
      </section>
      <section className="card live-list">
        <h2>Your list</h2>
        <OperatorsForIslands forLists />
        <Island
          component={BulkCheck}
          props={{ offers, balancePesewas, productId: chosen, messages: LINE_MESSAGES, userId }}
          on="idle"
        />
        <Examples />
      </section>
      <div className="pay-bar">
        <p className="small soft">You see every line and the price before anything is placed.</p>
        <button type="submit" data-sending="Checking…">
          Check list
        </button>
        <button className="quiet" type="submit" formAction="/bulk/drafts" data-sending="Saving…">
          Save as draft
        </button>
      </div>
    </Form>
  );
}

type PackageProps = {
  bundles: products.ProductOnSale[];
  chosen: string;
  refused: Refused | undefined;
};

function PackageField({ bundles, chosen, refused }: PackageProps) {
  const error = refused?.error.details?.fields?.productId;
  return (
    <div>
      <label htmlFor="bulk-product">Package</label>
      <select
        id="bulk-product"
        name="productId"
        defaultValue={chosen}
        {...(error && { autoFocus: true })}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "bulk-product-error bulk-product-hint" : "bulk-product-hint"}
      >
        <option value="">As in each line (0241234567 5GB)</option>
        <BundleOptions bundles={bundles} />
      </select>
      {error && (
        <p className="error" id="bulk-product-error">
          {error}
        </p>
      )}
      <p className="hint" id="bulk-product-hint">
        For lines without a size of their own.
      </p>
    </div>
  );
}

type LinesProps = { typed: string; refused: Refused | undefined };

function LinesField({ typed, refused }: LinesProps) {
  const error = refused?.error.details?.fields?.lines;
  return (
    <div>
      <label htmlFor="bulk-lines">Numbers</label>
      <textarea
        id="bulk-lines"
        name="lines"
        {...(error && { autoFocus: true })}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "bulk-lines-error bulk-hint" : "bulk-hint"}
        placeholder={"0241234567 2GB\n0201234567 5GB\n0271234567,2"}
        defaultValue={typed}
        rows={8}
      />
      {error && (
        <p className="error" id="bulk-lines-error">
          {error}
        </p>
      )}
      <p className="hint" id="bulk-hint">
        Paste what you have: numbers, a sheet's columns, a message with names. Sizes and networks may be mixed. Up to{" "}
        {limits.bulkLines.toLocaleString("en")} lines.
      </p>
    </div>
  );
}

const EXAMPLES: [line: string, meaning: string][] = [
  ["0241234567", "the package chosen for the list"],
  ["0241234567 5GB", "5 GB of the number's own network"],
  ["0201234567 5GB MTN", "5 GB from MTN: the number was moved there"],
  ["0241234567,2", "two of the package"],
  ["0271234567 15GB BigTime", "15 GB of AT BigTime"],
  ["MTN 5GB:", "on a line of its own: 5 GB from MTN for the numbers below"],
];

/** How lines are read; shown until there are lines. */
function Examples() {
  return (
    <div className="examples">
      <p className="soft">Each line appears here with its bundle and price. Lines are read like this:</p>
      <dl>
        {EXAMPLES.map(([line, meaning]) => (
          <div key={line}>
            <dt className="money">{line}</dt>
            <dd className="soft">{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function FileField({ refused }: { refused: Refused | undefined }) {
  const error = refused?.error.details?.fields?.file;
  return (
    <div>
      <label htmlFor="bulk-file">Or a file</label>
      <input
        id="bulk-file"
        name="file"
        type="file"
        accept={SHEET_KINDS}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "bulk-file-error bulk-file-hint" : "bulk-file-hint"}
      />
      {error && (
        <p className="error" id="bulk-file-error">
          {error}
        </p>
      )}
      <p className="hint" id="bulk-file-hint">
        CSV, text or Excel (.xlsx, .xls); its lines come below the numbers.{" "}
        <a href="/bulk-sample.csv" download>
          A sample
        </a>
      </p>
    </div>
  );
}
