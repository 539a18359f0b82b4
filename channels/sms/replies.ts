// The texts of SMS replies that need values. Each fits one part of GSM-7.
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import type { PinState } from "../../src/core/identity/phones/pins.ts";
import type { DayLimit, HourLimit } from "../../src/core/ledger/limits.ts";
import type { Translate } from "../../src/core/messaging/languages/translate.ts";
import { fundsPart } from "../../src/core/messaging/texts/sms-texts.ts";
import type { Order } from "../../src/core/orders/order.ts";
import { type Family, limits, type Operator } from "../../src/shared/domain.ts";
import { availableOf, type Funds } from "../../src/shared/funds.ts";
import { plain } from "../../src/shared/money.ts";
import { guessOperator, operatorName, orderedBundle } from "../../src/shared/operators.ts";
import { endText, isRepricing, type Pause } from "../../src/shared/pause.ts";
import { localMsisdn } from "../../src/shared/phones/msisdn.ts";
import type { Closing } from "../../src/shared/switches.ts";
import { sentence } from "../../src/shared/text.ts";
import { kindOf } from "./command.ts";

/** `dial`: the code at which this number may register; null: on the web, whose host is null if it is not configured. */
export function signUp(t: Translate, { dial, host }: { dial: string | null; host: string | null }): string {
  if (dial) return t("sms.sign_up.dial", { dial });
  return host ? t("sms.sign_up", { host }) : t("sms.sign_up.no_host");
}

/** A wrong PIN that does not lock yet. */
export function wrongPin(t: Translate, triesLeft: number, where: string): string {
  return triesLeft === 1 ? t("sms.wrong_pin_last", { where }) : t("sms.wrong_pin", { count: triesLeft, where });
}

/** `pin` is null, or not locked, when the lock has just ended. */
export function locked(t: Translate, pin: PinState | null, where: string): string {
  if (!pin?.lockedUntil) return t("sms.locked.over", { where });
  if (pin.isLockedForGood) return t("sms.locked.for_good", { where });
  return t("sms.locked", { end: endText(pin.lockedUntil), where });
}

/** The account has spent what it may in a day. */
export function dailyLimit(t: Translate, { limitPesewas, leftPesewas, isNew }: DayLimit): string {
  const amounts = { limit: plain(limitPesewas), available: plain(leftPesewas) };
  return t(isNew ? "sms.daily_limit" : "sms.daily_limit.any", amounts);
}

/** The account has placed as many orders as it may in an hour. */
export function hourlyLimit(t: Translate, { limit, left, until }: HourLimit): string {
  return t("sms.hourly_limit", { max: limit, count: left, time: until });
}

/** The account is frozen; `support` is a phone number, empty when the shop has none. */
export function frozen(t: Translate, support: string): string {
  return support ? t("sms.frozen.support", { support }) : t("sms.frozen");
}

/** Sales, or buying by SMS, are closed for now. */
export function closed(t: Translate, { message: typed, until }: Closing): string {
  const message = sentence(typed);
  return until ? t("sms.closed.until", { message, end: endText(until) }) : t("sms.closed", { message });
}

/** The available balance and, where there are any, the amounts held and owed. */
export function balance(t: Translate, standing: Funds & { owedPesewas: number }): string {
  const { heldPesewas, owedPesewas } = standing;
  const available = plain(availableOf(standing));
  const funds =
    heldPesewas > 0
      ? t("sms.balance.held", { available, held: plain(heldPesewas) })
      : t("sms.balance", { balance: available });
  return owedPesewas > 0 ? `${funds} ${t("sms.balance.owed", { owed: plain(owedPesewas) })}` : funds;
}

/** An order's status and, after a refund, where the money is. */
export function status(t: Translate, order: Order): string {
  const { id, msisdn, quantity, amountPesewas, refundedAt } = order;
  const about = {
    ...{ order: id, state: standing(t, order) },
    ...{ bundle: orderedBundle(order, quantity), number: localMsisdn(msisdn) },
  };
  return refundedAt ? t("sms.status.refunded", { ...about, amount: plain(amountPesewas) }) : t("sms.status", about);
}

function standing(t: Translate, { status, paidAt, operator, failure }: Order): string {
  if (failure === "cancelled") return t("sms.state.cancelled");
  switch (status) {
    case "FAILED":
      return t(paidAt ? "sms.state.failed" : "sms.state.closed");
    case "DELIVERED":
    case "COMPLETED":
      return t("sms.state.delivered");
    case "PROCESSING":
      return t("sms.state.sent", { network: operatorName(operator) });
    default:
      return t(paidAt ? "sms.state.waiting" : "sms.state.not_paid");
  }
}

type Bundle = { operator: Operator; family: Family | null; productSize: string; msisdn: string };

/** The number's prefix belongs to another network; asks for confirmation by YES. */
export function otherNetwork(t: Translate, { operator, msisdn }: Bundle): string {
  const guess = guessOperator(msisdn);
  const chosen = { number: localMsisdn(msisdn), network: operatorName(operator) };
  return guess
    ? t("sms.other_network", { ...chosen, guess: operatorName(guess) })
    : t("sms.other_network.unknown", chosen);
}

/** The same was ordered a moment ago, perhaps several at once; asks for confirmation by YES. */
export function duplicate(t: Translate, bundle: Bundle, boughtQuantity: number): string {
  const bought = { ...named(bundle), bundle: orderedBundle(bundle, boughtQuantity) };
  return t("sms.duplicate", { ...bought, minutes: limits.duplicateWindowMinutes });
}

/** The wallet has too little money for the bundle. */
export function insufficientBalance(t: Translate, bundle: Bundle, pricePesewas: number, funds: Funds): string {
  const wanted = { ...named(bundle), price: plain(pricePesewas) };
  return funds.heldPesewas > 0
    ? t("sms.short.held", { ...wanted, funds: fundsPart(t, funds) })
    : t("sms.short", { ...wanted, balance: plain(funds.balancePesewas) });
}

/** `pause` is as the error has it: null when it has ended since. */
export function paused(t: Translate, bundle: Bundle, pause: Pause | null): string {
  if (pause && isRepricing(pause)) return t("sms.repricing", named(bundle));
  const until = pause?.until;
  return until ? t("sms.paused.until", { ...named(bundle), end: endText(until) }) : t("sms.paused", named(bundle));
}

/**
 * No bundle has that size; lists those that can be bought, or all while none can. The sender cuts a text that is too
 * long.
 */
export function noSuchSize(t: Translate, size: string, siblings: ProductOnSale[]): string {
  const onSale = siblings.filter(({ paused }) => paused === null);
  const listed = onSale.length > 0 ? onSale : siblings;
  const sizes = [...new Set(listed.map((product) => product.size))].join(", ");
  return t("sms.no_such_size", { network: operatorName(siblings[0]!.operator), size, sizes });
}

/** Several kinds come in that size. */
export function whichKind(t: Translate, candidates: ProductOnSale[]): string {
  const choices = candidates
    .map((product) => `BUY ${kindOf(product)} ${product.size} (${plain(product.pricePesewas)})`)
    .join(` ${t("part.or")} `);
  return t("sms.which_kind", { choices });
}

function named(bundle: Bundle): { bundle: string; number: string } {
  return { bundle: orderedBundle(bundle), number: localMsisdn(bundle.msisdn) };
}
