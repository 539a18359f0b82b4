// Acts that take two people whatever the amount: who is on the staff and how they log in, where an agent's password is
// reset, the rule itself and the rules that let a statement credit by itself, where agents send money, who delivers,
// prices below cost, and payouts.
import { SECOND_PERSON_SETTINGS } from "../../src/core/platform/settings/declared-settings.ts";
import { isStaff, type Right } from "../../src/shared/rights.ts";
import { type Law, priceKey, type Standing, settingOf } from "./law.ts";
import type { Change, Row } from "./witness.ts";

type Guarded = {
  name: string;
  right: Right;
  concerns: number[];
  /** Not even somebody who is alone does it. */
  isRule?: boolean;
};

type Costs = ReadonlyMap<number, number | null>;

/** Why a change takes two; null for one that does not. `costs`: what bundles cost when the acts began. */
export function needsTwo(law: Law, costs: Costs, change: Change, actorId: number): Guarded | null {
  switch (change.table) {
    case "users":
      return ofStaff(change, actorId) ?? ofMailbox(change, actorId);
    case "second_factors":
      return ofFactor(law, change, actorId);
    case "settings":
      return change.after ? ofSetting(law, change.after) : null;
    case "products":
      return ofAllowance(change) ?? ofNewBundle(law, costs, change);
    case "wallet_payouts":
      return ofPayout(change);
    case "prices":
    case "account_prices":
      return ofPrice(law, costs, change, actorId);
    default:
      return null;
  }
}

const rolesIn = (row: Row | null) => ({ roles: (row?.roles ?? []) as Standing["roles"] });

function ofStaff({ before, after }: Change, actorId: number): Guarded | null {
  if (!after || (before && Number(after.id) === actorId)) return null;
  if (!isStaff(rolesIn(before)) && !isStaff(rolesIn(after))) return null;
  const guarded = { right: "staff.manage" as const, concerns: before ? [Number(after.id)] : [] };
  if (!before) return { name: "new staff", ...guarded };
  if (!Bun.deepEquals(before.roles, after.roles)) return { name: "another role of staff", ...guarded };
  const isMoved = before.email !== after.email && after.status !== "CLOSED";
  return isMoved ? { name: "another mailbox of staff", ...guarded } : null;
}

function ofMailbox({ before, after }: Change, actorId: number): Guarded | null {
  if (!before || !after || Number(after.id) === actorId || after.status === "CLOSED") return null;
  if (before.email === after.email) return null;
  return { name: "another mailbox of an agent", right: "agents.manage", concerns: [Number(after.id)] };
}

function ofFactor({ people }: Law, { before, after }: Change, actorId: number): Guarded | null {
  const userId = Number(before?.user_id ?? actorId);
  if (after || userId === actorId || !isStaff(people.get(userId) ?? { roles: [] })) return null;
  return { name: "no second factor of staff", right: "staff.manage", concerns: [userId] };
}

const RECEIVING = ["manual_payment_number", "manual_payment_name"];

function ofSetting(law: Law, { key, value }: Row): Guarded | null {
  const name = String(key);
  const before = settingOf(law, name);
  if (value === before) return null;
  const guarded = { name: `setting ${name}: ${before} > ${value}`, concerns: [] };
  if (name.startsWith("route_") || name === "routes_by_cost") return { ...guarded, right: "delivery.manage" };
  if (RECEIVING.includes(name)) return { ...guarded, right: "settings.change" };
  const isOfRule = Object.hasOwn(SECOND_PERSON_SETTINGS, name);
  if (!isLoosened(name, before, value)) return null;
  return { ...guarded, right: "settings.change", isRule: isOfRule };
}

function isLoosened(name: string, before: unknown, after: unknown): boolean {
  if (name === "admin_second_factor" || name === "second_person") return before === true && after === false;
  if (name === "statement_account_days") return Number(after) < Number(before);
  if (Object.hasOwn(SECOND_PERSON_SETTINGS, name) || /^statement_.*_pesewas$/.test(name))
    return Number(after) > Number(before);
  return false;
}

function ofAllowance({ before, after }: Change): Guarded | null {
  if (!after?.below_cost_reason || before?.below_cost_reason === after.below_cost_reason) return null;
  return { name: "a bundle may be sold below its cost", right: "catalog.manage", concerns: [] };
}

function ofPayout({ before, after }: Change): Guarded | null {
  if (before || !after) return null;
  return { name: "a payout of a wallet", right: "wallet.pay_out", concerns: [Number(after.user_id)] };
}

/** A bundle costs at least what a smaller one of its network and family costs. */
function ofNewBundle({ bundles, costs: now }: Law, costs: Costs, { before, after }: Change): Guarded | null {
  if (before || !after || after.line !== "bundle") return null;
  const smaller = [...bundles.values()].filter(
    (one) =>
      one.retired_at === null &&
      one.operator === after.operator &&
      one.family === after.family &&
      Number(one.volume_mb) <= Number(after.volume_mb),
  );
  const known = smaller.map(({ id }) => Math.min(...[now, costs].map((all) => all.get(Number(id)) ?? 0)));
  const isBelow = Number(after.price_pesewas) < Math.max(0, ...known);
  return isBelow ? { name: "a new bundle below cost", right: "catalog.manage", concerns: [] } : null;
}

function ofPrice(law: Law, costs: Costs, { table, before, after, at }: Change, actorId: number): Guarded | null {
  if (before || !after || after.price_pesewas === null) return null;
  const price = Number(after.price_pesewas);
  const id = Number(after.product_id);
  const known = [law.costs.get(id), costs.get(id)].filter((cost) => typeof cost === "number");
  const former = formerCost(law, id, actorId, at);
  const lowest = [priceKey(table, after), `${id} tier 1`].map((key) => law.lowest.get(key) ?? 0);
  const cost = Math.max(known.length === 2 ? Math.min(...known) : 0, former);
  const isNewLow = price < (law.lowest.get(priceKey(table, after)) ?? Number.MAX_SAFE_INTEGER);
  const isBelow = price < cost && lowest.every((one) => price < one);
  if (isBelow) return { name: "a price below cost", right: "catalog.manage", concerns: [] };
  const isUnmeasured = known.length === 0 && price < (law.lowest.get(`${id} tier 1`) ?? 0) * STANDARD_SHARE;
  if (isUnmeasured) return { name: "a low price without a known cost", right: "catalog.manage", concerns: [] };
  const isBelowTiers = table === "account_prices" && price < lowestOfTiers(law, id) && isNewLow;
  return isBelowTiers ? { name: "an account's price below every tier", right: "catalog.manage", concerns: [] } : null;
}

/** So much of the Standard price one person may ask for where nobody knows the cost. */
const STANDARD_SHARE = 0.8;

/** The lowest price that a bundle ever had in a tier; 0 for one that had none. */
function lowestOfTiers({ lowest }: Law, productId: number): number {
  const all = [...lowest].filter(([key]) => key.startsWith(`${productId} tier `)).map(([, price]) => price);
  return all.length > 0 ? Math.min(...all) : 0;
}

/** What a bundle cost before somebody entered another cost themselves, within a week. */
function formerCost({ entered }: Law, productId: number, actorId: number, at: Date): number {
  const own = entered.filter(
    (one) => one.productId === productId && one.byId === actorId && at.getTime() - one.at.getTime() < WEEK_MS,
  );
  const firsts = [...Map.groupBy(own, ({ key }) => key).values()].map(([first]) => first!.formerPesewas);
  return Math.max(0, ...firsts);
}

const WEEK_MS = 7 * 86_400_000;
