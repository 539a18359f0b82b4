// The page of one provider: its keys and addresses, which are entered here and never shown again.
import { familiesVia } from "../../../../core/fulfilment/vendors.ts";
import * as providerKeys from "../../../../core/platform/provider-keys.ts";
import * as settings from "../../../../core/platform/settings/settings.ts";
import { accraMoment } from "../../../../shared/accra.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { actionsOf, type Context, type Leave, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { ROUTES_PATH } from "../../../ui/staff/set-up.tsx";
import { type Column, Table } from "../../../ui/table.tsx";

const SET_UP = "/admin/setup";
const pathOf = (code: string) => `${SET_UP}/${code}`;

const actions = actionsOf({
  save: { run: save },
  remove: { run: remove },
});
type ProviderAction = keyof typeof actions;

export const providerPages: Page[] = [
  {
    path: pathOf(":provider"),
    right: "settings.change",
    subject: "provider",
    tab: { section: "Settings", under: SET_UP },
    show: showProvider,
    actions,
  },
];

/** A provider with what is stored of it. Throws request.not_found for another code, and where there are none. */
async function opened({ db, providerSetup, params }: Context) {
  const found = providerSetup?.list.find(({ code }) => code === params.provider);
  if (!providerSetup || !found) throw new AppError("request.not_found");
  const [stored, states] = await Promise.all([providerKeys.read(db, providerSetup.keys), providerKeys.states(db)]);
  const fields = found.fields.map((field) => ({
    ...field,
    isGiven: providerSetup.isGiven(field.name),
    state: states.find(({ name }) => name === field.name),
    value: field.isSecret ? undefined : stored[field.name],
  }));
  return { ...found, fields, stored };
}

async function showProvider(context: Context, refused?: Refused): Promise<View> {
  const { name, about, code, fields } = await opened(context);
  const open = fields.filter(({ isGiven }) => !isGiven);
  return {
    title: name,
    body: (
      <div className="card narrow">
        <p className="small">
          <a href={SET_UP}>Set up</a>
        </p>
        <h2>{name}</h2>
        <p className="soft">{about}</p>
        <RefusalNote refused={refused} />
        {fields
          .filter(({ isGiven }) => isGiven)
          .map((field) => (
            <p key={field.name} className="note info">
              {field.label} is set in the environment, as <code>{field.name}</code>.
            </p>
          ))}
        {open.length > 0 && (
          <Form<ProviderAction> to={pathOf(code)} does="save" refused={refused} className="fields" noValidate isOnce>
            {open.map(({ label, name, hint, isSecret, value, state }) => (
              <Field
                key={name}
                {...{ label, name, value, isSecret }}
                type={isSecret ? "password" : "text"}
                hint={isSecret && state ? `${enteredText(state)} Leave it empty to keep it.` : hint}
                autoComplete="off"
              />
            ))}
            <button type="submit">Save</button>
          </Form>
        )}
        {open.some(({ state }) => state) && (
          <Form<ProviderAction> to={pathOf(code)} does="remove" isOnce className="after">
            <button className="danger tiny" type="submit">
              Remove what was entered
            </button>
          </Form>
        )}
        <p className="small soft after">
          What you enter is encrypted, used at once, and shown to nobody again, not even to you. A value that the
          environment has goes before it.
        </p>
      </div>
    ),
  };
}

const enteredText = ({ at, byUsername }: providerKeys.KeyState) =>
  `Entered ${accraMoment(at)}${byUsername ? ` by ${byUsername}` : ""}.`;

async function save(context: Context): Promise<Leave> {
  const { form } = context;
  const { code, name, fields, stored, isSupplier } = await opened(context);
  const changes = fields.flatMap(({ name, isGiven, isSecret }): [string, string | null][] => {
    const typed = form.get(name)?.trim() ?? "";
    if (isGiven || typed === (stored[name] ?? "") || (typed === "" && isSecret)) return [];
    return [[name, typed || null]];
  });
  if (changes.length === 0) return redirect(context.url.pathname, "Nothing was changed.");
  await change(context, new Map(changes));
  if (isSupplier && familiesVia(await settings.all(context.db), code).length === 0)
    return redirect(ROUTES_PATH, `${name} is saved. It sends nothing yet: choose what it sends.`);
  return redirect(SET_UP, `${name} is saved, and used from now on. You can test it here.`);
}

async function remove(context: Context): Promise<Leave> {
  const { name, fields } = await opened(context);
  const entered = fields.filter(({ state, isGiven }) => state && !isGiven);
  await change(context, new Map(entered.map(({ name }) => [name, null])));
  return redirect(SET_UP, `What was entered for ${name} is removed.`);
}

/** Stores the changes, null removing a value. Throws request.invalid for what the shop would not start with. */
async function change(context: Context, changes: ReadonlyMap<string, string | null>): Promise<void> {
  const { db, by, key, params } = context;
  const providerSetup = context.providerSetup!;
  const { stored, fields } = await opened(context);
  const after = Object.entries({ ...stored, ...Object.fromEntries(changes) }).filter(([, value]) => value !== null);
  const problems = providerSetup.problemsOf(Object.fromEntries(after) as providerKeys.Values);
  if (problems.size > 0) {
    const first = fields.find(({ isGiven }) => !isGiven)!.name;
    const found = [...problems].map(([name, problem]) => [name || first, sentence(problem)]);
    throw new AppError("request.invalid", { fields: Object.fromEntries(found) });
  }
  const typed = [...changes].filter((entry): entry is [string, string] => entry[1] !== null);
  const sealed = providerKeys.seal(providerSetup.keys, Object.fromEntries(typed));
  const values = Object.fromEntries([...changes.keys()].map((name) => [name, sealed[name] ?? null]));
  await providerKeys.setKeys(db, { by, key, provider: params.provider!, values });
}

const sentence = (problem: string) => `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;

type Row = providerKeys.Provider & { states: providerKeys.KeyState[]; isGiven: boolean };

/** All providers, each with where its values are and the way to them. */
export function ProviderList({
  providerSetup,
  states,
}: {
  providerSetup: providerKeys.ProviderSetup;
  states: readonly providerKeys.KeyState[];
}) {
  const rows = providerSetup.list.map((provider) => ({
    ...provider,
    states: states.filter(({ name }) => provider.fields.some((field) => field.name === name)),
    isGiven: provider.fields.some(({ name, isSecret }) => isSecret && providerSetup.isGiven(name)),
  }));
  return (
    <section className="card" id="keys">
      <h2>Keys and addresses</h2>
      <Table rows={rows} columns={COLUMNS} />
    </section>
  );
}

const COLUMNS: Column<Row>[] = [
  {
    head: "Provider",
    cell: ({ name, about }) => (
      <>
        <strong>{name}</strong> <span className="soft small">{about}</span>
      </>
    ),
  },
  {
    head: "Keys",
    className: "small soft",
    cell: ({ states: [state], isGiven }) => {
      if (isGiven) return "In the environment";
      return state ? enteredText(state) : "Not set";
    },
  },
  {
    head: "Actions",
    cell: ({ code, name, states }) => (
      <a className="small" href={pathOf(code)}>
        {states.length > 0 ? "Change" : "Set up"} <span className="sr">{name}</span>
      </a>
    ),
  },
];
