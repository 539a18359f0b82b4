// The actions of registering by USSD: a name, a PIN twice, and the code by SMS that confirms the phone.
import * as registration from "../../src/core/identity/phones/ussd-registration.ts";
import * as budgets from "../../src/core/platform/budgets/budgets.ts";
import { AppError } from "../../src/shared/errors/app-error.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import type { Dialog, Step } from "./conversation.ts";

/** Takes the username as typed; one that is taken comes with a proposal. */
export async function takeName(dialog: Dialog, answer: string): Promise<Step> {
  const { db, context, msisdn, t } = dialog;
  // Each name that is tried tells whether somebody has it.
  if (!(await budgets.trySpend(db, "ussd.names", msisdn))) return { to: "register_failed" };
  const verdict = await registration.checkName(db, answer);
  if (verdict === "refused") return { to: "register_name", notice: t("ussd.notice.name_refused") };
  if (verdict === "free") {
    context.registering = { username: answer };
    return { to: "register_pin" };
  }
  context.registering = verdict;
  return { to: "register_name", notice: t("ussd.notice.name_taken", { name: answer }) };
}

/** Takes the proposed username. */
export function takeProposal(dialog: Dialog): Promise<Step> {
  return takeName(dialog, dialog.context.registering!.proposal!);
}

/** Takes the new account's PIN; only a digest of it waits for the next screen. */
export async function takeFirstPin(dialog: Dialog, answer: string): Promise<Step> {
  const { context, msisdn, pinKeys, t } = dialog;
  if (!isPin(answer)) return { to: "register_pin", notice: t("ussd.notice.pin_digits") };
  const digest = await registration.draftPin(pinKeys, { msisdn, pin: answer });
  if (digest === null) return { to: "register_pin", notice: t("ussd.notice.pin_easy") };
  context.registering = { ...context.registering, digest };
  return { to: "register_pin_again" };
}

/** Opens the account once the PIN was typed twice, and sends the code. */
export async function openAccount(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, msisdn, pinKeys, codeKeys, t } = dialog;
  const { username, digest } = context.registering ?? {};
  if (!username || !digest) return { to: "register_name" };
  if (!(await registration.isDrafted(pinKeys, { msisdn, pin: answer, digest })))
    return { to: "register_pin", notice: t("ussd.notice.pins_differ_choose") };
  await dialog.hold();
  if (!(await registration.isOpen(db, codeKeys))) return { to: "register_failed" };
  const opened = await registration.register(db, { pinKeys, codeKeys }, { msisdn, username, pin: answer });
  switch (opened.outcome) {
    case "registered":
      delete context.registering;
      dialog.userId = opened.userId;
      dialog.by = { ...dialog.by, userId: opened.userId };
      return { to: "confirm_phone" };
    case "name_taken":
      return takeName(dialog, username);
    case "phone_taken":
      return { to: "register_taken" };
    case "limited":
      return { to: "register_failed" };
  }
}

/** Takes the code that confirms the phone, and returns to the purchase that it interrupted, if any. */
export async function takeCode(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, codeKeys, t } = dialog;
  await dialog.hold();
  if (!(await registration.confirm(db, codeKeys, { by, code: answer })))
    return { to: "confirm_phone", notice: t("ussd.notice.wrong_code") };
  return { to: context.buying?.msisdn ? "pay" : "home", notice: t("ussd.notice.phone_confirmed") };
}

/** Sends another code, unless one was just sent. */
export async function sendCode(dialog: Dialog): Promise<Step> {
  const { db, by, msisdn, codeKeys, t } = dialog;
  await dialog.hold();
  try {
    await registration.sendCode(db, codeKeys, { by, msisdn });
    return { to: "confirm_phone", notice: t("ussd.notice.code_coming") };
  } catch (error) {
    if (isNoMoreCodes(error)) return { to: "confirm_phone", notice: t("ussd.notice.no_more_codes") };
    throw error;
  }
}

/** Whether no code can be sent at the moment. */
export function isNoMoreCodes(error: unknown): boolean {
  return error instanceof AppError && ["request.rate_limited", "code.no_channel"].includes(error.code);
}
