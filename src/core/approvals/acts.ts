// Every act that can need a second person: one entry each, with how it is carried out once somebody has agreed. An act
// calls secondPerson.require with the kind here and the command that its entry takes.
import type { Db } from "../../../db/connect.ts";
import type { ByUser } from "../../shared/domain.ts";
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
import { commandOf, type Declared } from "../platform/commands.ts";
import type { Key } from "../platform/idempotency.ts";
import * as settings from "../platform/settings/settings.ts";

/** How an act is carried out: as whoever asked, with the command that was stored, under the key of their request. */
export type Act = {
  label: string;
  run: (db: Db, by: ByUser, command: Record<string, unknown>, context: ActContext) => Promise<unknown>;
};

/** `vendors`: those that are configured, for acts about delivery. */
export type ActContext = { key: Key | null; vendors: readonly BundleVendor[] };

/** The acts by kind. */
export const ACTS: Record<string, Act> = {
  ...ofCommands(
    settings.change,
    settings.setRoutes,
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
  ),
  "vendor.move": {
    label: "Orders moved to other vendors",
    run: (db, by, stored, { key, vendors }) => {
      const command = stored as MoveCommand & { paidBefore: string | null };
      const paidBefore = command.paidBefore === null ? null : new Date(command.paidBefore);
      return rerouting.move(db, vendors, { ...command, paidBefore, by, key });
    },
  },
};

/** The act of a kind. Throws for one without an entry above. */
export function actOf(kind: string): Act {
  if (!Object.hasOwn(ACTS, kind)) throw new Error(`nothing carries out ${kind}: add it to core/approvals/acts.ts`);
  return ACTS[kind]!;
}

type MoveCommand = Parameters<typeof rerouting.move>[2];

/** The acts that commands are, by their names. */
function ofCommands(...all: { declared: Pick<Declared, "name"> }[]): Record<string, Act> {
  const acts = all.map(({ declared: { name } }): [string, Act] => {
    const command = commandOf(name)!;
    const { asks, input } = command.declared;
    return [
      name,
      { label: asks!, run: (db, by, stored, { key }) => command(db, { by, key, ...decoded(input, stored) }) },
    ];
  });
  return Object.fromEntries(acts);
}
