// API routes for an agent's orders: create, buy, list, get and cancel.
import * as buying from "../core/buying/buy.ts";
import * as unpaidOrders from "../core/buying/unpaid-orders.ts";
import * as deadlines from "../core/fulfilment/deadlines.ts";
import * as cancelling from "../core/orders/cancelling.ts";
import * as orderQueries from "../core/orders/queries.ts";
import { orderExample } from "../http/order-example.ts";
import { IdParams } from "../http/schemas/common.ts";
import * as orderSchemas from "../http/schemas/orders.ts";
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { failureJson } from "../shared/orders/order-failures.ts";
import { CANCELLED } from "../shared/orders/order-states.ts";
import { page, type Route, route } from "./route.ts";
import { run } from "./run.ts";

export const lineExample = {
  productId: 1,
  operator: "MTN",
  msisdn: "0541234567",
  quantity: 1,
  amount: 3.9,
  reference: "INV-2026-0042",
};
const { metadata } = orderExample;

const lineErrors = [
  "product.not_found",
  "product.paused",
  "msisdn.invalid",
  "order.quantity_invalid",
  "order.operator_mismatch",
  "order.price_changed",
  "order.reference_used",
  "order.duplicate",
] as const satisfies ErrorCode[];

/** What any purchase from the wallet can be refused for, whatever is bought. */
export const payingErrors = [
  "wallet.insufficient_balance",
  "order.daily_limit",
  "order.hourly_limit",
  "key.daily_limit",
  "account.frozen",
  "account.waits",
  "service.closed",
] as const satisfies ErrorCode[];

/** A line for the core; `amount` on the wire is what the caller expects to pay. */
export function lineOf<Line extends { amount?: number | undefined }>({ amount, ...line }: Line) {
  return { ...line, expectedPesewas: amount };
}

export const orderRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/orders",
    role: "user",
    scope: "buy",
    summary: 'Create an order; with `pay: "wallet"` it is paid from the wallet at once',
    takesKey: true,
    body: orderSchemas.NewOrder,
    example: { ...lineExample, metadata, pay: "wallet" },
    answer: { status: 201, schema: orderSchemas.PlacedOrder.schema, example: { ...orderExample, balance: 116.1 } },
    errors: [...lineErrors, ...payingErrors, "order.unpaid_too_many"],
    handle: async ({ db, by, key, body: { pay, allowDuplicate, uniqueReference, ...line } }) => {
      requireReference(uniqueReference, [line]);
      const input = { by, key, allowDuplicate, isReferenceUnique: uniqueReference, line: lineOf(line) };
      if (!pay) {
        const { answer, replayed } = await unpaidOrders.create(db, input);
        return { body: orderSchemas.Order.present(answer), replayed };
      }
      const { answer, replayed } = await buying.buy(db, input);
      return { body: orderSchemas.PlacedOrder.present(answer), replayed, purchasedOrderId: answer.order.id };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/orders",
    role: "user",
    scope: "read",
    summary: "Your own orders, newest first",
    query: orderSchemas.OrderQuery,
    answer: { status: 200, schema: orderSchemas.Order.schema.array(), example: [orderExample] },
    errors: ["msisdn.invalid"],
    handle: async ({ db, by, request, query: { limit, cursor, ...filter } }) => {
      const rows = await orderQueries.list(db, { ...filter, userId: by.userId }, { limit, cursor });
      return page(request, rows, limit, orderSchemas.Order.present);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/orders/:id",
    subject: "order",
    role: "user",
    scope: "read",
    summary: "One of your orders (for staff, any order), with its timeline",
    params: IdParams,
    answer: {
      status: 200,
      schema: orderSchemas.OrderWithTimeline.schema,
      example: {
        ...orderExample,
        outlook: {
          state: "promised",
          until: "2026-11-21T10:30:00.000Z",
          message: "If it has not arrived by 10:30, we refund you.",
        },
        timeline: [],
      },
    },
    errors: ["order.not_found"],
    handle: async ({ db, by, params }) => {
      const order = await orderQueries.get(db, by, params.id);
      const events = await orderQueries.events(db, by, order.id);
      const outlook = await deadlines.outlook(db, order);
      return { body: orderSchemas.OrderWithTimeline.present({ order, outlook, events }) };
    },
  }),
  run("POST /orders/:id/cancel", cancelling.cancel, orderSchemas.PlacedOrder, {
    ...{ subject: "order", scope: "buy", idOf: "orderId" },
    gives: {
      ...{ ...orderExample, status: "FAILED", refundedAt: "2026-11-21T09:30:20.000Z" },
      ...{ failure: failureJson({ status: "FAILED", failure: "cancelled" }), note: CANCELLED, balance: 120 },
    },
  }),
];

/**
 * Throws request.invalid where a reference is wanted once and there is none. No rule of the schema, which sees a long
 * list in parts.
 */
export function requireReference(isUnique: boolean | undefined, placed: { reference?: string | undefined }[]): void {
  if (!isUnique || placed.some(({ reference }) => reference !== undefined)) return;
  throw new AppError(
    "request.invalid",
    { fields: { reference: "uniqueReference needs a reference" } },
    "Give a reference with uniqueReference. Without one it would have no effect.",
  );
}
