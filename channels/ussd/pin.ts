// PINs by USSD: checking the one that pays, and changing it.
import * as pins from "../../src/core/identity/pins.ts";
import { accraTime } from "../../src/shared/accra.ts";
import { isAllowedPin, isPin } from "../../src/shared/pin.ts";
import type { Dialog, ScreenName, Step } from "./conversation.ts";

/** Checks a PIN and counts a wrong one. Returns null when it is right, otherwise the step from the screen `asking`. */
export async function checkPin(dialog: Dialog, pin: string, asking: ScreenName): Promise<Step | null> {
  const { db, pinKeys, userId, pin: known } = dialog;
  let triesLeft = 0;
  const alongside: pins.Alongside = async (_tx, _counted, left) => {
    triesLeft = left;
  };
  switch (await pins.verify(db, pinKeys, { userId, pin }, { known, alongside })) {
    case "right":
      return null;
    case "wrong":
      return { to: asking, notice: wrongPin(dialog, triesLeft) };
    case "locked":
      return locked(dialog);
    case "none":
      return { to: "no_pin" };
  }
}

function wrongPin({ t }: Dialog, triesLeft: number): string {
  return triesLeft === 1 ? t("ussd.notice.wrong_pin_last") : t("ussd.notice.wrong_pin", { count: triesLeft });
}

/** Shows the end of the lock, unless it has just ended or been lifted. */
async function locked(dialog: Dialog): Promise<Step> {
  const until = (await pins.stateOf(dialog.db, dialog.userId))?.lockedUntil;
  if (until) dialog.context.lockedUntil = accraTime(until);
  return { to: "locked" };
}

/**
 * The first of the three screens of a PIN change. No PIN is stored between them: each request's text carries them all,
 * and the session remembers only which inputs they were.
 */
export function takeOldPin(dialog: Dialog, answer: string): Step {
  if (!isPin(answer)) return { to: "old_pin", notice: dialog.t("ussd.notice.pin_digits") };
  dialog.context.pinWords = { old: dialog.at };
  return { to: "new_pin" };
}

/** The second screen of a PIN change: refuses PINs that are easy to guess. */
export function takeNewPin(dialog: Dialog, answer: string): Step {
  if (!isPin(answer)) return { to: "new_pin", notice: dialog.t("ussd.notice.pin_digits") };
  if (!isAllowedPin(answer, dialog.msisdn))
    return { to: "new_pin", notice: dialog.t("ussd.notice.pin_easy") };
  dialog.context.pinWords = { ...dialog.context.pinWords, new: dialog.at };
  return { to: "new_pin_again" };
}

/** Changes the PIN. A wrong old PIN counts towards the lock, as anywhere else. */
export async function changePin(dialog: Dialog, answer: string): Promise<Step> {
  const { inputs, context, db, by, pinKeys, t } = dialog;
  const { old, new: chosen } = context.pinWords!;
  const [oldPin, newPin] = [inputs[old!]!, inputs[chosen!]!];
  delete context.pinWords;
  if (answer !== newPin) return { to: "old_pin", notice: t("ussd.notice.pins_differ") };
  await dialog.hold();
  switch (await pins.change(db, pinKeys, { by, oldPin, newPin })) {
    case "changed":
      return { to: "pin_changed" };
    case "wrong":
      return { to: "old_pin", notice: t("ussd.notice.wrong_old_pin") };
    case "locked":
      return locked(dialog);
    case "trivial":
      return { to: "old_pin", notice: t("ussd.notice.pin_easy_again") };
    case "same":
      return { to: "old_pin", notice: t("ussd.notice.same_pin") };
  }
}
