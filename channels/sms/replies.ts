// The texts of SMS replies. Each fits one part of GSM-7.
import type { ProductOnSale } from "../../src/core/catalog/products.ts";
import type { Order } from "../../src/core/orders/buy.ts";
import { accraTime } from "../../src/shared/accra.ts";
import {
  type Family,
  limits,
  OPERATOR_NAMES,
  type Operator,
  orderedBundle,
} from "../../src/shared/domain.ts";
import { availableOf, type Funds, fundsOf, heldSentence } from "../../src/shared/funds.ts";
import { plain } from "../../src/shared/money.ts";
import { guessOperator, localMsisdn } from "../../src/shared/msisdn.ts";
import { endText } from "../../src/shared/pause.ts";
import { kindOf } from "./command.ts";

const EXAMPLE = "BUY MTN 5GB 0541234567 and your PIN";

export const HELP =
  `DataFie: ${EXAMPLE} buys a bundle (MTN, TELECEL, AT). ` +
  "BAL: balance. STATUS: your last order, STATUS 403: order 403. STOP: no notices.";
export const STOPPED =
  "DataFie: you get no more notices by SMS. Codes and replies to your own SMS still come. " +
  "Text START to get notices again.";
export const STARTED = "DataFie: you get notices by SMS again. Text STOP to end them.";
export const NOT_UNDERSTOOD = `DataFie: nothing was bought. Text ${EXAMPLE}, with spaces in between.`;
export const NO_PIN =
  "DataFie: nothing was bought: you have no PIN yet. Log in and set one under Profile, Phone.";
export const BANNED = "DataFie: your account cannot place orders. Contact support.";
export const NO_ORDERS = "DataFie: you have no orders yet.";
export const FAILED = "DataFie: nothing was bought. Text HELP to see how, or contact support.";

/** `host` is the shop's, null when it is not configured. */
export function signUp(host: string | null): string {
  const where = host ? `at ${host}` : "on our website";
  return `DataFie: this number has no account yet. Sign up ${where} and confirm your phone under Profile.`;
}

/** A wrong PIN that does not lock yet. */
export function wrongPin(triesLeft: number): string {
  const remaining = triesLeft === 1 ? "1 try" : `${triesLeft} tries`;
  return (
    `DataFie: wrong PIN, nothing was bought. You have ${remaining} left. ` +
    "Forgot it? Set a new one under Profile, Phone."
  );
}

/** `until` is null when the lock has just ended. */
export function locked(until: Date | null): string {
  const wait = until ? `is locked until ${accraTime(until)}. Wait` : "was locked. Send it again";
  return `DataFie: nothing was bought: your PIN ${wait}, or set a new one under Profile, Phone.`;
}

/** The available balance and, where there are any, the amounts held and owed. */
export function balance(standing: Funds & { owedPesewas: number }): string {
  const { heldPesewas, owedPesewas } = standing;
  const remaining = plain(availableOf(standing));
  const summary = heldPesewas > 0 ? `${remaining} is available` : `your balance is ${remaining}`;
  const owed = owedPesewas > 0 ? ` You owe ${plain(owedPesewas)}: your next top-up pays it first.` : "";
  return `DataFie: ${summary}.${heldSentence(standing)}${owed}`;
}

/** An order's status and, after a refund, where the money is. */
export function status(order: Order): string {
  const money = order.refundedAt ? `, ${plain(order.amountPesewas)} is back in your wallet` : "";
  const summary = `${orderedBundle(order, order.quantity)} to ${localMsisdn(order.msisdn)}`;
  return `DataFie: order ${order.id} ${standing(order)}: ${summary}${money}.`;
}

function standing({ status, paidAt, operator }: Order): string {
  switch (status) {
    case "FAILED":
      return paidAt ? "failed" : "was not paid and is closed";
    case "DELIVERED":
    case "COMPLETED":
      return "is delivered";
    case "PROCESSING":
      return `is sent to ${OPERATOR_NAMES[operator]}`;
    default:
      return paidAt ? "is waiting" : "is not paid";
  }
}

/** The user has no order with this id. */
export function noOrder(orderId: number): string {
  return `DataFie: you have no order ${orderId}.`;
}

type Bundle = { operator: Operator; family: Family | null; productSize: string; msisdn: string };

/** The number's prefix belongs to another network; asks for confirmation by YES. */
export function otherNetwork({ operator, msisdn }: Bundle): string {
  const guess = guessOperator(msisdn);
  const looks = guess ? `looks like ${OPERATOR_NAMES[guess]}` : "looks unknown";
  const mismatch = `${localMsisdn(msisdn)} ${looks}, but you wrote ${OPERATOR_NAMES[operator]}`;
  return `DataFie: nothing was bought. ${mismatch}. If that is right, send it again and add YES.`;
}

/** The same was ordered a moment ago; asks for confirmation by YES. */
export function duplicate(bundle: Bundle): string {
  const window = `the last ${limits.duplicateWindowMinutes} minutes`;
  return `DataFie: nothing was bought. You ordered ${named(bundle)} within ${window}. Add YES to buy again.`;
}

/** The wallet has too little money for the bundle. */
export function insufficientBalance(bundle: Bundle, pricePesewas: number, funds: Funds): string {
  const remaining = funds.heldPesewas > 0 ? fundsOf(funds) : `you have ${plain(funds.balancePesewas)}`;
  return `DataFie: not enough money for ${named(bundle)}. It costs ${plain(pricePesewas)}, ${remaining}.`;
}

/** `until` is null when the end is open. */
export function paused(bundle: Bundle, until: Date | null): string {
  const end = until ? `until ${endText(until)}` : "at the moment";
  return `DataFie: nothing was bought. ${named(bundle)} is paused ${end}.`;
}

/** No bundle has that size; lists those there are. The sender cuts a text that is too long. */
export function noSuchSize(size: string, siblings: ProductOnSale[]): string {
  const sizes = [...new Set(siblings.map((product) => product.size))].join(", ");
  const name = OPERATOR_NAMES[siblings[0]!.operator];
  return `DataFie: nothing was bought. ${name} has no ${size}. Choose from ${sizes}`;
}

/** Several kinds come in that size. */
export function whichKind(candidates: ProductOnSale[]): string {
  const choices = candidates.map(
    (product) => `BUY ${kindOf(product)} ${product.size} (${plain(product.pricePesewas)})`,
  );
  return `DataFie: nothing was bought. Which one? ${choices.join(" or ")}`;
}

function named(bundle: Bundle): string {
  return `${orderedBundle(bundle)} for ${localMsisdn(bundle.msisdn)}`;
}
