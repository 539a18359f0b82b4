// The page of a shop's needs, each there or missing with the button that gets it or tries it, and its connections.
import { type Connection, connections, DAYS, isFailing } from "../../../../core/overview/connections.ts";
import { steps } from "../../../../core/overview/setup.ts";
import { sendTest } from "../../../../core/overview/test-messages.ts";
import * as budgets from "../../../../core/platform/budgets/budgets.ts";
import * as providerKeys from "../../../../core/platform/provider-keys.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { spacedMsisdn } from "../../../../shared/phones/msisdn.ts";
import { does } from "../../../does.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { SETUP_PATH, SetUpCard } from "../../../ui/staff/set-up.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { When } from "../../../ui/when.tsx";
import { ProviderList } from "./provider.tsx";

const KEY_NOTICES = {
  missing: "!There is no key yet. Enter it first.",
  accepted: "Paystack takes the key.",
  refused: "!Paystack refuses the key. Enter the right one.",
  unknown: "!Paystack does not answer. Try again in a minute.",
};

const actions = actionsOf({
  paystack: {
    run: async ({ db, gateway }: Context) => {
      await budgets.spend(db, "provider.key", "paystack");
      const { kind } = await gateway.balance();
      const state = gateway.keyState();
      const isSilent = kind === "unclear" && state !== "missing" && state !== "refused";
      return redirect(SETUP_PATH, KEY_NOTICES[isSilent ? "unknown" : state]);
    },
  },
  email: does(sendTest, (_, { recipient }) => redirect(SETUP_PATH, sentNotice(recipient)), { channel: "email" }),
  sms: does(sendTest, (_, { recipient }) => redirect(SETUP_PATH, sentNotice(spacedMsisdn(recipient))), {
    channel: "sms",
  }),
  byHand: {
    run: async ({ db, by, key }: Context) => {
      await settings.change(db, { by, key, values: { sends_by_hand: true } });
      return redirect(SETUP_PATH, "Orders are sent by hand: take them from the desk.");
    },
  },
});

export const setupPages: Page[] = [
  {
    path: SETUP_PATH,
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
  return {
    body: (
      <>
        <SetUpCard steps={all} baseUrl={context.baseUrl} lastWebhookAt={connected[0]!.workedAt} refused={refused} />
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

function sentNotice(to: string): string {
  return `A test is on its way to ${to}. Messages shows whether it arrived.`;
}
