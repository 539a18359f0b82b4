// The USSD screens of a purchase: what each shows, and where each answer leads.
import { fundsPart, pinHelp, shortcut } from "../../../src/core/messaging/texts/sms-texts.ts";
import { limits } from "../../../src/shared/domain.ts";
import { decimal, plain } from "../../../src/shared/money.ts";
import { guessOperator, operatorName } from "../../../src/shared/operators.ts";
import { localMsisdn, spacedMsisdn } from "../../../src/shared/phones/msisdn.ts";
import { sentence } from "../../../src/shared/text.ts";
import * as buying from "../buying.ts";
import {
  back,
  type Choice,
  type Context,
  type Facts,
  FOR_GOOD,
  type Line,
  type Screen,
  type ScreenName,
} from "../conversation.ts";
import * as momo from "../paying-by-momo.ts";
import * as pin from "../pin.ts";
import * as shelves from "../shelves.ts";
import { smsIn } from "../sms-promise.ts";
import { canPayByMomo } from "../topping-up.ts";
import { nameOf } from "./labels.ts";
import { LINE_SEPTETS, numbered } from "./render.ts";
import { APPROVALS, addMoney, takesVoucher } from "./screens-topping-up.ts";

/** The screens between a number and its payment: payment itself or a warning; and those left after some warnings. */
const TO_PAY = ["pay", "other_network", "duplicate", "not_on_sale", "closed"] as const;
export const TO_PAY_AGAIN = [...TO_PAY, "home"] as const;
export const TO_PAY_STILL = ["pay", "duplicate", "not_on_sale", "closed"] as const;

/** Where a PIN leads that does not pay, and where a refused purchase does. */
export const PIN_REFUSED = ["locked", "no_pin", "phone_waits", "confirm_phone"] as const;
export const REFUSED = ["day_limit", "hour_limit", "frozen", "banned", "busy"] as const;

export const forgotPin = {
  label: "ussd.option.forgot_pin",
  way: { action: pin.showForgotten, to: ["forgot_pin"] },
} as const;

const payByMomo = {
  digit: "2",
  label: "ussd.option.pay_momo",
  // Nothing that costs money is typed ahead.
  onlySeen: true,
  onlyRead: true,
  way: {
    action: momo.payByMomo,
    to: ["momo_prompted", ...TO_PAY_STILL, "home", "confirm_phone", "phone_waits", ...REFUSED],
  },
} as const;

const forgetAndGoHome = { action: buying.cancel, to: ["home"] } as const;

/** No bundle has this number. */
const OTHER_NETWORK = "99";

export const BUYING = {
  operator: {
    about: "Which network",
    text: ({ t }) => t("ussd.operator"),
    list: {
      input: "a network",
      lines: () =>
        shelves
          .networksInOrder()
          .map(({ ussdPosition, ussdLabel }) => ({ number: String(ussdPosition), label: ussdLabel })),
      way: { action: shelves.chooseOperator, to: ["bundles", "bundles_for", "operator"] },
    },
    choices: [back(forgetAndGoHome)],
  },
  bundles: {
    about: "Which bundle; each has its own number, and the list stays as it was first shown in this session",
    text: ({ context, t }) =>
      shelves.underTitle(t("ussd.bundles", { network: operatorName(context.operator!) }), { context, t }),
    list: {
      input: "a bundle",
      lines: bundleLines,
      way: { action: shelves.chooseBundle, to: ["number", "bundles"] },
    },
    choices: [back("operator")],
    typed: { input: "a size", way: { action: shelves.chooseSize, to: ["number", "bundles"] } },
  },
  bundles_for: {
    about: "Which bundle for the number that was typed first; a bundle that was paid is bought for it at once",
    text: ({ context, t }) =>
      shelves.underTitle(
        t("ussd.bundles_for", {
          network: operatorName(context.operator!),
          number: spacedMsisdn(context.recipient!),
        }),
        { context, t },
      ),
    list: {
      input: "a bundle",
      lines: bundleLines,
      way: { action: shelves.chooseForRecipient, to: [...TO_PAY_STILL, "bundles_for"] },
    },
    choices: [{ digit: OTHER_NETWORK, label: "ussd.option.other_network", way: "operator" }, back(forgetAndGoHome)],
    typed: {
      input: "a size",
      way: { action: shelves.chooseSizeForRecipient, to: [...TO_PAY_STILL, "bundles_for"] },
    },
  },
  number: {
    about: "Who gets it",
    text: ({ context, t }) => t("ussd.number", { bundle: bundleOf(context) }),
    choices: [
      { digit: "1", label: "ussd.option.my_number", way: { action: buying.takeOwnNumber, to: TO_PAY } },
      {
        digit: "2",
        label: "ussd.option.recent_numbers",
        way: { action: buying.showRecent, to: ["recent", "number"] },
      },
      back({ action: shelves.backToBundles, to: ["bundles", "operator"] }),
    ],
    typed: { input: "a number", way: { action: buying.takeNumber, to: [...TO_PAY, "number"] } },
  },
  recent: {
    about: "The recipients of the last orders",
    text: ({ context, t }) => t("ussd.recent", { bundle: bundleOf(context) }),
    list: {
      input: "a number",
      lines: ({ context }) => numbered(context.recipients!.map(spacedMsisdn)),
      way: { action: buying.takeRecent, to: TO_PAY },
    },
    choices: [back("number")],
  },
  other_network: {
    about: "Warns that the number's prefix belongs to another network",
    text: ({ context, t }) => {
      const guess = guessOperator(context.buying!.msisdn!);
      const chosen = { number: numberOf(context), network: operatorName(context.buying!.bundle.operator) };
      return guess
        ? t("ussd.other_network", { ...chosen, guess: operatorName(guess) })
        : t("ussd.other_network.unknown", chosen);
    },
    choices: [
      { digit: "1", label: "ussd.option.continue", way: { action: buying.confirmNetwork, to: TO_PAY_STILL } },
      { digit: "2", label: "ussd.option.change_number", way: "number" },
      back(forgetAndGoHome, "ussd.option.cancel"),
    ],
  },
  duplicate: {
    about: "Warns that the same was bought a moment ago",
    text: ({ context, t }) => {
      const minutes = limits.duplicateWindowMinutes;
      const { bundle, boughtQuantity } = context.buying!;
      const bought = nameOf(bundle, boughtQuantity ?? 1);
      return t("ussd.duplicate", { bundle: bought, number: numberOf(context), minutes });
    },
    choices: [
      {
        digit: "1",
        label: "ussd.option.buy_again",
        way: { action: buying.buyAgain, to: ["pay", "not_on_sale"] },
      },
      back(forgetAndGoHome, "ussd.option.cancel"),
    ],
  },
  pay: {
    about: "What is bought, for whom and for how much, and the PIN that pays",
    text: ({ context, t }) => {
      const { quantity, wasPesewas } = context.buying!;
      const amount = plain(amountOf(context));
      const purchase = t("ussd.pay", { bundle: bundleOf(context), number: numberOf(context), amount });
      if (wasPesewas === null) return purchase;
      return `${t("ussd.pay.price_changed", { before: decimal(wasPesewas * quantity) })}\n${purchase}`;
    },
    choices: [
      { digit: "1", label: "ussd.option.quantity", way: "quantity" },
      {
        ...payByMomo,
        label: "ussd.option.use_momo",
        when: ({ context }) => isPriceKnown(context) && canPayByMomo(context),
      },
      { digit: "3", ...forgotPin, when: ({ context }) => isPriceKnown(context) },
      back(forgetAndGoHome, "ussd.option.cancel"),
    ] as Choice[],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: buying.pay,
        to: ["bought", "bought_another", ...TO_PAY_STILL, "short", "short_momo", ...PIN_REFUSED, ...REFUSED],
      },
    },
  },
  quantity: {
    about: "How many",
    text: ({ context, t }) => t("ussd.quantity", { bundle: context.buying!.bundle.label, max: limits.quantityMax }),
    choices: [back("pay")],
    // A late copy of the 1 that asks for the quantity is no quantity.
    typed: {
      input: "how many",
      onlyRead: true,
      way: { action: buying.takeQuantity, to: [...TO_PAY_STILL, "quantity"] },
    },
  },
  not_on_sale: {
    about: "The bundle was taken off sale or paused since it was shown",
    text: ({ context, t }) => {
      const { paused } = context.buying!;
      const bundle = bundleOf(context);
      return paused ? t("ussd.not_on_sale.paused", { bundle, paused }) : t("ussd.not_on_sale", { bundle });
    },
    choices: [
      { digit: "1", label: "ussd.option.other_bundles", way: "operator" },
      back(forgetAndGoHome, "ussd.option.home"),
    ],
  },
  bought: {
    about: "The order is placed and paid",
    text: ({ context, t }) => t("ussd.bought", { ...boughtIn(t, context), sms: smsIn(t, context) }),
  },
  bought_another: {
    about: "The same where the shop offers another purchase (a setting)",
    text: ({ context, t }) => t("ussd.bought_another", boughtIn(t, context)),
    choices: [{ digit: "1", label: "ussd.option.another", way: forgetAndGoHome }, back("goodbye", "ussd.option.exit")],
  },
  short: {
    about: "The wallet has too little money; the next dial offers the purchase again",
    text: ({ context, serviceCode, t }) => {
      const money = { amount: plain(context.neededPesewas!), funds: fundsIn(t, context) };
      return serviceCode === ""
        ? t("ussd.short.home", money)
        : t("ussd.short", { ...money, dial: shortcut(serviceCode, "4") });
    },
  },
  short_momo: {
    about: "The same, and the order can be paid from the caller's own mobile money instead",
    text: ({ context, t }) =>
      t("ussd.short_momo", { amount: plain(context.neededPesewas!), funds: fundsIn(t, context) }),
    choices: [
      payByMomo,
      { digit: "4", label: "ussd.option.add_money", way: addMoney },
      back("home", "ussd.option.home"),
    ] as Choice[],
  },
  momo_prompted: {
    about: "The order is placed; its prompt comes once the session has ended",
    text: ({ context, t }) => {
      const momo = context.momo!;
      const placed = {
        ...{ order: context.orderId!, bundle: bundleOf(context), amount: plain(amountOf(context)) },
      };
      return takesVoucher(momo)
        ? t("ussd.momo_prompted.voucher", placed)
        : t("ussd.momo_prompted", { ...placed, approvals: APPROVALS[momo] });
    },
  },
  day_limit: {
    about: "The account has spent what it may in a day",
    text: ({ context: { dayLimit, support }, serviceCode, t }) => {
      const { limitPesewas, leftPesewas, isNew } = dayLimit!;
      const amounts = { limit: plain(limitPesewas), available: plain(leftPesewas) };
      if (isNew && serviceCode === "") return t("ussd.day_limit.home", amounts);
      if (isNew) return t("ussd.day_limit", { ...amounts, dial: shortcut(serviceCode, "4") });
      const text = t("ussd.day_limit.any", amounts);
      return support ? `${text}\n${t("ussd.need_more", { support })}` : text;
    },
  },
  hour_limit: {
    about: "The account has placed as many orders as it may in an hour",
    text: ({ context: { hourLimit, support }, t }) => {
      const { limit, left, until: time } = hourLimit!;
      const text = t("ussd.hour_limit", { max: limit, count: left, time });
      return support ? `${text}\n${t("ussd.need_more", { support })}` : text;
    },
  },
  frozen: {
    about: "The account is frozen: it may look, and not spend",
    text: ({ context: { support }, t }) => (support ? t("ussd.frozen.support", { support }) : t("ussd.frozen")),
  },
  closed: {
    about: "The shop has closed this for now; one may look",
    text: ({ context: { closed }, t }) => {
      const message = sentence(closed!.message);
      return closed!.end ? t("ussd.closed.until", { message, end: closed!.end }) : t("ussd.closed", { message });
    },
  },
  phone_waits: {
    about: "The phone was changed or the PIN reset, and nothing may be spent by phone yet",
    text: ({ context, shop, t }) => t("ussd.phone_waits", { until: context.until!, ...shop }),
  },
  locked: {
    about: "Too many wrong PINs",
    text: ({ context: { lockedUntil: end }, shop, serviceCode, t }) => {
      const where = pinHelp(t, { serviceCode, ...shop });
      if (end === FOR_GOOD) return t("ussd.locked.for_good", { where });
      return end ? t("ussd.locked", { end, where }) : t("ussd.locked.over", { where });
    },
  },
} satisfies Partial<Record<ScreenName, Screen>>;

/** The balance after a purchase, or when it is too low for one. */
export function fundsIn(t: Facts["t"], { balancePesewas, heldPesewas = 0 }: Context): string {
  return fundsPart(t, { balancePesewas: balancePesewas!, heldPesewas });
}

/** Shows the end of a pause only if it is today and the line has room; choosing the bundle tells it anyway. */
function pausedInList(t: Facts["t"], start: string, paused: string): string {
  const isShort = !paused.includes(",") && start.length + paused.length <= LINE_SEPTETS;
  return isShort ? paused : t("part.paused");
}

/** A changed price takes the room of the other options. */
function isPriceKnown({ buying: it }: Context): boolean {
  return it!.wasPesewas === null;
}

/** The values of a text about the purchase just paid. */
function boughtIn(t: Facts["t"], context: Context) {
  return {
    order: context.orderId!,
    bundle: bundleOf(context),
    number: localMsisdn(context.buying!.msisdn!),
    amount: plain(amountOf(context)),
    funds: fundsIn(t, context),
  };
}

/** The listed bundles by their own numbers, which are not their places. */
function bundleLines({ context, t }: Facts): Line[] {
  return shelves.shelfIn(context).map(({ number, label, pricePesewas, paused }) => ({
    number: String(number),
    label: `${label} ${paused ? pausedInList(t, `${number} ${label} `, paused) : decimal(pricePesewas)}`,
  }));
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
