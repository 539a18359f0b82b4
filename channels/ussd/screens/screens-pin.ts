// The USSD screens of the PIN: its change, and its replacement when it is forgotten.
import { back, type Screen, type ScreenName } from "../conversation.ts";
import * as pin from "../pin.ts";
import { forgotPin } from "./screens-buying.ts";

export const PINS = {
  old_pin: {
    about: "The current PIN",
    text: ({ t }) => t("ussd.old_pin"),
    choices: [{ digit: "1", ...forgotPin }, back("account", "ussd.option.cancel")],
    typed: {
      input: "the old PIN",
      onlySeen: true,
      way: { action: pin.takeOldPin, to: ["new_pin", "old_pin", "locked", "no_pin", "frozen"] },
    },
  },
  new_pin: {
    about: "The new PIN",
    text: ({ t }) => t("ussd.new_pin"),
    choices: [back("account", "ussd.option.cancel")],
    typed: {
      input: "the new PIN",
      onlySeen: true,
      way: { action: pin.takeNewPin, to: ["new_pin_again", "new_pin", "old_pin", "forgot_pin"] },
    },
  },
  new_pin_again: {
    about: "The new PIN again, against typing errors",
    text: ({ t }) => t("ussd.new_pin_again"),
    choices: [back("account", "ussd.option.cancel")],
    typed: {
      input: "the new PIN",
      onlySeen: true,
      way: {
        action: pin.changePin,
        to: ["pin_changed", "pin_reset", "old_pin", "new_pin", "forgot_pin", "locked", "frozen"],
      },
    },
  },
  pin_changed: { about: "The PIN is changed", text: ({ t }) => t("ussd.pin_changed") },
  forgot_pin: {
    about: "How a forgotten PIN is replaced, before a code is sent",
    text: ({ context, t }) => t("ussd.forgot_pin", { hours: context.hours! }),
    choices: [
      {
        digit: "1",
        label: "ussd.option.send_code",
        onlySeen: true,
        onlyRead: true,
        way: { action: pin.sendResetCode, to: ["reset_code", "forgot_pin", "frozen", "closed"] },
      },
      { digit: "2", label: "ussd.option.have_code", way: "reset_code" },
      back("home", "ussd.option.cancel"),
    ],
  },
  reset_code: {
    about: "The code by SMS that stands in for the old PIN",
    text: ({ t }) => t("ussd.reset_code"),
    choices: [
      {
        digit: "1",
        label: "ussd.option.new_code",
        onlySeen: true,
        way: { action: pin.sendResetCode, to: ["reset_code", "forgot_pin", "frozen", "closed"] },
      },
      back("home", "ussd.option.cancel"),
    ],
    typed: {
      input: "the code",
      onlySeen: true,
      way: { action: pin.takeResetCode, to: ["new_pin", "reset_code", "reset_question", "frozen"] },
    },
  },
  reset_question: {
    about: "A question besides the code, which a thief of the SIM cannot answer; without it the new PIN waits longer",
    text: ({ t }) => t("ussd.reset_question"),
    choices: [
      { digit: "1", label: "ussd.option.skip", onlySeen: true, way: "new_pin" },
      back("home", "ussd.option.cancel"),
    ],
    typed: {
      input: "a number",
      onlySeen: true,
      way: { action: pin.takeAnswer, to: ["new_pin", "reset_question"] },
    },
  },
  pin_reset: {
    about: "The PIN is replaced; it looks, and spends later",
    text: ({ context, shop, t }) => t("ussd.pin_reset", { until: context.until!, ...shop }),
  },
} satisfies Partial<Record<ScreenName, Screen>>;
