// The rules of signals: a table of all, and a page for each, where it is changed and tried on the past.
import { z } from "zod";
import { KINDS, type Parameter } from "../../../../core/signals/kinds.ts";
import * as rules from "../../../../core/signals/rules.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { decimal, parseCedis, show } from "../../../../shared/money.ts";
import { hasRight } from "../../../../shared/rights.ts";
import { SIGNAL_EFFECTS, SIGNAL_KINDS, type SignalKind } from "../../../../shared/signals.ts";
import { type Answer, actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { readFields } from "../../../read-fields.ts";
import { refusedFor, submits } from "../../../ui/action.tsx";
import { text, when } from "../../../ui/columns.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { UserLink } from "../../../ui/parts.tsx";
import { EFFECT_LABELS } from "../../../ui/staff/signal-words.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const PATH = "/admin/signals/rules";

/** What the form sends: the parameters by name as typed, the rest of the rule, and the rule as it was shown. */
const Typed = z.record(z.string(), z.string());
const Terms = z.object({
  on: z.string().optional(),
  effect: z.enum(SIGNAL_EFFECTS),
  message: z.string().max(1_000),
  seen: z.string().max(2_000),
});

const actions = actionsOf({
  save: {
    right: "settings.change",
    fields: Typed,
    run: async ({ db, by, key, params, form }, typed) => {
      const kind = kindOf(params);
      const { on, effect, message, seen } = readFields(Terms, form);
      const terms = { isOn: on !== undefined, effect, message, parameters: parametersIn(kind, typed) };
      await rules.change(db, { by, key, kind, ...terms, seen: seenIn(seen) });
      return redirect(PATH, `${KINDS[kind].label}: saved. It looks at what happens from now on.`);
    },
  },
  try: {
    fields: Typed,
    run: async (context, typed): Promise<Answer> => {
      const { db, by, params, form } = context;
      const kind = kindOf(params);
      const preview = await rules.preview(db, { by, kind, parameters: parametersIn(kind, typed) });
      return showRule(context, undefined, { preview, typed: form });
    },
  },
});
type RuleAction = keyof typeof actions;

export const signalRulePages: Page[] = [
  {
    path: PATH,
    right: "agents.note",
    palette: ["Change the rules of signals"],
    show: showRules,
  },
  {
    path: `${PATH}/:kind`,
    right: "agents.note",
    subject: "signalRule",
    show: showRule,
    actions,
  },
];

function kindOf({ kind }: Record<string, string>): SignalKind {
  const found = SIGNAL_KINDS.find((one) => one === kind);
  if (!found) throw new AppError("signal.rule_not_found");
  return found;
}

async function showRules({ db }: Context): Promise<View> {
  return {
    title: "Rules of signals",
    body: (
      <>
        <p className="small">
          <a href="/admin/signals">All signals</a>
        </p>
        <h1>Rules</h1>
        <p className="soft">
          Each looks every few seconds at what happened since it looked last. “Note” only lists the account under
          Signals; “Hold” keeps its orders from being sent for ten minutes, too; “Stop” also freezes it.
        </p>
        <section className="card">
          <Table rows={await rules.list(db)} columns={COLUMNS} />
        </section>
      </>
    ),
  };
}

const COLUMNS: Column<rules.Rule>[] = [
  {
    head: "Rule",
    isPlainInCards: true,
    cell: ({ kind }) => (
      <a href={`${PATH}/${kind}`}>
        <strong>{KINDS[kind].label}</strong>
      </a>
    ),
  },
  {
    head: "State",
    className: "end",
    cell: ({ isOn }) => (isOn ? <span className="chip good">On</span> : <span className="chip">Off</span>),
  },
  { head: "Effect", cell: ({ effect }) => EFFECT_LABELS[effect] },
  {
    head: "Looks for",
    className: "full prose",
    cell: ({ kind, parameters }) => `${KINDS[kind].about} ${parametersText(kind, parameters)}`,
  },
];

function parametersText(kind: SignalKind, values: Record<string, number>): string {
  const parts = Object.entries(KINDS[kind].parameters).map(([name, { label, unit }]) => {
    const value = values[name]!;
    return `${label}: ${rules.isMoney(name) ? show(value) : `${value.toLocaleString("en")} ${unit}`}`;
  });
  return `${parts.join(" · ")}.`;
}

type Tried = { preview: rules.Preview; typed: URLSearchParams };

async function showRule({ db, params, by }: Context, refused?: Refused, tried?: Tried): Promise<View> {
  const rule = await rules.get(db, kindOf(params));
  const { label, about } = KINDS[rule.kind];
  return {
    title: label,
    body: (
      <>
        <p className="small">
          <a href={PATH}>All rules</a>
        </p>
        <h1>{label}</h1>
        <p className="soft">{about}</p>
        <RuleForm
          rule={rule}
          mayChange={hasRight(by, "settings.change")}
          refused={refusedFor<RuleAction>(["save", "try"], refused)}
          typed={tried?.typed}
        />
        {tried && <PreviewCard preview={tried.preview} />}
      </>
    ),
  };
}

type FormProps = {
  rule: rules.Rule;
  mayChange: boolean;
  refused: Refused | undefined;
  typed: URLSearchParams | undefined;
};

function RuleForm({ rule, mayChange, refused, typed }: FormProps) {
  const { kind, ...terms } = rule;
  const value = (name: string, otherwise: string) => typed?.get(name) ?? otherwise;
  const isOn = typed && mayChange ? typed.has("on") : refused ? refused.values.has("on") : rule.isOn;
  return (
    <Form
      to={`${PATH}/${kind}`}
      refused={refused}
      sends={{ seen: JSON.stringify(terms) }}
      idPrefix={kind}
      className="card"
    >
      <RefusalNote />
      <div className="fields">
        <div className="row top-aligned">
          {Object.entries(KINDS[kind].parameters).map(([name, parameter]) => (
            <ParameterField
              key={name}
              name={name}
              parameter={parameter}
              value={value(name, textOf(name, rule.parameters[name]!))}
            />
          ))}
        </div>
        {mayChange && (
          <div className="row top-aligned">
            <Field label="Effect" name="effect" value={value("effect", rule.effect)}>
              {SIGNAL_EFFECTS.map((effect) => (
                <option key={effect} value={effect}>
                  {EFFECTS[effect]}
                </option>
              ))}
            </Field>
            <Field
              label="Message to the agent"
              name="message"
              value={value("message", rule.message)}
              hint="Read when the account is frozen"
              required
            />
          </div>
        )}
      </div>
      {mayChange && (
        <label className="check">
          <input type="checkbox" name="on" defaultChecked={isOn} /> On
        </label>
      )}
      <div className="actions">
        {mayChange && (
          <button {...submits<RuleAction>("save")} type="submit">
            Save
          </button>
        )}
        <button className="quiet" {...submits<RuleAction>("try")} type="submit">
          Try on the last {rules.PREVIEW_DAYS} days
        </button>
      </div>
    </Form>
  );
}

const EFFECTS = {
  note: "Note",
  hold: "Hold for 10 minutes",
  stop: "Stop: hold and freeze",
} as const;

type ParameterProps = { name: string; parameter: Parameter; value: string };

function ParameterField({ name, parameter: { label, unit, min, max }, value }: ParameterProps) {
  const shown = (value: number) => (rules.isMoney(name) ? show(value) : value.toLocaleString("en"));
  return (
    <Field
      name={name}
      label={`${label} (${unit})`}
      inputMode={rules.isMoney(name) ? "decimal" : "numeric"}
      value={value}
      hint={`${shown(min)} to ${shown(max)}`}
      required
    />
  );
}

function PreviewCard({ preview: { count, isPart, examples } }: { preview: rules.Preview }) {
  const times = `${count.toLocaleString("en")} ${count === 1 ? "signal" : "signals"}`;
  return (
    <section className="card" id="preview">
      <h2>In the last {rules.PREVIEW_DAYS} days</h2>
      <p role="status">
        {count === 0 ? "It would have raised nothing." : `It would have raised ${times}.`}
        {isPart && " There was more than is looked at, so that the true number is higher."}
        {count > examples.length && ` The first ${examples.length}:`}
      </p>
      {examples.length > 0 && <Table rows={examples} columns={EXAMPLES} />}
      <p className="small soft">Nothing was changed or saved.</p>
    </section>
  );
}

const EXAMPLES: Column<rules.Preview["examples"][number]>[] = [
  { head: "Agent", cell: (one) => <UserLink {...one} /> },
  when("When", "at", { className: "small soft end" }),
  text("Evidence", "sentence", { className: "full prose", isPlainInCards: true }),
];

/** The typed parameters; what is no number is refused by the core, as what is missing. */
function parametersIn(kind: SignalKind, typed: Record<string, string>): Record<string, number> {
  return Object.fromEntries(
    Object.keys(KINDS[kind].parameters).map((name) => {
      const text = (typed[name] ?? "").trim();
      const value = rules.isMoney(name) ? parseCedis(text) : /^\d{1,9}$/.test(text) ? Number(text) : null;
      return [name, value ?? Number.NaN];
    }),
  );
}

function textOf(name: string, value: number): string {
  return rules.isMoney(name) ? decimal(value) : String(value);
}

/** The rule as the form showed it; one that somebody wrote by hand is as good as another rule. */
function seenIn(text: string): rules.RuleTerms {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("signal.rule_changed");
  }
}
