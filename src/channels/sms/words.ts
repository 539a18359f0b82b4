// What we answer by SMS, in one part of plain letters each.
import type { Order } from "../../core/orders.ts";
import type { ProductOnSale } from "../../core/products.ts";
import { limits, OPERATOR_NAMES, type Operator, type OrderStatus } from "../../shared/domain.ts";
import { plain } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import { kindOf } from "./command.ts";

const EXAMPLE = "BUY MTN 5GB 0541234567 and your PIN";

export const HELP = `DataFie: ${EXAMPLE} buys a bundle (MTN, TELECEL, AT). BAL: your balance. STATUS 403: an order.`;
export const NOT_A_PURCHASE = `DataFie: nothing was bought. Write ${EXAMPLE}, with spaces between them.`;
export const NO_PIN =
  "DataFie: nothing was bought, because you have no PIN. Log in and set one under Profile, Phone.";
export const WRONG_PIN =
  "DataFie: wrong PIN, nothing was bought. The third wrong one locks it for 15 minutes.";
export const LOCKED =
  "DataFie: nothing was bought, your PIN is locked. Wait 15 minutes, or set a new one under Profile, Phone.";
export const BARRED = "DataFie: this account is barred. Contact support.";
export const FAILED = "DataFie: nothing was bought. Text HELP to see how to write it, or contact support.";

/** `host` is the shop's own, null where it is not known. */
export function register(host: string | null): string {
  const where = host ? `at ${host}` : "on our website";
  return `DataFie: this number belongs to no account. Sign up ${where} and confirm your phone under Profile.`;
}

type Standing = { balancePesewas: number; heldPesewas: number; owedPesewas: number };

export function balance({ balancePesewas, heldPesewas, owedPesewas }: Standing): string {
  const held = heldPesewas > 0 ? ` ${plain(heldPesewas)} is held until a chargeback is decided.` : "";
  const owed = owedPesewas > 0 ? ` You owe ${plain(owedPesewas)}: your next top-up pays it first.` : "";
  return `DataFie: your wallet holds ${plain(balancePesewas)}.${held}${owed}`;
}

const STATUS_WORDS: Record<OrderStatus, string> = {
  PENDING: "is waiting",
  PAID: "is waiting",
  PROCESSING: "is on its way",
  DELIVERED: "is delivered",
  COMPLETED: "is completed",
  FAILED: "failed",
};

export function status({ id, status, productSize, operator, msisdn, ...order }: Order): string {
  const money = order.refundedAt ? `, ${plain(order.amountPesewas)} is back in your wallet` : "";
  const unpaid = !order.paidAt && status !== "FAILED" ? " to be paid" : "";
  const quantity = order.quantity > 1 ? `${order.quantity} x ` : "";
  return `DataFie: order ${id} ${STATUS_WORDS[status]}${unpaid}: ${quantity}${productSize} ${OPERATOR_NAMES[operator]} to ${localMsisdn(msisdn)}${money}.`;
}

export function noOrder(orderId: number): string {
  return `DataFie: you have no order ${orderId}.`;
}

type Bundle = { productSize: string; operator: Operator; msisdn: string };

export function duplicate(bundle: Bundle): string {
  return `DataFie: nothing was bought. You bought ${named(bundle)} within the last ${limits.duplicateWindowMinutes} minutes. Add YES to buy again.`;
}

export function tooLittle(bundle: Bundle, pricePesewas: number, balancePesewas: number): string {
  return `DataFie: not enough money for ${named(bundle)}. It costs ${plain(pricePesewas)}, you have ${plain(balancePesewas)}.`;
}

export function paused(bundle: Bundle): string {
  return `DataFie: nothing was bought. ${named(bundle)} is paused at the moment.`;
}

/** None of that size: the sizes there are, as many as fit. */
export function noSuchSize(size: string, siblings: ProductOnSale[]): string {
  const sizes = [...new Set(siblings.map((product) => product.size))].join(", ");
  const name = OPERATOR_NAMES[siblings[0]!.operator];
  return `DataFie: nothing was bought. ${name} has no ${size}, but ${sizes}`;
}

/** Several kinds have that size. */
export function whichKind(candidates: ProductOnSale[]): string {
  const choices = candidates.map(
    (product) => `BUY ${kindOf(product)} ${product.size} (${plain(product.pricePesewas)})`,
  );
  return `DataFie: nothing was bought. Which one? ${choices.join(" or ")}`;
}

function named({ productSize, operator, msisdn }: Bundle): string {
  return `${productSize} ${OPERATOR_NAMES[operator]} for ${localMsisdn(msisdn)}`;
}
