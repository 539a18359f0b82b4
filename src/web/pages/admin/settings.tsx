// Settings page: the settings that admins can change while the shop runs, and the pauses of operators.
import { z } from "zod";
import * as operators from "../../../core/catalog/operators.ts";
import * as settings from "../../../core/platform/settings.ts";
import { Operator } from "../../../http/schemas/common.ts";

import { pausedTitle } from "../../../shared/pause.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../page.tsx";
import { Action, refusedFor } from "../../ui/action.tsx";
import { OperatorTag } from "../../ui/icons.tsx";
import { Moment, RefusalNote } from "../../ui/parts.tsx";
import { type PauseAction, PauseForm, Pausing, pausedNotice } from "../../ui/pause-form.tsx";
import { SettingGroups, Values } from "./settings-form.tsx";

const Which = z.object({ operator: Operator });

const actions = actionsOf({
  save: {
    fields: Values,
    run: async ({ db, by }, values) => {
      await settings.change(db, { by, values });
      return redirect("/admin/settings", "Settings saved.");
    },
  },
  pause: {
    right: "switches.throw",
    fields: Pausing.and(Which),
    run: async ({ db, by }, pause) => {
      await operators.pause(db, { by, ...pause });
      return redirect("/admin/settings", pausedNotice(pause));
    },
  },
  resume: {
    right: "switches.throw",
    fields: Which,
    run: async ({ db, by }, { operator }) => {
      await operators.pause(db, { by, operator, message: null });
      return redirect("/admin/settings", "It is on sale again.");
    },
  },
}) satisfies Record<PauseAction, unknown>;
type SettingsAction = keyof typeof actions;

export const settingsPages: Page[] = [
  {
    path: "/admin/settings",
    right: "settings.change",
    tab: { section: "Settings", label: "Settings" },
    menu: { admin: "Settings", group: "Shop settings", icon: "settings" },
    show: showSettings,
    actions,
  },
];

async function showSettings({ db }: Context, refused?: Refused): Promise<View> {
  const [values, states] = await Promise.all([settings.all(db), operators.list(db)]);
  const ofValues = refusedFor<SettingsAction>("save", refused);
  return {
    title: "Settings",
    body: (
      <>
        <form method="post" action="/admin/settings" className="card">
          <Action<SettingsAction> name="save" />
          <RefusalNote refused={ofValues} />
          <SettingGroups values={values} refused={ofValues} />
          <button type="submit">Save settings</button>
        </form>
        <section className="card" id="operators">
          <h2>Operators</h2>
          <p className="soft">
            A paused operator stays in the shop with your message, but nobody can buy its bundles.
          </p>
          <ul className="rows">
            {states.map((operator) => (
              <OperatorLine key={operator.operator} state={operator} refused={refused} />
            ))}
          </ul>
        </section>
      </>
    ),
  };
}

type LineProps = { state: operators.OperatorState; refused: Refused | undefined };

function OperatorLine({ state, refused }: LineProps) {
  const { operator, name, paused } = state;
  const ownRefusal =
    refused?.values.get("operator") === operator ? refusedFor<SettingsAction>("pause", refused) : undefined;
  return (
    <li className="operator">
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
        action="/admin/settings"
        extraFields={<input type="hidden" name="operator" value={operator} />}
        idPrefix={operator.toLowerCase()}
        paused={paused}
        refused={ownRefusal}
        label={`Message for buyers of ${name}`}
        buttons={{ pause: `Pause ${name}`, resume: `Resume ${name}` }}
        className="row"
      />
    </li>
  );
}
