// Preview of an import: the columns as they were recognised, to be corrected by hand, and the lines that they give.
import { z } from "zod";
import * as statements from "../../../../core/payments/deposits/statements.ts";
import { NETWORKS } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { show } from "../../../../shared/money.ts";
import {
  actionsOf,
  type Context,
  type Leave,
  type Page,
  type Refused,
  readId,
  redirect,
  type View,
} from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Money } from "../../../ui/parts.tsx";
import { LINE_COLUMNS } from "../../../ui/staff/statement-lines.tsx";
import { Table } from "../../../ui/table.tsx";
import {
  FIELDS,
  type Field,
  type Mapping,
  missingIn,
  type Recognised,
  recognise,
} from "../../../upload/statements/statement-columns.ts";
import { type Choices, type ReadLines, readLines } from "../../../upload/statements/statement-lines.ts";

const PATH = "/admin/claims/statement";
const SHOWN = 20;
const PROBLEMS_SHOWN = 10;
/** What a person may choose; a column of problems is our own. */
const CHOSEN = (Object.keys(FIELDS) as Field[]).filter((name) => name !== "problem");

const actions = actionsOf({ import: { fields: z.object({}), run: importDraft } });
type PreviewAction = keyof typeof actions;

export const previewPages: Page[] = [
  {
    path: `${PATH}/:id`,
    right: "payments.decide",
    tab: { section: "Money", under: "/admin/claims" },
    subject: "statementDraft",
    show: showPreview,
    actions,
  },
];

type Chosen = Choices & { recognised: Recognised; mapping: Mapping; read: ReadLines | null };

const DATE_ORDERS = { day: "Day first, as in 21/11/2026", month: "Month first, as in 11/21/2026" } as const;

/** The columns as recognised, or as the address or form says; with the lines that they give. */
function readDraft(cells: string[][], chosen: URLSearchParams): Chosen {
  const recognised = recognise(cells);
  const isChosen = chosen.has("id");
  const mapping = { ...recognised.mapping };
  if (isChosen)
    for (const name of CHOSEN) {
      const column = /^\d{1,2}$/.test(chosen.get(name) ?? "") ? Number(chosen.get(name)) : null;
      mapping[name] = column !== null && column < recognised.headings.length ? column : null;
    }
  const isAllIn = chosen.get("all") === "in";
  const dates = chosen.get("dates");
  const dateOrder: Choices["dateOrder"] = dates === "day" || dates === "month" ? dates : null;
  const isReadable = missingIn(mapping) === null;
  const choices: Choices = { isAllIn, dateOrder };
  const read = isReadable ? readLines(cells, recognised.headingRow, mapping, choices) : null;
  return { recognised, mapping, ...choices, read };
}

const idOf = ({ params }: Context) => {
  const id = readId(params.id);
  if (!id) throw new AppError("statement.not_found");
  return id;
};

async function showPreview(context: Context, refused?: Refused): Promise<View> {
  const { db, by, url } = context;
  const draft = await statements.draft(db, by, idOf(context));
  const chosen = readDraft(draft.cells, refused?.values ?? url.searchParams);
  const { read, mapping } = chosen;
  const missing = missingIn(mapping);
  return {
    title: "Check the lines",
    body: (
      <>
        <div className="head">
          <div>
            <h2>{read ? linesText(read.lines.length) : "Which column is what?"}</h2>
            <p className="soft small">
              {NETWORKS[draft.network]}
              {draft.name && (
                <>
                  , <bdi>{draft.name}</bdi>
                </>
              )}
              . Nothing has been imported yet.
            </p>
          </div>
          <a href={PATH}>Back without importing</a>
        </div>
        <RefusalNote refused={refused} />
        {missing && <p className="note warn">{missing}</p>}
        {read && <Left read={read} />}
        {read && read.lines.length > 0 && <ImportForm id={draft.id} chosen={chosen} lines={read.lines} />}
        {read && read.lines.length > 0 && (
          <section className="card">
            <h2>{read.lines.length > SHOWN ? `The first ${SHOWN} lines` : "Lines"}</h2>
            <Table rows={read.lines.slice(0, SHOWN)} columns={LINE_COLUMNS} />
          </section>
        )}
        {draft.source === "file" && <ColumnForm id={draft.id} chosen={chosen} cells={draft.cells} />}
      </>
    ),
  };
}

function linesText(count: number): string {
  return count === 1 ? "1 line to import" : `${count.toLocaleString("en")} lines to import`;
}

/** What is left out, and why. */
function Left({ read: { problems, undated, unfinished } }: { read: ReadLines }) {
  return (
    <>
      {problems.length > 0 && (
        <Reasons
          head={problems.length === 1 ? "1 row is left out:" : `${problems.length} rows are left out:`}
          reasons={problems}
        />
      )}
      {undated.length > 0 && (
        <Reasons head="Imported without a date, unless you choose how dates are written below:" reasons={undated} />
      )}
      {unfinished > 0 && (
        <p className="soft">
          {unfinished === 1
            ? "1 transaction did not succeed and is left out."
            : `${unfinished.toLocaleString("en")} transactions did not succeed and are left out.`}
        </p>
      )}
    </>
  );
}

function Reasons({ head, reasons }: { head: string; reasons: string[] }) {
  const more = reasons.length - PROBLEMS_SHOWN;
  return (
    <div className="note warn">
      <p>{head}</p>
      <ul>
        {reasons.slice(0, PROBLEMS_SHOWN).map((reason) => (
          <li key={reason}>
            <bdi>{reason}</bdi>
          </li>
        ))}
        {more > 0 && <li>and {more.toLocaleString("en")} more</li>}
      </ul>
    </div>
  );
}

type ImportProps = { id: number; chosen: Chosen; lines: statements.NewLine[] };

function ImportForm({ id, chosen: { mapping, isAllIn, dateOrder }, lines }: ImportProps) {
  const incoming = lines.filter(({ direction }) => direction === "in");
  const sum = incoming.reduce((total, { amountPesewas }) => total + amountPesewas, 0);
  const reversed = lines.filter(({ direction }) => direction === "reversal").length;
  return (
    <Form<PreviewAction>
      to={`${PATH}/${id}`}
      does="import"
      sends={{ all: isAllIn && "in", dates: dateOrder }}
      isOnce
      className="card"
    >
      {CHOSEN.map((name) => (
        <input key={name} type="hidden" name={name} value={mapping[name] ?? ""} />
      ))}
      <p>
        {incoming.length.toLocaleString("en")} received, together <Money pesewas={sum} />
        {reversed > 0 && `; ${reversed} taken back`}. Deposits that match are credited within the limits, and count as
        credited by you.
      </p>
      <button type="submit" data-sending="Importing…">
        Import {lines.length === 1 ? "this line" : `these ${lines.length.toLocaleString("en")} lines`}
      </button>
    </Form>
  );
}

type ColumnProps = { id: number; chosen: Chosen; cells: string[][] };

/** The columns of the file; a change is a new preview. */
function ColumnForm({ id, chosen, cells }: ColumnProps) {
  const { recognised, mapping, isAllIn, dateOrder, read } = chosen;
  const example = cells[recognised.headingRow + 1] ?? [];
  const choices = recognised.headings.map((heading, column) => {
    const value = example[column]?.trim();
    return [column, value && value !== heading ? `${heading}: ${value.slice(0, 30)}` : heading] as const;
  });
  return (
    <details className="card" open={read === null || read.lines.length === 0 || read.undated.length > 0}>
      <summary>
        <strong>Columns of the file</strong>
      </summary>
      <form method="get" action={`${PATH}/${id}`} className="after">
        <div className="row">
          {CHOSEN.map((name) => (
            <div key={name}>
              <label htmlFor={`column-${name}`}>{FIELDS[name].label}</label>
              <select id={`column-${name}`} name={name} defaultValue={mapping[name] ?? ""}>
                <option value="">–</option>
                {choices.map(([column, text]) => (
                  <option key={column} value={column}>
                    {text}
                  </option>
                ))}
              </select>
            </div>
          ))}
          <div>
            <label htmlFor="column-dates">Dates in figures</label>
            <select id="column-dates" name="dates" defaultValue={dateOrder ?? ""}>
              <option value="">As the file shows</option>
              {Object.entries(DATE_ORDERS).map(([order, label]) => (
                <option key={order} value={order}>
                  {label}
                </option>
              ))}
            </select>
          </div>
        </div>
        <label className="check">
          <input type="checkbox" name="all" value="in" defaultChecked={isAllIn} /> A line that does not say which way
          its money went was received
        </label>
        <button type="submit" className="second">
          Read again
        </button>
      </form>
    </details>
  );
}

async function importDraft(context: Context): Promise<Leave> {
  const { db, by, key, form } = context;
  const draft = await statements.draft(db, by, idOf(context));
  const { read } = readDraft(draft.cells, form);
  const { network, source, id: draftId } = draft;
  const lines = read?.lines ?? [];
  const { answer } = await statements.importLines(db, { by, key, network, source, draftId, lines });
  return redirect("/admin/claims", doneText(answer));
}

function doneText(done: statements.Imported): string {
  const { newLines, knownLines, conflicts, credited, creditedPesewas, heldBack, reversed } = done;
  const count = (n: number, one: string, many: string) => (n === 1 ? `1 ${one}` : `${n.toLocaleString("en")} ${many}`);
  const parts = [
    `${count(newLines, "new line", "new lines")}${knownLines > 0 ? `, ${knownLines.toLocaleString("en")} known` : ""}.`,
    `${count(credited, "deposit", "deposits")} credited${credited > 0 ? ` (${show(creditedPesewas)})` : ""}.`,
    heldBack > 0 ? `${count(heldBack, "deposit waits", "deposits wait")} for you.` : "",
    reversed > 0 ? `${count(reversed, "transfer was", "transfers were")} taken back.` : "",
    conflicts.length > 0 ? `Another amount than before, and left as it was: ${conflicts.slice(0, 3).join(", ")}.` : "",
  ];
  const warns = reversed > 0 || conflicts.length > 0;
  return `${warns ? "!" : ""}${parts.filter(Boolean).join(" ")}`;
}
