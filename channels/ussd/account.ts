// The actions of "My account" by USSD: whether the PIN is asked for before the balance and orders, and the SMS to the
// agent's customers.
import * as phones from "../../src/core/identity/phones/phones.ts";
import * as users from "../../src/core/identity/users.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import { parseShopName, shopNameProblem, shownShopName } from "../../src/shared/shop-name.ts";
import type { Dialog, Step } from "./conversation.ts";
import { checkPinOnly } from "./pin.ts";

/** Reads the account's choices. */
export async function showAccount(dialog: Dialog): Promise<Step> {
  const { db, userId, context, t } = dialog;
  const [{ phone }, { username }] = await Promise.all([phones.stateOf(db, userId), users.get(db, userId)]);
  const { requiresPin = false, notifyCustomers = false, shopName = null } = phone ?? {};
  const shown = shownShopName(shopName, username) ?? t("part.your_seller");
  context.choices = { requiresPin, notifyCustomers, shopName: shown };
  return { to: "account" };
}

/** Turns the question for the PIN on or off, with the PIN: whoever else holds the phone must not turn it off. */
export async function switchPin(dialog: Dialog, answer: string): Promise<Step> {
  const { db, by, context } = dialog;
  if (!isPin(answer)) return { to: "pin_to_look", notice: dialog.t("ussd.notice.pin_digits") };
  const refused = await checkPinOnly(dialog, answer, "pin_to_look");
  if (refused) return refused;
  const requiresPin = !context.choices!.requiresPin;
  await phones.choosePin(db, { by, requiresPin });
  context.choices!.requiresPin = requiresPin;
  return { to: "account" };
}

/** Turns the SMS to customers on or off. */
export async function switchCustomerSms(dialog: Dialog): Promise<Step> {
  const { db, by, context } = dialog;
  await dialog.hold();
  const notifyCustomers = !context.choices!.notifyCustomers;
  await phones.chooseNotices(db, { by, notifyCustomers });
  context.choices!.notifyCustomers = notifyCustomers;
  return { to: "customer_sms" };
}

/** Takes the shop's name, in which the SMS to customers are written; the PIN comes next. */
export function typeShopName({ context, t }: Dialog, answer: string): Step {
  const problem = shopNameProblem(answer);
  if (problem) {
    const notice = problem === "shape" ? "ussd.notice.not_a_shop_name" : "ussd.notice.shop_name_taken";
    return { to: "shop_name", notice: t(notice) };
  }
  context.newShopName = parseShopName(answer)!;
  return { to: "shop_name_pin" };
}

/** Gives the shop its name, with the PIN: whoever else holds the phone must not write to its customers. */
export async function changeShopName(dialog: Dialog, answer: string): Promise<Step> {
  const { db, by, context } = dialog;
  if (!isPin(answer)) return { to: "shop_name_pin", notice: dialog.t("ussd.notice.pin_digits") };
  const refused = await checkPinOnly(dialog, answer, "shop_name_pin");
  if (refused) return refused;
  const shopName = context.newShopName!;
  await phones.chooseNotices(db, { by, shopName });
  context.choices!.shopName = shopName;
  delete context.newShopName;
  return { to: "customer_sms" };
}
