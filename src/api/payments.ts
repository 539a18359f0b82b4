// API routes for paying in: Paystack's page, mobile money, the state of a payment, and claims for manual deposits.

import * as wallet from "../core/ledger/wallet.ts";
import * as deposits from "../core/payments/deposits/deposits.ts";
import * as payments from "../core/payments/payments.ts";
import { isSuccessorOf } from "../core/payments/successors.ts";
import { Done, IdParams, Page } from "../http/schemas/common.ts";
import * as paymentSchemas from "../http/schemas/payments.ts";
import { AppError } from "../shared/errors/app-error.ts";
import { toCedis } from "../shared/money.ts";
import { parseMsisdn } from "../shared/phones/msisdn.ts";
import { type Context, page, type Route, route } from "./route.ts";

const paymentExample = {
  id: 31,
  reference: "tp-0b9d4c1e-7a52-4f0e-9a55-1f2a3b4c5d6e",
  status: "paid",
  amount: 20,
  orderId: null,
  needsCode: false,
  message: "Wallet top-up completed successfully!",
  network: null,
  phone: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};

const depositExample = {
  id: 5,
  transactionId: "40125566778",
  amount: 50,
  status: "open",
  reason: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};

const subjectErrors = [
  "payment.not_found",
  "payment.not_payable",
  "order.not_found",
  "order.already_paid",
  "order.not_payable",
  "product.not_found",
  "product.paused",
  "order.price_changed",
  "order.daily_limit",
  "order.hourly_limit",
  "payment.daily_limit",
  "payment.balance_limit",
  "account.frozen",
  "service.closed",
  "payment.refused",
  "payment.gateway_down",
] as const;

export const paymentRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/paystack/init",
    role: "user",
    summary: "Start a payment on Paystack's page for a top-up or an order; our own record sets the amount",
    body: paymentSchemas.PaystackInit,
    example: { email: "ama@example.com", amount: 20, transactionId: 31 },
    answer: {
      status: 200,
      schema: paymentSchemas.PaystackStarted,
      example: {
        authorizationUrl: "https://checkout.paystack.com/k3n8",
        reference: paymentExample.reference,
        transactionId: 31,
        amount: 20,
      },
    },
    errors: [...subjectErrors, "payment.email_missing"],
    handle: async ({ db, by, gateway, body, request, baseUrl }) => {
      const origin = baseUrl ?? new URL(request.url).origin;
      const back = body.orderId ? `${origin}/checkout` : `${origin}/dashboard?wallet=success`;
      const callbackUrl = isOnOrigin(body.callbackUrl, origin) ? body.callbackUrl! : back;
      const subject = body.orderId ? { orderId: body.orderId } : { paymentId: body.transactionId! };
      const cancelUrl = `${origin}${body.orderId ? `/orders/${body.orderId}` : "/wallet"}`;
      const email = body.email ?? null;
      const opened = await payments.checkOut(db, gateway, { by, subject, email, callbackUrl, cancelUrl });
      return {
        body: {
          authorizationUrl: opened.authorizationUrl,
          reference: opened.reference,
          transactionId: opened.paymentId,
          amount: toCedis(opened.amountPesewas),
        },
      };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/paystack/verify",
    role: "user",
    summary: "Check a payment with Paystack, and credit it if it was paid",
    body: paymentSchemas.PaystackVerify,
    example: { reference: paymentExample.reference, transactionId: 31 },
    answer: {
      status: 200,
      schema: paymentSchemas.PaymentWithBalance.schema,
      example: { ...paymentExample, balance: 140 },
    },
    errors: ["payment.not_found", "payment.unverified"],
    handle: async (context) => {
      const { db, by, gateway, body } = context;
      const own = await payments.get(db, by, body.reference);
      const isOther = body.transactionId !== undefined && !(await isSuccessorOf(db, own, body.transactionId));
      if (isOther || (body.orderId !== undefined && body.orderId !== own.orderId))
        throw new AppError("payment.not_found");
      return withBalance(context, await payments.check(db, gateway, by, own.reference));
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/paystack/charge",
    role: "user",
    summary: "Ask a phone to approve a top-up or an order by mobile money",
    body: paymentSchemas.MomoCharge,
    example: { transactionId: 31, network: "mtn", phone: "0541234567" },
    answer: {
      status: 202,
      schema: paymentSchemas.Payment.schema,
      example: { ...paymentExample, status: "pending", message: "Approve the payment on your phone" },
    },
    errors: [...subjectErrors, "payment.in_progress", "msisdn.invalid", "payment.email_missing"],
    handle: async ({ db, by, gateway, body }) => {
      const msisdn = parseMsisdn(body.phone);
      if (!msisdn)
        throw new AppError("msisdn.invalid", {
          fields: { phone: "Enter a valid Ghana number, such as 0541234567" },
        });
      const subject = body.orderId ? { orderId: body.orderId } : { paymentId: body.transactionId! };
      const payment = await payments.charge(db, gateway, { by, subject, network: body.network, msisdn });
      return { body: paymentSchemas.Payment.present(payment) };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/paystack/otp",
    role: "user",
    summary: "Submit the one-time code that the network asked for; a wrong one ends the payment",
    body: paymentSchemas.MomoCode,
    example: { reference: paymentExample.reference, code: "123456" },
    answer: {
      status: 200,
      schema: paymentSchemas.Payment.schema,
      example: { ...paymentExample, status: "pending" },
    },
    errors: ["payment.not_found", "payment.not_payable"],
    handle: async ({ db, by, gateway, body }) => ({
      body: paymentSchemas.Payment.present(await payments.submitCode(db, gateway, { by, ...body })),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/payments",
    role: "user",
    summary: "Your payments, newest first",
    query: Page,
    answer: { status: 200, schema: paymentSchemas.Payment.schema.array(), example: [paymentExample] },
    errors: [],
    handle: async ({ db, by, request, query }) =>
      page(request, await payments.list(db, by.userId, query), query.limit, paymentSchemas.Payment.present),
  }),
  route({
    method: "GET",
    path: "/api/v1/payments/:reference",
    subject: "paymentReference",
    role: "user",
    summary: "A payment as we know it, without asking Paystack",
    params: paymentSchemas.ReferenceParams,
    answer: {
      status: 200,
      schema: paymentSchemas.PaymentWithBalance.schema,
      example: { ...paymentExample, balance: 140 },
    },
    errors: ["payment.not_found"],
    handle: async (context) => {
      const { db, by, params } = context;
      return withBalance(context, await payments.get(db, by, params.reference));
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/wallet/claims",
    role: "user",
    summary: "Claim a manual mobile money deposit by its transaction ID",
    body: paymentSchemas.NewClaim,
    example: { transactionId: "40125566778", amount: 50 },
    answer: { status: 201, schema: paymentSchemas.Claim.schema, example: depositExample },
    errors: ["claim.below_minimum", "claim.transaction_id_invalid", "claim.filed_already", "request.rate_limited"],
    handle: async ({ db, by, body }) => ({
      body: paymentSchemas.Claim.present(
        await deposits.file(db, { by, transactionId: body.transactionId, amountPesewas: body.amount }),
      ),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/wallet/claims",
    role: "user",
    summary: "Your claims, newest first",
    query: Page,
    answer: { status: 200, schema: paymentSchemas.Claim.schema.array(), example: [depositExample] },
    errors: [],
    handle: async ({ db, by, request, query }) =>
      page(
        request,
        await deposits.list(db, by, { userId: by.userId }, query),
        query.limit,
        paymentSchemas.Claim.present,
      ),
  }),
  route({
    method: "POST",
    path: "/api/v1/wallet/claims/:id/report",
    subject: "deposit",
    role: "user",
    summary: "Report to support that a claim is taking too long",
    params: IdParams,
    body: paymentSchemas.DelayReport,
    example: { message: "Sent this morning, still not in my wallet" },
    answer: { status: 201, schema: Done, example: { ok: true } },
    errors: ["claim.not_found", "request.rate_limited"],
    handle: async ({ db, by, params, body }) => {
      await deposits.reportDelay(db, { by, depositId: params.id, message: body.message });
      return { body: { ok: true } };
    },
  }),
];

export { depositExample };

async function withBalance(
  { db, by }: Pick<Context<undefined, undefined, undefined>, "db" | "by">,
  payment: payments.Payment,
) {
  const balancePesewas = await wallet.balance(db, by.userId);
  return { body: paymentSchemas.PaymentWithBalance.present({ payment, balancePesewas }) };
}

/** Only our own return addresses are allowed: an open redirect would serve phishing. */
function isOnOrigin(url: string | undefined, origin: string): boolean {
  return url !== undefined && URL.canParse(url) && new URL(url).origin === origin;
}
