// USSD enquiries: the balance, the last orders, cancelling one or reporting it as not received, a statement by SMS,
// help, and the choice of a language.
import * as profileLanguage from "../../src/core/identity/language.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as cancelling from "../../src/core/orders/cancelling.ts";
import { cancellation } from "../../src/core/orders/cancelling.ts";
import * as disputes from "../../src/core/orders/disputes.ts";
import * as orderQueries from "../../src/core/orders/queries.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as smsStatement from "../../src/core/ussd/statement-sms.ts";
import { accraDayTime } from "../../src/shared/accra.ts";
import { LANGUAGE_NAMES } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import type { Dialog, OrderShown, Protected, Step } from "./conversation.ts";
import { checkPinOnly } from "./pin.ts";
import { labelOf, networksWithFamilies } from "./screens/labels.ts";

const ORDERS_MAX = 10;

/** Takes the PIN that the account wants before its balance or orders are shown, and shows what was chosen. */
export async function takeLookPin(dialog: Dialog, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "look_pin", notice: dialog.t("ussd.notice.pin_digits") };
  const refused = await checkPinOnly(dialog, answer, "look_pin");
  if (refused) return refused;
  return SHOWN[dialog.context.looking!](dialog);
}

const SHOWN = { balance: showBalance, orders: showOrders, statement: sendStatement } satisfies Record<
  Protected,
  (dialog: Dialog) => Promise<Step>
>;

/** Reads the wallet for the balance screen. */
export async function showBalance(dialog: Dialog): Promise<Step> {
  if (mustProvePin(dialog, "balance")) return { to: "look_pin" };
  const { balancePesewas, heldPesewas, owedPesewas } = await wallet.standing(dialog.db, dialog.userId);
  Object.assign(dialog.context, { balancePesewas, heldPesewas, owedPesewas });
  return { to: "balance" };
}

/** Lists the latest orders, if there are any. */
export async function showOrders(dialog: Dialog): Promise<Step> {
  if (mustProvePin(dialog, "orders")) return { to: "look_pin" };
  const { db, userId, context, t } = dialog;
  const last = await orderQueries.list(db, { userId, bundlesOnly: true }, { limit: ORDERS_MAX });
  const withFamilies = await networksWithFamilies(db);
  context.orders = last.map((order) => {
    const label = labelOf({ ...order, size: order.productSize }, withFamilies.has(order.operator));
    return shown(order, label);
  });
  return last.length > 0 ? { to: "orders" } : { to: "home", notice: t("ussd.notice.no_orders") };
}

/** Shows the chosen order, read afresh: it may have moved on since the list was shown. */
export async function showOrder(dialog: Dialog, place: string): Promise<Step> {
  const { context } = dialog;
  context.order = Number(place);
  await refresh(dialog);
  return { to: "order" };
}

/** Cancels the order on the screen, if it has not been sent meanwhile. */
export async function cancelOrder(dialog: Dialog): Promise<Step> {
  await dialog.hold();
  const { db, by, key, context, t } = dialog;
  try {
    const { id: orderId } = context.orders![context.order!]!;
    const { answer } = await cancelling.cancel(db, { by, key, orderId });
    context.balancePesewas = answer.balancePesewas;
    return { to: "cancelled" };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "order.not_cancellable") throw error;
    await refresh(dialog);
    return { to: "order", notice: t("ussd.notice.not_cancellable") };
  }
}

/** Asks for confirmation before an order is reported as not received, if it can be. */
export async function confirmNotReceived(dialog: Dialog): Promise<Step> {
  const { db, by, context, t } = dialog;
  const order = await orderQueries.get(db, by, context.orders![context.order!]!.id);
  if (await disputes.ofOrder(db, order.id)) return { to: "order", notice: t("ussd.notice.reported_already") };
  const offer = await disputes.offer(db, order);
  if (!offer) {
    const isEarly = order.status !== "DELIVERED" && order.status !== "COMPLETED" && order.status !== "FAILED";
    return { to: "order", notice: t(isEarly ? "ussd.notice.not_delivered_yet" : "ussd.notice.too_late") };
  }
  context.until = accraDayTime(offer.decidedBy);
  return { to: "not_received" };
}

/** Opens a dispute about the order on the screen. */
export async function reportNotReceived(dialog: Dialog): Promise<Step> {
  await dialog.hold();
  const { db, by, key, context, t } = dialog;
  try {
    const orderId = context.orders![context.order!]!.id;
    const { answer } = await disputes.open(db, { by, key, orderId, message: "" });
    context.until = accraDayTime(new Date(answer.dueAt!));
    return { to: "filed" };
  } catch (error) {
    if (error instanceof AppError && error.status < 500 && error.code !== "service.closed")
      return { to: "order", notice: t("ussd.notice.too_late") };
    throw error;
  }
}

/** Sends the balance and the latest transactions to the account's phone. */
export async function sendStatement(dialog: Dialog): Promise<Step> {
  if (mustProvePin(dialog, "statement")) return { to: "look_pin" };
  await dialog.hold();
  try {
    await smsStatement.send(dialog.db, { by: dialog.by, key: dialog.key, msisdn: dialog.msisdn });
    return { to: "statement" };
  } catch (error) {
    if (error instanceof AppError && error.code === "request.rate_limited")
      return { to: "account", notice: dialog.t("ussd.notice.no_more_statements") };
    throw error;
  }
}

/** Stores the language at this index of the list; from this answer on, the session goes on in it. */
export async function chooseLanguage(dialog: Dialog, place: string): Promise<Step> {
  await dialog.hold();
  const { db, by, languages } = dialog;
  const language = languages[Number(place)]!;
  dialog.t = await profileLanguage.choose(db, { by, language });
  return { to: "home", notice: dialog.t("ussd.notice.language", { language: LANGUAGE_NAMES[language] }) };
}

/** Reads how to reach support, for a phone without an account. */
export async function showWelcomeHelp(dialog: Dialog): Promise<Step> {
  await showHelp(dialog);
  return { to: "welcome_help" };
}

/** Reads how to reach support. */
export async function showHelp(dialog: Dialog): Promise<Step> {
  const { support_phone: phone, support_hours: hours } = await settings.all(dialog.db);
  dialog.context.support = phone && [phone, hours].filter(Boolean).join(", ").slice(0, 50);
  return { to: "help" };
}

/** Whether the PIN must be asked for first; it was not yet, in this session. */
function mustProvePin({ requiresPin, context }: Dialog, looking: Protected): boolean {
  if (!requiresPin || context.hasProvedPin) return false;
  context.looking = looking;
  return true;
}

/** Reads the order on the screen again. */
async function refresh({ db, by, context }: Dialog): Promise<void> {
  const { id, label } = context.orders![context.order!]!;
  const order = await orderQueries.get(db, by, id);
  const canCancel = (await cancellation(db, order)) !== null;
  context.orders![context.order!] = { ...shown(order, label), canCancel };
}

function shown(order: orderQueries.OrderRow, label: string): OrderShown {
  const { id, status, productId, msisdn, quantity, amountPesewas, operator } = order;
  return {
    ...{ id, status, productId, msisdn, quantity, amountPesewas, operator },
    isPaid: order.paidAt !== null,
    isRefunded: order.refundedAt !== null,
    isCancelled: order.failure === "cancelled",
    label,
    at: accraDayTime(order.createdAt),
    canCancel: false,
  };
}
