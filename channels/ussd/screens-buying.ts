// The USSD screens of a purchase: what each shows, and where each answer leads.
import { shortcut } from "../../src/core/messaging/texts.ts";
import { limits, OPERATOR_NAMES, type Operator } from "../../src/shared/domain.ts";
import { fundsOf } from "../../src/shared/funds.ts";
import { decimal, plain } from "../../src/shared/money.ts";
import { guessOperator, localMsisdn, spacedMsisdn } from "../../src/shared/msisdn.ts";
import * as buying from "./buying.ts";
import { back, type Choice, type Context, type Screen, type ScreenName } from "./conversation.ts";
import { nameOf } from "./labels.ts";
import { LINE_SEPTETS, numbered } from "./render.ts";

/** The screens between a number and its payment: payment itself or a warning; and those left after some warnings. */
const TO_PAY = ["pay", "other_network", "duplicate", "not_on_sale"] as const;
export const TO_PAY_AGAIN = [...TO_PAY, "home"] as const;
export const TO_PAY_STILL = ["pay", "duplicate", "not_on_sale"] as const;

const forgetAndGoHome = { action: buying.cancel, to: ["home"] } as const;

/** The names on today's SIM cards. */
const NETWORK_LABELS: Record<Operator, string> = { ...OPERATOR_NAMES, AIRTELTIGO: "AT (AirtelTigo)" };

export const BUYING = {
  operator: {
    about: "Which network",
    text: () => "Choose network",
    choices: [
      ...buying.NETWORKS_IN_ORDER.map((operator, i) => ({
        digit: String(i + 1),
        label: NETWORK_LABELS[operator],
        way: { action: buying.chooseOperator, to: ["bundles", "operator"] },
      })),
      back(forgetAndGoHome),
    ] as Choice[],
  },
  bundles: {
    about: "Which bundle; each has its own number, and the list stays as it was first shown in this session",
    text: ({ context }) => `${OPERATOR_NAMES[context.operator!]} bundles, GHS`,
    list: {
      input: "a bundle",
      lines: ({ context }) =>
        context.shelves![context.operator!]!.map(({ number, label, pricePesewas, paused }) => ({
          number: String(number),
          label: `${label} ${paused ? pausedInList(`${number} ${label} `, paused) : decimal(pricePesewas)}`,
        })),
      way: { action: buying.chooseBundle, to: ["number", "bundles"] },
    },
    choices: [back("operator")],
  },
  number: {
    about: "Who gets it",
    text: ({ context }) => `Who gets ${bundleOf(context)}?\nType number e.g. 0541234567`,
    choices: [
      { digit: "1", label: "My own number", way: { action: buying.takeOwnNumber, to: TO_PAY } },
      { digit: "2", label: "Recent numbers", way: { action: buying.showRecent, to: ["recent", "number"] } },
      back({ action: buying.backToBundles, to: ["bundles", "operator"] }),
    ],
    typed: { input: "a number", way: { action: buying.takeNumber, to: [...TO_PAY, "number"] } },
  },
  recent: {
    about: "The recipients of the last orders",
    text: ({ context }) => `Who gets ${bundleOf(context)}?`,
    list: {
      input: "a number",
      lines: ({ context }) => numbered(context.recipients!.map(spacedMsisdn)),
      way: { action: buying.takeRecent, to: TO_PAY },
    },
    choices: [back("number")],
  },
  other_network: {
    about: "Warns that the number's prefix belongs to another network",
    text: ({ context }) => {
      const { bundle, msisdn } = context.buying!;
      const guess = guessOperator(msisdn!);
      const looksLike = guess ? `looks like ${OPERATOR_NAMES[guess]}` : "looks unknown";
      return `${spacedMsisdn(msisdn!)} ${looksLike}, you chose ${OPERATOR_NAMES[bundle.operator]}.`;
    },
    choices: [
      { digit: "1", label: "Continue", way: { action: buying.confirmNetwork, to: TO_PAY_STILL } },
      { digit: "2", label: "Change number", way: "number" },
      back(forgetAndGoHome, "Cancel"),
    ],
  },
  duplicate: {
    about: "Warns that the same was bought a moment ago",
    text: ({ context }) =>
      `You ordered ${bundleOf(context)} for ${numberOf(context)} less than ${limits.duplicateWindowMinutes} min ago.`,
    choices: [
      { digit: "1", label: "Buy again", way: { action: buying.buyAgain, to: ["pay", "not_on_sale"] } },
      back(forgetAndGoHome, "Cancel"),
    ],
  },
  pay: {
    about: "What is bought, for whom and for how much, and the PIN that pays",
    text: ({ context }) => {
      const { quantity, wasPesewas } = context.buying!;
      const change = wasPesewas === null ? "" : `Price changed (was ${decimal(wasPesewas * quantity)})\n`;
      return (
        `${change}Buy ${bundleOf(context)}\nfor ${numberOf(context)}\n` +
        `Pay ${plain(amountOf(context))} from wallet\nEnter PIN to pay`
      );
    },
    choices: [{ digit: "1", label: "Quantity", way: "quantity" }, back(forgetAndGoHome, "Cancel")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: buying.pay,
        to: ["bought", ...TO_PAY_STILL, "short", "locked", "no_pin", "banned", "busy"],
      },
    },
  },
  quantity: {
    about: "How many",
    text: ({ context }) => `How many of ${context.buying!.bundle.label}?\nType 1 to ${limits.quantityMax}`,
    choices: [back("pay")],
    typed: { input: "how many", way: { action: buying.takeQuantity, to: [...TO_PAY_STILL, "quantity"] } },
  },
  not_on_sale: {
    about: "The bundle was taken off sale or paused since it was shown",
    text: ({ context }) => `${bundleOf(context)} is ${context.buying!.paused ?? "not on sale now"}.`,
    choices: [{ digit: "1", label: "Other bundles", way: "operator" }, back(forgetAndGoHome, "Home")],
  },
  bought: {
    about: "The order is placed and paid",
    text: ({ context }) =>
      `Order ${context.orderId} paid.\n${bundleOf(context)} for ${localMsisdn(context.buying!.msisdn!)}\n` +
      `${plain(amountOf(context))}, ${fundsIn(context)}\nSMS will confirm.`,
  },
  short: {
    about: "The wallet has too little money; the next dial offers the purchase again",
    text: ({ context, serviceCode }) =>
      `Not enough money.\nNeed ${plain(context.neededPesewas!)}, ${fundsIn(context)}.\n` +
      `Dial ${shortcut(serviceCode, "4")} to add money.`,
  },
  locked: {
    about: "Too many wrong PINs",
    text: ({ context: { lockedUntil }, shop }) =>
      `Too many wrong PINs. ${lockedUntil ? `Locked until ${lockedUntil}.` : "Dial again."}\n` +
      `Forgot PIN? ${shop.host}, Profile`,
  },
} satisfies Partial<Record<ScreenName, Screen>>;

/** The balance after a purchase, or when it is too low for one. */
export function fundsIn({ balancePesewas, heldPesewas = 0 }: Context): string {
  return fundsOf({ balancePesewas: balancePesewas!, heldPesewas });
}

/** Shows the end of a pause only if it is today and the line has room; choosing the bundle tells it anyway. */
function pausedInList(start: string, paused: string): string {
  const isShort = !paused.includes(",") && start.length + paused.length <= LINE_SEPTETS;
  return isShort ? paused : "paused";
}

function amountOf({ buying: it }: Context): number {
  return it!.bundle.pricePesewas * it!.quantity;
}

function bundleOf({ buying: it }: Context): string {
  return nameOf(it!.bundle, it!.quantity);
}

function numberOf({ buying: it }: Context): string {
  return spacedMsisdn(it!.msisdn!);
}
