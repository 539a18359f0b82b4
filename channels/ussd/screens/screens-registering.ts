// The USSD screens of registering: what each shows, and where each answer leads.
import { back, type Screen, type ScreenName } from "../conversation.ts";
import * as enquiries from "../enquiries.ts";
import * as registering from "../registering.ts";

const NAMED = ["register_pin", "register_name", "register_failed"] as const;

/** The screens that an unknown phone may be on. */
export const OPEN_TO_STRANGERS: ReadonlySet<ScreenName> = new Set([
  "welcome",
  "welcome_help",
  "register_name",
  "register_pin",
  "register_pin_again",
]);

export const REGISTERING = {
  welcome: {
    about: "The first screen of an unknown phone, if the shop lets it register",
    text: ({ t }) => t("ussd.welcome"),
    choices: [
      { digit: "1", label: "ussd.option.register", onlySeen: true, way: "register_name" },
      {
        digit: "2",
        label: "ussd.option.help",
        onlySeen: true,
        way: { action: enquiries.showWelcomeHelp, to: ["welcome_help"] },
      },
      back("goodbye", "ussd.option.exit"),
    ],
  },
  welcome_help: {
    about: "What registering is good for, and who helps",
    text: ({ context: { support }, t }) =>
      support ? t("ussd.welcome_help", { support }) : t("ussd.welcome_help.no_phone"),
    choices: [back("welcome")],
  },
  register_name: {
    about: "The username; one that is taken comes with a proposal",
    text: ({ context: { registering: it }, t }) => t(it?.proposal ? "ussd.register_name.taken" : "ussd.register_name"),
    choices: [
      {
        digit: "1",
        label: ({ context, t }) => t("ussd.option.use_name", { name: context.registering?.proposal ?? "" }),
        onlySeen: true,
        way: { action: registering.takeProposal, to: NAMED },
        when: ({ context }) => context.registering?.proposal !== undefined,
      },
      back("welcome", "ussd.option.cancel"),
    ],
    typed: { input: "a username", way: { action: registering.takeName, to: NAMED } },
  },
  register_pin: {
    about: "The PIN of the new account",
    text: ({ t }) => t("ussd.register_pin"),
    choices: [back("welcome", "ussd.option.cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: { action: registering.takeFirstPin, to: ["register_pin_again", "register_pin"] },
    },
  },
  register_pin_again: {
    about: "The PIN again, against typing errors; the account is opened",
    text: ({ t }) => t("ussd.register_pin_again"),
    choices: [back("welcome", "ussd.option.cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: registering.openAccount,
        to: ["confirm_phone", "register_pin", "register_name", "register_taken", "register_failed"],
      },
    },
  },
  register_taken: {
    about: "The phone was registered meanwhile",
    text: ({ t }) => t("ussd.register_taken"),
  },
  register_failed: {
    about: "No more accounts are opened by phone today",
    text: ({ shop, t }) => t("ussd.register_failed", shop),
  },
  confirm_phone: {
    about: "The code by SMS that confirms the phone; the first screen until it is typed, and nothing is spent before",
    text: ({ t }) => t("ussd.confirm_phone"),
    choices: [
      {
        digit: "1",
        label: "ussd.option.new_code",
        onlySeen: true,
        way: { action: registering.sendCode, to: ["confirm_phone"] },
      },
      back("home", "ussd.option.home"),
    ],
    typed: {
      input: "the code",
      onlySeen: true,
      way: { action: registering.takeCode, to: ["home", "pay", "confirm_phone"] },
    },
  },
} satisfies Partial<Record<ScreenName, Screen>>;
