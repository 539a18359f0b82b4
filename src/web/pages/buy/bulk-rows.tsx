// Lines in the check of a bulk list: the questions about all of them, the ones to fix in place, and the good ones.

import { problemMessage } from "../../../core/orders/bulk-orders.ts";
import { OPERATOR_NAMES } from "../../../shared/domain.ts";
import { spacedMsisdn } from "../../../shared/msisdn.ts";
import { submits } from "../../ui/action.tsx";
import { Money, OperatorTag } from "../../ui/parts.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import type { BulkList, Row } from "../../upload/bulk-list.ts";
import type { ListAction } from "./bulk-check.tsx";

/** Nobody reads ten thousand rows; the figures above show how many there are. */
const TO_FIX_SHOWN = 100;
const GOOD_SHOWN = 100;

/** One form for all corrections: the answers, and each line in its row. */
export function FixForm({ list }: { list: BulkList }) {
  const { draft, toFix, repeated } = list;
  const rows = [...toFix, ...repeated];
  const hasQuestions = list.rows.some(({ figure }) => figure !== null) || otherNetworksOf(list).length > 0;
  const asksForRepeats = repeated.length > 0 || draft.allowsRepeats;
  if (rows.length === 0 && !hasQuestions && !asksForRepeats) return null;
  const hidden = rows.length - TO_FIX_SHOWN;
  return (
    <form method="post" action={`/bulk/check/${draft.id}`} className="card fields fix">
      <input type="hidden" name="version" value={draft.version} />
      <FigureQuestion list={list} />
      <NetworkQuestion list={list} />
      {asksForRepeats && (
        <label className="check">
          <input type="checkbox" name="allowDuplicate" value="yes" defaultChecked={draft.allowsRepeats} />
          Order repeated numbers as well
        </label>
      )}
      {rows.length > 0 && (
        <>
          <h2>
            Lines to fix <span className="soft">({rows.length.toLocaleString("en")})</span>
          </h2>
          <ul className="fixes">
            {rows.slice(0, TO_FIX_SHOWN).map((row) => (
              <FixRow key={row.index} row={row} />
            ))}
          </ul>
          {hidden > 0 && (
            <p className="soft">{hidden.toLocaleString("en")} more will follow once these are fixed.</p>
          )}
        </>
      )}
      <div className="actions">
        <button type="submit" {...submits<ListAction>("check")}>
          Save and check again
        </button>
        {rows.length > 0 && (
          <button className="quiet" type="submit" {...submits<ListAction>("remove")}>
            Remove these {rows.length.toLocaleString("en")}
          </button>
        )}
      </div>
    </form>
  );
}

/** A question about the whole list, with its first figure as the example. */
function FigureQuestion({ list: { draft, rows } }: { list: BulkList }) {
  const withFigures = rows.filter(({ figure }) => figure !== null);
  const first = withFigures[0];
  if (!first) return null;
  const choices = [
    ["size", `${first.figure} GB of data`],
    ["quantity", `${first.figure} ${first.figure === 1 ? "bundle" : "bundles"}`],
    ["nothing", "neither: leave the figures out"],
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

function otherNetworksOf({ draft, rows }: BulkList): Row[] {
  return rows.filter(
    ({ network, operatorGuess }) => !network && operatorGuess !== null && operatorGuess !== draft.operator,
  );
}

function NetworkQuestion({ list }: { list: BulkList }) {
  const { draft } = list;
  const others = otherNetworksOf(list);
  if (others.length === 0) return null;
  const names = [...new Set(others.map(({ operatorGuess }) => OPERATOR_NAMES[operatorGuess!]))].join(" or ");
  const listNetwork = OPERATOR_NAMES[draft.operator];
  return (
    <Question
      name="otherNetworks"
      answer={draft.otherNetworks}
      choices={[
        ["own", `Send them ${names} bundles`],
        ["moved", `They were moved to ${listNetwork}: send ${listNetwork} bundles`],
      ]}
      question={countText(
        others.length,
        "number looks like another network",
        "numbers look like another network",
      )}
      hint={`${spacedMsisdn(others[0]!.msisdn!)} looks like ${OPERATOR_NAMES[others[0]!.operatorGuess!]}.`}
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

function Question({ name, question, hint, choices, answer }: QuestionProps) {
  return (
    <fieldset className="note warn question">
      <legend>{question}</legend>
      <p className="hint">{hint}</p>
      {choices.map(([value, label]) => (
        <label className="check" key={value}>
          <input type="radio" name={name} value={value} defaultChecked={answer === value} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

function FixRow({ row }: { row: Row }) {
  const id = `fix-${row.index}`;
  return (
    <li>
      <label htmlFor={id}>Line {row.line}</label>
      <input
        id={id}
        name={`fix.${row.index}`}
        defaultValue={row.text}
        autoComplete="off"
        aria-invalid="true"
        aria-describedby={`${id}-error`}
      />
      <p className="error" id={`${id}-error`}>
        {problemText(row)}
      </p>
    </li>
  );
}

function problemText({ problem, sameAsLine, paused }: Row): string {
  if (problem === "order.duplicate")
    return sameAsLine ? `The same number as in line ${sameAsLine}` : "Ordered within the last ten minutes";
  return problemMessage(problem!, paused);
}

const GOOD: Column<Row>[] = [
  { head: "Number", className: "money number", cell: ({ msisdn }) => spacedMsisdn(msisdn!) },
  { head: "Price", isNumber: true, cell: ({ amountPesewas }) => <Money pesewas={amountPesewas!} /> },
  {
    head: "Bundle",
    cell: ({ offer }) => (
      <>
        <OperatorTag operator={offer!.operator} /> <bdi>{offer!.size}</bdi>
      </>
    ),
  },
  { head: "Quantity", isNumber: true, cell: ({ quantity }) => `× ${quantity}` },
  { head: "Line", isNumber: true, className: "soft small", cell: ({ line }) => `Line ${line}` },
];

export function GoodLines({ rows }: { rows: Row[] }) {
  if (rows.length === 0) return null;
  const hidden = rows.length - GOOD_SHOWN;
  return (
    <section className="card">
      <h2>
        Good lines <span className="soft">({rows.length.toLocaleString("en")})</span>
      </h2>
      <Table rows={rows.slice(0, GOOD_SHOWN)} columns={GOOD} className="good-lines" />
      {hidden > 0 && <p className="soft">{hidden.toLocaleString("en")} more are not shown.</p>}
    </section>
  );
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
