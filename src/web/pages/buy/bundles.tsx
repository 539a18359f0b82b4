// The buying page and the addresses that open it with a network: bundles, bought one by one.
import { z } from "zod";
import * as buying from "../../../core/buying/buy.ts";
import * as unpaidOrders from "../../../core/buying/unpaid-orders.ts";
import type { Order } from "../../../core/orders/order.ts";
import * as settings from "../../../core/platform/settings/settings.ts";
import type { Operator } from "../../../shared/domain.ts";
import { AppError } from "../../../shared/errors/app-error.ts";
import {
  currentOperator,
  findOperator,
  guessOperator,
  type OperatorFacts,
  operatorAt,
  operatorName,
  operatorPath,
  orderedBundle,
} from "../../../shared/operators.ts";
import { parseMsisdn, spacedMsisdn } from "../../../shared/phones/msisdn.ts";
import { tooShortText } from "../../../shared/phones/short-number.ts";
import { type Context, type Leave, ORDER, type Page, redirect } from "../../page.tsx";
import { readFields } from "../../read-fields.ts";
import { showCounter } from "./counter.tsx";
import { expectedNetwork, readPackage, saleName } from "./sale.ts";

const missing = "Select package and enter number";
const network = z
  .string()
  .optional()
  .transform((code) => (code && findOperator(code) ? currentOperator(code) : undefined));
const Purchase = z.object({
  // In the order of the page: the browser goes to the first of them that is refused.
  // Each is checked by itself, so that a wrong number is marked while the bundle is missing, too.
  msisdn: z
    .string(missing)
    .trim()
    .min(1, missing)
    .max(40, "msisdn.invalid")
    .superRefine((typed, { addIssue }) => {
      const message = tooShortText(typed) ?? (parseMsisdn(typed) ? null : "msisdn.invalid");
      if (typed !== "" && message) addIssue({ code: "custom", message });
    }),
  productId: readPackage(missing),
  quantity: z
    .string()
    .trim()
    .regex(/^\d{1,6}$/, "order.quantity_invalid")
    .transform(Number)
    .default(1),
  operator: network,
  shown: network,
  allowNetwork: z.literal("yes").optional(),
  allowDuplicate: z.string().optional(),
});

export const bundlePages: Page[] = [
  {
    path: "/buy",
    role: "user",
    menu: { agent: "Buy data", inBar: true, icon: "buy" },
    examples: ["", "?msisdn=0541234567&product=1&quantity=2&again=1"],
    show: (context, refused) => showCounter(context, null, refused),
    submit: (context) => buy(context, null),
  },
];

/** The buying page at a network's own address. A network that was merged or retired leads on from there. */
export const networkPage: Page = {
  path: "/:network",
  role: "user",
  under: "/buy",
  show: async (context, refused) => {
    const operator = operatorAt(context.url.pathname);
    if (!operator) return redirect("/buy");
    return operator.isRetired ? leadOn(context, operator) : showCounter(context, operator.code, refused);
  },
  submit: async (context) => {
    const operator = operatorAt(context.url.pathname);
    return buy(context, operator ? currentOperator(operator.code) : null);
  },
};

/** From the address of a network that sells no more: to the one that has its bundles now, or to all others. */
function leadOn({ url }: Context, { code, name }: OperatorFacts): Leave {
  const current = currentOperator(code);
  if (current === code)
    return redirect(`/buy${url.search}`, `!${name} is no longer sold here. These are the networks that are.`);
  const notice = `${name} is part of ${operatorName(current)} now: its bundles are here.`;
  return redirect(operatorPath(current) + url.search, notice);
}

/** Buys a bundle; `own` is the network of the page's address, if it has one. */
async function buy({ db, by, form, key }: Context, own: Operator | null): Promise<Leave> {
  const sale = readFields(Purchase, form);
  const { productId: chosen, msisdn, quantity } = sale;
  const expected = expectedNetwork(form, own);
  const looksLike = sale.allowNetwork ? null : guessOf(msisdn);
  if (looksLike && expected && looksLike !== expected) throw otherNetwork(msisdn, looksLike);
  const expectedPesewas = chosen.pricePesewas && chosen.pricePesewas * quantity;
  const operator = expected ?? looksLike ?? undefined;
  const line = { productId: chosen.productId, msisdn, quantity, operator, expectedPesewas };
  const isConfirmed = ["yes", saleName(msisdn, chosen.productId)].includes(sale.allowDuplicate ?? "");
  const purchase = { by, key, line, allowDuplicate: isConfirmed };
  try {
    if (form.get("pay") === "momo") {
      const created = await unpaidOrders.create(db, purchase);
      return redirect(`/checkout?order=${created.answer.id}`);
    }
    const { answer } = await buying.buy(db, purchase);
    return leadToOrder(answer.order, quantity, await settings.get(db, "dispatch_hold_seconds"));
  } catch (error) {
    const isOther = error instanceof AppError && error.code === "order.operator_mismatch";
    throw isOther && looksLike && !expected ? otherNetwork(msisdn, looksLike) : error;
  }
}

function leadToOrder(order: Order, quantity: number, holdSeconds: number): Leave {
  const bought = `Order #${order.id}, ${orderedBundle(order, quantity)} for ${spacedMsisdn(order.msisdn)}`;
  return {
    to: `/orders/${order.id}`,
    notice: `Paid with wallet successfully. ${bought}, is on its way.`,
    undo: { of: ORDER, id: order.id, untilMs: order.paidAt!.getTime() + holdSeconds * 1000 },
  };
}

function guessOf(typed: string): Operator | null {
  const msisdn = parseMsisdn(typed);
  return msisdn ? guessOperator(msisdn) : null;
}

/** The refusal of another network's number, which asks for a confirmation: it may have been ported. */
function otherNetwork(typed: string, looksLike: Operator): AppError {
  const message = `${spacedMsisdn(parseMsisdn(typed)!)} looks like ${operatorName(looksLike)}`;
  return new AppError("order.operator_mismatch", { fields: {}, looksLike }, message);
}
