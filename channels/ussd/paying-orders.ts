// Paying an unpaid order by USSD, from the wallet.

import * as unpaidOrders from "../../src/core/buying/unpaid-orders.ts";
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as wallet from "../../src/core/ledger/wallet.ts";
import * as smsTexts from "../../src/core/messaging/texts/sms-texts.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import { insufficientBalance, noteFunds, showDayLimit, showHourLimit } from "./buying.ts";
import type { Dialog, Step } from "./conversation.ts";
import { checkPin } from "./pin.ts";
import { noteSms } from "./sms-promise.ts";

/** Pays the unpaid order on the screen, once, by the same rules as a purchase. */
export async function payOrder(dialog: Dialog, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "pay_order", notice: dialog.t("ussd.notice.pin_digits") };
  const { context, db, by, key, userId } = dialog;
  const { id: orderId, amountPesewas } = context.orders![context.order!]!;
  const refused = await checkPin(dialog, answer, "pay_order");
  if (refused) return refused;
  try {
    const { answer: paid } = await unpaidOrders.spend(db, {
      by,
      key,
      orderId,
      expectedPesewas: amountPesewas,
    });
    // With notifications of purchases on, an SMS goes out anyway.
    const { notifyPurchases } = await phones.purchaseChoice(db, userId);
    const { heldPesewas } = await wallet.standing(db, userId);
    await noteSms(dialog, "order_accepted");
    const funds = noteFunds(dialog, { balancePesewas: paid.balancePesewas, heldPesewas });
    const receipt = smsTexts.orderPaid(dialog.t, paid.order, funds);
    return { to: "order_paid", ...(!notifyPurchases && { receipt }) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    switch (error.code) {
      case "wallet.insufficient_balance":
        return insufficientBalance(dialog, amountPesewas);
      case "order.daily_limit":
        return showDayLimit(dialog, error);
      case "order.hourly_limit":
        return showHourLimit(dialog, error);
      case "auth.banned":
        return { to: "banned" };
      case "service.busy":
        return { to: "busy" };
      case "order.already_paid":
        return { to: "home", notice: dialog.t("ussd.notice.already_paid") };
      case "order.not_payable":
        return { to: "home", notice: dialog.t("ussd.notice.order_closed") };
      case "order.price_changed":
        return { to: "home", notice: dialog.t("ussd.notice.order_dearer") };
      case "product.not_found":
      case "product.paused":
        return { to: "home", notice: dialog.t("ussd.notice.order_not_on_sale") };
      default:
        throw error;
    }
  }
}
