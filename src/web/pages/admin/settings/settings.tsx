// Settings page: the settings that owners can change while the shop runs.
import * as settings from "../../../../core/platform/settings/settings.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { undoable } from "../../../undo.ts";
import { FirstSettings, FoldedSettings, Values } from "./settings-form.tsx";

const actions = actionsOf({
  save: {
    fields: Values,
    run: async (context, values) => {
      const { db, by, key } = context;
      await settings.change(db, { by, key, values });
      return undoable(context, settings.change, redirect("/admin/settings", "Settings saved."));
    },
  },
});
type SettingsAction = keyof typeof actions;

export const settingsPages: Page[] = [
  {
    path: "/admin/settings",
    right: "settings.change",
    tab: { section: "Settings", label: "Shop" },
    menu: { admin: "Settings", icon: "settings" },
    show: showSettings,
    actions,
  },
];

async function showSettings({ db }: Context, refused?: Refused): Promise<View> {
  const [values, changes] = await Promise.all([settings.all(db), settings.changes(db)]);
  const ofValues = refusedFor<SettingsAction>("save", refused);
  return {
    body: (
      <>
        <Form<SettingsAction> to="/admin/settings" does="save" refused={refused} idPrefix="set" className="card">
          <RefusalNote />
          <FirstSettings values={values} refused={ofValues} />
          <h2>Advanced</h2>
          <FoldedSettings {...{ values, changes }} refused={ofValues} />
          <button type="submit">Save settings</button>
        </Form>
      </>
    ),
  };
}
