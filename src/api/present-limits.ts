// The limits of an account, for the API.
import * as phoneWaits from "../core/identity/phones/phone-waits.ts";
import * as accountLimits from "../core/payments/account-limits.ts";
import type { ApiDeps } from "./route.ts";

export const limitsExample = {
  perDay: 500,
  leftToday: 480,
  ordersPerHour: 60,
  ordersLeftThisHour: 59,
  topUpsPerDay: null,
  topUpsLeftToday: null,
  balanceMax: 2000,
  roomForTopUps: 1880,
  isOwn: false,
  until: null,
  frozen: null,
  byPhoneFrom: null,
};

/** The limits in force for an account, and until when it waits before it buys by phone. */
export async function limitsOf(db: ApiDeps["db"], userId: number) {
  const wait = await phoneWaits.of(db, userId);
  return { ...(await accountLimits.of(db, userId)), byPhoneFrom: wait?.until ?? null };
}
