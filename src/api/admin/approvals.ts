// Admin API routes for acts that two people decide together: the requests that the caller may see, and decisions.
import * as approvalQueries from "../../core/approvals/queries.ts";
import * as approvals from "../../core/approvals/requests.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as shapes from "../../http/schemas/staff/approvals.ts";
import { approvalExample } from "../approval-example.ts";
import { page, type Route, route } from "../route.ts";

const decided = { ...approvalExample, decidedBy: "yaw", decidedAt: "2026-11-21T15:20:11.004Z" };
const decidingErrors = [
  ...(["approval.not_found", "approval.own", "approval.concerns_you", "approval.too_new"] as const),
  ...(["approval.decided", "approval.expired", "auth.confirm_needed"] as const),
] as const;

export const adminApprovals: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/approvals",
    right: "shop.see",
    summary: "Requests for a second person that you asked for or have the right to decide",
    query: shapes.ApprovalQuery,
    answer: { status: 200, schema: shapes.Approval.schema.array(), example: [approvalExample] },
    errors: [],
    handle: async ({ db, by, request, query: { state, ...span } }) => {
      if (state === "open") return { body: (await approvalQueries.listOpen(db, by)).map(shapes.Approval.present) };
      return page(request, await approvalQueries.listClosed(db, by, span), span.limit, shapes.Approval.present);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/approvals/:id",
    subject: "approval",
    right: "shop.see",
    summary: "One request",
    params: IdParams,
    answer: { status: 200, schema: shapes.Approval.schema, example: approvalExample },
    errors: ["approval.not_found"],
    handle: async ({ db, by, params }) => ({
      body: shapes.Approval.present(await approvalQueries.getFor(db, by, params.id)),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/approvals/:id/agree",
    subject: "approval",
    right: "shop.see",
    summary: "Agree to a request, which carries it out at once",
    params: IdParams,
    answer: { status: 200, schema: shapes.Approval.schema, example: { ...decided, state: "agreed" } },
    errors: [...decidingErrors, "approval.outdated"],
    handle: async ({ db, by, params, vendors }) => ({
      body: shapes.Approval.present(await approvals.agree(db, { by, approvalId: params.id, vendors })),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/approvals/:id/refuse",
    subject: "approval",
    right: "shop.see",
    summary: "Refuse a request, with a reason for whoever asked",
    params: IdParams,
    body: shapes.RefusedApproval,
    example: { reason: "The receipt is not ours" },
    answer: {
      status: 200,
      schema: shapes.Approval.schema,
      example: { ...decided, state: "refused", note: "The receipt is not ours" },
    },
    errors: [...decidingErrors],
    handle: async ({ db, by, params, body }) => ({
      body: shapes.Approval.present(await approvals.refuse(db, { by, approvalId: params.id, ...body })),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/approvals/:id/withdraw",
    subject: "approval",
    right: "shop.see",
    summary: "Withdraw a request of your own",
    params: IdParams,
    answer: {
      status: 200,
      schema: shapes.Approval.schema,
      example: { ...approvalExample, state: "withdrawn", decidedAt: decided.decidedAt },
    },
    errors: ["approval.not_found", "approval.not_own", "approval.decided"],
    handle: async ({ db, by, params }) => ({
      body: shapes.Approval.present(await approvals.withdraw(db, { by, approvalId: params.id })),
    }),
  }),
];
