// Tiers: their names, how many accounts have each, and what becomes of those when one is deleted.
import { z } from "zod";
import * as tiers from "../../../../core/catalog/tiers.ts";
import * as accountTiers from "../../../../core/identity/account-tiers.ts";
import { TierName } from "../../../../http/schemas/prices.ts";
import { actionsOf, type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { Action, refusedFor } from "../../../ui/action.tsx";
import { Field, RefusalNote } from "../../../ui/parts.tsx";

const PATH = "/admin/prices/tiers";
const id = z
  .string()
  .regex(/^[1-9]\d{0,14}$/)
  .transform(Number);

const actions = actionsOf({
  add: {
    fields: z.object({ name: TierName }),
    run: async ({ db, by }, { name }) => {
      const tier = await tiers.add(db, { by, name });
      return redirect(PATH, `Added ${tier.name}. Its prices are the Standard ones until you set some.`);
    },
  },
  rename: {
    fields: z.object({ tier: id, name: TierName }),
    run: async ({ db, by }, { tier: tierId, name }) => {
      await tiers.rename(db, { by, tierId, name });
      return redirect(PATH, "Tier renamed.");
    },
  },
  delete: {
    fields: z.object({
      tier: id,
      to: id,
      accounts: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    }),
    run: async ({ db, by }, { tier: tierId, to: toTierId, accounts }) => {
      const done = await accountTiers.removeTier(db, { by, tierId, toTierId, accounts });
      const went = done.accounts === 1 ? "1 account has" : `${done.accounts} accounts have`;
      return redirect(PATH, `Tier deleted. ${went} the tier ${done.to.name} now.`);
    },
  },
});
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
        <input type="hidden" name="tier" value={tierId} />
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
            <input type="hidden" name="tier" value={tierId} />
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
