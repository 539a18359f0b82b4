// Tiers: their names, how many accounts have each, and what becomes of those when one is deleted.
import * as tiers from "../../../../core/catalog/tiers.ts";
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Action, refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/parts.tsx";

const PATH = "/admin/prices/tiers";
const actions = {
  add: does(tiers.add, (_, { name }) =>
    redirect(PATH, `Added ${name}. Its prices are the Standard ones until you set some.`),
  ),
  rename: does(tiers.rename, () => redirect(PATH, "Tier renamed.")),
  delete: does(accountTiers.removeTier, (_, { accounts, to }) =>
    redirect(
      PATH,
      `Tier deleted. ${accounts === 1 ? "1 account has" : `${accounts} accounts have`} the tier ${to.name} now.`,
    ),
  ),
};
type TierAction = keyof typeof actions;

export const tierPages: Page[] = [
  {
    path: PATH,
    right: "catalog.manage",
    tab: { section: "Prices", label: "Tiers" },
    palette: ["Add a tier"],
    show: showTiers,
    actions,
  },
];

async function showTiers({ db }: Context, refused?: Refused): Promise<View> {
  const all = await tiers.listInUse(db);
  const ofAdd = refusedFor<TierAction>("add", refused);
  return {
    title: "Tiers",
    body: (
      <>
        {!ofAdd && <RefusalNote refused={refused} />}
        <section className="card">
          <h2>Add a tier</h2>
          <form method="post" action={PATH} className="fields">
            <Action<TierAction> name="add" />
            <RefusalNote refused={ofAdd} />
            <Field
              label="Name"
              name="name"
              idPrefix="add"
              refused={ofAdd}
              required
              placeholder="Gold"
              hint="Short. Only staff see it."
            />
            <button type="submit">Add tier</button>
          </form>
        </section>
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
      <form method="post" action={PATH} className="row">
        <Action<TierAction> name="rename" />
        <input type="hidden" name="tierId" value={tierId} />
        <Field label="Name" name="name" idPrefix={`tier-${tierId}`} value={name} required />
        <button className="quiet" type="submit">
          Rename
        </button>
      </form>
      {tierId !== tiers.STANDARD_TIER_ID && (
        <details>
          <summary>Delete</summary>
          <form method="post" action={PATH} className="row">
            <Action<TierAction> name="delete" />
            <input type="hidden" name="tierId" value={tierId} />
            <input type="hidden" name="accounts" value={accounts} />
            <Field
              label={`${accountsText(accounts)} ${accounts === 1 ? "goes" : "go"} to`}
              name="to"
              idPrefix={`delete-${tierId}`}
              value={String(tiers.STANDARD_TIER_ID)}
            >
              {others.map((other) => (
                <option key={other.id} value={other.id}>
                  {other.name}
                </option>
              ))}
            </Field>
            <button className="danger" type="submit">{`Delete ${name}`}</button>
          </form>
        </details>
      )}
    </section>
  );
}

function accountsText(accounts: number): string {
  return accounts === 1 ? "1 account" : `${accounts.toLocaleString("en")} accounts`;
}
