// Presentation of an account's limits.
import type { Wait } from "../core/ledger/waits.ts";
import type { AccountLimits } from "../core/payments/account-limits.ts";
import { toCedis } from "../shared/money.ts";

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

export function presentLimits(limits: AccountLimits, wait: Wait | null) {
  const { frozen } = limits;
  return {
    perDay: cedis(limits.dayLimitPesewas),
    leftToday: cedis(limits.dayLeftPesewas),
    ordersPerHour: limits.hourOrdersMax,
    ordersLeftThisHour: limits.hourLeft,
    topUpsPerDay: limits.topUpsMax,
    topUpsLeftToday: limits.topUpsLeft,
    balanceMax: cedis(limits.balanceMaxPesewas),
    roomForTopUps: cedis(limits.roomPesewas),
    isOwn: limits.isOwn,
    until: limits.until?.toISOString() ?? null,
    frozen: frozen && { message: frozen.message, until: frozen.until?.toISOString() ?? null },
    byPhoneFrom: wait?.until.toISOString() ?? null,
  };
}

function cedis(pesewas: number | null): number | null {
  return pesewas === null ? null : toCedis(pesewas);
}
