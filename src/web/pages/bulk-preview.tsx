// What a bulk order would do: the figures, the lines that need mending, the good lines, and the form that places them.
import { PlaceProgress } from "../../../islands/place-progress.tsx";
import type { Preview, PreviewLine } from "../../core/bulk.ts";
import type { BulkLine } from "../../shared/bulk-lines.ts";
import { catalogue } from "../../shared/catalogue.ts";
import { OPERATOR_NAMES } from "../../shared/domain.ts";
import { show } from "../../shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import { Island } from "../island.tsx";
import { Figure, FormKey, Money } from "../parts.tsx";

/** Ten thousand rows help nobody; the counts above say how many there are. */
const BAD_SHOWN = 500;
const GOOD_SHOWN = 200;

/** A line as it was understood, with its place and its words in the pasted text. */
type Row = PreviewLine & { text: string; place: number; sameAsPlace: number | null };

type Props = { seen: Preview; parsed: BulkLine[]; values: URLSearchParams };

export function BulkPreview({ seen, parsed, values }: Props) {
  const rows = seen.lines.map((line, i): Row => {
    const { text, line: place, problem } = parsed[i]!;
    const sameAsPlace = line.sameAsLine && parsed[line.sameAsLine - 1]!.line;
    return { ...line, text, place, sameAsPlace, problem: problem ?? line.problem };
  });
  const good = rows.filter((row) => row.problem === null);
  const bad = rows.filter((row) => row.problem !== null);
  const leftPesewas = seen.balancePesewas - seen.totalPesewas;
  return (
    <>
      <div className="grid">
        <Figure name="Good lines">{good.length.toLocaleString("en")}</Figure>
        <Figure name="Lines to mend">{bad.length.toLocaleString("en")}</Figure>
        <Figure name="To pay">
          <Money pesewas={seen.totalPesewas} />
        </Figure>
        <Figure name="In your wallet">
          <Money pesewas={seen.balancePesewas} />
        </Figure>
      </div>
      {leftPesewas < 0 && (
        <p className="note bad" role="alert">
          Insufficient wallet balance. You need {show(-leftPesewas)} more for all of them.
        </p>
      )}
      <PlaceForm values={values} seen={seen} good={good} bad={bad} />
      <Lines name="Lines to mend" rows={bad} most={BAD_SHOWN} />
      <Lines name="Good lines" rows={good} most={GOOD_SHOWN} />
    </>
  );
}

type PlaceProps = { values: URLSearchParams; seen: Preview; good: Row[]; bad: Row[] };

/**
 * The good lines once more, as a form of their own: what is placed is what was shown, at the price that was shown. Those
 * that are left over (bad, or beyond the balance) go with them and become a draft, or everything does.
 */
function PlaceForm({ values, seen, good, bad }: PlaceProps) {
  const affordable = good.slice(0, seen.affordableCount);
  const rest = [...good.slice(affordable.length), ...bad].sort((a, b) => a.line - b.line);
  const totalPesewas = affordable.reduce((sum, row) => sum + row.amountPesewas!, 0);
  const n = affordable.length;
  const words =
    n === good.length ? `Place Bulk Orders (${n})` : `Place the first ${n} ${n === 1 ? "order" : "orders"}`;
  return (
    <section className="card">
      {n > 0 && (
        <form method="post" action="/bulk" encType="multipart/form-data" className="fields">
          <FormKey />
          <CarriedFields values={values} />
          <input
            type="hidden"
            name="productId"
            value={`${good[0]!.productId}@${good[0]!.amountPesewas! / good[0]!.quantity}`}
          />
          <input
            type="hidden"
            name="lines"
            value={affordable.map((row) => `${localMsisdn(row.msisdn!)},${row.quantity}`).join("\n")}
          />
          <input type="hidden" name="rest" value={rest.map((row) => row.text).join("\n")} />
          <p className="actions">
            <button type="submit">
              {words}
              {rest.length > 0 && `, keep ${rest.length.toLocaleString("en")} as a draft`}
            </button>
            <span className="soft">
              <Money pesewas={totalPesewas} /> from your wallet, all of them or none.{" "}
              <Money pesewas={seen.balancePesewas - totalPesewas} /> stays in it.
            </span>
          </p>
          <Island of={PlaceProgress} props={{ lineCount: n }} on="load" />
        </form>
      )}
      <form method="post" action="/bulk/drafts" encType="multipart/form-data">
        <FormKey />
        <CarriedFields values={values} />
        <input type="hidden" name="productId" value={values.get("productId") ?? ""} />
        <input type="hidden" name="lines" value={values.get("lines") ?? ""} />
        <button className="quiet" type="submit">
          Place nothing, save all as a draft
        </button>
      </form>
    </section>
  );
}

/** What all forms of this page say about the bulk order. */
function CarriedFields({ values }: { values: URLSearchParams }) {
  return ["operator", "draft", "allowDuplicate"].map((name) => {
    const value = values.get(name);
    return value ? <input key={name} type="hidden" name={name} value={value} /> : null;
  });
}

function Lines({ name, rows, most }: { name: string; rows: Row[]; most: number }) {
  if (rows.length === 0) return null;
  const hidden = rows.length - most;
  return (
    <section className="card">
      <h2>
        {name} <span className="soft">({rows.length.toLocaleString("en")})</span>
      </h2>
      <div className="scroll">
        <table className="cards">
          <thead>
            <tr>
              <th>Number</th>
              <th className="num">Price</th>
              <th>Network by prefix</th>
              <th className="num">Quantity</th>
              <th>Verdict</th>
              <th className="num">Line</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <LineRow key={row.line} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {hidden > 0 && <p className="soft">{hidden.toLocaleString("en")} more are not shown.</p>}
    </section>
  );
}

function LineRow({ row }: { row: Row }) {
  const isRead = row.msisdn !== null && Number.isInteger(row.quantity);
  return (
    <tr>
      <td className="typed">
        {isRead ? (
          <span className="money">{spacedMsisdn(row.msisdn!)}</span>
        ) : (
          <bdi>{row.text.slice(0, 120)}</bdi>
        )}
      </td>
      <td className="num">{row.amountPesewas !== null && <Money pesewas={row.amountPesewas} />}</td>
      <td className="soft">{row.operatorGuess && OPERATOR_NAMES[row.operatorGuess]}</td>
      <td className="num">{isRead && <>× {row.quantity}</>}</td>
      <td>
        {row.problem ? (
          <span className="error">{problemWords(row)}</span>
        ) : (
          <span className="chip good">Good</span>
        )}
      </td>
      <td className="num soft small money">Line {row.place}</td>
    </tr>
  );
}

function problemWords({ problem, sameAsPlace }: Row): string {
  if (problem === "order.duplicate")
    return sameAsPlace ? `The same number as in line ${sameAsPlace}` : "Ordered within the last ten minutes";
  return catalogue[problem!].message;
}
