// The texts of SMS that need values, in the language of their reader: `t` renders it.
import type { Family, Operator } from "../../../shared/domain.ts";
import { availableOf, type Funds } from "../../../shared/funds.ts";
import { decimal, plain } from "../../../shared/money.ts";
import { orderedBundle } from "../../../shared/operators.ts";
import { endText } from "../../../shared/pause.ts";
import { localMsisdn } from "../../../shared/phones/msisdn.ts";
import { smsText } from "../../../shared/phones/sms-text.ts";
import type { Translate } from "../languages/translate.ts";

/** Once per lock. */
export function pinLocked(
  t: Translate,
  channel: "ussd" | "sms",
  { until, isForGood }: { until: Date; isForGood: boolean },
  serviceCode: string,
): string {
  const where = pinHelp(t, { serviceCode, isForgotten: channel === "ussd" || !isForGood });
  if (isForGood) return t(`sms.pin_locked.${channel}.for_good`, { where });
  return t(`sms.pin_locked.${channel}`, { where, end: endText(until) });
}

/** The way to a new PIN through the USSD menu: My account, Change PIN and, without the old one, Forgot PIN. */
const CHANGE_PIN_OPTIONS = ["6", "2"];
export const FORGOT_PIN_OPTIONS = [...CHANGE_PIN_OPTIONS, "1"];

/** Where one gets a new PIN: what to dial or, in a shop without a code, its website. */
export function pinHelp(
  t: Translate,
  { serviceCode, host, isForgotten = true }: { serviceCode: string; host?: string | null; isForgotten?: boolean },
): string {
  if (serviceCode === "") return t("part.pin_on_web", { host: host ?? t("part.website") });
  const options = isForgotten ? FORGOT_PIN_OPTIONS : CHANGE_PIN_OPTIONS;
  return t("part.pin_by_phone", { dial: shortcut(serviceCode, ...options) });
}

type About = {
  id: number;
  operator: Operator;
  family: Family | null;
  productSize: string;
  quantity: number;
  msisdn: string;
  amountPesewas: number;
};

/** Failed orders and their refund. */
export function ordersRefunded(t: Translate, failed: About[], funds: Funds): string {
  const sum = failed.reduce((total, { amountPesewas }) => total + amountPesewas, 0);
  const money = { amount: plain(sum), funds: fundsSentence(t, funds) };
  return failed.length === 1
    ? t("sms.order_refunded", { ...orderIn(failed[0]!), ...money })
    : t("sms.orders_refunded", { count: failed.length, ...money });
}

const REASON_CHARS = 60;

/** A refund that was a mistake, with the evidence. */
export function refundTakenBack(t: Translate, order: About, reason: string): string {
  const { order: id, number } = orderIn(order);
  const clause = reason.replace(/\.$/, "").slice(0, REASON_CHARS);
  return t("sms.refund_taken_back", {
    order: id,
    number,
    reason: clause,
    amount: plain(order.amountPesewas),
  });
}

export type Accepted = { first: About; orders: number; amountPesewas: number };

/** A paid purchase. */
export function ordersAccepted(t: Translate, { first, orders, amountPesewas }: Accepted, funds: Funds): string {
  if (orders === 1) return orderPaid(t, { ...first, amountPesewas }, funds);
  const money = { amount: plain(amountPesewas), funds: fundsSentence(t, funds) };
  return t("sms.orders_paid", { count: orders, order: first.id, ...money });
}

/** The available funds are below the agent's threshold. */
export function balanceLow(t: Translate, funds: Funds, lowBalancePesewas: number): string {
  const available = plain(availableOf(funds));
  const limit = plain(lowBalancePesewas);
  return funds.heldPesewas > 0
    ? t("sms.balance_low.held", { available, held: plain(funds.heldPesewas), limit })
    : t("sms.balance_low", { balance: available, limit });
}

/** Delivered orders. */
export function ordersDelivered(t: Translate, delivered: About[]): string {
  const [first] = delivered;
  return delivered.length === 1
    ? t("sms.order_delivered", orderIn(first!))
    : t("sms.orders_delivered", { count: delivered.length, order: first!.id });
}

/** To a customer: what the agent's shop has had delivered to this number. */
export function customerServed(t: Translate, shop: string, delivered: About[]): string {
  const { order, bundle, number } = orderIn(delivered[0]!);
  return delivered.length === 1
    ? t("sms.customer_delivered", { shop, order, bundle, number })
    : t("sms.customer_delivered.several", { shop, count: delivered.length, order, number });
}

/** One paid order. A buyer by USSD may not have seen the last screen. */
export function orderPaid(t: Translate, order: About, funds: Funds): string {
  const money = { amount: plain(order.amountPesewas), funds: fundsSentence(t, funds) };
  return t("sms.order_paid", { ...orderIn(order), ...money });
}

/** How to approve a top-up from Telecel, and where to enter the voucher; an empty `serviceCode`: on the website. */
export function voucherWanted(t: Translate, amountPesewas: number, serviceCode: string): string {
  const amount = plain(amountPesewas);
  return serviceCode === ""
    ? t("sms.voucher_wanted.web", { amount })
    : t("sms.voucher_wanted", { amount, dial: shortcut(serviceCode, "4") });
}

/** A failed top-up. */
export function topUpFailed(t: Translate, amountPesewas: number, reason: string): string {
  return t("sms.top_up_failed", { amount: plain(amountPesewas), reason });
}

/** A failed payment for an order, by a prompt that was asked for by phone. */
export function orderPaymentFailed(t: Translate, order: number, amountPesewas: number, reason: string): string {
  return t("sms.order_payment_failed", { order, amount: plain(amountPesewas), reason });
}

/** The wallet's funds and its latest movements, newest first, as many as fit. */
export function walletStatement(
  t: Translate,
  day: string,
  funds: Funds,
  entries: { changePesewas: number; description: string }[],
): string {
  const head = t("sms.statement", { day, funds: fundsPart(t, funds) });
  return entries.reduce((text, { changePesewas, description }) => {
    const sign = changePesewas < 0 ? "-" : "+";
    const entry = ` ${sign}${decimal(Math.abs(changePesewas))} ${description.slice(0, 30).trim()};`;
    return smsText(`${text}${entry}`).endsWith("...") ? text : `${text}${entry}`;
  }, head);
}

/** "balance GHS 30.00" or, if something is held, "available GHS 20.00, held GHS 10.00". */
export function fundsPart(t: Translate, funds: Funds): string {
  const { balancePesewas, heldPesewas } = funds;
  if (heldPesewas === 0) return t("part.funds", { balance: plain(balancePesewas) });
  return t("part.funds.held", { available: plain(availableOf(funds)), held: plain(heldPesewas) });
}

/** The same to begin a sentence. */
function fundsSentence(t: Translate, funds: Funds): string {
  const text = fundsPart(t, funds);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** An order's values in a text. */
function orderIn(order: About): { order: number; bundle: string; number: string } {
  const { id, quantity, msisdn } = order;
  return { order: id, bundle: orderedBundle(order, quantity), number: localMsisdn(msisdn) };
}

/** The dial string straight to an option of the USSD menu: *920*55*4# from *920*55#. */
export function shortcut(serviceCode: string, ...answers: string[]): string {
  return `${serviceCode.replace(/#$/, "")}*${answers.join("*")}#`;
}

/** A payment for an order that could no longer be bought. `reason` is a short clause. */
export function orderNotPaid(
  t: Translate,
  orderId: number,
  amountPesewas: number,
  reason: string,
  funds: Funds,
): string {
  const money = { amount: plain(amountPesewas), funds: fundsSentence(t, funds) };
  return t("sms.order_not_paid", { order: orderId, reason, ...money });
}

/** A purchase that waits for money, and the dial string that continues it. */
export type Waiting = { bundle: string; msisdn: string; dial: string };

/** A manual deposit was credited with what the mobile money statement says instead of what its agent reported. */
export function depositCorrected(
  t: Translate,
  deposit: { transactionId: string; amountPesewas: number; reportedPesewas: number },
): string {
  const { transactionId: transaction, amountPesewas, reportedPesewas } = deposit;
  return t("sms.deposit_corrected", {
    transaction,
    amount: plain(amountPesewas),
    reported: plain(reportedPesewas),
  });
}

/** A manual deposit that the mobile money statement does not show. */
export function depositNotFound(
  t: Translate,
  { transactionId: transaction, amountPesewas }: { transactionId: string; amountPesewas: number },
): string {
  return t("sms.deposit_not_found", { transaction, amount: plain(amountPesewas) });
}

/** Money has come into the wallet. */
export function walletToppedUp(
  t: Translate,
  amountPesewas: number,
  funds: Funds,
  waiting: Waiting | null = null,
): string {
  const money = t("sms.topped_up", { amount: plain(amountPesewas), funds: fundsSentence(t, funds) });
  if (!waiting) return money;
  const { dial, bundle, msisdn } = waiting;
  return `${money} ${t("sms.topped_up.resume", { dial, bundle, number: localMsisdn(msisdn) })}`;
}
