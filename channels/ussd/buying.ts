// The actions of a purchase by USSD once its bundle is chosen: the number, the quantity, and paying, the only one to
// move money.

import * as purchases from "../../src/core/buying/buy.ts";
import * as lines from "../../src/core/buying/order-lines.ts";
import { isValidQuantity } from "../../src/core/buying/purchase-groups.ts";
import * as products from "../../src/core/catalog/products.ts";
import { dayLimitIn, hourLimitIn } from "../../src/core/ledger/limits.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as smsTexts from "../../src/core/messaging/texts/sms-texts.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as switches from "../../src/core/platform/switches.ts";
import { limits } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import type { Funds } from "../../src/shared/funds.ts";
import { guessOperator } from "../../src/shared/operators.ts";
import { isRepricing } from "../../src/shared/pause.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import type { Bundle, Buying, Dialog, Step } from "./conversation.ts";
import { checkPin } from "./pin.ts";
import { labelOf, listed, pausedPart } from "./screens/labels.ts";
import { isShown } from "./screens/purchase-shown.ts";
import { noteSms } from "./sms-promise.ts";
import { canPayByMomo, ownNetwork } from "./topping-up.ts";

const RECIPIENTS_MAX = 8;

/** Takes the recipient's number as typed. */
export async function takeNumber(dialog: Dialog, answer: string): Promise<Step> {
  const msisdn = parseMsisdn(answer);
  if (!msisdn) return { to: "number", notice: dialog.t("ussd.notice.not_a_number") };
  return sendTo(dialog, msisdn);
}

/** Takes the caller's own number as recipient. */
export function takeOwnNumber(dialog: Dialog): Promise<Step> {
  return sendTo(dialog, dialog.msisdn);
}

/** Lists the recipients of the latest sales, without cancelled and failed ones, whose number was often mistyped. */
export async function showRecent(dialog: Dialog): Promise<Step> {
  const { db, userId, context, t } = dialog;
  const last = await orderQueries.list(db, { userId, bundlesOnly: true, repeatable: true }, { limit: 30 });
  context.recipients = [...new Set(last.map(({ msisdn }) => msisdn))].slice(0, RECIPIENTS_MAX);
  return context.recipients.length > 0 ? { to: "recent" } : { to: "number", notice: t("ussd.notice.no_recent") };
}

/** Takes the recent recipient at this index. */
export function takeRecent(dialog: Dialog, place: string): Promise<Step> {
  return sendTo(dialog, dialog.context.recipients![Number(place)]!);
}

/** Continues despite the number's other network. */
export function confirmNetwork(dialog: Dialog): Promise<Step> {
  dialog.context.buying!.knowsNetwork = true;
  return toPay(dialog);
}

/** Continues despite the same purchase a moment ago. */
export function buyAgain(dialog: Dialog): Promise<Step> {
  dialog.context.buying!.knowsDuplicate = true;
  return toPay(dialog);
}

/** Takes the quantity as typed. */
export async function takeQuantity(dialog: Dialog, answer: string): Promise<Step> {
  const quantity = /^\d{1,3}$/.test(answer) ? Number(answer) : 0;
  if (!isValidQuantity(quantity))
    return { to: "quantity", notice: dialog.t("ussd.notice.quantity", { max: limits.quantityMax }) };
  dialog.context.buying!.quantity = quantity;
  return toPay(dialog);
}

/** Repeats the last sale, which is no cancelled or failed order, at today's price. */
export async function repeatLast(dialog: Dialog): Promise<Step> {
  const { db, userId } = dialog;
  const [last] = await orderQueries.list(db, { userId, bundlesOnly: true, repeatable: true }, { limit: 1 });
  return last ? buyLike(dialog, last, true) : { to: "home", notice: dialog.t("ussd.notice.nothing_to_repeat") };
}

/** Repeats the order on the screen. */
export function repeatOrder(dialog: Dialog): Promise<Step> {
  return buyLike(dialog, dialog.context.orders![dialog.context.order!]!, true);
}

/** Resumes the purchase that an earlier session left unfinished; the warning about the number's network comes again. */
export async function resume(dialog: Dialog): Promise<Step> {
  return buyLike(dialog, dialog.context.offer!, false);
}

/** Drops this session's purchase. An unfinished one from an earlier session stays until another takes its place. */
export function cancel(dialog: Dialog): Step {
  const { context } = dialog;
  delete context.buying;
  delete context.recipient;
  delete context.only;
  return { to: "home" };
}

/**
 * Pays with a PIN. A repeated request, after a crash or a lost answer, has the same idempotency key: it finds the order
 * already placed and shows the same screen.
 */
export async function pay(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, key } = dialog;
  if (!isShown(context)) return toPay(dialog);
  // The price change has been read by now; the next message, about the PIN, takes its line.
  context.buying!.wasPesewas = null;
  if (!isPin(answer)) return { to: "pay", notice: dialog.t("ussd.notice.pin_digits") };
  const refused = await checkPin(dialog, answer, "pay");
  if (refused) return refused;
  const { bundle, msisdn, quantity, knowsDuplicate } = context.buying!;
  const line = {
    productId: bundle.id,
    msisdn: msisdn!,
    quantity,
    operator: bundle.operator,
    expectedPesewas: bundle.pricePesewas * quantity,
  };
  try {
    const buying = purchases.buy(db, { by, key, line, allowDuplicate: knowsDuplicate });
    const [{ answer: bought }] = await Promise.all([buying, noteSms(dialog, "order_accepted")]);
    context.orderId = bought.order.id;
    const receipt = smsTexts.orderPaid(dialog.t, bought.order, noteFunds(dialog, bought));
    return { to: dialog.offersAnother ? "bought_another" : "bought", receipt };
  } catch (error) {
    return refusedBuying(dialog, error);
  }
}

/** Stores the balance after a purchase, for the screen and the receipt. */
export function noteFunds(dialog: Dialog, { balancePesewas, heldPesewas }: Funds): Funds {
  const funds = { balancePesewas, heldPesewas };
  Object.assign(dialog.context, funds);
  return funds;
}

export async function insufficientBalance(
  dialog: Dialog,
  neededPesewas: number,
  to: "short" | "short_momo" = "short",
): Promise<Step> {
  const { balancePesewas, heldPesewas } = await wallet.standing(dialog.db, dialog.userId);
  Object.assign(dialog.context, { balancePesewas, heldPesewas, neededPesewas });
  return { to };
}

/** Shows a limit of the day, as its refusal tells it. */
export async function showDayLimit({ db, context }: Dialog, { details }: AppError): Promise<Step> {
  context.dayLimit = dayLimitIn(details);
  context.support = await settings.get(db, "support_phone");
  return { to: "day_limit" };
}

/** Shows a limit of the hour, as its refusal tells it. */
export async function showHourLimit({ db, context }: Dialog, { details }: AppError): Promise<Step> {
  context.hourLimit = hourLimitIn(details);
  context.support = await settings.get(db, "support_phone");
  return { to: "hour_limit" };
}

/** The screen after a refused purchase. Rethrows anything that is not a refusal. */
export async function refusedBuying(dialog: Dialog, error: unknown): Promise<Step> {
  if (!(error instanceof AppError)) throw error;
  switch (error.code) {
    case "wallet.insufficient_balance": {
      const { bundle, quantity } = dialog.context.buying!;
      const to = canPayByMomo(dialog.context) ? "short_momo" : "short";
      return insufficientBalance(dialog, bundle.pricePesewas * quantity, to);
    }
    case "order.daily_limit":
      return showDayLimit(dialog, error);
    case "order.hourly_limit":
      return showHourLimit(dialog, error);
    case "order.duplicate":
    case "order.price_changed":
    case "product.not_found":
    case "product.paused":
      return toPay(dialog);
    case "auth.banned":
      return { to: "banned" };
    case "service.busy":
      return { to: "busy" };
    default:
      throw error;
  }
}

async function sendTo(dialog: Dialog, msisdn: string): Promise<Step> {
  delete dialog.context.offer;
  Object.assign(dialog.context.buying!, { msisdn, knowsNetwork: false, knowsDuplicate: false });
  return toPay(dialog);
}

/** Starts a purchase like `order`. Works for a paused bundle, which may come back, but not for one taken off sale. */
async function buyLike(dialog: Dialog, order: OrderLike, knowsNetwork: boolean): Promise<Step> {
  const { db, context } = dialog;
  delete context.offer;
  const live = (await lines.productsForLines(db, dialog.userId, [order])).get(order.productId);
  if (!live) return { to: "home", notice: dialog.t("ussd.notice.retired") };
  const { msisdn, quantity, pricePesewas = live.pricePesewas } = order;
  const bundle = await bundleOf(dialog, live);
  context.buying = {
    bundle: { ...bundle, pricePesewas },
    wasPesewas: null,
    ...{ msisdn, quantity, knowsNetwork, knowsDuplicate: false },
  };
  return toPay(dialog);
}

/** `pricePesewas` is the unit price that was shown before, if one was. */
type OrderLike = { productId: number; msisdn: string; quantity: number; pricePesewas?: number };

/**
 * Leads to the payment screen, or first to a warning: the number looks like another network's, the bundle is not on
 * sale, or the same was bought a moment ago. The payment screen itself announces a changed price. Throws
 * service.closed.
 */
export async function toPay(dialog: Dialog): Promise<Step> {
  const { db, by } = dialog;
  const buying = dialog.context.buying!;
  const momo = ownNetwork(dialog);
  if (momo) dialog.context.momo = momo;
  const { bundle, msisdn } = buying;
  const { id: productId, operator } = bundle;
  if (guessOperator(msisdn!) !== operator && !buying.knowsNetwork) return { to: "other_network" };
  const [quote] = await Promise.all([
    lines.quote(db, dialog.userId, { productId, msisdn: msisdn!, operator }),
    // Before the PIN is asked for, which would buy nothing.
    switches.requireOpenFor(db, by, "sales"),
  ]);
  if (quote.pricePesewas === null) return notOnSale(dialog, buying);
  const isChanged = updatePrice(buying, quote.pricePesewas);
  if (quote.boughtQuantity !== null && !buying.knowsDuplicate) {
    buying.boughtQuantity = quote.boughtQuantity;
    return { to: "duplicate" };
  }
  return { to: "pay", isDetour: isChanged };
}

/** Says until when the bundle is paused, if that is known, or that it waits for a new price. */
async function notOnSale({ db, t, userId }: Dialog, buying: Buying): Promise<Step> {
  const { id: productId } = buying.bundle;
  const live = (await lines.productsForLines(db, userId, [{ productId }])).get(productId);
  const paused = live?.paused;
  delete buying.paused;
  if (paused && (paused.until || isRepricing(paused))) buying.paused = pausedPart(t, paused);
  return { to: "not_on_sale" };
}

/** Takes over the current price; returns whether it differs from the one shown. */
function updatePrice(buying: Buying, pricePesewas: number): boolean {
  const { bundle } = buying;
  if (bundle.pricePesewas === pricePesewas) return false;
  buying.wasPesewas = bundle.pricePesewas;
  buying.bundle = { ...bundle, pricePesewas };
  return true;
}

/** A bundle, labelled as in its network's list. */
async function bundleOf(dialog: Dialog, live: lines.LiveProduct): Promise<Bundle> {
  const { id, operator, pricePesewas } = live;
  const bundles = listed(dialog.t, await products.bundlesOf(dialog.db, operator, dialog.userId));
  const label = bundles.find((bundle) => bundle.id === id)?.label;
  return { id, operator, label: label ?? labelOf(live, true), pricePesewas };
}
