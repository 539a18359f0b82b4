// PINs by USSD: checking the one that pays, changing it, and replacing a forgotten one.
import * as phoneWaits from "../../src/core/identity/phones/phone-waits.ts";
import * as pinChange from "../../src/core/identity/phones/pin-change.ts";
import * as pinReset from "../../src/core/identity/phones/pin-reset.ts";
import * as pins from "../../src/core/identity/phones/pins.ts";
import * as users from "../../src/core/identity/users.ts";
import { accraDayTime } from "../../src/shared/accra.ts";
import { endText } from "../../src/shared/pause.ts";
import { isPin } from "../../src/shared/phones/pin.ts";
import { type Dialog, FOR_GOOD, type ScreenName, type Step } from "./conversation.ts";
import { isNoMoreCodes } from "./registering.ts";

/**
 * Holds the session and checks a PIN that is to spend money, both at once, because people wait for them; a wrong one is
 * counted only in a session that is held. Returns null when it may, otherwise the step from the screen `asking`.
 */
export async function checkPin(dialog: Dialog, pin: string, asking: ScreenName): Promise<Step | null> {
  return checkFor(dialog, pin, asking, pins.verify);
}

/** As `checkPin`, for what spends nothing: a PIN that may not spend yet will do. */
export async function checkPinOnly(dialog: Dialog, pin: string, asking: ScreenName): Promise<Step | null> {
  return checkFor(dialog, pin, asking, async (...proof) => (await pins.check(...proof)).verdict);
}

async function checkFor(
  dialog: Dialog,
  pin: string,
  asking: ScreenName,
  verify: typeof pins.verify,
): Promise<Step | null> {
  const { db, pinKeys, userId, pin: known } = dialog;
  const repeated = repeatOf(dialog, pin, asking);
  if (repeated) return repeated;
  let triesLeft = 0;
  const alongside: pins.Alongside = async (_tx, _counted, left) => {
    triesLeft = left;
  };
  const ready = dialog.hold();
  const verifying = verify(db, pinKeys, { userId, pin }, { known, alongside, ready });
  const [verdict] = await Promise.all([verifying, ready]);
  switch (verdict) {
    case "right":
      dialog.context.hasProvedPin = true;
      return null;
    case "wrong":
      return wrong(dialog, pin, asking, wrongPin(dialog, triesLeft));
    case "locked":
      return locked(dialog);
    case "none":
      return { to: "no_pin" };
    case "unconfirmed":
      return { to: "confirm_phone" };
    case "waits":
      return showWait(dialog, (await phoneWaits.of(dialog.db, dialog.userId))?.until ?? new Date());
  }
}

/**
 * The same step again for a wrong PIN that comes again at the same screen: a gateway that numbers nothing may repeat a
 * request at any time, and whoever types it again learns nothing new. Null for anything else.
 */
function repeatOf(dialog: Dialog, pin: string, asking: ScreenName): Step | null {
  const last = dialog.context.wrongPin;
  const isSame = last?.asking === asking && last.digest === guessOf(dialog, pin);
  return isSame ? { to: asking, notice: last.notice } : null;
}

/** A digest of a guess at the PIN that the account has now: it may have another by the next one. */
function guessOf({ digestOf, pin: known }: Dialog, pin: string): string {
  return digestOf(`${pin} ${known?.digest}`);
}

/** The step from a screen that asked for a PIN and got a wrong one. */
function wrong(dialog: Dialog, pin: string, asking: ScreenName, notice: string): Step {
  dialog.context.wrongPin = { digest: guessOf(dialog, pin), asking, notice };
  return { to: asking, notice };
}

/** The step that refuses any spending while the account waits; null when it may spend by phone. */
export async function waiting(dialog: Dialog): Promise<Step | null> {
  const wait = await phoneWaits.of(dialog.db, dialog.userId);
  return wait && showWait(dialog, wait.until);
}

function showWait({ context }: Dialog, until: Date, to: "phone_waits" | "pin_reset" = "phone_waits"): Step {
  context.until = accraDayTime(until);
  return { to };
}

function wrongPin({ t }: Dialog, triesLeft: number): string {
  return triesLeft === 1 ? t("ussd.notice.wrong_pin_last") : t("ussd.notice.wrong_pin", { count: triesLeft });
}

function wrongOldPin({ t }: Dialog, triesLeft: number | null): string {
  if (triesLeft === null) return t("ussd.notice.start_again");
  return triesLeft === 1 ? t("ussd.notice.wrong_old_pin_last") : t("ussd.notice.wrong_old_pin", { count: triesLeft });
}

/** Shows the end of the lock, unless it has just ended or been lifted. */
async function locked(dialog: Dialog): Promise<Step> {
  const pin = await pins.stateOf(dialog.db, dialog.userId);
  if (pin?.lockedUntil) dialog.context.lockedUntil = pin.isLockedForGood ? FOR_GOOD : endText(pin.lockedUntil);
  return { to: "locked" };
}

/** The first of the three screens of a PIN change. A wrong old PIN counts towards the lock, as anywhere else. */
export async function takeOldPin(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, pinKeys, t } = dialog;
  if (!isPin(answer)) return { to: "old_pin", notice: t("ussd.notice.pin_digits") };
  const repeated = repeatOf(dialog, answer, "old_pin");
  if (repeated) return repeated;
  await dialog.hold();
  const begun = await pinChange.beginChange(db, pinKeys, { by, oldPin: answer });
  switch (begun.outcome) {
    case "begun":
      context.pinChange = begun.change;
      return { to: "new_pin" };
    case "wrong":
      return wrong(dialog, answer, "old_pin", wrongOldPin(dialog, begun.triesLeft));
    case "locked":
      return locked(dialog);
    case "none":
      return { to: "no_pin" };
  }
}

/** The second screen of a PIN change: refuses PINs that are easy to guess. */
export async function takeNewPin(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, pinKeys, t } = dialog;
  if (!isPin(answer)) return { to: "new_pin", notice: t("ussd.notice.pin_digits") };
  const { pinChange: change } = context;
  if (!change) return { to: "old_pin" };
  const chosen = await pinChange.chooseNew(db, pinKeys, { by, change, newPin: answer });
  switch (chosen.outcome) {
    case "chosen":
      context.pinChange = chosen.change;
      return { to: "new_pin_again" };
    case "trivial":
      return { to: "new_pin", notice: t("ussd.notice.pin_easy") };
    case "same":
      return { to: "new_pin", notice: t("ussd.notice.same_pin") };
    case "expired":
      return startOver(dialog, change);
  }
}

/** The third screen: changes the PIN. */
export async function changePin(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, pinKeys, t } = dialog;
  const { pinChange: change } = context;
  delete context.pinChange;
  if (!change) return { to: "old_pin" };
  await dialog.hold();
  switch (await pinChange.endChange(db, pinKeys, { by, change, newPin: answer })) {
    case "changed":
      return change.isForgotten ? showReset(dialog) : { to: "pin_changed" };
    case "different":
      if (!change.isForgotten) return { to: "old_pin", notice: t("ussd.notice.pins_differ") };
      // The code is spent, so that only the PIN is asked for again.
      context.pinChange = change;
      return { to: "new_pin", notice: t("ussd.notice.pins_differ_choose") };
    case "locked":
      return locked(dialog);
    case "expired":
      return startOver(dialog, change);
  }
}

async function showReset(dialog: Dialog): Promise<Step> {
  // Without a wait, somebody of the staff has just ended it.
  const wait = await phoneWaits.of(dialog.db, dialog.userId);
  return wait ? showWait(dialog, wait.until, "pin_reset") : { to: "pin_changed" };
}

function startOver({ t }: Dialog, { isForgotten }: pinChange.PinChange): Step {
  return isForgotten ? { to: "forgot_pin", notice: t("ussd.notice.start_again") } : { to: "old_pin" };
}

/** Explains how a forgotten PIN is replaced. */
export async function showForgotten(dialog: Dialog): Promise<Step> {
  const { email } = await users.get(dialog.db, dialog.userId);
  dialog.context.hours = await phoneWaits.hoursFor(dialog.db, email);
  return { to: "forgot_pin" };
}

/** Sends the code that stands in for a forgotten PIN, unless one was just sent. */
export async function sendResetCode(dialog: Dialog): Promise<Step> {
  const { db, by, codeKeys, t } = dialog;
  await dialog.hold();
  try {
    await pinReset.sendCode(db, codeKeys, by);
    return { to: "reset_code" };
  } catch (error) {
    if (isNoMoreCodes(error)) return { to: "forgot_pin", notice: t("ussd.notice.no_more_codes") };
    throw error;
  }
}

/** Takes that code; the new PIN follows on the screens of any change. */
export async function takeResetCode(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, codeKeys, t } = dialog;
  await dialog.hold();
  const change = await pinReset.begin(db, codeKeys, { by, code: answer });
  if (!change) return { to: "reset_code", notice: t("ussd.notice.wrong_code") };
  context.pinChange = change;
  return { to: change.isUnanswered ? "reset_question" : "new_pin" };
}

/** Takes the answer to the question besides the code; after three wrong ones in a day the new PIN waits longer. */
export async function takeAnswer(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, t } = dialog;
  await dialog.hold();
  try {
    const answered = await pinReset.answer(db, { by, change: context.pinChange!, typed: answer });
    if (!answered) return { to: "reset_question", notice: t("ussd.notice.wrong_answer") };
    context.pinChange = answered;
    return { to: "new_pin" };
  } catch (error) {
    if (isNoMoreCodes(error)) return { to: "new_pin", notice: t("ussd.notice.no_more_answers") };
    throw error;
  }
}
