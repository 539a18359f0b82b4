// API routes for bulk orders: checking and placing them, their list, and the progress of one.
import * as bulk from "../core/buying/bulk-orders.ts";
import * as bulkResults from "../core/buying/bulk-results.ts";
import { buyBulk } from "../core/buying/buy-bulk.ts";
import { orderJson } from "../core/orders/json.ts";
import { orderExample } from "../http/order-example.ts";
import * as schemas from "../http/schemas/bulk-orders.ts";
import { IdParams } from "../http/schemas/common.ts";
import { limits } from "../shared/domain.ts";
import type { AppError } from "../shared/errors/app-error.ts";
import { toCedis } from "../shared/money.ts";
import { pauseJson } from "../shared/pause.ts";
import { localMsisdn } from "../shared/phones/msisdn.ts";
import { lineExample, lineOf, payingErrors, requireReference } from "./orders.ts";
import { page, type Route, route } from "./route.ts";

const bulkExample = {
  id: 7,
  userId: 12,
  count: 200,
  amount: 780,
  reference: "PAYROLL-2026-11",
  metadata: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const bulkOrderRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/orders/bulk",
    role: "user",
    scope: "bulk",
    summary: "Place many orders from the wallet, all or none",
    takesKey: true,
    body: schemas.BulkOrder,
    bodyBytesMax: limits.bulkBodyBytes,
    countsLines: "placed",
    example: {
      orders: [lineExample, { ...lineExample, msisdn: "0241234567", reference: "INV-2026-0043" }],
      reference: "PAYROLL-2026-11",
    },
    answer: {
      status: 201,
      schema: schemas.BulkPlaced,
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
      ...payingErrors,
      "request.rate_limited",
    ],
    handle: async ({ db, by, key, body }) => {
      const { orders: lines, allowDuplicate, reference, metadata, uniqueReference } = body;
      requireReference(uniqueReference, [body, ...lines]);
      const own = { reference, metadata, isReferenceUnique: uniqueReference };
      const input = { by, key, lines: lines.map(lineOf), allowDuplicate, ...own };
      const { answer, replayed } = await buyBulk(db, input);
      const amountPesewas = answer.orders.reduce((sum, order) => sum + order.amountPesewas, 0);
      return {
        body: {
          count: answer.orders.length,
          bulkOrderId: answer.bulkOrderId,
          reference: reference ?? null,
          metadata: metadata ?? null,
          amount: toCedis(amountPesewas),
          balance: toCedis(answer.balancePesewas),
          orders: answer.orders.map(orderJson),
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
    body: schemas.BulkPreview,
    bodyBytesMax: limits.bulkBodyBytes,
    countsLines: "checked",
    example: { orders: [lineExample] },
    answer: {
      status: 200,
      schema: schemas.BulkPreviewed,
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
    path: "/api/v1/bulk-orders",
    role: "user",
    scope: "read",
    summary: "Your own bulk orders, newest first; GET /api/v1/orders?bulkOrderId= has the orders of one",
    query: schemas.BulkQuery,
    answer: { status: 200, schema: schemas.BulkOrderPlaced.schema.array(), example: [bulkExample] },
    errors: [],
    handle: async ({ db, by, request, query: { limit, ...filter } }) => {
      const rows = await bulkResults.list(db, by.userId, { limit, ...filter });
      return page(request, rows, limit, schemas.BulkOrderPlaced.present);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/bulk-orders/:id",
    subject: "bulkOrder",
    role: "user",
    scope: "read",
    summary: "One of your bulk orders (for staff, any), with how far its orders are",
    params: IdParams,
    answer: {
      status: 200,
      schema: schemas.BulkOrderProgress.schema,
      example: {
        ...bulkExample,
        statuses: { PENDING: 0, PAID: 0, PROCESSING: 50, DELIVERED: 100, COMPLETED: 48, FAILED: 2 },
        refunded: { count: 2, amount: 7.8 },
        progress: 0.75,
        finished: false,
      },
    },
    errors: ["bulk.not_found"],
    handle: async ({ db, by, params }) => ({
      body: schemas.BulkOrderProgress.present(await bulkResults.get(db, by, params.id)),
    }),
  }),
];

/** A limit that would refuse a list, as the refusal itself would name it. */
function presentLimit({ code, message, details }: AppError) {
  return { code, message, left: Number(details!.left), renewsAt: String(details!.renewsAt) };
}
