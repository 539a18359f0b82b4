// PINs by USSD: checking the one that pays, and changing it.
import * as pinChange from "../../src/core/identity/pin-change.ts";
import * as pins from "../../src/core/identity/pins.ts";
import { accraTime } from "../../src/shared/accra.ts";
import { isPin } from "../../src/shared/pin.ts";
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
      dialog.context.hasProvedPin = true;
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

/** The first of the three screens of a PIN change. A wrong old PIN counts towards the lock, as anywhere else. */
export async function takeOldPin(dialog: Dialog, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "old_pin", notice: dialog.t("ussd.notice.pin_digits") };
  const { context, db, by, pinKeys } = dialog;
  await dialog.hold();
  const begun = await pinChange.beginChange(db, pinKeys, { by, oldPin: answer });
  switch (begun.outcome) {
    case "begun":
      context.pinChange = begun.change;
      return { to: "new_pin" };
    case "wrong":
      return { to: "old_pin", notice: dialog.t("ussd.notice.wrong_old_pin") };
    case "locked":
      return locked(dialog);
    case "none":
      return { to: "no_pin" };
  }
}

/** The second screen of a PIN change: refuses PINs that are easy to guess. */
export async function takeNewPin(dialog: Dialog, answer: string): Promise<Step> {
  if (!isPin(answer)) return { to: "new_pin", notice: dialog.t("ussd.notice.pin_digits") };
  const { context, db, by, pinKeys } = dialog;
  const { pinChange: change } = context;
  if (!change) return { to: "old_pin" };
  const chosen = await pinChange.chooseNew(db, pinKeys, { by, change, newPin: answer });
  switch (chosen.outcome) {
    case "chosen":
      context.pinChange = chosen.change;
      return { to: "new_pin_again" };
    case "trivial":
      return { to: "new_pin", notice: dialog.t("ussd.notice.pin_easy") };
    case "same":
      return { to: "new_pin", notice: dialog.t("ussd.notice.same_pin") };
    case "expired":
      return { to: "old_pin" };
  }
}

/** The third screen: changes the PIN. */
export async function changePin(dialog: Dialog, answer: string): Promise<Step> {
  const { context, db, by, pinKeys } = dialog;
  const { pinChange: change } = context;
  delete context.pinChange;
  if (!change) return { to: "old_pin" };
  await dialog.hold();
  switch (await pinChange.endChange(db, pinKeys, { by, change, newPin: answer })) {
    case "changed":
      return { to: "pin_changed" };
    case "different":
      return { to: "old_pin", notice: dialog.t("ussd.notice.pins_differ") };
    case "locked":
      return locked(dialog);
    case "expired":
      return { to: "old_pin" };
  }
}
