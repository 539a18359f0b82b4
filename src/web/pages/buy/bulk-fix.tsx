// Open questions of a list before it is complete: those about all of it, and the lines to fix, each with its field and
// its bundles in its row.

import { BulkFix } from "../../../../islands/bulk-fix.tsx";
import { problemMessage } from "../../../core/buying/bulk-orders.ts";
import type { ErrorCode } from "../../../shared/errors/app-error.ts";
import { offersFor } from "../../../shared/lists/bulk-bundles.ts";
import { show } from "../../../shared/money.ts";
import { familyName, operatorName } from "../../../shared/operators.ts";
import { spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { Island } from "../../island.tsx";
import type { Refused } from "../../page.tsx";
import { submits } from "../../ui/action.tsx";
import { OperatorsForIslands } from "../../ui/orders/operator-facts.tsx";
import type { BulkList, Row } from "../../upload/bulk-list.ts";
import type { ListAction } from "./bulk-check.tsx";
import { LINE_MESSAGES } from "./bulk-form.tsx";

/** Nobody fixes ten thousand rows one by one; the figures above show how many there are. */
export const TO_FIX_SHOWN = 50;

type Props = { list: BulkList; refused: Refused | undefined };

export function FixCard({ list, refused }: Props) {
  const { draft, offers, toFix, repeated } = list;
  const rows = [...toFix, ...repeated];
  const hasQuestions = list.rows.some(({ figure }) => figure !== null) || otherNetworksOf(list).length > 0;
  const asksForRepeats = repeated.length > 0 || draft.allowsRepeats;
  if (rows.length === 0 && !hasQuestions && !asksForRepeats) return null;
  const { operator, productId, figures, otherNetworks } = draft;
  const choices = { operator, productId, figures, otherNetworks };
  return (
    <section className="card fields">
      <FigureQuestion list={list} />
      <NetworkQuestion list={list} />
      {asksForRepeats && (
        <label className="check">
          <input type="checkbox" name="allowDuplicate" value="yes" defaultChecked={draft.allowsRepeats} />
          Order repeated numbers as well
        </label>
      )}
      <FixRows title="Lines to fix" rows={toFix} shownMax={TO_FIX_SHOWN} {...{ list, refused }} />
      <FixRows
        title="Repeated"
        rows={repeated}
        shownMax={Math.max(0, TO_FIX_SHOWN - toFix.length)}
        {...{ list, refused }}
      />
      <div className="actions">
        <button type="submit" {...submits<ListAction>("check")} data-sending="Checking…">
          Check again
        </button>
        {rows.length > 0 && (
          <button className="quiet" type="submit" {...submits<ListAction>("remove")}>
            Remove these {rows.length.toLocaleString("en")}
          </button>
        )}
      </div>
      <OperatorsForIslands forLists />
      <Island component={BulkFix} props={{ offers, choices, messages: LINE_MESSAGES }} on="idle" />
    </section>
  );
}

type RowsProps = Props & { title: string; rows: Row[]; shownMax: number };

/** The rows of one kind, as many as the figure of this kind above says. */
function FixRows({ list, title, rows, shownMax, refused }: RowsProps) {
  if (rows.length === 0) return null;
  const hidden = Math.max(0, rows.length - shownMax);
  // What was typed on this version of the list is still there after a refusal.
  const typed = refused?.values.get("version") === String(list.draft.version) ? refused.values : null;
  return (
    <div>
      <h2>
        {title} <span className="soft">({rows.length.toLocaleString("en")})</span>
      </h2>
      <ul className="fixes">
        {rows.slice(0, shownMax).map((row) => (
          <FixRow key={row.index} {...{ list, row, typed }} />
        ))}
      </ul>
      {hidden > 0 && <p className="soft">{hidden.toLocaleString("en")} more will follow once these are fixed.</p>}
    </div>
  );
}

type RowProps = { list: BulkList; row: Row; typed: URLSearchParams | null };

function FixRow({ list, row, typed }: RowProps) {
  const { index, line, text } = row;
  const id = `fix-${index}`;
  return (
    <li>
      <label htmlFor={id}>Line {line}</label>
      <input
        id={id}
        name={`fix.${index}`}
        defaultValue={typed?.get(`fix.${index}`) ?? text}
        autoComplete="off"
        aria-invalid="true"
        aria-describedby={`${id}-error`}
      />
      {BY_BUNDLE.has(row.problem) && row.msisdn !== null && <BundleChoice list={list} row={row} />}
      <button className="quiet tiny" type="submit" {...submits<ListAction>("drop", index)}>
        Remove<span className="sr"> line {line}</span>
      </button>
      <p className="error" id={`${id}-error`}>
        {problemText(row)}
      </p>
    </li>
  );
}

/** The problems that choosing a bundle solves. */
const BY_BUNDLE: ReadonlySet<ErrorCode | null> = new Set([
  "bulk.size_missing",
  "bulk.size_not_sold",
  "bulk.bundle_unclear",
  "bulk.network_missing",
  "product.paused",
]);

function BundleChoice({ list: { draft, offers }, row }: { list: BulkList; row: Row }) {
  const families = Map.groupBy(offersFor(row, offers, draft), ({ family }) => family);
  return (
    <select name={`bundle.${row.index}`} defaultValue="" aria-label={`Bundle for line ${row.line}`}>
      <option value="">Choose a bundle</option>
      {[...families].map(([family, some]) => (
        <optgroup key={family} label={familyName(family)}>
          {some.map(({ id, size, pricePesewas }) => (
            <option key={id} value={id}>
              {size} – {show(pricePesewas)}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  );
}

function problemText({ problem, sameAsLine, paused }: Row): string {
  if (problem === "order.duplicate")
    return sameAsLine ? `The same number as in line ${sameAsLine}` : "Ordered within the last ten minutes";
  return problemMessage(problem!, paused);
}

/** A question about the whole list, with its first figure as the example. */
function FigureQuestion({ list: { draft, rows } }: { list: BulkList }) {
  const withFigures = rows.filter(({ figure }) => figure !== null);
  const first = withFigures[0];
  if (!first) return null;
  const choices = [
    ["size", `${first.figure} GB of data`],
    ["quantity", `${first.figure} ${first.figure === 1 ? "bundle" : "bundles"}`],
    ["nothing", "Ignore this number"],
  ] as const;
  return (
    <Question
      name="figures"
      answer={draft.figures}
      choices={choices}
      question={`What does the ${first.figure} in "${first.text.slice(0, 60)}" mean?`}
      hint={countText(withFigures.length, "line has such a figure.", "lines have such a figure.")}
    />
  );
}

/** The rows whose prefix belongs to another network than the list's; none when each number has its own. */
function otherNetworksOf({ draft: { operator }, rows }: BulkList): Row[] {
  return rows.filter(
    ({ network, operatorGuess }) =>
      operator !== null && !network && operatorGuess !== null && operatorGuess !== operator,
  );
}

function NetworkQuestion({ list }: { list: BulkList }) {
  const { draft } = list;
  const others = otherNetworksOf(list);
  if (others.length === 0) return null;
  const names = [...new Set(others.map(({ operatorGuess }) => operatorName(operatorGuess!)))].join(" or ");
  const listNetwork = operatorName(draft.operator!);
  return (
    <Question
      name="otherNetworks"
      answer={draft.otherNetworks}
      choices={[
        ["own", `Change them: send ${names} bundles`],
        ["moved", `Keep ${listNetwork}: they were moved to it`],
      ]}
      question={countText(others.length, "number looks like another network", "numbers look like another network")}
      hint={`${spacedMsisdn(others[0]!.msisdn!)} looks like ${operatorName(others[0]!.operatorGuess!)}.`}
    />
  );
}

type QuestionProps = {
  name: string;
  question: string;
  hint: string;
  choices: readonly (readonly [value: string, label: string])[];
  answer: string | null;
};

/** An open question; once it is answered, the answer, which can be changed. */
function Question({ name, question, hint, choices, answer }: QuestionProps) {
  const given = choices.find(([value]) => value === answer);
  const fieldset = (
    <fieldset className={given ? "question" : "note warn question"}>
      <legend className={given && "sr"}>{question}</legend>
      <p className="hint">{hint}</p>
      {choices.map(([value, label]) => (
        <label className="check" key={value}>
          <input type="radio" name={name} value={value} defaultChecked={answer === value} />
          {label}
        </label>
      ))}
    </fieldset>
  );
  if (!given) return fieldset;
  return (
    <details>
      <summary>
        {question} <span className="soft">{given[1]}</span>
      </summary>
      {fieldset}
    </details>
  );
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
