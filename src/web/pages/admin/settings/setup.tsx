// The page of a shop's needs, each there or missing with the button that gets it or tries it, and its connections.
import type { ReactNode } from "react";
import { type Connection, connections, DAYS, isFailing } from "../../../../core/overview/connections.ts";
import { type Step, type StepKey, steps } from "../../../../core/overview/setup.ts";
import { sendTest } from "../../../../core/overview/test-messages.ts";
import * as budgets from "../../../../core/platform/budgets/budgets.ts";
import * as providerKeys from "../../../../core/platform/provider-keys.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { accraMoment } from "../../../../shared/accra.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { does } from "../../../does.ts";
import { Sheet } from "../../../html.tsx";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { Icon } from "../../../ui/frame/icons.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";
import { ProviderList } from "./provider.tsx";

const PATH = "/admin/setup";

const KEY_NOTICES = {
  missing: "!There is no key yet. Enter it first.",
  accepted: "Paystack takes the key.",
  refused: "!Paystack refuses the key. Enter the right one.",
  unknown: "!Paystack does not answer. Try again in a minute.",
};

const actions = actionsOf({
  paystack: {
    run: async ({ db, gateway }: Context) => {
      await budgets.spend(db, "paystack.key", "all");
      const { kind } = await gateway.balance();
      const state = gateway.keyState();
      const isSilent = kind === "unclear" && state !== "missing" && state !== "refused";
      return redirect(PATH, KEY_NOTICES[isSilent ? "unknown" : state]);
    },
  },
  email: does(sendTest, (_, { recipient }) => redirect(PATH, sentNotice(recipient)), { channel: "email" }),
  sms: does(sendTest, (_, { recipient }) => redirect(PATH, sentNotice(spacedMsisdn(recipient))), { channel: "sms" }),
  byHand: {
    run: async ({ db, by, key }: Context) => {
      await settings.change(db, { by, key, values: { sends_by_hand: true } });
      return redirect(PATH, "Orders are sent by hand: take them from the desk.");
    },
  },
});
type SetupAction = keyof typeof actions;

export const setupPages: Page[] = [
  {
    path: PATH,
    right: "settings.change",
    tab: { section: "Settings", label: "Set up" },
    palette: ["Test Paystack", "Send a test e-mail", "Send a test SMS"],
    show: showSetup,
    actions,
  },
];

async function showSetup(context: Context, refused?: Refused): Promise<View> {
  const setUp = { ...context, channels: context.codeKeys.channels };
  const [all, connected, states] = await Promise.all([
    steps(context.db, setUp),
    connections(context.db, setUp),
    providerKeys.states(context.db),
  ]);
  const needed = all.filter(({ isOptional }) => !isOptional);
  const done = needed.filter(({ missing }) => !missing).length;
  return {
    title: "Set up",
    body: (
      <>
        <section className="card set-up">
          <Sheet name="today" />
          <div className="head">
            <h2>{done === needed.length ? "Your shop is ready" : "What your shop needs"}</h2>
            <span className="soft small">
              {done} of {needed.length} done
            </span>
          </div>
          <RefusalNote refused={refused} />
          <ol>
            {all.map((step) => (
              <StepRow
                key={step.key}
                step={step}
                note={step.key === "paystack" && <Webhooks baseUrl={context.baseUrl} last={connected[0]!.workedAt} />}
              />
            ))}
          </ol>
        </section>
        <section className="card">
          <h2>Connections</h2>
          <Table rows={connected} columns={CONNECTIONS} />
        </section>
        {context.providerSetup && <ProviderList providerSetup={context.providerSetup} states={states} />}
      </>
    ),
  };
}

const CONNECTIONS: Column<Connection>[] = [
  {
    head: "Connection",
    cell: ({ name, about }) => (
      <>
        <strong>{name}</strong> <span className="soft small">{about}</span>
      </>
    ),
  },
  {
    head: "State",
    cell: (row) => {
      if (isFailing(row))
        return (
          <span className="chip bad">
            <bdi>{row.trouble ?? "Failing"}</bdi>
          </span>
        );
      return row.workedAt ? <span className="chip good">Works</span> : <span className="chip">Not used yet</span>;
    },
  },
  {
    head: "Last worked",
    className: "small soft",
    cell: ({ workedAt }) => (workedAt ? <When at={workedAt} /> : `Not in the last ${DAYS} days`),
  },
  {
    head: "Last failed",
    className: "small soft",
    cell: ({ failedAt }) => (failedAt ? <When at={failedAt} /> : "–"),
  },
];

function StepRow({ step, note }: { step: Step; note: ReactNode }) {
  const { name, there, missing, isOptional } = step;
  return (
    <li className={missing && !isOptional ? "must" : undefined}>
      {missing ? <span className="open" aria-hidden="true" /> : <Icon name="done" />}
      <div>
        <strong>
          <span className="sr">{missing ? "Missing: " : "Done: "}</span>
          {name}
        </strong>
        {missing && isOptional && (
          <>
            {" "}
            <span className="chip">Can wait</span>
          </>
        )}
        <p className="soft small">{missing ? `${missing.name}. ${missing.effect}` : there}</p>
        {note}
      </div>
      <Action step={step} />
    </li>
  );
}

const LINKS: Partial<Record<StepKey, string>> = {
  bundles: "Add bundles",
  deposits: "Set the number",
  support: "Set a contact",
  factor: "Set it up",
  team: "Add somebody",
  ussd: "Set the code",
  purchase: "Buy one",
};

/** The way to what is missing, or the test of what is there. */
function Action({ step: { key, missing } }: { step: Step }) {
  const label = LINKS[key];
  if (label) return missing && <SetUp to={missing.to!} label={label} />;
  if (key === "paystack")
    return (
      <div className="actions">
        {missing?.to && <SetUp to={missing.to} label="Enter the key" />}
        <Press does="paystack" label="Test now" />
      </div>
    );
  if (key === "sending")
    return (
      missing && (
        <div className="actions">
          <Press does="byHand" label="I send by hand" />
          <SetUp to="#keys" label="Connect a supplier" />
        </div>
      )
    );
  if (key === "email" || key === "sms")
    return missing ? <SetUp to={missing.to!} label="Set it up" /> : <Press does={key} label="Send me one" />;
  return null;
}

function SetUp({ to, label }: { to: string; label: string }) {
  return (
    <a className="button tiny" href={to}>
      {label}
    </a>
  );
}

function Press({ does, label }: { does: SetupAction; label: string }) {
  return (
    <Form<SetupAction> to={PATH} does={does} isOnce>
      <button className="tiny quiet" type="submit">
        {label}
      </button>
    </Form>
  );
}

/** When Paystack's last webhook came, and where they are to be sent, as its dashboard asks for it. */
function Webhooks({ baseUrl, last }: { baseUrl: string | null; last: Date | null }) {
  return (
    <p className="small soft">
      {last ? `Its last webhook came ${accraMoment(last)}.` : "No webhook has come yet: set its address at Paystack."}
      {baseUrl && (
        <>
          {" "}
          <code>{`${baseUrl}/webhooks/paystack`}</code>
        </>
      )}
    </p>
  );
}

function sentNotice(to: string): string {
  return `A test is on its way to ${to}. Messages shows whether it arrived.`;
}
