// The table of USSD screens: what each shows, and where each answer leads. docs/ussd.md is generated from it.

import { CONTINUE_OPTION } from "../../../src/core/buying/unfinished-purchases.ts";
import { pinHelp } from "../../../src/core/messaging/texts/sms-texts.ts";
import { availableOf } from "../../../src/shared/funds.ts";
import { plain } from "../../../src/shared/money.ts";
import { localMsisdn } from "../../../src/shared/phones/msisdn.ts";
import * as account from "../account.ts";
import * as buying from "../buying.ts";
import { back, type Screen, type ScreenName } from "../conversation.ts";
import * as enquiries from "../enquiries.ts";
import * as shelves from "../shelves.ts";
import { ACCOUNT } from "./screens-account.ts";
import { BUYING, TO_PAY_AGAIN, TO_PAY_STILL } from "./screens-buying.ts";
import { ORDERS } from "./screens-orders.ts";
import { PINS } from "./screens-pin.ts";
import { REGISTERING } from "./screens-registering.ts";
import { addMoney, TOPPING_UP } from "./screens-topping-up.ts";

export const SCREENS: Record<ScreenName, Screen> = {
  ...BUYING,
  ...TOPPING_UP,
  ...REGISTERING,
  ...ORDERS,
  ...ACCOUNT,
  ...PINS,
  home: {
    about: "The menu; 7 appears while a purchase is unfinished",
    text: ({ t }) => t("ussd.home"),
    choices: [
      { digit: "1", label: "ussd.option.buy_data", way: "operator" },
      {
        digit: "2",
        label: "ussd.option.balance",
        way: { action: enquiries.showBalance, to: ["balance", "look_pin"] },
      },
      {
        digit: "3",
        label: "ussd.option.last_orders",
        way: { action: enquiries.showOrders, to: ["orders", "home", "look_pin"] },
      },
      { digit: "4", label: "ussd.option.add_money", way: addMoney },
      {
        digit: "5",
        label: "ussd.option.repeat_last",
        way: { action: buying.repeatLast, to: [...TO_PAY_STILL, "home"] },
      },
      {
        digit: "6",
        label: "ussd.option.my_account",
        way: { action: account.showAccount, to: ["account"] },
      },
      {
        digit: CONTINUE_OPTION,
        label: ({ context: { offer }, t }) =>
          t("ussd.option.resume", { offer: offer!.name, number: localMsisdn(offer!.msisdn) }),
        way: { action: buying.resume, to: TO_PAY_AGAIN },
        when: ({ context }) => context.offer !== undefined,
      },
      back("goodbye", "ussd.option.exit"),
    ],
    typed: {
      input: "a phone number",
      way: { action: shelves.takeRecipient, to: ["bundles_for", "operator", "home"] },
    },
  },
  look_pin: {
    about: "The PIN, before the balance or orders of an account that wants that",
    text: ({ t }) => t("ussd.look_pin"),
    choices: [back("home")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: enquiries.takeLookPin,
        to: ["balance", "orders", "statement", "look_pin", "home", "account", "locked", "no_pin"],
      },
    },
  },
  balance: {
    about: "The balance, or how much of it can be spent",
    text: ({ context: { balancePesewas, heldPesewas = 0, owedPesewas = 0 }, t }) => {
      const available = plain(availableOf({ balancePesewas: balancePesewas!, heldPesewas }));
      const funds =
        heldPesewas > 0
          ? [t("ussd.balance.available", { available }), t("ussd.balance.held", { held: plain(heldPesewas) })]
          : [t("ussd.balance", { balance: plain(balancePesewas!) })];
      const owed = owedPesewas > 0 ? [t("ussd.balance.owed", { owed: plain(owedPesewas) })] : [];
      return [...funds, ...owed].join("\n");
    },
    choices: [{ digit: "1", label: "ussd.option.add_money", way: addMoney }, back("home")],
  },
  goodbye: { about: "The caller has left", text: ({ t }) => t("ussd.goodbye") },
  stranger: {
    about: "The phone is not registered",
    text: ({ shop, t }) => t("ussd.stranger", shop),
  },
  no_pin: {
    about: "The account has no PIN",
    text: ({ shop, serviceCode, t }) => t("ussd.no_pin", { where: pinHelp(t, { serviceCode, ...shop }) }),
  },
  banned: {
    about: "The account may not buy",
    text: ({ context: { support }, t }) => (support ? t("ussd.banned.support", { support }) : t("ussd.banned")),
  },
  wait: {
    about: "Too many requests in a short time",
    text: ({ t }) => t("ussd.wait"),
  },
  busy: {
    about: "It took too long; certainly nothing was paid",
    text: ({ t }) => t("ussd.busy"),
  },
  failure: {
    about: "We failed, or the session cannot continue",
    text: ({ t }) => t("ussd.failure"),
  },
};
