// The commands that may ask for a second person, each carried out with its stored input once somebody has agreed.
import type { Db } from "../../../db/connect.ts";
import { decoded } from "../../shared/fields.ts";
import * as costs from "../catalog/costs.ts";
import * as priceChanges from "../catalog/price-changes.ts";
import * as products from "../catalog/products.ts";
import * as deskResults from "../fulfilment/desk/desk-results.ts";
import * as rerouting from "../fulfilment/rerouting.ts";
import type { BundleVendor } from "../fulfilment/vendor.ts";
import * as secondFactor from "../identity/logins/second-factor.ts";
import * as users from "../identity/users.ts";
import * as wallet from "../ledger/wallet.ts";
import * as disputes from "../orders/disputes.ts";
import * as refund from "../orders/refund.ts";
import * as takenBack from "../orders/taken-back-refunds.ts";
import * as cash from "../payments/cash/cash.ts";
import * as cashBank from "../payments/cash/cash-bank.ts";
import * as depositReversals from "../payments/deposits/deposit-reversals.ts";
import * as deposits from "../payments/deposits/deposits.ts";
import * as reviews from "../payments/reviews.ts";
import * as walletPayouts from "../payments/wallet-payouts.ts";
import { type Caller, commandOf } from "../platform/commands.ts";
import * as providerKeys from "../platform/provider-keys.ts";
import * as settings from "../platform/settings/settings.ts";

/** The commands that may ask for a second person. */
const ASKING = [
  settings.change,
  settings.setRoutes,
  providerKeys.setKeys,
  wallet.adjust,
  walletPayouts.payOut,
  deposits.approve,
  deposits.correct,
  depositReversals.decide,
  reviews.decide,
  cash.decide,
  cashBank.bring,
  cashBank.tickOff,
  costs.allow,
  products.add,
  products.addMany,
  products.edit,
  priceChanges.set,
  priceChanges.undo,
  users.createChecked,
  users.edit,
  secondFactor.reset,
  refund.refund,
  refund.refundMany,
  takenBack.takeBack,
  disputes.decide,
  deskResults.report,
  deskResults.closeRest,
  rerouting.move,
] as const;

/** What a request for a second person asks to do, and how it is done once somebody has agreed. */
export type Act = {
  label: string;
  /** Does it as whoever asked, with the input that was stored. */
  run: (db: Db, caller: Caller & Serving, input: Record<string, unknown>) => Promise<unknown>;
};

/** `vendors`: those that are configured, for acts about delivery. */
export type Serving = { vendors: readonly BundleVendor[] };

/** The acts by the names of their commands. */
export const ACTS: Record<string, Act> = Object.fromEntries(
  ASKING.map(({ declared: { name } }) => {
    const command = commandOf(name)!;
    const { asks, input } = command.declared;
    const run: Act["run"] = (db, caller, stored) => command(db, { ...caller, ...decoded(input, stored) });
    return [name, { label: asks!, run }];
  }),
);

/** The act of a kind. Throws for one that is not listed above. */
export function actOf(kind: string): Act {
  if (!Object.hasOwn(ACTS, kind)) throw new Error(`nothing carries out ${kind}: add it to core/approvals/acts.ts`);
  return ACTS[kind]!;
}
