// Form for bulk orders.
import { BulkCheck } from "../../../../islands/bulk-check.tsx";
import type * as products from "../../../core/catalog/products.ts";
import type { Offer } from "../../../shared/bulk-bundles.ts";
import { limits, type Operator } from "../../../shared/domain.ts";
import { errors } from "../../../shared/errors/codes.ts";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { FormKey } from "../../ui/parts.tsx";
import { BundleOptions, EACH } from "./packages.tsx";

type FormProps = {
  operator: Operator;
  bundles: products.ProductOnSale[];
  /** All bundles on sale, because a line may name another size or network. */
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
/** Messages about unreadable lines, for the island that checks them while typing. */
const LINE_MESSAGES = {
  "msisdn.invalid": messageOf("msisdn.invalid"),
  "order.quantity_invalid": messageOf("order.quantity_invalid"),
  "bulk.line_unclear": messageOf("bulk.line_unclear"),
  "bulk.number_rounded": messageOf("bulk.number_rounded"),
  "bulk.size_missing": messageOf("bulk.size_missing"),
  "bulk.size_not_sold": messageOf("bulk.size_not_sold"),
  "bulk.bundle_unclear": messageOf("bulk.bundle_unclear"),
};

export function BulkForm(props: FormProps) {
  const { operator, bundles, offers, balancePesewas, userId, values, refused, asksForRepeats } = props;
  const isPaused = bundles.every((bundle) => bundle.paused !== null);
  return (
    <form
      method="post"
      action="/bulk/preview"
      encType="multipart/form-data"
      className="fields"
      id="bulk"
      noValidate
    >
      <FormKey />
      <input type="hidden" name="operator" value={operator} />
      {values?.get("draft") && <input type="hidden" name="draft" value={values.get("draft")!} />}
      <PackageField bundles={bundles} chosen={values?.get("productId") ?? ""} refused={refused} />
      <LinesField typed={values?.get("lines") ?? ""} />
      <FileField refused={refused} />
      <Island
        component={BulkCheck}
        props={{
          operator,
          offers,
          balancePesewas,
          productId: values?.get("productId") ?? "",
          messages: LINE_MESSAGES,
          userId,
        }}
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
      <div className="actions">
        <button type="submit" disabled={isPaused}>
          Check list
        </button>
        <button className="quiet" type="submit" formAction="/bulk/drafts">
          Save as draft
        </button>
      </div>
      <p className="hint">You see every line and the price before anything is placed.</p>
    </form>
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
        aria-required="true"
        aria-invalid={error ? true : undefined}
        aria-describedby={error && "bulk-product-error"}
      >
        <option value="">Select a package</option>
        <BundleOptions bundles={bundles} />
        <option value={EACH}>As in each line (0241234567 5GB)</option>
      </select>
      {error && (
        <p className="error" id="bulk-product-error">
          {error}
        </p>
      )}
    </div>
  );
}

function LinesField({ typed }: { typed: string }) {
  return (
    <div>
      <label htmlFor="bulk-lines">Numbers</label>
      <textarea
        id="bulk-lines"
        name="lines"
        aria-describedby="bulk-hint"
        placeholder={"0541234567\n0241234567,2\n0241234567 5GB"}
        defaultValue={typed}
        rows={8}
      />
      <p className="hint" id="bulk-hint">
        Paste what you have: numbers, a sheet's columns, a message with names. A quantity goes after a comma,
        as in 0241234567,2. A line may have its own size and network, as in 0241234567 5GB AT. Up to{" "}
        {limits.bulkLines.toLocaleString("en")} lines.
      </p>
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
        accept=".csv,.txt,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? "bulk-file-error bulk-file-hint" : "bulk-file-hint"}
      />
      {error && (
        <p className="error" id="bulk-file-error">
          {error}
        </p>
      )}
      <p className="hint" id="bulk-file-hint">
        CSV, text or Excel (.xlsx); its lines come below the numbers.{" "}
        <a href="/bulk-sample.csv" download>
          A sample
        </a>
      </p>
    </div>
  );
}
