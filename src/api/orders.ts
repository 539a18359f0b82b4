// API routes for an agent's orders: create, buy, buy in bulk, list, get and cancel.

import * as bulk from "../core/buying/bulk-orders.ts";
import * as buying from "../core/buying/buy.ts";
import * as unpaidOrders from "../core/buying/unpaid-orders.ts";
import * as deadlines from "../core/fulfilment/deadlines.ts";
import * as cancelling from "../core/orders/cancelling.ts";
import { purchaseJson } from "../core/orders/json.ts";
import type { Spending } from "../core/orders/order.ts";
import * as orderQueries from "../core/orders/queries.ts";
import { orderExample } from "../http/order-example.ts";
import { IdParams } from "../http/schemas/common.ts";
import * as orderSchemas from "../http/schemas/orders.ts";
import { limits } from "../shared/domain.ts";
import { AppError, type ErrorCode } from "../shared/errors/app-error.ts";
import { toCedis } from "../shared/money.ts";
import { failureJson } from "../shared/orders/order-failures.ts";
import { CANCELLED } from "../shared/orders/order-states.ts";
import { pauseJson } from "../shared/pause.ts";
import { localMsisdn } from "../shared/phones/msisdn.ts";
import { presentOrder, presentOutlook, presentTimeline } from "./present.ts";
import { page, type Route, route } from "./route.ts";
import { run } from "./run.ts";

const lineExample = {
  productId: 1,
  operator: "MTN",
  msisdn: "0541234567",
  quantity: 1,
  amount: 3.9,
  reference: "INV-2026-0042",
};
const { metadata } = orderExample;
const shownCancelled = {
  schema: orderSchemas.PlacedOrder,
  present: ({ order, balancePesewas }: Spending) => ({ ...presentOrder(order), balance: toCedis(balancePesewas) }),
};

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

/** A line for the core; `amount` on the wire is what the caller expects to pay. */
function lineOf<Line extends { amount?: number | undefined }>({ amount, ...line }: Line) {
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
    answer: { status: 201, schema: orderSchemas.PlacedOrder, example: { ...orderExample, balance: 116.1 } },
    errors: [
      ...lineErrors,
      "wallet.insufficient_balance",
      "order.daily_limit",
      "order.hourly_limit",
      "key.daily_limit",
      "account.frozen",
      "account.waits",
      "service.closed",
      "order.unpaid_too_many",
    ],
    handle: async ({ db, by, key, body: { pay, allowDuplicate, uniqueReference, ...line } }) => {
      requireReference(uniqueReference, [line]);
      const input = { by, key, allowDuplicate, isReferenceUnique: uniqueReference, line: lineOf(line) };
      if (!pay) {
        const { answer, replayed } = await unpaidOrders.create(db, input);
        return { body: presentOrder(answer), replayed };
      }
      const { answer, replayed } = await buying.buy(db, input);
      return { body: purchaseJson(answer), replayed, purchasedOrderId: answer.order.id };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/orders/bulk",
    role: "user",
    scope: "bulk",
    summary: "Place many orders from the wallet, all or none",
    takesKey: true,
    body: orderSchemas.BulkOrder,
    bodyBytesMax: limits.bulkBodyBytes,
    countsLines: "placed",
    example: {
      orders: [lineExample, { ...lineExample, msisdn: "0241234567", reference: "INV-2026-0043" }],
      reference: "PAYROLL-2026-11",
    },
    answer: {
      status: 201,
      schema: orderSchemas.BulkPlaced,
      example: {
        count: 1,
        bulkOrderId: 7,
        reference: "PAYROLL-2026-11",
        metadata: null,
        amount: 3.9,
        balance: 116.1,
        orders: [{ ...orderExample, bulkOrderId: 7, metadata: null }],
      },
    },
    errors: [
      "msisdn.invalid",
      "order.quantity_invalid",
      "bulk.lines_refused",
      "order.reference_used",
      "wallet.insufficient_balance",
      "order.daily_limit",
      "order.hourly_limit",
      "key.daily_limit",
      "account.frozen",
      "account.waits",
      "service.closed",
      "request.rate_limited",
    ],
    handle: async ({ db, by, key, body }) => {
      const { orders: lines, allowDuplicate, reference, metadata, uniqueReference } = body;
      requireReference(uniqueReference, [body, ...lines]);
      const own = { reference, metadata, isReferenceUnique: uniqueReference };
      const input = { by, key, lines: lines.map(lineOf), allowDuplicate, ...own };
      const { answer, replayed } = await buying.buyBulk(db, input);
      const amountPesewas = answer.orders.reduce((sum, order) => sum + order.amountPesewas, 0);
      return {
        body: {
          count: answer.orders.length,
          bulkOrderId: answer.bulkOrderId,
          reference: reference ?? null,
          metadata: metadata ?? null,
          amount: toCedis(amountPesewas),
          balance: toCedis(answer.balancePesewas),
          orders: answer.orders.map(presentOrder),
        },
        replayed,
      };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/orders/bulk/preview",
    role: "user",
    scope: "bulk",
    summary: "Check a bulk order line by line without placing it",
    body: orderSchemas.BulkPreview,
    bodyBytesMax: limits.bulkBodyBytes,
    countsLines: "checked",
    example: { orders: [lineExample] },
    answer: {
      status: 200,
      schema: orderSchemas.BulkPreviewed,
      example: {
        lines: [
          {
            line: 1,
            msisdn: "0541234567",
            operatorGuess: "MTN",
            productId: 1,
            operator: "MTN",
            quantity: 1,
            amount: 3.9,
            code: null,
            message: null,
            sameAsLine: null,
            orderId: null,
            paused: null,
          },
        ],
        goodCount: 1,
        total: 3.9,
        balance: 120,
        balanceAfter: 116.1,
        affordableCount: 1,
        placeableCount: 1,
        limit: null,
      },
    },
    errors: ["request.rate_limited"],
    handle: async ({ db, by, body }) => {
      const preview = await bulk.preview(db, {
        by,
        lines: body.orders.map(lineOf),
        allowDuplicate: body.allowDuplicate,
        isReferenceUnique: body.uniqueReference,
      });
      const leftPesewas = preview.availablePesewas - preview.totalPesewas;
      return {
        body: {
          lines: preview.lines.map(({ problem, paused, amountPesewas, msisdn, earlier, ...line }) => ({
            ...line,
            orderId: earlier?.orderId ?? null,
            msisdn: msisdn && localMsisdn(msisdn),
            amount: amountPesewas === null ? null : toCedis(amountPesewas),
            code: problem,
            message: problem && bulk.problemMessage(problem, paused),
            paused: paused && pauseJson(paused),
          })),
          goodCount: preview.goodCount,
          total: toCedis(preview.totalPesewas),
          balance: toCedis(preview.balancePesewas),
          balanceAfter: leftPesewas < 0 ? null : toCedis(preview.balancePesewas - preview.totalPesewas),
          affordableCount: preview.affordableCount,
          placeableCount: preview.placeableCount,
          limit: preview.limit && presentLimit(preview.limit),
        },
      };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/orders",
    role: "user",
    scope: "read",
    summary: "Your own orders, newest first",
    query: orderSchemas.OrderQuery,
    answer: { status: 200, schema: orderSchemas.Order.array(), example: [orderExample] },
    errors: ["msisdn.invalid"],
    handle: async ({ db, by, request, query: { limit, cursor, ...filter } }) => {
      const rows = await orderQueries.list(db, { ...filter, userId: by.userId }, { limit, cursor });
      return page(request, rows, limit, presentOrder);
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
      schema: orderSchemas.OrderWithTimeline,
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
      const timeline = presentTimeline(order, await orderQueries.events(db, by, order.id));
      const outlook = await deadlines.outlook(db, order);
      return { body: { ...presentOrder(order), outlook: outlook && presentOutlook(outlook), timeline } };
    },
  }),
  run("POST /orders/:id/cancel", cancelling.cancel, shownCancelled, {
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
function requireReference(isUnique: boolean | undefined, placed: { reference?: string | undefined }[]): void {
  if (!isUnique || placed.some(({ reference }) => reference !== undefined)) return;
  throw new AppError(
    "request.invalid",
    { fields: { reference: "uniqueReference needs a reference" } },
    "Give a reference with uniqueReference. Without one it would have no effect.",
  );
}

/** A limit that would refuse a list, as the refusal itself would name it. */
function presentLimit({ code, message, details }: AppError) {
  return { code, message, left: Number(details!.left), renewsAt: String(details!.renewsAt) };
}
