// API routes for an agent's wallet: balance, history, statement, paying an order, and starting a top-up.
import type { Db } from "../../db/connect.ts";
import * as unpaidOrders from "../core/buying/unpaid-orders.ts";
import { csvOf } from "../core/ledger/statement.ts";
import * as wallet from "../core/ledger/wallet.ts";
import { orderJson } from "../core/orders/json.ts";
import * as payments from "../core/payments/payments.ts";
import { orderExample } from "../http/order-example.ts";
import { Page } from "../http/schemas/common.ts";
import { LimitsInForce } from "../http/schemas/limits.ts";
import * as paymentSchemas from "../http/schemas/payments.ts";
import * as walletSchemas from "../http/schemas/wallet.ts";
import { csvHeaders } from "../shared/lists/csv.ts";
import { toCedis } from "../shared/money.ts";
import { payingErrors } from "./orders.ts";
import { limitsExample, limitsOf } from "./present-limits.ts";
import { type Answer, page, type Route, route } from "./route.ts";

const entryExample = {
  id: 90,
  type: "SPEND",
  amount: 3.9,
  change: -3.9,
  balanceAfter: 116.1,
  status: "COMPLETED",
  description: "MTN 1GB for 0541234567",
  orderId: 4711,
  paymentReference: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const statementExample = {
  from: "2026-11-01T00:00:00.000Z",
  to: "2026-12-01T00:00:00.000Z",
  openingBalance: 120,
  closingBalance: 116.1,
  transactions: [entryExample],
};

export const statementCsvExample = csvOf({
  from: new Date(statementExample.from),
  to: new Date(statementExample.to),
  openingPesewas: 12_000,
  closingPesewas: 12_000,
  entries: [],
});

/** The answer with a wallet's statement, as JSON or as a CSV file. Throws wallet.statement_too_long. */
export async function answerStatement(
  db: Db,
  userId: number,
  { from, to, format }: { from: Date; to: Date; format: "json" | "csv" },
): Promise<Answer> {
  const statement = await wallet.statement(db, userId, from, to);
  if (format === "csv") return { body: csvOf(statement), headers: csvHeaders("statement.csv") };
  return { body: walletSchemas.Statement.present(statement) };
}

export const walletRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/wallet/balance",
    role: "user",
    scope: "read",
    summary: "The balance, how much of it is held or available, and what is owed",
    answer: {
      status: 200,
      schema: walletSchemas.Balance.schema,
      example: { balance: 120, held: 0, owed: 0, available: 120 },
    },
    errors: [],
    handle: async ({ db, by }) => ({ body: walletSchemas.Balance.present(await wallet.standing(db, by.userId)) }),
  }),
  route({
    method: "GET",
    path: "/api/v1/wallet/transactions",
    role: "user",
    scope: "statement",
    summary: "The wallet's transactions, newest first",
    query: Page,
    answer: { status: 200, schema: walletSchemas.WalletTransaction.schema.array(), example: [entryExample] },
    errors: [],
    handle: async ({ db, by, request, query }) =>
      page(request, await wallet.history(db, by.userId, query), query.limit, walletSchemas.WalletTransaction.present),
  }),
  route({
    method: "GET",
    path: "/api/v1/wallet/statement",
    role: "user",
    scope: "statement",
    summary: "Every transaction between two dates, with the balances before and after; format=csv for a spreadsheet",
    query: walletSchemas.StatementQuery,
    answer: {
      status: 200,
      schema: walletSchemas.Statement.schema,
      example: statementExample,
      alsoCsv: statementCsvExample,
    },
    errors: ["wallet.statement_too_long"],
    handle: ({ db, by, query }) => answerStatement(db, by.userId, query),
  }),
  route({
    method: "POST",
    path: "/api/v1/wallet/spend",
    role: "user",
    scope: "buy",
    summary: "Pay an existing order from the wallet, once",
    takesKey: true,
    body: walletSchemas.Spend,
    example: { orderId: 4711, amount: 3.9, note: "MTN 1" },
    answer: {
      status: 200,
      schema: walletSchemas.Spent,
      example: { orderId: 4711, amount: 3.9, balance: 116.1, status: "PENDING", order: orderExample },
    },
    errors: [
      "order.not_found",
      "order.already_paid",
      "order.not_payable",
      "order.price_changed",
      "product.not_found",
      "product.paused",
      ...payingErrors,
    ],
    handle: async ({ db, by, key, body: { orderId, amount, note } }) => {
      const { answer, replayed } = await unpaidOrders.spend(db, {
        by,
        key,
        orderId,
        expectedPesewas: amount,
        note,
      });
      const order = orderJson(answer.order);
      const balance = toCedis(answer.balancePesewas);
      return { body: { orderId, amount: order.amount, balance, status: order.status, order }, replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/wallet/limits",
    role: "user",
    scope: "read",
    summary: "The limits of your account and what is left of each; null: no such limit",
    answer: { status: 200, schema: LimitsInForce.schema, example: limitsExample },
    errors: [],
    handle: async ({ db, by: { userId } }) => ({ body: LimitsInForce.present(await limitsOf(db, userId)) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/wallet/topup/init",
    role: "user",
    summary: "Record a top-up that is about to be paid",
    takesKey: true,
    body: paymentSchemas.TopUpInit,
    example: { amount: 20 },
    answer: { status: 201, schema: paymentSchemas.TopUpStarted, example: { transactionId: 31, amount: 20 } },
    errors: [
      "payment.below_minimum",
      "payment.daily_limit",
      "payment.balance_limit",
      "account.frozen",
      "service.closed",
    ],
    handle: async ({ db, by, key, body }) => {
      const { answer, replayed } = await payments.startTopUp(db, { by, key, amountPesewas: body.amount });
      return { body: { transactionId: answer.id, amount: toCedis(answer.amountPesewas) }, replayed };
    },
  }),
];
