// What a bulk order would do: the figures, the lines that need mending, the good lines, and the form that places them.
import type { Preview, PreviewLine } from "../../core/bulk.ts";
import type { BulkLine } from "../../shared/bulk-lines.ts";
import { OPERATOR_NAMES } from "../../shared/domain.ts";
import { catalogue } from "../../shared/errors.ts";
import { show } from "../../shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import { Figure, FormKey, Money } from "../parts.tsx";

/** Ten thousand rows help nobody; the counts above say how many there are. */
const BAD_SHOWN = 500;
const GOOD_SHOWN = 200;

/** A line as it was understood, with its place and its words in the pasted text. */
type Row = PreviewLine & { text: string; place: number; sameAsPlace: number | null };

type Props = { seen: Preview; parsed: BulkLine[]; values: URLSearchParams };

export function BulkPreview({ seen, parsed, values }: Props) {
  const rows = seen.lines.map((line, i): Row => {
    const { text, line: place } = parsed[i]!;
    return { ...line, text, place, sameAsPlace: line.sameAsLine && parsed[line.sameAsLine - 1]!.line };
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
      {leftPesewas >= 0 && good.length > 0 && (
        <PlaceForm values={values} rows={good} words={`Place Bulk Orders (${good.length})`} />
      )}
      {leftPesewas < 0 && seen.affordableCount > 0 && (
        <PlaceForm
          values={values}
          rows={good.slice(0, seen.affordableCount)}
          words={`Place the first ${seen.affordableCount} orders`}
        />
      )}
      <Lines name="Lines to mend" rows={bad} most={BAD_SHOWN} />
      <Lines name="Good lines" rows={good} most={GOOD_SHOWN} />
    </>
  );
}

/** The good lines once more, as a form of their own: what is placed is what was shown, at the price that was shown. */
function PlaceForm({ values, rows, words }: { values: URLSearchParams; rows: Row[]; words: string }) {
  const lines = rows.map((row) => `${localMsisdn(row.msisdn!)},${row.quantity}`).join("\n");
  const unitPesewas = rows[0]!.amountPesewas! / rows[0]!.quantity;
  const totalPesewas = rows.reduce((sum, row) => sum + row.amountPesewas!, 0);
  return (
    <form method="post" action="/bulk" className="card actions">
      <FormKey />
      <input type="hidden" name="operator" value={values.get("operator") ?? ""} />
      <input type="hidden" name="productId" value={`${rows[0]!.productId}@${unitPesewas}`} />
      <input type="hidden" name="lines" value={lines} />
      {values.get("allowDuplicate") === "yes" && <input type="hidden" name="allowDuplicate" value="yes" />}
      <button type="submit">{words}</button>
      <span className="soft">
        <Money pesewas={totalPesewas} /> from your wallet, all of them or none.
      </span>
    </form>
  );
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
      <td className="money">{isRead ? spacedMsisdn(row.msisdn!) : <bdi>{row.text.slice(0, 60)}</bdi>}</td>
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
      <td className="num soft small">Line {row.place}</td>
    </tr>
  );
}

function problemWords({ problem, sameAsPlace }: Row): string {
  if (problem === "order.duplicate")
    return sameAsPlace ? `The same number as in line ${sameAsPlace}` : "Ordered within the last ten minutes";
  return catalogue[problem!].message;
}
