// Signals: what the rules found in accounts, the open ones first, each with what it did and a link to its evidence.
import { KINDS } from "../../../../core/signals/kinds.ts";
import * as signals from "../../../../core/signals/signals.ts";
import { SIGNAL_EFFECTS, SIGNAL_KINDS } from "../../../../shared/signals.ts";
import type { Context, Page, View } from "../../../page.tsx";
import { text } from "../../../ui/columns.tsx";
import { Choice } from "../../../ui/fields.tsx";
import { type ActiveFilter, FilterChips } from "../../../ui/filter-chips.tsx";
import { paged } from "../../../ui/paged.tsx";
import { UserLink } from "../../../ui/parts.tsx";
import { Ago } from "../../../ui/rows.tsx";
import { EFFECT_LABELS, EffectChip } from "../../../ui/staff/signal-words.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const PATH = "/admin/signals";
const STATES = { open: "Open", closed: "Closed", all: "All" } as const;

export const signalListPages: Page[] = [
  {
    path: PATH,
    right: "agents.note",
    tab: { section: "Agents", label: "Suspicious" },
    examples: ["", "?state=all", "?state=closed&kind=losses&effect=hold"],
    show: showSignals,
  },
];

async function showSignals({ db, url }: Context): Promise<View> {
  const filter = readFilter(url);
  const { shown, links } = await paged(url, (span) => signals.list(db, filter, span));
  return {
    body: (
      <>
        <div className="head">
          <a className="button quiet" href={`${PATH}/rules`}>
            Rules
          </a>
        </div>
        <p className="soft">
          What looks like misuse of an account. A signal is not a proof: look at its evidence and at the agent’s record,
          then close it with a note of what came out.
        </p>
        <FilterForm filter={filter} />
        <FilterChips url={url} clearPath={PATH} filters={chipsFor(filter)} />
        <section className="card" id="signals">
          <Table rows={shown} columns={COLUMNS} empty={emptyText(filter)} />
        </section>
        {links}
      </>
    ),
  };
}

function emptyText({ state, kind, effect }: signals.SignalFilter): string {
  if (kind || effect) return "No signals found with these filters.";
  return state === "open" ? "Nothing looks like misuse. New signals appear here." : "No signals yet.";
}

/** Reads the address; what is unknown is left out. */
function readFilter({ searchParams }: URL): signals.SignalFilter {
  const get = (name: string) => searchParams.get(name);
  const state = get("state");
  return {
    state: state === "closed" || state === "all" ? state : "open",
    kind: SIGNAL_KINDS.find((kind) => kind === get("kind")),
    effect: SIGNAL_EFFECTS.find((effect) => effect === get("effect")),
  };
}

function chipsFor({ state, kind, effect }: signals.SignalFilter): ActiveFilter[] {
  return [
    ...(state === "open" ? [] : [{ label: "State", value: STATES[state], without: { state: null } }]),
    ...(kind ? [{ label: "Rule", value: KINDS[kind].label, without: { kind: null } }] : []),
    ...(effect ? [{ label: "Effect", value: EFFECT_LABELS[effect], without: { effect: null } }] : []),
  ];
}

function FilterForm({ filter: { state, kind, effect } }: { filter: signals.SignalFilter }) {
  return (
    <form method="get" action={PATH} className="card">
      <div className="row">
        <div>
          <label htmlFor="state">State</label>
          <select id="state" name="state" defaultValue={state}>
            {Object.entries(STATES).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <Choice
          name="kind"
          label="Rule"
          value={kind ?? ""}
          choices={SIGNAL_KINDS.map((one) => [one, KINDS[one].label])}
        />
        <Choice
          name="effect"
          label="Effect"
          value={effect ?? ""}
          choices={SIGNAL_EFFECTS.map((one) => [one, EFFECT_LABELS[one]])}
        />
        <button type="submit">Show</button>
      </div>
    </form>
  );
}

const COLUMNS: Column<signals.Signal>[] = [
  {
    head: "Signal",
    isPlainInCards: true,
    cell: ({ id, label }) => (
      <a href={`${PATH}/${id}`}>
        <strong>{label}</strong>
      </a>
    ),
  },
  { head: "Agent", className: "end", cell: (signal) => <UserLink {...signal} /> },
  text("Evidence", "sentence", { className: "full prose", isPlainInCards: true }),
  { head: "Effect", cell: (signal) => <EffectChip {...signal} /> },
  {
    head: "Raised",
    className: "small soft when",
    cell: ({ createdAt }) => <Ago at={createdAt} hasDay />,
  },
  {
    head: "Came out",
    className: "small full prose",
    cell: ({ closedAt, closedBy, note }) =>
      closedAt ? (
        <>
          <bdi>{note}</bdi> <span className="soft">({closedBy})</span>
        </>
      ) : (
        <span className="chip warn">Open</span>
      ),
  },
];
