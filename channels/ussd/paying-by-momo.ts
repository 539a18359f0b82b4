// Paying one order by USSD without the wallet: a mobile money prompt for exactly its price to the caller's own phone.
import * as prompts from "../../src/core/payments/momo-prompts.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { refusedBuying, toPay } from "./buying.ts";
import type { Dialog, Step } from "./conversation.ts";
import { waiting } from "./pin.ts";
import { isShown } from "./screens/purchase-shown.ts";

/**
 * Places the order unpaid; its prompt comes once the session has ended. It takes no DataFie PIN: only the caller's own
 * mobile money, with its own PIN, can pay.
 */
export async function payByMomo(dialog: Dialog): Promise<Step> {
  const { context, db, by, key, msisdn: payer, serviceCode, awaitsCode, t } = dialog;
  if (awaitsCode) return { to: "confirm_phone" };
  if (!isShown(context)) return toPay(dialog);
  const waits = await waiting(dialog);
  if (waits) return waits;
  await dialog.hold();
  const { bundle, msisdn, quantity, knowsDuplicate } = context.buying!;
  const { id: productId, operator, pricePesewas } = bundle;
  const line = { productId, msisdn: msisdn!, quantity, operator, expectedPesewas: pricePesewas * quantity };
  const request = { by, key, line, network: context.momo!, msisdn: payer, serviceCode };
  try {
    context.orderId = await prompts.requestForOrder(db, { ...request, allowDuplicate: knowsDuplicate });
    return { to: "momo_prompted" };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === "payment.in_progress") return { to: "home", notice: t("ussd.notice.payment_waiting") };
    if (code === "request.rate_limited" || code === "order.unpaid_too_many")
      return { to: "home", notice: t("ussd.notice.too_many_prompts") };
    if (code === "payment.daily_limit") return { to: "home", notice: t("ussd.notice.no_more_momo") };
    if (code === "payment.balance_limit") return { to: "home", notice: t("ussd.notice.momo_too_much") };
    return refusedBuying(dialog, error);
  }
}
