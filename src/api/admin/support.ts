// Admin API routes for support: everybody's requests, replies, and the decision of disputes.
import * as disputes from "../../core/orders/disputes.ts";
import * as keptAnswers from "../../core/support/kept-answers.ts";
import * as support from "../../core/support/requests.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as shapes from "../../http/schemas/staff/support.ts";
import { page, type Route, route } from "../route.ts";
import { done, removed, run } from "../run.ts";
import { disputeExample, replyExample, requestExample } from "../support.ts";

const asker = { userId: 12, username: "ama", fullName: null, email: null, assignee: "yaw" };
const keptExample = { id: 3, name: "Asked MTN", message: "We have asked MTN and write again today" };

export const adminSupport: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/support",
    right: "support.answer",
    summary: "Everybody's requests, newest first",
    query: shapes.AdminRequestQuery,
    answer: {
      status: 200,
      schema: shapes.AdminSupportRequest.schema.array(),
      example: [{ ...requestExample, ...asker }],
    },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, assignedTo, ...filter } }) => {
      const found = await support.list(db, { ...filter, assignedToUserId: assignedTo }, { limit, cursor });
      return page(request, found, limit, shapes.AdminSupportRequest.present);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/support/:id/replies",
    subject: "request",
    right: "support.answer",
    summary: "The thread of a request, with who wrote what",
    params: IdParams,
    answer: {
      status: 200,
      schema: shapes.AdminReply.schema.array(),
      example: [{ ...replyExample, username: "yaw" }],
    },
    errors: ["support.not_found"],
    handle: async ({ db, by, params }) => {
      const { id } = await support.get(db, by, params.id);
      const messages = await support.messages(db, id);
      return { body: messages.map(shapes.AdminReply.present) };
    },
  }),
  run("POST /admin/support/:id/replies", support.reply, shapes.AdminSupportRequest, {
    ...{ right: "support.answer", subject: "request", idOf: "requestId", status: 201 },
    example: { message: "We have asked MTN and write again today" },
    gives: { ...requestExample, ...asker, status: "answered" },
  }),
  run("POST /admin/support/:id/assign", support.assign, shapes.AdminSupportRequest, {
    ...{ subject: "request", idOf: "requestId" },
    example: { toUserId: 4 },
    gives: { ...requestExample, ...asker },
  }),
  run("POST /admin/support/:id/close", support.close, done, {
    ...{ right: "support.answer", subject: "request", idOf: "requestId" },
    gives: { ok: true },
  }),
  run("POST /admin/support/:id/decide", disputes.decide, shapes.AdminSupportRequest, {
    ...{ subject: "dispute", idOf: "requestId" },
    example: { outcome: "delivered", proof: "MTN confirmed it at 12:04, number 88120" },
    gives: { ...disputeExample, ...asker, status: "closed", outcome: "refunded" },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/kept-answers",
    right: "support.answer",
    summary: "Answers that are kept to be sent again, by name",
    answer: { status: 200, schema: shapes.KeptAnswer.schema.array(), example: [keptExample] },
    errors: [],
    handle: async ({ db, by }) => ({ body: (await keptAnswers.list(db, by)).map(shapes.KeptAnswer.present) }),
  }),
  run("POST /admin/kept-answers", keptAnswers.keep, shapes.KeptAnswer, {
    ...{ status: 201, gives: keptExample },
    example: { name: keptExample.name, message: keptExample.message },
  }),
  run("PATCH /admin/kept-answers/:id", keptAnswers.change, shapes.KeptAnswer, {
    ...{ subject: "keptAnswer", idOf: "answerId", gives: keptExample },
    example: { name: keptExample.name, message: keptExample.message },
  }),
  run("DELETE /admin/kept-answers/:id", keptAnswers.remove, removed, {
    ...{ subject: "keptAnswer", idOf: "answerId" },
    gives: { id: 3, removed: true },
  }),
];
