// The actions of "My account" by USSD: whether the PIN is asked for before the balance and orders, and the SMS to the
// agent's customers.
import * as phones from "../../src/core/identity/phones.ts";
import * as users from "../../src/core/identity/users.ts";
import { isPin } from "../../src/shared/pin.ts";
import { parseShopName, SHOP_NAME_CHARS } from "../../src/shared/shop-name.ts";
import type { Dialog, Step } from "./conversation.ts";
import { checkPinOnly } from "./pin.ts";

/** Reads the account's choices. */
export async function showAccount(dialog: Dialog): Promise<Step> {
  const { db, userId, context } = dialog;
  const [{ phone }, { username }] = await Promise.all([phones.stateOf(db, userId), users.get(db, userId)]);
  const { requiresPin = false, notifyCustomers = false, shopName } = phone ?? {};
  context.choices = {
    requiresPin,
    notifyCustomers,
    shopName: shopName ?? username.slice(0, SHOP_NAME_CHARS),
  };
  return { to: "account" };
}

/** Turns the question for the PIN on or off, with the PIN: whoever else holds the phone must not turn it off. */
export async function switchPin(dialog: Dialog, answer: string): Promise<Step> {
  const { db, by, context } = dialog;
  if (!isPin(answer)) return { to: "pin_to_look", notice: dialog.t("ussd.notice.not_a_pin") };
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

/** Takes the shop's name, in which the SMS to customers are written. */
export async function takeShopName(dialog: Dialog, answer: string): Promise<Step> {
  const { db, by, context, t } = dialog;
  const shopName = parseShopName(answer);
  if (!shopName) return { to: "shop_name", notice: t("ussd.notice.not_a_shop_name") };
  await dialog.hold();
  await phones.chooseNotices(db, { by, shopName });
  context.choices!.shopName = shopName;
  return { to: "customer_sms" };
}
