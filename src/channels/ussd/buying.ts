// Buying on the phone: what is chosen step by step, and the one step that moves money.
import * as lines from "../../core/lines.ts";
import * as texts from "../../core/message-texts.ts";
import * as orderLists from "../../core/order-lists.ts";
import * as orders from "../../core/orders.ts";
import * as products from "../../core/products.ts";
import * as wallet from "../../core/wallet.ts";
import { limits, OPERATOR_NAMES, OPERATORS } from "../../shared/domain.ts";
import { AppError } from "../../shared/errors.ts";
import { guessOperator, parseMsisdn } from "../../shared/msisdn.ts";
import { isPin } from "../../shared/pin.ts";
import { asciiText } from "../../shared/sms-text.ts";
import type { Bundle, Buying, Step, Talk } from "./conversation.ts";
import { checkPin } from "./pin.ts";

const KIND_CHARS = 10;
const SIZE_CHARS = 8;
const RECIPIENTS_MAX = 8;

/** Takes the network whose line was chosen, and its bundles as they are now, unless they were shown in this session. */
export async function chooseOperator(talk: Talk, answer: string): Promise<Step> {
  const operator = OPERATORS[Number(answer) - 1]!;
  const { context } = talk;
  const shown = context.bundles?.[operator] ?? bundlesOf(await products.shelf(talk.db, operator));
  if (shown.length === 0)
    return { to: "operator", say: `No ${OPERATOR_NAMES[operator]} bundles now. Try later.` };
  context.bundles = { ...context.bundles, [operator]: shown };
  context.operator = operator;
  return { to: "bundles" };
}

export function chooseBundle(talk: Talk, place: string): Step {
  const { context } = talk;
  context.buying = {
    bundle: context.bundles![context.operator!]![Number(place)]!,
    wasPesewas: null,
    msisdn: null,
    quantity: 1,
    knowsNetwork: false,
    knowsDuplicate: false,
  };
  return { to: "number" };
}

export async function takeNumber(talk: Talk, answer: string): Promise<Step> {
  const msisdn = parseMsisdn(answer);
  if (!msisdn) return { to: "number", say: "Not a mobile number." };
  return sendTo(talk, msisdn);
}

export function takeOwnNumber(talk: Talk): Promise<Step> {
  return sendTo(talk, talk.msisdn);
}

export async function showRecent(talk: Talk): Promise<Step> {
  const { db, userId, context } = talk;
  const last = await orderLists.list(db, { userId, bundlesOnly: true }, { limit: 30 });
  context.recipients = [...new Set(last.map(({ msisdn }) => msisdn))].slice(0, RECIPIENTS_MAX);
  return context.recipients.length > 0 ? { to: "recent" } : { to: "number", say: "No numbers yet." };
}

export function takeRecent(talk: Talk, place: string): Promise<Step> {
  return sendTo(talk, talk.context.recipients![Number(place)]!);
}

export function keepNetwork(talk: Talk): Promise<Step> {
  talk.context.buying!.knowsNetwork = true;
  return toPay(talk);
}

export function buyAgain(talk: Talk): Promise<Step> {
  talk.context.buying!.knowsDuplicate = true;
  return toPay(talk);
}

export async function takeQuantity(talk: Talk, answer: string): Promise<Step> {
  const quantity = /^\d{1,3}$/.test(answer) ? Number(answer) : 0;
  if (!lines.quantityIsFine(quantity))
    return { to: "quantity", say: `Type a number from 1 to ${limits.quantityMax}.` };
  talk.context.buying!.quantity = quantity;
  return toPay(talk);
}

/** Buys what was ordered last once more, at today's price. */
export async function repeatLast(talk: Talk): Promise<Step> {
  const { db, userId } = talk;
  const [last] = await orderLists.list(db, { userId, bundlesOnly: true }, { limit: 1 });
  return last ? buyLike(talk, last) : { to: "home", say: "You have no orders yet." };
}

/** Buys the order that is looked at once more. */
export function repeatOrder(talk: Talk): Promise<Step> {
  return buyLike(talk, talk.context.orders![talk.context.order!]!);
}

/** Goes on with what another session was left at. */
export function goOn(talk: Talk): Promise<Step> {
  return toPay(talk);
}

/** Forgets what was about to be bought. */
export function cancel(talk: Talk): Step {
  delete talk.context.buying;
  return { to: "home" };
}

/**
 * Pays with a PIN. A request that comes again, because its process ended or its answer was lost, has the same key: it finds
 * the order placed, and says so.
 */
export async function pay(talk: Talk, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "pay", say: "Not understood." };
  await talk.hold();
  const refused = await checkPin(talk, answer, "pay");
  if (refused) return refused;
  const { context, db, by, key } = talk;
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
    context.balancePesewas = bought.balancePesewas;
    return { to: "bought", receipt: texts.boughtByPhone(bought.order, bought.balancePesewas) };
  } catch (error) {
    return refusedBuying(talk, error);
  }
}

/** What a purchase that was refused leads to; anything that is no refusal is thrown on. */
async function refusedBuying(talk: Talk, error: unknown): Promise<Step> {
  if (!(error instanceof AppError)) throw error;
  switch (error.code) {
    case "wallet.insufficient_balance": {
      const { bundle, quantity } = talk.context.buying!;
      const { availablePesewas } = await wallet.standing(talk.db, talk.userId);
      talk.context.balancePesewas = availablePesewas;
      talk.context.neededPesewas = bundle.pricePesewas * quantity;
      return { to: "short" };
    }
    case "order.duplicate":
      return { to: "duplicate" };
    case "order.price_changed":
    case "product.not_found":
    case "product.paused":
      return toPay(talk);
    case "auth.banned":
      return { to: "banned" };
    default:
      throw error;
  }
}

async function sendTo(talk: Talk, msisdn: string): Promise<Step> {
  Object.assign(talk.context.buying!, { msisdn, knowsNetwork: false, knowsDuplicate: false });
  return toPay(talk);
}

/** A bundle that is paused may be come back to; one that was taken off sale is on no shelf. */
async function buyLike(talk: Talk, order: OrderLike): Promise<Step> {
  const { db, context } = talk;
  const live = (await lines.productsForLines(db, [order])).get(order.productId);
  if (!live) return { to: "home", say: "That bundle is no longer on sale." };
  const shelf = bundlesOf(await products.shelf(db, live.operator));
  context.buying = {
    bundle: shelf.find(({ id }) => id === live.id) ?? bundleOf(live),
    wasPesewas: null,
    msisdn: order.msisdn,
    quantity: order.quantity,
    knowsNetwork: true,
    knowsDuplicate: false,
  };
  return toPay(talk);
}

type OrderLike = { productId: number; msisdn: string; quantity: number };

/**
 * To the last screen, or to what is to be said before it: the number looks like another network's, the bundle is not on
 * sale, the same was bought a moment ago. A price that has changed is said there.
 */
async function toPay(talk: Talk): Promise<Step> {
  const buying = talk.context.buying!;
  const { bundle, msisdn } = buying;
  const { id: productId, operator } = bundle;
  if (guessOperator(msisdn!) !== operator && !buying.knowsNetwork) return { to: "other_network" };
  const look = await lines.lookAt(talk.db, talk.userId, { productId, msisdn: msisdn!, operator });
  if (look.pricePesewas === null) return { to: "not_on_sale" };
  noteThePrice(buying, look.pricePesewas);
  return { to: look.isDuplicate && !buying.knowsDuplicate ? "duplicate" : "pay" };
}

function noteThePrice(buying: Buying, pricePesewas: number): void {
  const { bundle } = buying;
  if (bundle.pricePesewas === pricePesewas) return;
  buying.wasPesewas = bundle.pricePesewas;
  buying.bundle = { ...bundle, pricePesewas };
}

/** Where an operator has several kinds, each bundle carries its kind's name. */
function bundlesOf(shelf: products.Bundle[]): Bundle[] {
  const hasKinds = new Set(shelf.map(kindOf)).size > 1;
  return shelf.map((product) => bundleOf(product, hasKinds));
}

function bundleOf(product: products.Bundle, hasKinds = false): Bundle {
  const { id, operator, pricePesewas } = product;
  const size = oneLine(product.size).slice(0, SIZE_CHARS);
  const label = `${hasKinds ? kindOf(product).slice(0, KIND_CHARS) : ""} ${size}`.trim();
  return { id, operator, label, pricePesewas };
}

/** "iShare" of "AT iShare": what is left of a bundle's name without its operator and its size. */
function kindOf({ name, size }: products.Bundle): string {
  const words = oneLine(name).replace(/^(MTN|AT|AirtelTigo|Telecel)\b/i, "");
  return words.replace(oneLine(size), "").replace(/\s+/g, " ").trim();
}

function oneLine(text: string): string {
  return asciiText(text).replaceAll("\n", " ");
}
