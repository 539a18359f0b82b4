// The table of USSD screens: what each shows, and where each answer leads. docs/ussd.md is generated from it.
import { CONTINUE_OPTION } from "../../src/core/orders/unfinished-purchases.ts";
import type { OrderStatus } from "../../src/shared/domain.ts";
import { availableOf } from "../../src/shared/funds.ts";
import { plain } from "../../src/shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../src/shared/msisdn.ts";
import * as buying from "./buying.ts";
import { back, type Context, type OrderShown, type Screen, type ScreenName } from "./conversation.ts";
import * as enquiries from "./enquiries.ts";
import { NETWORK_NAMES, nameOf } from "./labels.ts";
import * as pin from "./pin.ts";
import { numbered } from "./render.ts";
import { BUYING, fundsIn, TO_PAY_AGAIN, TO_PAY_STILL } from "./screens-buying.ts";
import { TOPPING_UP } from "./screens-topping-up.ts";
import * as topping from "./topping-up.ts";

const addMoney = { action: topping.beginTopUp, to: ["top_up", "voucher", "top_up_waiting"] } as const;
const buyAgain = { action: buying.repeatOrder, to: [...TO_PAY_STILL, "home"] } as const;

export const SCREENS: Record<ScreenName, Screen> = {
  ...BUYING,
  ...TOPPING_UP,
  home: {
    about: "The menu; 7 appears while a purchase is unfinished",
    text: () => "DataFie",
    choices: [
      { digit: "1", label: "Buy data", way: "operator" },
      { digit: "2", label: "Balance", way: { action: enquiries.showBalance, to: ["balance"] } },
      { digit: "3", label: "Last orders", way: { action: enquiries.showOrders, to: ["orders", "home"] } },
      { digit: "4", label: "Add money", way: addMoney },
      {
        digit: "5",
        label: "Repeat last order",
        way: { action: buying.repeatLast, to: [...TO_PAY_STILL, "home"] },
      },
      { digit: "6", label: "My account", way: "account" },
      {
        digit: CONTINUE_OPTION,
        label: ({ context: { offer } }) => `Continue: ${offer!.name} ${localMsisdn(offer!.msisdn)}`,
        way: { action: buying.resume, to: TO_PAY_AGAIN },
        when: ({ context }) => context.offer !== undefined,
      },
      back("goodbye", "Exit"),
    ],
  },
  balance: {
    about: "The balance, or how much of it can be spent",
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
    about: "The last orders and their status",
    text: () => "Last orders",
    list: {
      input: "an order",
      lines: ({ context }) =>
        numbered(
          context.orders!.map(
            (order) => `${order.label} ${localMsisdn(order.msisdn)} ${shortStatusOf(order)}`,
          ),
        ),
      way: { action: enquiries.showOrder, to: ["order"] },
    },
    choices: [back("home")],
  },
  order: {
    about: "One order",
    text: ({ context }) => {
      const order = orderOf(context);
      const { id, msisdn, amountPesewas, at } = order;
      const name = nameOf(order, order.quantity);
      return `Order ${id}, ${at}\n${name} for ${localMsisdn(msisdn)}\n${plain(amountPesewas)} ${statusOf(order)}`;
    },
    choices: [
      {
        digit: "1",
        label: "Not received",
        onlySeen: true,
        way: { action: enquiries.confirmNotReceived, to: ["not_received", "order"] },
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
    about: "An unpaid order, and the PIN that pays it",
    text: ({ context }) => {
      const order = orderOf(context);
      const { id, msisdn, amountPesewas } = order;
      return (
        `Order ${id}: ${nameOf(order, order.quantity)}\nfor ${spacedMsisdn(msisdn)}\n` +
        `Pay ${plain(amountPesewas)} from wallet\nEnter PIN to pay`
      );
    },
    choices: [back("order")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: buying.payOrder,
        to: ["order_paid", "pay_order", "home", "short", "locked", "no_pin", "banned", "busy"],
      },
    },
  },
  order_paid: {
    about: "An earlier order is now paid",
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
        way: { action: enquiries.reportNotReceived, to: ["filed", "order"] },
      },
      back("order"),
    ],
  },
  filed: {
    about: "A dispute is open",
    text: ({ context }) =>
      `Order ${orderOf(context).id} reported. By ${context.until} we prove it was delivered or refund you.`,
  },
  account: {
    about: "Seldom used: statement, PIN, help",
    text: () => "My account",
    choices: [
      {
        digit: "1",
        label: "Statement by SMS",
        way: { action: enquiries.sendStatement, to: ["statement", "account"] },
      },
      { digit: "2", label: "Change PIN", way: "old_pin" },
      { digit: "3", label: "Help", way: { action: enquiries.showHelp, to: ["help"] } },
      back("home"),
    ],
  },
  statement: { about: "The statement is on its way", text: () => "Your statement is coming by SMS." },
  old_pin: {
    about: "The current PIN",
    text: () => "Type your old PIN",
    choices: [back("account", "Cancel")],
    typed: {
      input: "the old PIN",
      onlySeen: true,
      way: { action: pin.takeOldPin, to: ["new_pin", "old_pin", "locked", "no_pin"] },
    },
  },
  new_pin: {
    about: "The new PIN",
    text: () => "Type a new PIN of 4 to 6 digits",
    choices: [back("account", "Cancel")],
    typed: {
      input: "the new PIN",
      onlySeen: true,
      way: { action: pin.takeNewPin, to: ["new_pin_again", "new_pin", "old_pin"] },
    },
  },
  new_pin_again: {
    about: "The new PIN again, against typing errors",
    text: () => "Type the new PIN again",
    choices: [back("account", "Cancel")],
    typed: {
      input: "the new PIN",
      onlySeen: true,
      way: { action: pin.changePin, to: ["pin_changed", "old_pin", "locked"] },
    },
  },
  pin_changed: { about: "The PIN is changed", text: () => "Your PIN has been changed." },
  help: {
    about: "How to get help",
    text: ({ context, shop }) =>
      `Help${context.support ? `: ${context.support}` : ""}\nMore at ${shop.host}: bulk orders, cards, statements`,
    choices: [back("account")],
  },
  goodbye: { about: "The caller has left", text: () => "Thank you for using DataFie." },
  stranger: {
    about: "The phone is not registered",
    text: ({ shop }) =>
      `This phone is not on DataFie. Register at ${shop.host}, ` +
      "confirm this number under Profile and set a PIN. Then dial again.",
  },
  no_pin: {
    about: "The account has no PIN",
    text: ({ shop }) =>
      `You have no PIN yet. Log in at ${shop.host}, open Profile and set one. Then dial again.`,
  },
  banned: {
    about: "The account may not buy",
    text: ({ context }) =>
      `Your account cannot place orders.${context.support ? `\nSupport: ${context.support}` : ""}`,
  },
  wait: {
    about: "Too many requests in a short time",
    text: () => "Too many requests. Please dial again in 10 minutes.",
  },
  busy: {
    about: "It took too long; certainly nothing was paid",
    text: () => "Sorry, we are busy. Nothing was paid. Please dial again in a minute.",
  },
  failure: {
    about: "We failed, or the session cannot continue",
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
