// Admins' page of all networks, and the form that adds one.
import * as changes from "../../../../core/catalog/operators/operator-changes.ts";
import { USSD_POSITION_MAX } from "../../../../core/catalog/operators/operator-names.ts";
import { type OperatorOverview, overviews } from "../../../../core/catalog/operators/operator-overview.ts";
import * as products from "../../../../core/catalog/products.ts";
import { operatorName } from "../../../../shared/operators.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { text } from "../../../ui/columns.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { NetworkBadge } from "../../../ui/frame/icons.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { onSaleText } from "../prices/bundle-parts.tsx";
import { LooksFields, typedIn } from "./network-fields.tsx";

export const networkListPages: Page[] = [
  {
    path: "/admin/networks",
    right: "catalog.manage",
    tab: { section: "Settings", label: "Networks" },
    palette: ["Add a network", "Pause a network"],
    show: showNetworks,
    submit: does(
      changes.add,
      ({ code, name }) =>
        redirect(
          `/admin/networks/${code}`,
          `Added ${name}. Put its bundles on sale under Products; the desk sends them until its line has a route.`,
        ),
      {},
      typedIn,
    ),
  },
];

async function showNetworks({ db }: Context, refused?: Refused): Promise<View> {
  const [networks, bundles] = await Promise.all([overviews(db), products.list(db)]);
  const all = networks.map((one) => ({
    ...one,
    sold: onSaleText(bundles.filter(({ operator }) => operator === one.code)),
  }));
  const taken = new Set(all.filter(({ isRetired }) => !isRetired).map(({ ussdPosition }) => ussdPosition));
  const free = Array.from({ length: USSD_POSITION_MAX }, (_, i) => i + 1).find((digit) => !taken.has(digit));
  return {
    body: (
      <>
        <section className="card">
          <Table rows={all} columns={COLUMNS} empty="No networks yet" />
        </section>
        <details className="card" open={refused !== undefined}>
          <summary>Add a network</summary>
          <Form to="/admin/networks" refused={refused} idPrefix="add">
            <RefusalNote />
            <div className="row top-aligned">
              <Field label="Code" name="operator" hint="For programs, such as GLO; it stays" required />
              <Field label="Address of its page" name="path" placeholder="/glo-data" hint="It stays, too" required />
              <LooksFields refused={refused} values={{ ussdPosition: free ? String(free) : "" }} />
            </div>
            <div className="actions after">
              <button type="submit">Add network</button>
            </div>
          </Form>
        </details>
      </>
    ),
  };
}

const COLUMNS: Column<OperatorOverview & { sold: string }>[] = [
  {
    head: "Network",
    cell: ({ code, name }) => (
      <>
        <NetworkBadge operator={code} /> <a href={`/admin/networks/${code}`}>{name}</a>
      </>
    ),
  },
  { head: "State", cell: (operator) => <StateChip operator={operator} /> },
  text("Bundles", "sold"),
  { head: "Lines", cell: ({ families }) => families.map(({ name }) => name).join(", ") },
  { head: "Prefixes", cell: ({ prefixes }) => prefixes.map((prefix) => `0${prefix}`).join(" ") },
  { head: "USSD", cell: ({ ussdPosition, isRetired }) => (isRetired ? "" : `Press ${ussdPosition}`) },
];

export function StateChip({ operator }: { operator: Pick<OperatorOverview, "isRetired" | "mergedInto"> }) {
  const { isRetired, mergedInto } = operator;
  if (mergedInto) return <span className="chip">Merged into {operatorName(mergedInto)}</span>;
  return isRetired ? <span className="chip warn">Retired</span> : <span className="chip good">On sale</span>;
}
