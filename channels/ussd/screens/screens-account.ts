// The USSD screens of "My account": the statement, help, the language, and the account's choices.
import { LANGUAGE_NAMES } from "../../../src/shared/domain.ts";
import * as account from "../account.ts";
import { back, type Context, type Facts, type Screen, type ScreenName } from "../conversation.ts";
import * as enquiries from "../enquiries.ts";
import { numbered } from "./render.ts";

export const ACCOUNT = {
  account: {
    about: "Seldom used: statement, PIN, help and choices; 4 appears once the shop has a second language",
    text: ({ t }) => t("ussd.account"),
    choices: [
      {
        digit: "1",
        label: "ussd.option.statement",
        way: { action: enquiries.sendStatement, to: ["statement", "account", "look_pin"] },
      },
      { digit: "2", label: "ussd.option.change_pin", way: "old_pin" },
      { digit: "3", label: "ussd.option.help", way: { action: enquiries.showHelp, to: ["help"] } },
      {
        digit: "4",
        label: "ussd.option.language",
        way: "language",
        when: ({ languages }) => languages.length > 1,
      },
      {
        digit: "5",
        label: ({ context, t }) => t("ussd.option.pin_to_look", { onoff: onOff(t, choicesIn(context).requiresPin) }),
        way: "pin_to_look",
      },
      {
        digit: "6",
        label: ({ context, t }) =>
          t("ussd.option.customer_sms", { onoff: onOff(t, choicesIn(context).notifyCustomers) }),
        way: "customer_sms",
      },
      back("home"),
    ],
  },
  pin_to_look: {
    about: "Turns on or off, with the PIN, that it is asked for before the balance and orders",
    text: ({ context, t }) => t("ussd.pin_to_look", { onoff: onOff(t, choicesIn(context).requiresPin) }),
    choices: [back("account")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: { action: account.switchPin, to: ["account", "pin_to_look", "locked", "no_pin"] },
    },
  },
  customer_sms: {
    about: "The SMS that the agent's customers get, and in whose name",
    text: ({ context, t }) => {
      const { notifyCustomers, shopName: shop } = choicesIn(context);
      return t("ussd.customer_sms", { onoff: onOff(t, notifyCustomers), shop });
    },
    choices: [
      {
        digit: "1",
        label: ({ context, t }) =>
          t(choicesIn(context).notifyCustomers ? "ussd.option.turn_off" : "ussd.option.turn_on"),
        onlySeen: true,
        onlyRead: true,
        way: { action: account.switchCustomerSms, to: ["customer_sms"] },
      },
      { digit: "2", label: "ussd.option.shop_name", way: "shop_name" },
      back("account"),
    ],
  },
  shop_name: {
    about: "The name of the shop",
    text: ({ t }) => t("ussd.shop_name"),
    choices: [back("customer_sms")],
    typed: {
      input: "a name",
      onlySeen: true,
      way: { action: account.typeShopName, to: ["shop_name_pin", "shop_name"] },
    },
  },
  shop_name_pin: {
    about: "The new name of the shop, and the PIN that gives it",
    text: ({ context, t }) => t("ussd.shop_name_pin", { shop: context.newShopName! }),
    choices: [back("customer_sms", "ussd.option.cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: { action: account.changeShopName, to: ["customer_sms", "shop_name_pin", "locked", "no_pin"] },
    },
  },
  statement: { about: "The statement is on its way", text: ({ t }) => t("ussd.statement") },
  language: {
    about: "The language of USSD and SMS, kept with the account",
    text: ({ t }) => t("ussd.language"),
    list: {
      input: "a language",
      lines: ({ languages }) => numbered(languages.map((language) => LANGUAGE_NAMES[language])),
      way: { action: enquiries.chooseLanguage, to: ["home"] },
    },
    choices: [back("account")],
  },
  help: {
    about: "How to get help",
    text: ({ context: { support }, shop, t }) =>
      support ? t("ussd.help", { support, ...shop }) : t("ussd.help.no_phone", shop),
    choices: [back("account")],
  },
} satisfies Partial<Record<ScreenName, Screen>>;

function choicesIn({ choices }: Context): NonNullable<Context["choices"]> {
  return choices ?? { requiresPin: false, notifyCustomers: false, shopName: "" };
}

function onOff(t: Facts["t"], isOn: boolean): string {
  return t(isOn ? "part.on" : "part.off");
}
