// Kill switches: what the shop can close at once, the networks among it, each with a message for people and an end.
import * as operators from "../../../../core/catalog/operators/operators.ts";
import * as switches from "../../../../core/overview/switches.ts";
import { endText, pausedTitle } from "../../../../shared/pause.ts";
import { SWITCH_MESSAGE_SEPTETS, SWITCHES } from "../../../../shared/switches.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { EndFields, endOf } from "../../../ui/frame/ending.tsx";
import { OperatorTag } from "../../../ui/frame/icons.tsx";
import { Moment } from "../../../ui/parts.tsx";
import { PAUSING, PauseForm, pausedNotice, RESUMING } from "../../../ui/staff/pause-form.tsx";

const PATH = "/admin/switches";

const actions = {
  close: does(
    switches.close,
    ({ until }, { label }) => {
      const end = until ? `until ${endText(until)}` : "until somebody opens it";
      return redirect(PATH, `${label}: closed ${end}. The other owners get an e-mail.`);
    },
    { until: endOf },
  ),
  open: does(switches.open, (_, { label }) => redirect(PATH, `${label}: open again.`)),
  pause: does(
    switches.pauseNetwork,
    ({ pausedUntil }) => redirect(PATH, pausedNotice({ until: pausedUntil ?? null })),
    PAUSING,
  ),
  resume: does(switches.pauseNetwork, () => redirect(PATH, "It is on sale."), RESUMING),
};
type SwitchAction = keyof typeof actions;

export const switchPages: Page[] = [
  {
    path: PATH,
    right: "switches.throw",
    tab: { section: "Settings", label: "Stop selling" },
    palette: ["Close sales", "Close a channel", "Pause a network", "Stop refunds", "Stop top-ups"],
    show: showSwitches,
    actions,
  },
];

async function showSwitches({ db, url }: Context, refused?: Refused): Promise<View> {
  const closing = url.searchParams.get("close");
  const [states, networks] = await Promise.all([switches.list(db), operators.list(db)]);
  const switchRow = (state: switches.Switch) => (
    <SwitchRow key={state.name} state={state} refused={refused} isClosing={closing === state.name} />
  );
  const networkRow = (network: operators.OperatorState) => (
    <NetworkRow key={network.operator} state={network} refused={refused} />
  );
  const [closed, paused] = [states.filter(({ closed }) => closed), networks.filter(({ paused }) => paused)];
  return {
    body: (
      <>
        <section className="card">
          <p className="soft">
            A closed switch counts everywhere at once. Whoever meets it reads your message. Payments that were made are
            still credited, and paid orders are still delivered.
          </p>
          {closed.length + paused.length > 0 && (
            <ul className="rows" data-rows="" id="switches_closed">
              {closed.map(switchRow)}
              {paused.map(networkRow)}
            </ul>
          )}
          <ul className="rows">{states.filter((state) => !closed.includes(state)).map(switchRow)}</ul>
        </section>
        <section className="card" id="networks">
          <h2>Networks</h2>
          <p className="soft">A paused network stays in the shop with your message, but nobody can buy its bundles.</p>
          <ul className="rows">{networks.filter((network) => !paused.includes(network)).map(networkRow)}</ul>
        </section>
      </>
    ),
  };
}

type RowProps = { state: switches.Switch; refused: Refused | undefined };

function SwitchRow({ state, refused, isClosing }: RowProps & { isClosing: boolean }) {
  const { name, label, closed } = state;
  const { stops } = SWITCHES[name];
  const own = refusedFor<SwitchAction>("close", refused, { name });
  const chip = closed?.until ? `Closed until ${endText(closed.until)}` : closed ? "Closed" : "Open";
  return (
    <li className="switch" id={name}>
      <strong>{label}</strong>
      <span className={`chip ${closed ? "bad" : "good"}`}>{chip}</span>
      <span className="small soft">{stops}</span>
      {closed && (
        <>
          <span className="small">
            <bdi>{closed.message}</bdi>{" "}
            <span className="soft">
              By <bdi>{closed.by}</bdi>, <Moment at={closed.since} />: <bdi>{closed.reason}</bdi>
            </span>
          </span>
          <Form<SwitchAction> to={PATH} does="open" sends={{ name }} className="at-end">
            <button className="tiny" type="submit">
              Open {labelIn(label)}
            </button>
          </Form>
        </>
      )}
      <details className={closed ? "sure" : "sure at-end"} open={isClosing || own !== undefined}>
        <summary className={closed ? "tiny" : "tiny danger"}>
          {closed ? "Change …" : `Close ${labelIn(label)} …`}
        </summary>
        <CloseForm state={state} refused={own} />
      </details>
    </li>
  );
}

/** A label within a sentence: "sales", but "USSD". */
function labelIn(label: string): string {
  return /^[A-Z]{2}/.test(label) ? label : label.toLowerCase();
}

const ENDS = [
  ["", "When somebody opens it"],
  ["30", "In 30 minutes"],
  ["60", "In 1 hour"],
  ["180", "In 3 hours"],
  ["midnight", "At midnight"],
] as const;

function CloseForm({ state: { name, label, closed }, refused }: RowProps) {
  const { message } = SWITCHES[name];
  return (
    <Form<SwitchAction> to={PATH} does="close" refused={refused} sends={{ name }} idPrefix={name} className="pausing">
      <RefusalNote />
      <Field
        label="Message for people"
        name="message"
        value={closed?.message ?? message}
        required
        hint={`At most ${SWITCH_MESSAGE_SEPTETS} characters: it is also shown by USSD and SMS`}
      />
      <div className="row top-aligned">
        <Field
          label="Reason, for staff"
          name="reason"
          value={closed?.reason ?? ""}
          required
          placeholder="Wrong prices"
        />
        <EndFields until={closed?.until ?? null} choices={ENDS} />
      </div>
      <div className="actions">
        <button className={closed ? "quiet" : "danger"} type="submit">
          {closed ? "Save" : `Close ${labelIn(label)}`}
        </button>
      </div>
    </Form>
  );
}

type NetworkProps = { state: operators.OperatorState; refused: Refused | undefined };

function NetworkRow({ state, refused }: NetworkProps) {
  const { operator, name, paused } = state;
  const own = refusedFor<SwitchAction>("pause", refused, { operator });
  return (
    <li className="switch" id={`network-${operator}`}>
      <strong>
        <OperatorTag operator={operator} />
      </strong>
      <span className={`chip ${paused ? "warn" : "good"}`}>{paused ? pausedTitle(paused) : "On sale"}</span>
      {paused && (
        <span className="small">
          <bdi>{paused.message}</bdi>{" "}
          <span className="soft">
            since <Moment at={paused.since} />
          </span>
        </span>
      )}
      <PauseForm
        action={PATH}
        extraFields={<input type="hidden" name="operator" value={operator} />}
        idPrefix={operator.toLowerCase()}
        paused={paused}
        refused={own}
        label={`Message for buyers of ${name}`}
        buttons={{ pause: `Pause ${name}`, resume: `Resume ${name}` }}
        className="row"
      />
    </li>
  );
}
