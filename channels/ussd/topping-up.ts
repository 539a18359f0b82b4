// The actions of a top-up by USSD: the amount, the mobile money wallet and the PIN. The payer's prompt is sent after
// the session, because a phone can hold only one session at a time.
import * as prompts from "../../src/core/payments/momo-prompts.ts";
import * as settings from "../../src/core/platform/settings/settings.ts";
import * as switches from "../../src/core/platform/switches.ts";
import type { Network } from "../../src/shared/domain.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { parseCedis, plain } from "../../src/shared/money.ts";
import { guessNetwork } from "../../src/shared/operators.ts";
import { parseMsisdn } from "../../src/shared/phones/msisdn.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import type { Context, Dialog, Step } from "./conversation.ts";
import { checkPinOnly } from "./pin.ts";
import { noteSms } from "./sms-promise.ts";

export const NETWORK_CHOICES: readonly Network[] = ["mtn", "vod", "atl"];

/**
 * Starts a top-up, or shows the one in progress, which is waiting for a voucher or for its payer. Throws
 * service.closed.
 */
export async function beginTopUp(dialog: Dialog): Promise<Step> {
  const open = await prompts.open(dialog.db, dialog.userId);
  if (!open) {
    await switches.requireOpenFor(dialog.db, dialog.by, "top_ups");
    return { to: "top_up" };
  }
  const { paymentId, amountPesewas, msisdn } = open;
  dialog.context.waiting = { paymentId, amountPesewas, msisdn };
  return { to: open.needsVoucher ? "voucher" : "top_up_waiting" };
}

/** Cancels the top-up in progress, for a wrong number or an approval that never comes. */
export async function cancelTopUp(dialog: Dialog): Promise<Step> {
  await dialog.hold();
  const { db, by, key, context, t } = dialog;
  try {
    await prompts.cancel(db, { by, key, paymentId: context.waiting!.paymentId });
    return { to: "top_up" };
  } catch (error) {
    if (error instanceof AppError && error.code === "payment.not_payable")
      return { to: "home", notice: t("ussd.notice.payment_ended") };
    throw error;
  }
}

/** Takes the amount in cedis, within the shop's and the provider's limits. */
export async function takeAmount(dialog: Dialog, answer: string): Promise<Step> {
  const { t } = dialog;
  const amountPesewas = parseCedis(answer);
  if (amountPesewas === null || amountPesewas <= 0) return { to: "top_up", notice: t("ussd.notice.not_an_amount") };
  const minimumPesewas = await settings.get(dialog.db, "top_up_minimum_pesewas");
  if (amountPesewas < minimumPesewas)
    return { to: "top_up", notice: t("ussd.notice.at_least", { amount: plain(minimumPesewas) }) };
  if (amountPesewas > prompts.PROMPT_PESEWAS_MAX)
    return { to: "top_up", notice: t("ussd.notice.at_most", { amount: plain(prompts.PROMPT_PESEWAS_MAX) }) };
  const network = ownNetwork(dialog);
  dialog.context.topUp = { amountPesewas, network, msisdn: dialog.msisdn };
  return { to: network ? "top_up_from" : "top_up_network" };
}

/** Takes another payer's number. */
export function takePayer(dialog: Dialog, answer: string): Step {
  const msisdn = parseMsisdn(answer);
  if (!msisdn) return { to: "top_up_number", notice: dialog.t("ussd.notice.not_a_number") };
  const network = guessNetwork(msisdn);
  dialog.context.topUp = { ...dialog.context.topUp!, msisdn, network };
  return { to: network ? "top_up_from" : "top_up_network" };
}

/** Takes the chosen mobile money network. */
export function takeNetwork(dialog: Dialog, answer: string): Step {
  dialog.context.topUp!.network = NETWORK_CHOICES[Number(answer) - 1]!;
  return { to: "top_up_pin" };
}

/** Requests the payer's approval; the prompt is sent once the session has ended. */
export async function promptPayer(dialog: Dialog, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "top_up_pin", notice: dialog.t("ussd.notice.pin_digits") };
  const refused = await checkPinOnly(dialog, answer, "top_up_pin");
  if (refused) return refused;
  const { db, by, key, serviceCode, context, t } = dialog;
  const { amountPesewas, network, msisdn } = context.topUp!;
  try {
    await prompts.request(db, { by, key, amountPesewas, network: network!, msisdn, serviceCode });
    await noteSms(dialog, "wallet_topped_up");
    return { to: "asked" };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "payment.below_minimum") return { to: "top_up", notice: error.message };
    if (error.code === "payment.in_progress") return { to: "home", notice: t("ussd.notice.payment_waiting") };
    if (error.code === "request.rate_limited") return { to: "home", notice: t("ussd.notice.too_many_prompts") };
    if (error.code === "payment.daily_limit") return { to: "home", notice: t("ussd.notice.no_more_top_ups") };
    if (error.code === "payment.balance_limit") return noRoom(dialog, error);
    if (error.code === "auth.banned") return { to: "banned" };
    if (error.code === "service.busy") return { to: "busy" };
    throw error;
  }
}

/** Asks for an amount that the wallet has room for. */
function noRoom({ t }: Dialog, { details }: AppError): Step {
  const roomPesewas = Math.round(Number(details?.left) * 100);
  if (roomPesewas <= 0) return { to: "home", notice: t("ussd.notice.wallet_full") };
  return { to: "top_up", notice: t("ussd.notice.at_most", { amount: plain(roomPesewas) }) };
}

/** Queues a Telecel voucher; it is submitted once the session has ended. */
export async function submitVoucher(dialog: Dialog, answer: string): Promise<Step> {
  if (!/^\d{4,10}$/.test(answer)) return { to: "voucher", notice: dialog.t("ussd.notice.not_a_voucher") };
  await dialog.hold();
  const { db, by, key, context, t } = dialog;
  try {
    const { paymentId } = context.waiting!;
    await prompts.storeVoucher(db, { by, key, paymentId, voucher: answer });
    await noteSms(dialog, "wallet_topped_up");
    return { to: "handed_in" };
  } catch (error) {
    if (error instanceof AppError && error.code === "payment.not_payable")
      return { to: "home", notice: t("ussd.notice.payment_ended") };
    throw error;
  }
}

/** The caller's mobile money network, if it is known. */
export function ownNetwork({ network, msisdn }: Pick<Dialog, "network" | "msisdn">): Network | null {
  return network ?? guessNetwork(msisdn);
}

/** Whether this purchase can be paid by a prompt: the caller's network is known, and the amount is within its limit. */
export function canPayByMomo({ momo, buying }: Context): boolean {
  const amountPesewas = buying!.bundle.pricePesewas * buying!.quantity;
  return momo !== undefined && amountPesewas <= prompts.PROMPT_PESEWAS_MAX;
}
