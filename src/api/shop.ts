// API routes for what is on sale, and for an agent's overview.

import * as operators from "../core/catalog/operators/operators.ts";
import * as products from "../core/catalog/products.ts";
import * as reports from "../core/reports/reports.ts";
import { orderExample } from "../http/order-example.ts";
import * as dashboardSchemas from "../http/schemas/dashboard.ts";
import { OperatorState, Product, ProductQuery } from "../http/schemas/products.ts";
import { type Route, route } from "./route.ts";

export const productExample = {
  id: 1,
  operator: "MTN",
  family: "MTN",
  name: "MTN 1GB",
  size: "1GB",
  price: 3.9,
  paused: null,
  pausedUntil: null,
};

export const shop: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/products",
    role: "user",
    scope: "read",
    summary: "What is on sale, by operator and price",
    query: ProductQuery,
    answer: { status: 200, schema: Product.schema.array(), example: [productExample] },
    errors: [],
    handle: async ({ db, by, query }) => ({
      body: (await products.listFor(db, by.userId, query.operator)).map(Product.present),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/operators",
    role: "user",
    scope: "read",
    summary: "The operators; which of them are paused, why and until when",
    answer: {
      status: 200,
      schema: OperatorState.schema.array(),
      example: [{ operator: "MTN", name: "MTN", paused: false, message: null, since: null, until: null }],
    },
    errors: [],
    handle: async ({ db }) => ({
      body: (await operators.list(db)).map(OperatorState.present),
    }),
  }),
  route({
    method: "GET",
    path: "/api/v1/dashboard/overview",
    role: "user",
    scope: "read",
    summary: "Your totals, data by operator, latest orders and the last seven days",
    answer: {
      status: 200,
      schema: dashboardSchemas.Overview.schema,
      example: {
        totals: { totalSales: 3.9, ordersCount: 1 },
        usageByOperator: { MTN: 1, AIRTELTIGO: 0, TELECEL: 0 },
        dataUsage: { totalGb: 1, thisMonthGb: 1, lastMonthGb: 0 },
        recentOrders: [orderExample],
        lastSevenDays: [{ day: "2026-11-21", sales: 3.9, orders: 1 }],
      },
    },
    errors: [],
    handle: async ({ db, by }) => ({
      body: dashboardSchemas.Overview.present(await reports.overview(db, by.userId)),
    }),
  }),
];
