// The admins' routes about money from outside: payments to look at, claims to decide, the comparison with Paystack.
import * as claims from "../core/claims.ts";
import { reconcile } from "../core/reconciliation.ts";
import * as settlement from "../core/settlement.ts";
import { toCedis } from "../shared/money.ts";
import * as schemas from "../shared/schemas.ts";
import { keyErrors } from "./orders.ts";
import { claimExample, presentClaim, presentPayment } from "./payments.ts";
import { page, type Route, route } from "./route.ts";

const claimErrors = ["claim.not_found", "claim.decided", "claim.credited_already", ...keyErrors] as const;

export const adminPayments: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/payments",
    role: "admin",
    summary: "Payments, newest first; state=review and state=reversed are those to look at",
    query: schemas.PaymentQuery,
    answer: { status: 200, schema: schemas.AdminPayment.array(), example: [] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, state } }) =>
      page(request, await settlement.list(db, { state }, { limit, cursor }), limit, (payment) => ({
        ...presentPayment(payment),
        userId: payment.userId,
        username: payment.username,
        reason: payment.reason,
      })),
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/claims",
    role: "admin",
    summary: "Claims for manual deposits, newest first",
    query: schemas.ClaimQuery,
    answer: {
      status: 200,
      schema: schemas.AdminClaim.array(),
      example: [{ ...claimExample, userId: 12, username: "ama" }],
    },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor, open } }) =>
      page(request, await claims.list(db, { openOnly: open }, { limit, cursor }), limit, (claim) => ({
        ...presentClaim(claim),
        userId: claim.userId,
        username: claim.username,
      })),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/claims/:id/approve",
    role: "admin",
    summary: "Credit a manual deposit that you found; a transaction id is credited once, ever",
    takesKey: true,
    params: schemas.IdParams,
    answer: {
      status: 200,
      schema: schemas.ClaimDecided,
      example: { claimId: 5, userId: 12, status: "approved" },
    },
    errors: claimErrors,
    handle: async ({ db, by, key, params }) => {
      const { answer, replayed } = await claims.approve(db, { by, key, claimId: params.id });
      return { body: { ...answer, status: "approved" }, replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/claims/:id/refuse",
    role: "admin",
    summary: "Refuse a claim, with a reason for the agent",
    takesKey: true,
    params: schemas.IdParams,
    body: schemas.ClaimRefusal,
    example: { reason: "No such transaction in our statement" },
    answer: {
      status: 200,
      schema: schemas.ClaimDecided,
      example: { claimId: 5, userId: 12, status: "refused" },
    },
    errors: claimErrors,
    handle: async ({ db, by, key, params, body }) => {
      const { answer, replayed } = await claims.refuse(db, {
        by,
        key,
        claimId: params.id,
        reason: body.reason,
      });
      return { body: { ...answer, status: "refused" }, replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/reconciliation",
    role: "admin",
    summary: "Paystack's list against our books, difference by difference",
    query: schemas.ReconciliationQuery,
    answer: {
      status: 200,
      schema: schemas.Reconciliation,
      example: {
        from: "2026-11-20T00:00:00.000Z",
        to: "2026-11-21T00:00:00.000Z",
        provider: { count: 2, amount: 40 },
        credited: { count: 2, amount: 40 },
        held: 1240,
        differences: [],
      },
    },
    errors: ["payment.gateway_down"],
    handle: async ({ db, gateway, query }) => {
      const seen = await reconcile(db, gateway, { from: query.from, to: query.to, mend: false });
      return {
        body: {
          from: seen.from.toISOString(),
          to: seen.to.toISOString(),
          provider: { count: seen.providerCount, amount: toCedis(seen.providerPesewas) },
          credited: { count: seen.creditedCount, amount: toCedis(seen.creditedPesewas) },
          held: toCedis(seen.heldPesewas),
          differences: seen.differences.map(
            ({ reference, kind, words, providerPesewas, creditedPesewas }) => ({
              reference,
              kind,
              words,
              provider: providerPesewas === null ? null : toCedis(providerPesewas),
              credited: creditedPesewas === null ? null : toCedis(creditedPesewas),
            }),
          ),
        },
      };
    },
  }),
];
