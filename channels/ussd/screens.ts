// Every screen of the conversation: what it shows, and where each answer leads. docs/ussd.md is made from this table.

import { CONTINUE_OPTION } from "../../src/core/orders/unfinished-purchases.ts";
import type { OrderStatus } from "../../src/shared/domain.ts";
import { availableOf } from "../../src/shared/funds.ts";
import { plain } from "../../src/shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../src/shared/msisdn.ts";
import * as buying from "./buying.ts";
import { back, type Context, type OrderShown, type Screen, type ScreenName } from "./conversation.ts";
import { NETWORK_NAMES, nameOf } from "./labels.ts";
import * as looking from "./looking.ts";
import * as pin from "./pin.ts";
import { numbered } from "./render.ts";
import { BUYING, fundsIn, TO_PAY_AGAIN, TO_PAY_STILL } from "./screens-buying.ts";
import { TOPPING_UP } from "./screens-topping-up.ts";
import * as topping from "./topping-up.ts";

const addMoney = { act: topping.beginTopUp, to: ["top_up", "voucher", "top_up_waiting"] } as const;
const buyAgain = { act: buying.repeatOrder, to: [...TO_PAY_STILL, "home"] } as const;

export const SCREENS: Record<ScreenName, Screen> = {
  ...BUYING,
  ...TOPPING_UP,
  home: {
    about: "What can be done; 7 while a purchase is unfinished",
    text: () => "DataFie",
    choices: [
      { digit: "1", label: "Buy data", way: "operator" },
      { digit: "2", label: "Balance", way: { act: looking.showBalance, to: ["balance"] } },
      { digit: "3", label: "Last orders", way: { act: looking.showOrders, to: ["orders", "home"] } },
      { digit: "4", label: "Add money", way: addMoney },
      {
        digit: "5",
        label: "Repeat last order",
        way: { act: buying.repeatLast, to: [...TO_PAY_STILL, "home"] },
      },
      { digit: "6", label: "My account", way: "account" },
      {
        digit: CONTINUE_OPTION,
        label: ({ context: { offer } }) => `Go on: ${offer!.name} ${localMsisdn(offer!.msisdn)}`,
        way: { act: buying.goOn, to: TO_PAY_AGAIN },
        when: ({ context }) => context.offer !== undefined,
      },
      back("goodbye", "Exit"),
    ],
  },
  balance: {
    about: "What the wallet holds, or what of it can be spent",
    text: ({ context: { balancePesewas, heldPesewas = 0, owedPesewas = 0 } }) =>
      [
        ...(heldPesewas > 0
          ? [
              `Available ${plain(availableOf({ balancePesewas: balancePesewas!, heldPesewas }))}`,
              `Held until the bank decides ${plain(heldPesewas)}`,
            ]
          : [`Balance ${plain(balancePesewas!)}`]),
        ...(owedPesewas > 0 ? [`You owe ${plain(owedPesewas)}`] : []),
      ].join("\n"),
    choices: [{ digit: "1", label: "Add money", way: addMoney }, back("home")],
  },
  orders: {
    about: "The last orders and where they stand",
    text: () => "Last orders",
    list: {
      what: "an order",
      lines: ({ context }) =>
        numbered(
          context.orders!.map(
            (order) => `${order.label} ${localMsisdn(order.msisdn)} ${shortStatusOf(order)}`,
          ),
        ),
      way: { act: looking.showOrder, to: ["order"] },
    },
    choices: [back("home")],
  },
  order: {
    about: "One order",
    text: ({ context }) => {
      const order = orderOf(context);
      const { id, msisdn, amountPesewas, at } = order;
      return `Order ${id}, ${at}\n${nameOf(order, order.quantity)} for ${localMsisdn(msisdn)}\n${plain(amountPesewas)} ${statusOf(order)}`;
    },
    choices: [
      {
        digit: "1",
        label: "Not received",
        onlySeen: true,
        way: { act: looking.askNotReceived, to: ["not_received", "order"] },
        when: ({ context }) => orderOf(context).isPaid && orderOf(context).status !== "FAILED",
      },
      {
        digit: "1",
        label: "Pay now",
        onlySeen: true,
        way: "pay_order",
        when: ({ context }) => !orderOf(context).isPaid && orderOf(context).status === "PENDING",
      },
      {
        digit: "1",
        label: "Buy again",
        onlySeen: true,
        way: buyAgain,
        when: ({ context }) => orderOf(context).status === "FAILED",
      },
      {
        digit: "2",
        label: "Buy again",
        onlySeen: true,
        way: buyAgain,
        when: ({ context }) => orderOf(context).isPaid && orderOf(context).status !== "FAILED",
      },
      back("orders"),
    ],
  },
  pay_order: {
    about: "An order that is not paid; and the PIN that pays it",
    text: ({ context }) => {
      const order = orderOf(context);
      const { id, msisdn, amountPesewas } = order;
      return `Order ${id}: ${nameOf(order, order.quantity)}\nfor ${spacedMsisdn(msisdn)}\nPay ${plain(amountPesewas)} from wallet\nEnter PIN to pay`;
    },
    choices: [back("order")],
    typed: {
      what: "the PIN",
      onlySeen: true,
      way: {
        act: buying.payOrder,
        to: ["order_paid", "pay_order", "home", "short", "locked", "no_pin", "banned", "busy"],
      },
    },
  },
  order_paid: {
    about: "An order that was placed before is paid",
    text: ({ context }) => {
      const order = orderOf(context);
      const { id, msisdn, amountPesewas } = order;
      return (
        `Order ${id} paid.\n${nameOf(order, order.quantity)} for ${localMsisdn(msisdn)}\n` +
        `${plain(amountPesewas)}, ${fundsIn(context)}\nSMS will confirm.`
      );
    },
  },
  not_received: {
    about: "Asks before a dispute is opened",
    text: ({ context }) =>
      `Order ${orderOf(context).id} not received? Check the phone first. We decide by ${context.until}.`,
    choices: [
      {
        digit: "1",
        label: "Report it",
        onlySeen: true,
        way: { act: looking.sayNotReceived, to: ["filed", "order"] },
      },
      back("order"),
    ],
  },
  filed: {
    about: "A dispute is open",
    text: ({ context }) =>
      `Order ${orderOf(context).id} reported. By ${context.until} we prove that it was delivered, or your money is back.`,
  },
  account: {
    about: "What is done now and then",
    text: () => "My account",
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
  statement: { about: "The statement comes by SMS", text: () => "Your statement comes by SMS." },
  old_pin: {
    about: "The PIN as it is",
    text: () => "Type your old PIN",
    choices: [back("account", "Cancel")],
    typed: { what: "the old PIN", onlySeen: true, way: { act: pin.takeOldPin, to: ["new_pin", "old_pin"] } },
  },
  new_pin: {
    about: "The PIN as it will be",
    text: () => "Type a new PIN of 4 to 6 digits",
    choices: [back("account", "Cancel")],
    typed: {
      what: "the new PIN",
      onlySeen: true,
      way: { act: pin.takeNewPin, to: ["new_pin_again", "new_pin"] },
    },
  },
  new_pin_again: {
    about: "The same again, against slips",
    text: () => "Type the new PIN again",
    choices: [back("account", "Cancel")],
    typed: {
      what: "the new PIN",
      onlySeen: true,
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
      `This phone is not on DataFie. Register at ${shop.host}, confirm this number under Profile and set a PIN. Then dial again.`,
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
    text: () => "Too many dials or answers. Please dial again in ten minutes.",
  },
  busy: {
    about: "It took too long, and surely nothing was paid",
    text: () => "Sorry, we are busy. Nothing was paid. Please dial again in a minute.",
  },
  failure: {
    about: "Something of ours failed, or the session cannot go on",
    text: () => "Sorry, please dial again. If you were paying, check Last orders first.",
  },
};

const STATUS: Record<Exclude<OrderStatus, "FAILED">, string> = {
  PENDING: "waiting",
  PAID: "waiting",
  PROCESSING: "sent",
  DELIVERED: "delivered",
  COMPLETED: "delivered",
};

function shortStatusOf({ status, isPaid }: OrderShown): string {
  if (!isPaid) return "not paid";
  return status === "FAILED" ? "failed" : STATUS[status];
}

function statusOf(order: OrderShown): string {
  const { status, operator, isPaid, isRefunded } = order;
  if (status === "FAILED") return isRefunded ? "failed, money back" : isPaid ? "failed" : "not paid, closed";
  if (isPaid && status === "PROCESSING") return `sent to ${NETWORK_NAMES[operator]}`;
  return shortStatusOf(order);
}

function orderOf({ orders, order }: Context): OrderShown {
  return orders![order!]!;
}
