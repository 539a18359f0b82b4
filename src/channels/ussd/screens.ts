// Every screen of the conversation: what it shows, and where each answer leads. docs/ussd.md is made from this table.
import { LOCK_MINUTES } from "../../core/pins.ts";
import { limits, NETWORKS, OPERATOR_NAMES, OPERATORS, type OrderStatus } from "../../shared/domain.ts";
import { decimal, plain } from "../../shared/money.ts";
import { guessOperator, localMsisdn, spacedMsisdn } from "../../shared/msisdn.ts";
import * as buying from "./buying.ts";
import type { Choice, Context, Facts, Screen, ScreenName } from "./conversation.ts";
import * as looking from "./looking.ts";
import * as pin from "./pin.ts";
import * as topping from "./topping-up.ts";

const back = (way: Choice["way"], label = "Back"): Choice => ({ digit: "0", label, way });
/** What may be said before a number is paid for; and once more, when some of it was said already. */
const TO_PAY = ["pay", "other_network", "duplicate", "not_on_sale"] as const;
const TO_PAY_STILL = ["pay", "duplicate", "not_on_sale"] as const;

const forgetAndGoHome = { act: buying.cancel, to: ["home"] } as const;

export const SCREENS: Record<ScreenName, Screen> = {
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
  resume: {
    about: "Offers a purchase that was interrupted",
    text: ({ context }) =>
      `You were buying\n${bundleOf(context)}\nfor ${numberOf(context)}, ${plain(amountOf(context))}`,
    choices: [
      { digit: "1", label: "Go on", way: { act: buying.goOn, to: TO_PAY } },
      { digit: "2", label: "Something else", way: forgetAndGoHome },
      back("goodbye", "Exit"),
    ],
  },

  operator: {
    about: "Whose data",
    text: () => "Choose network",
    choices: [
      ...OPERATORS.map((operator, i) => ({
        digit: String(i + 1),
        label: OPERATOR_NAMES[operator],
        way: { act: buying.chooseOperator, to: ["bundles", "operator"] },
      })),
      back(forgetAndGoHome),
    ] as Choice[],
  },
  bundles: {
    about: "Which bundle, as they were when they were first shown in this session",
    text: ({ context }) => `${OPERATOR_NAMES[context.operator!]} bundles, GHS`,
    list: {
      what: "a bundle",
      lines: ({ context }) =>
        context.bundles![context.operator!]!.map(
          ({ label, pricePesewas }) => `${label} ${decimal(pricePesewas)}`,
        ),
      way: { act: buying.chooseBundle, to: ["number"] },
    },
    choices: [back("operator")],
  },
  number: {
    about: "Who gets it",
    text: ({ context }) => `Who gets ${bundleOf(context)}?\nType number e.g. 0541234567`,
    choices: [
      { digit: "1", label: "My own number", way: { act: buying.takeOwnNumber, to: TO_PAY } },
      { digit: "2", label: "Recent numbers", way: { act: buying.showRecent, to: ["recent", "number"] } },
      back("bundles"),
    ],
    typed: { what: "a number", way: { act: buying.takeNumber, to: [...TO_PAY, "number"] } },
  },
  recent: {
    about: "The numbers of the last orders",
    text: ({ context }) => `Who gets ${bundleOf(context)}?`,
    list: {
      what: "a number",
      lines: ({ context }) => context.recipients!.map(spacedMsisdn),
      way: { act: buying.takeRecent, to: TO_PAY },
    },
    choices: [back("number")],
  },
  other_network: {
    about: "Warns when the number's beginning was given to another network",
    text: ({ context }) => {
      const { bundle, msisdn } = context.buying!;
      const guess = guessOperator(msisdn!);
      const looksLike = guess ? `looks like ${OPERATOR_NAMES[guess]}` : "looks unknown";
      return `${spacedMsisdn(msisdn!)} ${looksLike}, you chose ${OPERATOR_NAMES[bundle.operator]}.`;
    },
    choices: [
      { digit: "1", label: "Continue", way: { act: buying.keepNetwork, to: TO_PAY_STILL } },
      { digit: "2", label: "Change number", way: "number" },
      back(forgetAndGoHome, "Cancel"),
    ],
  },
  duplicate: {
    about: "Asks when the same was bought a moment ago",
    text: ({ context }) =>
      `You bought ${bundleOf(context)} for ${numberOf(context)} less than ${limits.duplicateWindowMinutes} min ago.`,
    choices: [
      { digit: "1", label: "Buy again", way: { act: buying.buyAgain, to: ["pay", "not_on_sale"] } },
      back(forgetAndGoHome, "Cancel"),
    ],
  },
  pay: {
    about: "What is bought, for whom, for how much; and the PIN that pays",
    text: ({ context }) => {
      const { quantity, wasPesewas } = context.buying!;
      const change = wasPesewas === null ? "" : `Price changed (was ${decimal(wasPesewas * quantity)})\n`;
      return `${change}Buy ${bundleOf(context)}\nfor ${numberOf(context)}\nPay ${plain(amountOf(context))} from wallet\nEnter PIN to pay`;
    },
    choices: [{ digit: "1", label: "Quantity", way: "quantity" }, back(forgetAndGoHome, "Cancel")],
    typed: {
      what: "the PIN",
      way: { act: buying.pay, to: [...TO_PAY_STILL, "bought", "short", "locked", "no_pin", "banned"] },
    },
  },
  quantity: {
    about: "How many",
    text: ({ context }) => `How many of ${context.buying!.bundle.label}?\nType 1 to ${limits.quantityMax}`,
    choices: [back("pay")],
    typed: { what: "how many", way: { act: buying.takeQuantity, to: [...TO_PAY_STILL, "quantity"] } },
  },
  not_on_sale: {
    about: "The bundle was taken off sale or paused since it was shown",
    text: ({ context }) => `${bundleOf(context)} is not on sale now.`,
    choices: [{ digit: "1", label: "Other bundles", way: "operator" }, back(forgetAndGoHome, "Home")],
  },
  bought: {
    about: "The order is placed and paid",
    text: ({ context }) =>
      `Order ${context.orderId} accepted.\n${bundleOf(context)} for ${localMsisdn(context.buying!.msisdn!)}\n` +
      `${plain(amountOf(context))} paid. Bal ${plain(context.balancePesewas!)}\nSMS will confirm.`,
  },
  short: {
    about: "The wallet does not hold enough; the purchase is offered again on the next dial",
    text: ({ context }) =>
      `Not enough money.\nNeed ${plain(context.neededPesewas!)}, have ${plain(context.balancePesewas!)}.\n` +
      "Dial again and choose 4 to top up.",
  },
  locked: {
    about: "Too many wrong PINs",
    text: () => `Too many wrong PINs. Spending by phone is locked for ${LOCK_MINUTES} minutes.`,
  },

  balance: {
    about: "What the wallet holds",
    text: ({ context }) => `Balance ${plain(context.balancePesewas!)}`,
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

  top_up: {
    about: "How much",
    text: () => "Top up by mobile money\nType amount in GHS, e.g. 20",
    choices: [back("home")],
    typed: {
      what: "an amount",
      way: { act: topping.takeAmount, to: ["top_up_from", "top_up_network", "top_up"] },
    },
  },
  top_up_from: {
    about: "Who pays: the phone that dials, unless another is named",
    text: ({ context }) => `Pay ${plain(context.topUp!.amountPesewas)} from\n${payerOf(context)}?`,
    choices: [
      { digit: "1", label: "Yes", way: "top_up_pin" },
      { digit: "2", label: "Other number", way: "top_up_number" },
      { digit: "3", label: "Other network", way: "top_up_network" },
      back("top_up"),
    ],
  },
  top_up_number: {
    about: "The number of the wallet of mobile money",
    text: () => "Type the mobile money number, e.g. 0541234567",
    choices: [back("top_up_from")],
    typed: {
      what: "a number",
      way: { act: topping.takePayer, to: ["top_up_from", "top_up_network", "top_up_number"] },
    },
  },
  top_up_network: {
    about: "Whose mobile money",
    text: () => "Choose mobile money",
    choices: [
      ...topping.NETWORK_CHOICES.map((network, i) => ({
        digit: String(i + 1),
        label: NETWORKS[network],
        way: { act: topping.takeNetwork, to: ["top_up_pin"] },
      })),
      back("top_up"),
    ] as Choice[],
  },
  top_up_pin: {
    about: "The PIN, before somebody is asked for money",
    text: ({ context }) =>
      `Top up ${plain(context.topUp!.amountPesewas)} from\n${payerOf(context)}\nEnter your DataFie PIN`,
    choices: [back("home", "Cancel")],
    typed: {
      what: "the PIN",
      way: {
        act: topping.askPayer,
        to: ["asked", "top_up_pin", "top_up", "home", "locked", "no_pin", "banned"],
      },
    },
  },
  asked: {
    about: "Mobile money asks for approval once the session is over",
    text: ({ context }) =>
      `${plain(context.topUp!.amountPesewas)}: wait for the prompt and approve it.\n` +
      "No prompt? MTN: dial *170#, My Wallet, My Approvals.\nSMS will confirm.",
  },
  voucher: {
    about: "Telecel wants a voucher for a top-up",
    text: ({ context }) =>
      `Top up ${plain(context.waiting!.amountPesewas)}\nDial *110# for a voucher, then type it here`,
    choices: [back("home")],
    typed: { what: "the voucher", way: { act: topping.handInVoucher, to: ["handed_in", "voucher", "home"] } },
  },
  handed_in: {
    about: "The voucher is on its way",
    text: () => "Thank you. We hand in your voucher now.\nSMS will confirm.",
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
      { digit: "2", label: "Change PIN", way: "pin_old" },
      { digit: "3", label: "Help", way: { act: looking.showHelp, to: ["help"] } },
      back("home"),
    ],
  },
  statement: { about: "The statement is on its way", text: () => "Your statement comes by SMS." },
  pin_old: {
    about: "The PIN as it is",
    text: () => "Type your old PIN",
    choices: [back("account", "Cancel")],
    typed: { what: "the old PIN", way: { act: pin.takeOldPin, to: ["pin_new", "pin_old"] } },
  },
  pin_new: {
    about: "The PIN as it will be",
    text: () => "Type a new PIN of 4 to 6 digits",
    choices: [back("account", "Cancel")],
    typed: { what: "the new PIN", way: { act: pin.takeNewPin, to: ["pin_again", "pin_new"] } },
  },
  pin_again: {
    about: "The same again, against slips",
    text: () => "Type the new PIN again",
    choices: [back("account", "Cancel")],
    typed: {
      what: "the new PIN",
      way: { act: pin.changePin, to: ["pin_changed", "pin_old", "locked"] },
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

function amountOf({ buying: it }: Context): number {
  return it!.bundle.pricePesewas * it!.quantity;
}

/** "1GB MTN", "3 x iShare 2GB AirtelTigo". */
function bundleOf({ buying: it }: Context): string {
  const { bundle, quantity } = it!;
  const one = `${bundle.label} ${OPERATOR_NAMES[bundle.operator]}`;
  return quantity > 1 ? `${quantity} x ${one}` : one;
}

function numberOf({ buying: it }: Context): string {
  return spacedMsisdn(it!.msisdn!);
}

function orderOf({ orders, order }: Facts["context"]) {
  return orders![order!]!;
}

function payerOf({ topUp }: Context): string {
  const { msisdn, network } = topUp!;
  return `${spacedMsisdn(msisdn)}${network ? ` (${NETWORKS[network]})` : ""}`;
}
