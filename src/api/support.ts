// API routes for support requests, their replies, and orders reported as not received.
import * as disputes from "../core/orders/disputes.ts";
import * as support from "../core/support/requests.ts";
import { IdParams } from "../http/schemas/common.ts";
import * as shapes from "../http/schemas/staff/support.ts";
import { page, type Route, route } from "./route.ts";
import { done, run } from "./run.ts";

export const requestExample = {
  id: 51,
  kind: "request" as const,
  status: "open" as const,
  orderId: 4711,
  claimId: null,
  subject: "The wrong bundle",
  message: "My customer got 1GB instead of 2GB",
  dueAt: null,
  outcome: null,
  proof: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
export const disputeExample = {
  ...requestExample,
  kind: "not_received" as const,
  subject: null,
  message: "The balance did not change",
  dueAt: "2026-11-22T09:30:00.000Z",
};
export const replyExample = {
  id: 80,
  from: "support" as const,
  message: "We have asked MTN and write again today",
  createdAt: "2026-11-21T10:00:00.000Z",
};

export const supportRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/support",
    role: "user",
    summary: "Ask support, with or without one of your orders",
    takesKey: true,
    body: shapes.NewRequest,
    example: { subject: "The wrong bundle", message: "My customer got 1GB instead of 2GB", orderId: 4711 },
    answer: { status: 201, schema: shapes.SupportRequest.schema, example: requestExample },
    errors: ["order.not_found", "request.rate_limited"],
    handle: async ({ db, by, key, body: { orderId, ...text } }) => {
      const { answer, replayed } = orderId
        ? await disputes.reportOrder(db, { by, key, orderId, ...text })
        : await support.file(db, { by, key, ...text });
      return { body: shapes.SupportRequest.present(answer), replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/support",
    role: "user",
    summary: "Your support requests, newest first",
    query: shapes.RequestQuery,
    answer: { status: 200, schema: shapes.SupportRequest.schema.array(), example: [requestExample] },
    errors: [],
    handle: async ({ db, by, request, query: { limit, cursor, state } }) => {
      const rows = await support.list(db, { userId: by.userId, state }, { limit, cursor });
      return page(request, rows, limit, shapes.SupportRequest.present);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/support/:id",
    subject: "request",
    role: "user",
    summary: "One of your requests (for support, any request)",
    params: IdParams,
    answer: { status: 200, schema: shapes.SupportRequest.schema, example: requestExample },
    errors: ["support.not_found"],
    handle: async ({ db, by, params }) => ({
      body: shapes.SupportRequest.present(await support.get(db, by, params.id)),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/support/:id/replies",
    subject: "request",
    role: "user",
    summary: "The replies to a request, oldest first",
    params: IdParams,
    answer: { status: 200, schema: shapes.Reply.schema.array(), example: [replyExample] },
    errors: ["support.not_found"],
    handle: async ({ db, by, params }) => {
      const { id } = await support.get(db, by, params.id);
      return { body: (await support.messages(db, id)).map(shapes.Reply.present) };
    },
  }),
  run("POST /support/:id/replies", support.reply, shapes.SupportRequest, {
    ...{ subject: "request", idOf: "requestId", status: 201 },
    example: { message: "It is still not there" },
    gives: requestExample,
  }),
];

export const notReceivedRoutes: Route[] = [
  run("POST /orders/:id/not-received", disputes.open, shapes.SupportRequest, {
    ...{ subject: "deliveredOrder", idOf: "orderId", scope: "buy", status: 201 },
    example: { message: "The balance did not change" },
    gives: disputeExample,
  }),
  run("DELETE /orders/:id/not-received", disputes.withdraw, done, {
    ...{ subject: "order", idOf: "orderId", scope: "buy" },
    gives: { ok: true },
  }),
];
