// Admin API routes for the shop's figures: its orders and users, and its profit.
import * as reports from "../../core/reports/reports.ts";
import * as shopProfit from "../../core/reports/shop-profit.ts";
import * as shopProfitBy from "../../core/reports/shop-profit-by.ts";
import { AdminStats } from "../../http/schemas/dashboard.ts";
import { ProfitQuery, ShopProfit } from "../../http/schemas/staff/profit.ts";
import { type Route, route } from "../route.ts";

const profitExample = {
  ...{ orders: 3, sales: 11.7, cost: 7.4, uncostedOrders: 1, uncostedSales: 3.9 },
  ...{ fees: 0.2, losses: 0, profit: 0.2, marginPercent: 2.6 },
};
const beforeExample = {
  ...{ orders: 0, sales: 0, cost: 0, uncostedOrders: 0, uncostedSales: 0 },
  ...{ fees: 0, losses: 0, profit: 0, marginPercent: null },
};

export const adminReports: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/stats",
    right: "profit.see",
    summary: "The shop's figures",
    answer: {
      status: 200,
      schema: AdminStats.schema,
      example: {
        totalOrders: 3,
        byStatus: { PENDING: 1, PAID: 0, PROCESSING: 0, DELIVERED: 0, COMPLETED: 2, FAILED: 0 },
        successPercent: 67,
        failurePercent: 0,
        usersCount: 4,
        productsCount: 52,
        walletsTotal: 1200,
        salesToday: 11.7,
        lastSevenDays: [{ day: "2026-11-21", sales: 11.7, orders: 3 }],
        profitToday: profitExample,
        profitYesterday: beforeExample,
        profitCountedAt: "2026-11-21T09:30:00.000Z",
      },
    },
    errors: [],
    handle: async ({ db }) => {
      const [stats, earned] = await Promise.all([reports.adminStats(db), shopProfit.ofToday(db)]);
      const profits = { profitToday: earned.today, profitYesterday: earned.yesterday };
      return { body: AdminStats.present({ ...stats, ...profits, profitCountedAt: earned.countedAt }) };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/profit",
    right: "profit.see",
    summary:
      "The shop's profit over up to 366 days, beside those before, by day, product, operator, supplier, agent or tier",
    query: ProfitQuery,
    answer: {
      status: 200,
      schema: ShopProfit.schema,
      example: {
        ...{ from: "2026-11-21", to: "2026-11-21", by: "product" },
        ...{ total: profitExample, before: beforeExample },
        ...{ waitingDays: 0, countedAt: "2026-11-21T09:30:00.000Z" },
        rows: [
          {
            ...{ ...profitExample, key: "1", name: "MTN 1GB", fees: null, losses: null },
            ...{ profit: 0.4, marginPercent: 5.1 },
          },
        ],
      },
    },
    errors: [],
    handle: async ({ db, query: { from, to, by, limit, ...choice } }) => {
      const span = { first: from, last: to };
      const [earned, rows] = await Promise.all([
        shopProfit.ofSpan(db, span, choice),
        shopProfitBy.by(db, by, span, { ...choice, rowsMax: limit }),
      ]);
      return { body: ShopProfit.present({ ...earned, from, to, by, rows }) };
    },
  }),
];
