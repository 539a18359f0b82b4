// Admin API routes for money paid in: payments and their review, chargebacks, claims, and reconciliation with Paystack.
import * as chargebacks from "../../core/payments/chargebacks.ts";
import * as deposits from "../../core/payments/deposits/deposits.ts";
import { compare } from "../../core/payments/reconciliation.ts";
import * as reviews from "../../core/payments/reviews.ts";
import * as settlement from "../../core/payments/settlement.ts";
import * as paymentSchemas from "../../http/schemas/payments.ts";
import { depositExample } from "../payments.ts";
import { page, type Route, route } from "../route.ts";
import { run } from "../run.ts";

export const adminPayments: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/payments",
    right: "payments.see",
    summary: "Payments, newest first; state=review and state=reversed need attention",
    query: paymentSchemas.PaymentQuery,
    answer: { status: 200, schema: paymentSchemas.AdminPayment.schema.array(), example: [] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, state, search } }) =>
      page(
        request,
        await settlement.list(db, { state, search }, { limit, cursor }),
        limit,
        paymentSchemas.AdminPayment.present,
      ),
  }),
  run("POST /admin/payments/:id/decision", reviews.decide, paymentSchemas.PaymentDecided, {
    ...{ subject: "payment", idOf: "paymentId" },
    example: { decision: "credit_paid", reason: "The payer confirms that they paid GH₵ 40.00" },
    gives: { paymentId: 31, userId: 12, decision: "credit_paid", credited: 40, loss: 0 },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/chargebacks",
    right: "payments.see",
    summary: "Open chargebacks, by deadline",
    answer: { status: 200, schema: paymentSchemas.Chargeback.schema.array(), example: [] },
    errors: [],
    handle: async ({ db }) => ({
      body: (await chargebacks.open(db)).map(paymentSchemas.Chargeback.present),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/claims",
    right: "payments.see",
    summary: "Claims for manual deposits, newest first",
    query: paymentSchemas.ClaimQuery,
    answer: {
      status: 200,
      schema: paymentSchemas.AdminClaim.schema.array(),
      example: [
        {
          ...{ ...depositExample, userId: 12, username: "ama", credited: null, statement: "found" },
          ...{ statementAmount: depositExample.amount, automatic: false, decidedBy: null, decidedAt: null },
        },
      ],
    },
    errors: [],
    handle: async ({ db, by, request, query: { limit, cursor, open } }) =>
      page(
        request,
        await deposits.list(db, by, { openOnly: open }, { limit, cursor }),
        limit,
        paymentSchemas.AdminClaim.present,
      ),
  }),
  run("POST /admin/claims/:id/approve", deposits.approve, paymentSchemas.ClaimApproved, {
    ...{ subject: "deposit", idOf: "depositId" },
    gives: { claimId: 5, userId: 12, status: "approved" },
  }),
  run("POST /admin/claims/:id/refuse", deposits.refuse, paymentSchemas.ClaimRefused, {
    ...{ subject: "deposit", idOf: "depositId" },
    example: { reason: "No such transaction in our statement" },
    gives: { claimId: 5, userId: 12, status: "refused" },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/reconciliation",
    right: "books.see",
    summary: "The differences between Paystack's list and our books",
    query: paymentSchemas.ReconciliationQuery,
    answer: {
      status: 200,
      schema: paymentSchemas.Reconciliation.schema,
      example: {
        from: "2026-11-20T00:00:00.000Z",
        to: "2026-11-21T00:00:00.000Z",
        provider: { count: 2, amount: 40 },
        credited: { count: 2, amount: 40 },
        fees: 0.78,
        held: 1240,
        differences: [],
      },
    },
    errors: ["payment.gateway_down", "request.rate_limited"],
    handle: async ({ db, by, gateway, query }) => ({
      body: paymentSchemas.Reconciliation.present(await compare(db, gateway, { by, from: query.from, to: query.to })),
    }),
  }),
];
