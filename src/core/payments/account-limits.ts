// All limits of an account together, as its owner and staff read them: what it may spend, top up and hold.
import type { Reads } from "../../../db/connect.ts";
import * as freezing from "../ledger/freezing.ts";
import * as limits from "../ledger/limits.ts";
import * as topUpLimits from "./top-up-limits.ts";

/** The limits in force for an account, what is left of each, and its freeze. */
export type AccountLimits = limits.Standing &
  topUpLimits.TopUpsLeft & {
    /** What may be spent in a day, whichever limit it comes from. */
    dayLimitPesewas: number | null;
    frozen: freezing.Frozen | null;
  };

/** The limits in force for an account. */
export async function of(tx: Reads, userId: number): Promise<AccountLimits> {
  const [standing, topUps, frozen] = await Promise.all([
    limits.standing(tx, userId),
    topUpLimits.left(tx, userId),
    freezing.of(tx, userId),
  ]);
  const { dayMaxPesewas, newAccountMaxPesewas } = standing;
  const days = [dayMaxPesewas, newAccountMaxPesewas].filter((pesewas) => pesewas !== null);
  return { ...standing, ...topUps, dayLimitPesewas: days.length > 0 ? Math.min(...days) : null, frozen };
}

/** Whether any limit is in force. */
export function hasSome({ dayLimitPesewas, hourOrdersMax, topUpsMax, balanceMaxPesewas }: AccountLimits): boolean {
  return [dayLimitPesewas, hourOrdersMax, topUpsMax, balanceMaxPesewas].some((limit) => limit !== null);
}
