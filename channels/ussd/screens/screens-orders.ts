// The USSD screens of the last orders: their status, paying, cancelling and reporting one.
import type { OrderStatus } from "../../../src/shared/domain.ts";
import { plain } from "../../../src/shared/money.ts";
import { localMsisdn, spacedMsisdn } from "../../../src/shared/phones/msisdn.ts";
import * as buying from "../buying.ts";
import { back, type Context, type Facts, type OrderShown, type Screen, type ScreenName } from "../conversation.ts";
import * as enquiries from "../enquiries.ts";
import { payOrder } from "../paying-orders.ts";
import { smsIn } from "../sms-promise.ts";
import { nameOf, shortNameOf } from "./labels.ts";
import { numbered } from "./render.ts";
import { forgotPin, fundsIn, PIN_REFUSED, REFUSED, TO_PAY_STILL } from "./screens-buying.ts";

const buyAgain = { action: buying.repeatOrder, to: [...TO_PAY_STILL, "home"] } as const;

export const ORDERS = {
  orders: {
    about: "The last orders and their status",
    text: ({ t }) => t("ussd.orders"),
    list: {
      input: "an order",
      lines: ({ context, t }) =>
        numbered(
          context.orders!.map((order) => `${severalOf(order)} ${localMsisdn(order.msisdn)} ${shortStatusOf(t, order)}`),
        ),
      way: { action: enquiries.showOrder, to: ["order"] },
    },
    choices: [back("home")],
  },
  order: {
    about: "One order",
    text: ({ context, t }) => {
      const order = orderOf(context);
      return t("ussd.order", { ...shown(order), when: order.at, status: statusOf(t, order) });
    },
    choices: [
      {
        digit: "1",
        label: "ussd.option.not_received",
        onlySeen: true,
        way: { action: enquiries.confirmNotReceived, to: ["not_received", "order"] },
        when: isUnderWay,
      },
      {
        digit: "1",
        label: "ussd.option.pay_now",
        onlySeen: true,
        way: "pay_order",
        when: ({ context }) => !orderOf(context).isPaid && orderOf(context).status === "PENDING",
      },
      {
        digit: "1",
        label: "ussd.option.buy_again",
        onlySeen: true,
        way: buyAgain,
        when: ({ context }) => isOver(context) || isPaidInTime(context),
      },
      {
        digit: "2",
        label: "ussd.option.buy_again",
        onlySeen: true,
        way: buyAgain,
        when: isUnderWay,
      },
      {
        digit: "2",
        label: "ussd.option.cancel_order",
        onlySeen: true,
        way: "cancel_order",
        when: ({ context }) => orderOf(context).canCancel,
      },
      back("orders"),
    ],
  },
  cancel_order: {
    about: "Asks before an order is cancelled, which is possible until it is sent",
    text: ({ context, t }) => {
      const { amount, ...order } = shown(orderOf(context));
      return orderOf(context).isPaid
        ? t("ussd.cancel_order", { ...order, amount })
        : t("ussd.cancel_order.unpaid", order);
    },
    choices: [
      {
        digit: "1",
        label: "ussd.option.cancel_order",
        onlySeen: true,
        onlyRead: true,
        way: { action: enquiries.cancelOrder, to: ["cancelled", "order", "closed"] },
      },
      back("order"),
    ],
  },
  cancelled: {
    about: "The order is cancelled, and its money is back",
    text: ({ context, t }) => {
      const { id: order, isPaid, amountPesewas } = orderOf(context);
      const [amount, balance] = [plain(amountPesewas), plain(context.balancePesewas!)];
      return isPaid ? t("ussd.cancelled", { order, amount, balance }) : t("ussd.cancelled.unpaid", { order });
    },
  },
  pay_order: {
    about: "An unpaid order, and the PIN that pays it",
    text: ({ context, t }) => {
      const order = orderOf(context);
      return t("ussd.pay_order", { ...shown(order), number: spacedMsisdn(order.msisdn) });
    },
    choices: [{ digit: "1", ...forgotPin }, back("order")],
    typed: {
      input: "the PIN",
      onlySeen: true,
      way: {
        action: payOrder,
        to: ["order_paid", "pay_order", "home", "short", ...PIN_REFUSED, ...REFUSED, "closed"],
      },
    },
  },
  order_paid: {
    about: "An earlier order is now paid",
    text: ({ context, t }) => {
      const funds = { funds: fundsIn(t, context), sms: smsIn(t, context) };
      return t("ussd.bought", { ...shown(orderOf(context)), ...funds });
    },
  },
  not_received: {
    about: "Asks before a dispute is opened",
    text: ({ context, t }) => t("ussd.not_received", { order: orderOf(context).id, until: context.until! }),
    choices: [
      {
        digit: "1",
        label: "ussd.option.report_it",
        onlySeen: true,
        onlyRead: true,
        way: { action: enquiries.reportNotReceived, to: ["filed", "order", "closed"] },
      },
      back("order"),
    ],
  },
  filed: {
    about: "A dispute is open",
    text: ({ context, t }) => t("ussd.filed", { order: orderOf(context).id, until: context.until! }),
  },
} satisfies Partial<Record<ScreenName, Screen>>;

const STATUS = {
  PENDING: "part.status.waiting",
  PAID: "part.status.waiting",
  PROCESSING: "part.status.sent",
  DELIVERED: "part.status.delivered",
  COMPLETED: "part.status.delivered",
  FAILED: "part.status.failed",
} as const satisfies Record<OrderStatus, string>;

function shortStatusOf(t: Facts["t"], { status, isPaid, isCancelled }: OrderShown): string {
  if (isCancelled) return t("part.status.cancelled");
  return t(isPaid ? STATUS[status] : "part.status.not_paid");
}

function statusOf(t: Facts["t"], order: OrderShown): string {
  const { status, operator, isPaid, isRefunded, isCancelled } = order;
  if (isCancelled) return t(isRefunded ? "part.status.cancelled.refunded" : "part.status.cancelled");
  if (status === "FAILED" && isRefunded) return t("part.status.refunded");
  if (status === "FAILED" && !isPaid) return t("part.status.closed");
  if (isPaid && status === "PROCESSING") return t("part.status.sent_to", { network: shortNameOf(operator) });
  return shortStatusOf(t, order);
}

/** "1GB", "3 x 1GB": the network is known by its number's line. */
function severalOf({ label, quantity }: OrderShown): string {
  return quantity > 1 ? `${quantity} x ${label}` : label;
}

/** The values of a text about an order. */
function shown(order: OrderShown) {
  const { id, msisdn, quantity, amountPesewas } = order;
  const bundle = nameOf(order, quantity);
  return { order: id, bundle, number: localMsisdn(msisdn), amount: plain(amountPesewas) };
}

function isOver(context: Context): boolean {
  return orderOf(context).status === "FAILED";
}

/** Paid, and not too late to cancel. */
function isPaidInTime(context: Context): boolean {
  const { isPaid, canCancel } = orderOf(context);
  return isPaid && canCancel;
}

/** Paid, and too late to cancel. */
function isUnderWay({ context }: Facts): boolean {
  const { isPaid, status, canCancel } = orderOf(context);
  return isPaid && status !== "FAILED" && !canCancel;
}

function orderOf({ orders, order }: Context): OrderShown {
  return orders![order!]!;
}
