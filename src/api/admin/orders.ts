// Admin API routes for orders: listing, transitions and notes.

import * as orderQueries from "../../core/orders/queries.ts";
import { refund } from "../../core/orders/refund.ts";
import * as statusChanges from "../../core/orders/status-changes.ts";
import * as takenBack from "../../core/orders/taken-back-refunds.ts";
import * as timeline from "../../core/orders/timeline.ts";
import { orderExample } from "../../http/order-example.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as orderSchemas from "../../http/schemas/orders.ts";
import * as transitionSchemas from "../../http/schemas/staff/transitions.ts";
import { errors } from "../../shared/errors/codes.ts";
import { failureJson } from "../../shared/orders/order-failures.ts";
import { page, type Route, route } from "../route.ts";
import { run } from "../run.ts";

const ofOrder = { subject: "order", idOf: "orderId" } as const;

export const adminOrders: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/orders",
    right: "orders.see",
    summary: "Everybody's orders, newest first",
    query: orderSchemas.OrderQuery,
    answer: { status: 200, schema: orderSchemas.Order.schema.array(), example: [orderExample] },
    errors: ["msisdn.invalid"],
    handle: async ({ db, request, query: { limit, cursor, ...filter } }) =>
      page(request, await orderQueries.list(db, filter, { limit, cursor }), limit, orderSchemas.Order.present),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/orders/:id/status",
    subject: "order",
    right: "orders.work",
    mayAsk: true,
    summary: "Change an order's status; FAILED refunds it, PROCESSING means that you deliver it yourself",
    takesKey: true,
    params: IdParams,
    body: transitionSchemas.StatusChange,
    example: { status: "PROCESSING" },
    answer: { status: 200, schema: orderSchemas.Order.schema, example: { ...orderExample, status: "PROCESSING" } },
    errors: [
      "order.not_found",
      "order.move_not_allowed",
      "order.unpaid",
      "order.below_cost",
      "order.handed_over",
      "order.case_open",
      "auth.own_account",
      "service.closed",
      "afa.reason_missing",
    ],
    handle: async ({ db, by, key, params, body: { status, ...rest } }) => {
      const { answer, replayed } = await statusChanges.moveOne(db, {
        by,
        key,
        orderId: params.id,
        to: status,
        ...rest,
      });
      return { body: orderSchemas.Order.present(answer), replayed };
    },
  }),
  run("POST /admin/orders/:id/refund", refund, orderSchemas.Order, {
    ...ofOrder,
    example: { reason: "MTN barred the number" },
    gives: {
      ...orderExample,
      ...{ status: "FAILED", refundedAt: "2026-11-21T10:00:00.000Z" },
      failure: failureJson({ status: "FAILED", failure: "refunded_by_shop" }),
    },
  }),
  run("POST /admin/orders/:id/take-back-refund", takenBack.takeBack, orderSchemas.Order, {
    ...ofOrder,
    example: {
      ...{ to: "COMPLETED", reason: "The supplier shows delivery at 10:04" },
      ...{ refundedAt: "2026-11-21T10:00:00.000Z", amount: 3.9 },
    },
    gives: { ...orderExample, status: "COMPLETED" },
  }),
  run("POST /admin/orders/:id/notes", timeline.addNote, orderSchemas.OrderEvent, {
    ...ofOrder,
    example: { note: "The supplier says it was sent at 10:04", forAgent: true },
    gives: {
      ...{ at: "2026-11-21T10:05:00.000Z", event: "note", code: null, from: null, to: null },
      ...{ note: "The supplier says it was sent at 10:04", internal: false },
    },
    status: 201,
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/orders/status/bulk",
    right: "orders.work",
    mayAsk: true,
    summary: "Change the status of many orders, with a result for each",
    takesKey: true,
    body: transitionSchemas.BulkStatusChange,
    bodyBytesMax: 262_144,
    example: { ids: [4711, 4712], status: "PROCESSING" },
    answer: {
      status: 200,
      schema: orderSchemas.MoveResults,
      example: {
        status: "PROCESSING",
        moved: 1,
        refused: 1,
        results: [
          { id: 4711, status: "PROCESSING", moved: true, code: null, message: null },
          {
            id: 4712,
            status: "FAILED",
            moved: false,
            code: "order.move_not_allowed",
            message: "That status change is not allowed",
          },
        ],
      },
    },
    errors: ["service.closed"],
    handle: async ({ db, by, key, body: { ids, status, ...rest } }) => {
      const { answer, replayed } = await statusChanges.move(db, { by, key, ids, to: status, ...rest });
      const moved = answer.filter((result) => result.refusal === null).length;
      const results = answer.map(({ id, status, refusal }) => ({
        id,
        status,
        moved: refusal === null,
        code: refusal,
        message: refusal && errors[refusal].message,
      }));
      return { body: { status, moved, refused: answer.length - moved, results }, replayed };
    },
  }),
];
