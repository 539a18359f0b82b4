// Admins' page of one network: what it is called and looks like, its lines, and the ways to its end.
import * as changes from "../../../../core/catalog/operators/operator-changes.ts";
import {
  type FamilyOverview,
  type OperatorOverview,
  overview,
} from "../../../../core/catalog/operators/operator-overview.ts";
import { AFA_OPERATOR } from "../../../../shared/domain.ts";
import { AppError } from "../../../../shared/errors/app-error.ts";
import { Operator } from "../../../../shared/inputs.ts";
import { allOperators } from "../../../../shared/operators.ts";
import { does } from "../../../does.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { NetworkBadge } from "../../../ui/frame/icons.tsx";
import { LineFields, LooksFields, typedIn } from "./network-fields.tsx";
import { StateChip } from "./networks.tsx";

const actions = actionsOf({
  edit: does(
    changes.edit,
    ({ operator }) =>
      redirect(pathOf(operator), "Saved. It shows everywhere from now on; past orders keep their amounts and sizes."),
    { operator: codeOf },
    typedIn,
  ),
  addLine: does(
    changes.addFamily,
    ({ operator, name }) => redirect(pathOf(operator), `Added ${name}. Set its route under Suppliers.`),
    { operator: codeOf },
    typedIn,
  ),
  editLine: does(
    changes.editFamily,
    ({ operator }) => redirect(pathOf(operator), "Line saved."),
    { operator: codeOf },
    typedIn,
  ),
  restore: does(
    changes.restore,
    ({ operator }, { bundles }) => redirect(pathOf(operator), `On sale again, with ${countText(bundles, "bundle")}.`),
    { operator: codeOf },
  ),
});
type NetworkAction = keyof typeof actions;

export const networkPages: Page[] = [
  {
    path: "/admin/networks/:network",
    right: "catalog.manage",
    subject: "network",
    show: showNetwork,
    actions,
  },
];

/** The operator of a page's address. Throws operator.not_found. */
export function codeOf({ params }: Context): string {
  const { data } = Operator.safeParse(params.network);
  if (data === undefined) throw new AppError("operator.not_found");
  return data;
}

export const pathOf = (operator: string) => `/admin/networks/${operator}`;

export function countText(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`}`;
}

async function showNetwork(context: Context, refused?: Refused): Promise<View> {
  const operator = await overview(context.db, codeOf(context));
  const { code, name, families, isRetired } = operator;
  return {
    title: name,
    body: (
      <>
        <h1>
          <NetworkBadge operator={code} /> {name} <StateChip operator={operator} />
        </h1>
        {isRetired ? (
          <Retired operator={operator} />
        ) : (
          <>
            <EditForm operator={operator} refused={refusedFor<NetworkAction>("edit", refused)} />
            <section className="card">
              <h2>Lines</h2>
              <p className="soft">
                Each has bundles and a route of its own. The first on sale is for bundles of no other line.
              </p>
              {families.map((family) => (
                <Line key={family.code} operator={code} family={family} refused={refused} />
              ))}
              <AddLine operator={code} refused={refusedFor<NetworkAction>("addLine", refused)} />
            </section>
            {code !== AFA_OPERATOR && <Ends operator={operator} />}
          </>
        )}
      </>
    ),
  };
}

function EditForm({ operator, refused }: { operator: OperatorOverview; refused: Refused | undefined }) {
  const { code, ussdPosition, place, prefixes, ownAliases, momo, ...texts } = operator;
  const values = {
    ...{ name: texts.name, shortName: texts.shortName, letters: texts.letters, color: texts.color },
    ...{ ussdLabel: texts.ussdLabel, ussdPosition: String(ussdPosition), momo: momo ?? "" },
    prefixes: prefixes.map((prefix) => `0${prefix}`).join(" "),
    aliases: ownAliases.join(", "),
  };
  return (
    <Form<NetworkAction> to={pathOf(code)} does="edit" refused={refused} idPrefix="edit" className="card">
      <h2>Names and looks</h2>
      <p className="soft">
        Its code is {code} and its page <a href={texts.path}>{texts.path}</a>. An old name that lists and SMS still use
        belongs under “Also called”.
      </p>
      <RefusalNote />
      <div className="row top-aligned">
        <LooksFields refused={refused} values={values} />
        <Field label="Place in lists" name="position" type="number" min={1} max={99} value={String(place)} />
      </div>
      <div className="actions after">
        <button type="submit">Save</button>
      </div>
    </Form>
  );
}

type LineProps = { operator: string; family: FamilyOverview; refused: Refused | undefined };

function Line({ operator, family, refused }: LineProps) {
  const { code, name, ussdLabel, aliases, isRetired, bundles } = family;
  const isRefused = refusedFor<NetworkAction>("editLine", refused, { line: code }) !== undefined;
  return (
    <details open={isRefused}>
      <summary>
        {name} <span className="soft small">{isRetired ? "retired" : countText(bundles, "bundle")}</span>
      </summary>
      {isRetired ? (
        <RestoreForm operator={operator} line={code} name={name} />
      ) : (
        <Form<NetworkAction>
          to={pathOf(operator)}
          does="editLine"
          refused={refused}
          sends={{ line: code }}
          row="line"
          idPrefix={code}
        >
          <RefusalNote />
          <div className="row top-aligned">
            <LineFields values={{ name, ussdLabel, aliases: aliases.join(", ") }} />
          </div>
          <div className="actions">
            <button type="submit">Save {name}</button>
            <a className="button quiet" href={`${pathOf(operator)}/retire?line=${code}`}>
              Retire {name} …
            </a>
          </div>
        </Form>
      )}
    </details>
  );
}

function AddLine({ operator, refused }: { operator: string; refused: Refused | undefined }) {
  return (
    <details open={refused !== undefined}>
      <summary>Add a line</summary>
      <Form<NetworkAction> to={pathOf(operator)} does="addLine" refused={refused} idPrefix="line">
        <RefusalNote />
        <div className="row top-aligned">
          <Field label="Code" name="line" hint="It stays" required />
          <LineFields />
        </div>
        <button type="submit">Add line</button>
      </Form>
    </details>
  );
}

/** The ways to take a network off sale; each leads to a page that says first what will happen. */
function Ends({ operator: { code, name } }: { operator: OperatorOverview }) {
  const others = allOperators().filter((other) => other.code !== code && !other.isRetired);
  return (
    <section className="card">
      <h2>Merge or retire {name}</h2>
      {others.length > 0 && (
        <form method="get" action={`${pathOf(code)}/merge`} className="row">
          <Field label="Merge it into" name="into" idPrefix="merge" value={others[0]!.code}>
            {others.map((other) => (
              <option key={other.code} value={other.code}>
                {other.name}
              </option>
            ))}
          </Field>
          <button className="quiet" type="submit">
            See what would move …
          </button>
        </form>
      )}
      <div className="actions after">
        <a className="button quiet" href={`${pathOf(code)}/retire`}>
          Retire {name} …
        </a>
      </div>
    </section>
  );
}

function Retired({ operator: { code, name, mergedInto } }: { operator: OperatorOverview }) {
  return (
    <section className="card">
      <p>
        {mergedInto
          ? "Its lines belong to the other network now, and its address leads there. Past orders keep its name."
          : "Its bundles are off sale. Past orders keep its name."}
      </p>
      {!mergedInto && <RestoreForm operator={code} name={name} />}
    </section>
  );
}

function RestoreForm({ operator, line, name }: { operator: string; line?: string; name: string }) {
  return (
    <Form<NetworkAction> to={pathOf(operator)} does="restore" sends={{ line }}>
      <button type="submit">Put {name} on sale again</button>
    </Form>
  );
}
