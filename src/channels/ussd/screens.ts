// Every screen of the conversation: what it shows, and where each answer leads. docs/ussd.md is made from this table.
import type { OrderStatus } from "../../shared/domain.ts";
import { plain } from "../../shared/money.ts";
import { localMsisdn } from "../../shared/msisdn.ts";
import * as buying from "./buying.ts";
import { back, type Context, type Screen, type ScreenName } from "./conversation.ts";
import * as looking from "./looking.ts";
import * as pin from "./pin.ts";
import { BUYING, TO_PAY_STILL } from "./screens-buying.ts";
import { TOPPING_UP } from "./screens-topping-up.ts";
import * as topping from "./topping-up.ts";

export const SCREENS: Record<ScreenName, Screen> = {
  ...BUYING,
  ...TOPPING_UP,
  home: {
    about: "What can be done",
    text: () => "DataFie",
    choices: [
      { digit: "1", label: "Buy data", way: "operator" },
      { digit: "2", label: "Balance", way: { act: looking.showBalance, to: ["balance"] } },
      { digit: "3", label: "Last orders", way: { act: looking.showOrders, to: ["orders", "home"] } },
      { digit: "4", label: "Top up", way: { act: topping.beginTopUp, to: ["top_up", "voucher", "home"] } },
      {
        digit: "5",
        label: "Repeat last order",
        way: { act: buying.repeatLast, to: [...TO_PAY_STILL, "home"] },
      },
      { digit: "6", label: "Statement, PIN, help", way: "account" },
      back("goodbye", "Exit"),
    ],
  },
  balance: {
    about: "What the wallet holds",
    text: ({ context: { balancePesewas, heldPesewas = 0, owedPesewas = 0 } }) =>
      [
        `Balance ${plain(balancePesewas!)}`,
        ...(heldPesewas > 0 ? [`Held for a chargeback ${plain(heldPesewas)}`] : []),
        ...(owedPesewas > 0 ? [`You owe ${plain(owedPesewas)}`] : []),
      ].join("\n"),
    choices: [
      { digit: "1", label: "Top up", way: { act: topping.beginTopUp, to: ["top_up", "voucher", "home"] } },
      back("home"),
    ],
  },
  orders: {
    about: "The last orders and where they stand",
    text: () => "Last orders",
    list: {
      what: "an order",
      lines: ({ context }) =>
        context.orders!.map(({ label, msisdn, status }) => {
          const [size] = label.split(" ");
          return `${size} ${localMsisdn(msisdn)} ${SHORT_STATUS[status]}`;
        }),
      way: { act: looking.showOrder, to: ["order"] },
    },
    choices: [back("home")],
  },
  order: {
    about: "One order",
    text: ({ context }) => {
      const { id, label, quantity, msisdn, amountPesewas, status, at } = orderOf(context);
      const what = quantity > 1 ? `${quantity} x ${label}` : label;
      return `Order ${id}, ${at}\n${what} for ${localMsisdn(msisdn)}\n${plain(amountPesewas)} ${STATUS[status]}`;
    },
    choices: [
      {
        digit: "1",
        label: "Not received",
        way: { act: looking.askNotReceived, to: ["not_received", "order"] },
        when: ({ context }) => orderOf(context).status !== "FAILED",
      },
      { digit: "2", label: "Buy again", way: { act: buying.repeatOrder, to: [...TO_PAY_STILL, "home"] } },
      back("orders"),
    ],
  },
  not_received: {
    about: "Asks before a case is opened",
    text: ({ context }) =>
      `Order ${orderOf(context).id} has not arrived? Check the phone first. We decide by ${context.until}.`,
    choices: [
      {
        digit: "1",
        label: "It has not arrived",
        way: { act: looking.sayNotReceived, to: ["filed", "order"] },
      },
      back("order"),
    ],
  },
  filed: {
    about: "A case is open",
    text: ({ context }) =>
      `Order ${orderOf(context).id}: noted. By ${context.until} we show you that it was delivered, or your money is back.`,
  },
  account: {
    about: "What is done now and then",
    text: () => "Your account",
    choices: [
      {
        digit: "1",
        label: "Statement by SMS",
        way: { act: looking.sendStatement, to: ["statement", "account"] },
      },
      { digit: "2", label: "Change PIN", way: "old_pin" },
      { digit: "3", label: "Help", way: { act: looking.showHelp, to: ["help"] } },
      back("home"),
    ],
  },
  statement: { about: "The statement is on its way", text: () => "Your statement comes by SMS." },
  old_pin: {
    about: "The PIN as it is",
    text: () => "Type your old PIN",
    choices: [back("account", "Cancel")],
    typed: { what: "the old PIN", way: { act: pin.takeOldPin, to: ["new_pin", "old_pin"] } },
  },
  new_pin: {
    about: "The PIN as it will be",
    text: () => "Type a new PIN of 4 to 6 digits",
    choices: [back("account", "Cancel")],
    typed: { what: "the new PIN", way: { act: pin.takeNewPin, to: ["new_pin_again", "new_pin"] } },
  },
  new_pin_again: {
    about: "The same again, against slips",
    text: () => "Type the new PIN again",
    choices: [back("account", "Cancel")],
    typed: {
      what: "the new PIN",
      way: { act: pin.changePin, to: ["pin_changed", "old_pin", "locked"] },
    },
  },
  pin_changed: { about: "The PIN is another", text: () => "Your PIN is changed." },
  help: {
    about: "Where help is",
    text: ({ context, shop }) =>
      `Help${context.support ? `: ${context.support}` : ""}\nMore at ${shop.host}: bulk orders, cards, statements`,
    choices: [back("account")],
  },
  goodbye: { about: "Left at one's own wish", text: () => "Thank you for using DataFie." },
  stranger: {
    about: "The phone belongs to no account",
    text: ({ shop }) =>
      `This phone is not on DataFie. Register at ${shop.host}, prove this number under Profile and set a PIN. Then dial again.`,
  },
  no_pin: {
    about: "The account has no PIN",
    text: ({ shop }) =>
      `You have no PIN yet. Log in at ${shop.host}, open Profile and set one. Then dial again.`,
  },
  banned: {
    about: "The account may not buy",
    text: ({ context }) =>
      `Your account is closed for orders.${context.support ? `\nSupport: ${context.support}` : ""}`,
  },
  wait: {
    about: "Too many dials or answers in a short time",
    text: () => "That was a lot at once. Please dial again in ten minutes.",
  },
  failure: {
    about: "Something of ours failed, or the session cannot go on",
    text: () => "Sorry, please dial again. If you were paying, check Last orders first.",
  },
};

const STATUS: Record<OrderStatus, string> = {
  PENDING: "on its way",
  PAID: "on its way",
  PROCESSING: "being sent",
  DELIVERED: "delivered",
  COMPLETED: "delivered",
  FAILED: "failed, money back",
};
const SHORT_STATUS: Record<OrderStatus, string> = { ...STATUS, FAILED: "failed" };

function orderOf({ orders, order }: Context) {
  return orders![order!]!;
}
