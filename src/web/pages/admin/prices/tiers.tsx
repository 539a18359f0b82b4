// Groups of agents, called tiers in the code: their names, how many accounts have each, and what becomes of those when
// one is deleted.
import * as tiers from "../../../../core/catalog/tiers.ts";
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { PageLink } from "../../../ui/frame/permitted.tsx";

const PATH = "/admin/prices/tiers";
const actions = {
  add: does(tiers.add, (_, { name }) =>
    redirect(PATH, `Added ${name}. Its prices are the Standard ones until you set some.`),
  ),
  rename: does(tiers.rename, () => redirect(PATH, "Group renamed.")),
  delete: does(accountTiers.removeTier, (_, { accounts, to }) =>
    redirect(
      PATH,
      `Group deleted. ${accounts === 1 ? "1 account has" : `${accounts} accounts have`} the group ${to.name} now.`,
    ),
  ),
};
type TierAction = keyof typeof actions;

export const tierPages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    tab: { section: "Agents", label: "Groups", part: "Prices" },
    palette: ["Add a group"],
    show: showTiers,
    actions,
  },
];

async function showTiers({ db }: Context, refused?: Refused): Promise<View> {
  const all = await tiers.listInUse(db);
  return {
    body: (
      <>
        {!refusedFor<TierAction>("add", refused) && <RefusalNote refused={refused} />}
        <section className="card">
          <h2>Add a group</h2>
          <Form<TierAction> to={PATH} does="add" refused={refused} idPrefix="add" className="fields">
            <RefusalNote />
            <Field label="Name" name="name" required placeholder="Gold" hint="Short. Only staff see it." />
            <button type="submit">Add group</button>
          </Form>
        </section>
        <p className="soft">
          A group's prices are set under <PageLink href="/admin/prices">Bundles</PageLink>. An agent gets into it on the
          agent's page, under Prices.
        </p>
        {all.map((tier) => (
          <TierCard key={tier.id} tier={tier} others={all.filter((other) => other.id !== tier.id)} />
        ))}
      </>
    ),
  };
}

function TierCard({ tier, others }: { tier: tiers.TierInUse; others: tiers.Tier[] }) {
  const { id: tierId, name, accounts } = tier;
  return (
    <section className="card">
      <div className="head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <span className="soft">{accountsText(accounts)}</span>
      </div>
      <Form<TierAction> to={PATH} does="rename" sends={{ tierId }} idPrefix={`tier-${tierId}`} className="row">
        <Field label="Name" name="name" value={name} required />
        <button className="quiet" type="submit">
          Rename
        </button>
      </Form>
      {tierId !== tiers.STANDARD_TIER_ID && (
        <details>
          <summary>Delete</summary>
          <Form<TierAction>
            to={PATH}
            does="delete"
            sends={{ tierId, accounts }}
            idPrefix={`delete-${tierId}`}
            className="row"
          >
            <Field
              label={`${accountsText(accounts)} ${accounts === 1 ? "goes" : "go"} to`}
              name="to"
              value={String(tiers.STANDARD_TIER_ID)}
            >
              {others.map((other) => (
                <option key={other.id} value={other.id}>
                  {other.name}
                </option>
              ))}
            </Field>
            <button className="danger" type="submit">{`Delete ${name}`}</button>
          </Form>
        </details>
      )}
    </section>
  );
}

function accountsText(accounts: number): string {
  return accounts === 1 ? "1 account" : `${accounts.toLocaleString("en")} accounts`;
}
