// The actions of a purchase by USSD: choosing a bundle, a number and a quantity, and paying, the only one to move
// money.
import * as products from "../../src/core/catalog/products.ts";
import * as newAccounts from "../../src/core/ledger/new-accounts.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as smsTexts from "../../src/core/messaging/sms-texts.ts";
import * as orders from "../../src/core/orders/buy.ts";
import * as lines from "../../src/core/orders/order-lines.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import { limits, OPERATOR_NAMES, type Operator } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import type { Funds } from "../../src/shared/funds.ts";
import { guessOperator, parseMsisdn } from "../../src/shared/msisdn.ts";
import { isPin } from "../../src/shared/pin.ts";
import type { Bundle, Buying, Dialog, Listed, Step } from "./conversation.ts";
import { hasSeveralFamilies, labelOf, pausedPart } from "./labels.ts";
import { checkPin } from "./pin.ts";
import { canPayByMomo, ownNetwork } from "./topping-up.ts";

/** In the order agents expect: the largest network first. */
export const NETWORKS_IN_ORDER: readonly Operator[] = ["MTN", "TELECEL", "AIRTELTIGO"];
const RECIPIENTS_MAX = 8;

/** Shows the bundles of the chosen network. */
export function chooseOperator(dialog: Dialog, answer: string): Promise<Step> {
  return showShelf(dialog, NETWORKS_IN_ORDER[Number(answer) - 1]!);
}

/** Returns to the bundle list. A repeated or resumed purchase never showed it, so it may have to be read first. */
export function backToBundles(dialog: Dialog): Promise<Step> {
  return showShelf(dialog, dialog.context.buying!.bundle.operator);
}

/** Shows a network's bundles: as this session showed them before, or as they are now. */
async function showShelf(dialog: Dialog, operator: Operator): Promise<Step> {
  const { context } = dialog;
  const before = context.shelves?.[operator];
  // A list with a paused bundle is read again, because the pause may have ended since.
  const isFresh = before?.every(({ paused }) => paused === null);
  const shown = isFresh ? before! : listed(dialog, await products.bundlesOf(dialog.db, operator));
  if (shown.every(({ paused }) => paused !== null))
    return { to: "operator", notice: allPaused(dialog, operator, shown) };
  context.shelves = { ...context.shelves, [operator]: shown };
  context.operator = operator;
  return { to: "bundles" };
}

/** Starts a purchase of the bundle at this index of the list, unless it is paused. */
export async function chooseBundle(dialog: Dialog, place: string): Promise<Step> {
  const { context } = dialog;
  const operator = context.operator!;
  let chosen = context.shelves![operator]![Number(place)]!;
  if (chosen.paused !== null) {
    // Refused only if it is paused at this moment: the pause may have ended since the list was shown.
    const live = listed(dialog, await products.bundlesOf(dialog.db, operator)).find(
      ({ id }) => id === chosen.id,
    );
    if (live?.paused !== null) return { to: "bundles", notice: cannotBuy(dialog, chosen, live?.paused) };
    chosen = live;
  }
  const { number: _, paused: __, ...bundle } = chosen;
  context.buying = {
    bundle,
    wasPesewas: null,
    msisdn: null,
    quantity: 1,
    knowsNetwork: false,
    knowsDuplicate: false,
  };
  return { to: "number" };
}

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

/** Lists the recipients of the latest paid orders. */
export async function showRecent(dialog: Dialog): Promise<Step> {
  const { db, userId, context, t } = dialog;
  const last = await orderQueries.list(db, { userId, bundlesOnly: true, paidOnly: true }, { limit: 30 });
  context.recipients = [...new Set(last.map(({ msisdn }) => msisdn))].slice(0, RECIPIENTS_MAX);
  return context.recipients.length > 0
    ? { to: "recent" }
    : { to: "number", notice: t("ussd.notice.no_recent") };
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
  if (!lines.isValidQuantity(quantity))
    return { to: "quantity", notice: dialog.t("ussd.notice.quantity", { max: limits.quantityMax }) };
  dialog.context.buying!.quantity = quantity;
  return toPay(dialog);
}

/** Repeats the last paid order at today's price. */
export async function repeatLast(dialog: Dialog): Promise<Step> {
  const { db, userId } = dialog;
  const [last] = await orderQueries.list(db, { userId, bundlesOnly: true, paidOnly: true }, { limit: 1 });
  return last ? buyLike(dialog, last, true) : { to: "home", notice: dialog.t("ussd.notice.no_orders") };
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
  delete dialog.context.buying;
  return { to: "home" };
}

/**
 * Pays with a PIN. A repeated request, after a crash or a lost answer, has the same idempotency key: it finds the order
 * already placed and shows the same screen.
 */
export async function pay(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, key } = dialog;
  // The price change has been read by now; the next message, about the PIN, takes its line.
  context.buying!.wasPesewas = null;
  if (!isPin(answer)) return { to: "pay", notice: dialog.t("ussd.notice.not_a_pin") };
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
    const { answer: bought } = await orders.buy(db, { by, key, line, allowDuplicate: knowsDuplicate });
    context.orderId = bought.order.id;
    return { to: "bought", receipt: smsTexts.orderPaid(dialog.t, bought.order, noteFunds(dialog, bought)) };
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

/** Shows a new account's daily limit, as its refusal tells it. */
export function showDayLimit({ context }: Dialog, { details }: AppError): Step {
  context.dayLimit = newAccounts.dayLimitIn(details);
  return { to: "day_limit" };
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
    case "order.duplicate":
      return { to: "duplicate" };
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
  const live = (await lines.productsForLines(db, [order])).get(order.productId);
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
 * sale, or the same was bought a moment ago. The payment screen itself announces a changed price.
 */
async function toPay(dialog: Dialog): Promise<Step> {
  const buying = dialog.context.buying!;
  const momo = ownNetwork(dialog);
  if (momo) dialog.context.momo = momo;
  const { bundle, msisdn } = buying;
  const { id: productId, operator } = bundle;
  if (guessOperator(msisdn!) !== operator && !buying.knowsNetwork) return { to: "other_network" };
  const quote = await lines.quote(dialog.db, dialog.userId, { productId, msisdn: msisdn!, operator });
  if (quote.pricePesewas === null) return notOnSale(dialog, buying);
  const isChanged = updatePrice(buying, quote.pricePesewas);
  if (quote.isDuplicate && !buying.knowsDuplicate) return { to: "duplicate" };
  return { to: "pay", isDetour: isChanged };
}

/** Says until when the bundle is paused, if that is known. */
async function notOnSale({ db, t }: Dialog, buying: Buying): Promise<Step> {
  const { id: productId } = buying.bundle;
  const live = (await lines.productsForLines(db, [{ productId }])).get(productId);
  delete buying.paused;
  if (live?.paused?.until) buying.paused = pausedPart(t, live.paused);
  return { to: "not_on_sale" };
}

/** The message when all of a network's bundles are paused: with the end, if they share a known one. */
function allPaused({ t }: Dialog, operator: Operator, shown: Listed[]): string {
  const network = OPERATOR_NAMES[operator];
  const [paused, ...others] = new Set(shown.map((bundle) => bundle.paused));
  return paused && paused !== t("part.paused") && others.length === 0
    ? t("ussd.notice.network_paused", { network, paused })
    : t("ussd.notice.no_bundles", { network });
}

/** The message when a listed bundle is paused, or was taken off sale meanwhile. */
function cannotBuy({ t }: Dialog, { label }: Listed, paused: string | null | undefined): string {
  return paused
    ? t("ussd.notice.bundle_paused", { label, paused })
    : t("ussd.notice.bundle_not_on_sale", { label });
}

/** Takes over the current price; returns whether it differs from the one shown. */
function updatePrice(buying: Buying, pricePesewas: number): boolean {
  const { bundle } = buying;
  if (bundle.pricePesewas === pricePesewas) return false;
  buying.wasPesewas = bundle.pricePesewas;
  buying.bundle = { ...bundle, pricePesewas };
  return true;
}

/** The bundles as list entries, labelled with their family where the operator has several. */
function listed({ t }: Dialog, bundlesOf: products.Bundle[]): Listed[] {
  const hasFamilies = hasSeveralFamilies(bundlesOf);
  return bundlesOf.map((product) => {
    const { id, operator, pricePesewas, number } = product;
    const paused = product.paused && pausedPart(t, product.paused);
    return { id, operator, label: labelOf(product, hasFamilies), pricePesewas, number, paused };
  });
}

/** A bundle, labelled as in its network's list. */
async function bundleOf(dialog: Dialog, live: lines.LiveProduct): Promise<Bundle> {
  const { id, operator, pricePesewas } = live;
  const label = listed(dialog, await products.bundlesOf(dialog.db, operator)).find(
    (it) => it.id === id,
  )?.label;
  return { id, operator, label: label ?? labelOf(live, true), pricePesewas };
}
