// Limits on spending by tier.
import * as spendingLimits from "../../../../core/identity/spending-limits.ts";
import { does } from "../../../does.ts";
import { type Context, type Page, type Refused, redirect, type View } from "../../../page.tsx";
import { RefusalNote } from "../../../ui/fields.tsx";
import { Form } from "../../../ui/form.tsx";
import { BoundsForm } from "./bounds-fields.tsx";

const PATH = "/admin/limits";

const actions = {
  save: does(spendingLimits.setTier, (_, { name }) =>
    redirect(PATH, `Limits of ${name} saved. They hold from the next purchase on.`),
  ),
};
type LimitAction = keyof typeof actions;

export const limitPages: Page[] = [
  {
    path: PATH,
    right: "agents.manage",
    tab: { section: "Agents", label: "Groups", part: "Limits" },
    show: showLimits,
    actions,
  },
];

async function showLimits({ db }: Context, refused?: Refused): Promise<View> {
  const tiers = await spendingLimits.listTiers(db);
  return {
    body: (
      <>
        <p className="soft">
          Limits hold for every way to buy: on the web, by API, in bulk, by USSD and SMS. An account can have limits of
          its own, on its page under Limits. Days end at midnight, hours on the hour; a cancelled or failed order gives
          its money back to the day, and still counts for the hour.
        </p>
        {tiers.map((tier) => (
          <TierForm key={tier.id} tier={tier} refused={refused} />
        ))}
      </>
    ),
  };
}

function TierForm({ tier, refused }: { tier: spendingLimits.LimitedTier; refused: Refused | undefined }) {
  return (
    <Form<LimitAction>
      to={PATH}
      does="save"
      refused={refused}
      sends={{ tierId: tier.id }}
      row="tierId"
      idPrefix={`tier-${tier.id}`}
      className="card"
    >
      <h2>
        <bdi>{tier.name}</bdi>
      </h2>
      <RefusalNote />
      <div className="fields">
        <BoundsForm bounds={tier.bounds} />
        <button type="submit">
          Save<span className="sr"> limits of {tier.name}</span>
        </button>
      </div>
    </Form>
  );
}
