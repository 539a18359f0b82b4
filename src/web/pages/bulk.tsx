// Bulk orders without a script: paste lines, look at what was understood, then place the good ones.
import { z } from "zod";
import * as bulk from "../../core/bulk.ts";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import { type BulkLine, parseBulkLines } from "../../shared/bulk-lines.ts";
import { limits, OPERATOR_NAMES, OPERATORS, type Operator } from "../../shared/domain.ts";
import { AppError, catalogue } from "../../shared/errors.ts";
import { localMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import { type Context, type Page, type Refused, readFields, redirect, type View } from "../page.tsx";
import { FormKey, Money, RefusalNote } from "../parts.tsx";
import { BundleOptions, PATHS } from "./bundles.tsx";

export function BulkForm(props: {
  operator: Operator;
  bundles: products.ProductOnSale[];
  productId?: number;
  text?: string;
}) {
  const { operator, bundles, productId, text } = props;
  return (
    <form method="post" action="/bulk/preview" className="fields" noValidate>
      <input type="hidden" name="operator" value={operator} />
      <div>
        <label htmlFor="bulk-product">Package</label>
        <select id="bulk-product" name="productId" defaultValue={productId ?? ""}>
          <option value="">Select a package</option>
          <BundleOptions bundles={bundles} />
        </select>
      </div>
      <div>
        <label htmlFor="bulk-lines">Numbers</label>
        <textarea id="bulk-lines" name="lines" aria-describedby="bulk-hint" defaultValue={text} rows={8} />
        <p className="hint" id="bulk-hint">
          One number per line; a quantity after a comma, as in 0541234567,2. Up to{" "}
          {limits.bulkLines.toLocaleString("en")} lines.
        </p>
      </div>
      <button className="quiet" type="submit">
        Check Bulk Order
      </button>
    </form>
  );
}

const Asked = z.object({
  operator: z.enum(OPERATORS),
  productId: z
    .string("Select a package")
    .regex(/^\d{1,15}$/, "Select a package")
    .transform(Number),
  lines: z.string("Add at least one number"),
  allowDuplicate: z.literal("yes").optional(),
});

export const bulkPages: Page[] = [
  { path: "/bulk/preview", role: "user", bodyBytesMax: limits.bulkBodyBytes, show: showAgain, submit: check },
  { path: "/bulk", role: "user", bodyBytesMax: limits.bulkBodyBytes, show: showAgain, submit: place },
];

/** The form once more, with everything that was pasted and why it was not taken. */
async function showAgain({ db }: Context, refused?: Refused): Promise<View | Response> {
  const operator = OPERATORS.find((code) => code === refused?.values.get("operator"));
  if (!refused || !operator) return redirect("/mtn-data");
  const text = refused.values.get("lines") ?? "";
  return {
    title: "Bulk order",
    body: (
      <section className={`card stripe ${operator}`}>
        <h1>Bulk order</h1>
        <RefusalNote refused={refused} />
        <RefusedLines error={refused.error} />
        <BulkForm
          operator={operator}
          bundles={await products.list(db, operator)}
          productId={Number(refused.values.get("productId"))}
          text={text}
        />
      </section>
    ),
  };
}

function RefusedLines({ error }: { error: AppError }) {
  const lines = error.details?.lines ?? [];
  if (lines.length === 0) return null;
  return (
    <ul className="error">
      {lines.slice(0, 20).map((line) => (
        <li key={line.line}>
          Line {line.line}: {line.message}
        </li>
      ))}
    </ul>
  );
}

/** How many lines a page shows; what is wrong with a line is shown first. */
const SHOWN = 200;

async function check(context: Context): Promise<View> {
  const { db, by, form } = context;
  const asked = readFields(Asked, form);
  const parsed = read(asked.lines);
  const lines = parsed.map((line) => toLine(line, asked));
  const seen = await bulk.preview(db, { by, lines });
  const rows = seen.lines.map((line, i) => ({
    ...line,
    text: parsed[i]!.text,
    problem: parsed[i]!.problem ?? line.problem,
  }));
  const good = rows.filter((row) => row.problem === null);
  const bad = rows.filter((row) => row.problem !== null);
  const leftPesewas = seen.balancePesewas - good.reduce((sum, row) => sum + row.amountPesewas!, 0);
  return {
    title: "Check bulk order",
    body: (
      <>
        <h1>Check bulk order</h1>
        <p className="soft">Nothing has been paid yet.</p>
        <div className="grid">
          <Figure name="Good lines" value={good.length.toLocaleString("en")} />
          <Figure name="Lines to mend" value={bad.length.toLocaleString("en")} />
          <Figure name="To pay" value={<Money pesewas={seen.balancePesewas - leftPesewas} />} />
          <Figure name="Wallet afterwards" value={<Money pesewas={leftPesewas} />} />
        </div>
        {good.length > 0 && leftPesewas >= 0 && <PlaceForm asked={asked} good={good} />}
        {good.length > 0 && leftPesewas < 0 && (
          <p className="note bad" role="alert">
            Insufficient wallet balance: <Money pesewas={-leftPesewas} /> is missing. Your balance pays for
            the first {seen.affordableCount.toLocaleString("en")} lines.
          </p>
        )}
        <LineTable rows={[...bad, ...good].slice(0, SHOWN)} hidden={rows.length - SHOWN} />
        <p>
          <a href={PATHS[asked.operator]}>Back to {OPERATOR_NAMES[asked.operator]}</a>
        </p>
      </>
    ),
  };
}

async function place({ db, by, form, key }: Context): Promise<Response> {
  const asked = readFields(Asked, form);
  const lines = read(asked.lines).map((line) => toLine(line, asked));
  const allowDuplicate = asked.allowDuplicate === "yes";
  const { answer } = await orders.buyBulk(db, { by, key, lines, allowDuplicate });
  return redirect("/orders", `Created ${answer.orders.length.toLocaleString("en")} orders`);
}

function read(text: string): BulkLine[] {
  const lines = parseBulkLines(text);
  if (lines.length === 0) throw new AppError("request.invalid", undefined, "Add at least one number");
  if (lines.length > limits.bulkLines) {
    throw new AppError(
      "request.invalid",
      undefined,
      `At most ${limits.bulkLines.toLocaleString("en")} lines at once`,
    );
  }
  return lines;
}

function toLine(line: BulkLine, { productId, operator }: z.output<typeof Asked>) {
  return { productId, operator, msisdn: line.msisdn ?? line.text.slice(0, 40), quantity: line.quantity };
}

type Row = bulk.PreviewLine & { text: string };

/** The good lines once more, as a form of their own: what is placed is what was shown. */
function PlaceForm({ asked, good }: { asked: z.output<typeof Asked>; good: Row[] }) {
  const text = good.map((row) => `${localMsisdn(row.msisdn!)},${row.quantity}`).join("\n");
  return (
    <form method="post" action="/bulk" className="card actions">
      <FormKey />
      <input type="hidden" name="operator" value={asked.operator} />
      <input type="hidden" name="productId" value={asked.productId} />
      <input type="hidden" name="lines" value={text} />
      <button type="submit">Place Bulk Orders ({good.length.toLocaleString("en")})</button>
      <span className="soft">Only the good lines are placed, all or none.</span>
    </form>
  );
}

function Figure({ name, value }: { name: string; value: React.ReactNode }) {
  return (
    <section className="card">
      <h2 className="small soft">{name}</h2>
      <p className="figure">{value}</p>
    </section>
  );
}

function LineTable({ rows, hidden }: { rows: Row[]; hidden: number }) {
  return (
    <section className="card">
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Line</th>
              <th>Number</th>
              <th>Network by prefix</th>
              <th className="num">Quantity</th>
              <th className="num">Price</th>
              <th>Verdict</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.line}>
                <td className="soft">{row.line}</td>
                <td className="money">
                  {row.msisdn ? spacedMsisdn(row.msisdn) : <bdi>{row.text.slice(0, 60)}</bdi>}
                </td>
                <td>{row.operatorGuess ? OPERATOR_NAMES[row.operatorGuess] : ""}</td>
                <td className="num">{row.quantity}</td>
                <td className="num">{row.amountPesewas !== null && <Money pesewas={row.amountPesewas} />}</td>
                <td className="full">
                  {row.problem ? (
                    <span className="error">{problemWords(row)}</span>
                  ) : (
                    <span className="chip good">Good</span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <p className="soft">{hidden.toLocaleString("en")} more lines are not shown.</p>}
    </section>
  );
}

function problemWords({ problem, sameAsLine }: Row): string {
  if (problem === "order.duplicate") {
    return sameAsLine ? `The same number as line ${sameAsLine}` : "Ordered within the last ten minutes";
  }
  return catalogue[problem!].message;
}
