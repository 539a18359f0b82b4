// API routes for placed bulk orders: their list, and the progress of one. orders.ts has the route that places them.
import * as bulkResults from "../core/buying/bulk-results.ts";
import { IdParams } from "../http/schemas/common.ts";
import * as orderSchemas from "../http/schemas/orders.ts";
import { isOpen, type OrderStatus, STATUSES } from "../shared/domain.ts";
import { toCedis } from "../shared/money.ts";
import { page, type Route, route } from "./route.ts";

const bulkExample = {
  id: 7,
  userId: 12,
  count: 200,
  amount: 780,
  reference: "PAYROLL-2026-11",
  metadata: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};

export const bulkOrderRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/bulk-orders",
    role: "user",
    scope: "read",
    summary: "Your own bulk orders, newest first; GET /api/v1/orders?bulkOrderId= has the orders of one",
    query: orderSchemas.BulkQuery,
    answer: { status: 200, schema: orderSchemas.BulkOrderPlaced.array(), example: [bulkExample] },
    errors: [],
    handle: async ({ db, by, request, query: { limit, ...filter } }) => {
      const rows = await bulkResults.list(db, by.userId, { limit, ...filter });
      return page(request, rows, limit, presentBulk);
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/bulk-orders/:id",
    subject: "bulkOrder",
    role: "user",
    scope: "read",
    summary: "One of your bulk orders (for staff, any), with how far its orders are",
    params: IdParams,
    answer: {
      status: 200,
      schema: orderSchemas.BulkOrderProgress,
      example: {
        ...bulkExample,
        statuses: { PENDING: 0, PAID: 0, PROCESSING: 50, DELIVERED: 100, COMPLETED: 48, FAILED: 2 },
        refunded: { count: 2, amount: 7.8 },
        progress: 0.75,
        finished: false,
      },
    },
    errors: ["bulk.not_found"],
    handle: async ({ db, by, params }) => {
      const result = await bulkResults.get(db, by, params.id);
      return { body: { ...presentBulk(result), ...presentProgress(result) } };
    },
  }),
];

function presentBulk(bulk: bulkResults.BulkOrder) {
  const { id, userId, lines, amountPesewas, reference, metadata, createdAt } = bulk;
  const amount = toCedis(amountPesewas);
  return { id, userId, count: lines, amount, reference, metadata, createdAt: createdAt.toISOString() };
}

function presentProgress({ lines, counts, refunded }: bulkResults.BulkResult) {
  const countOf = (status: OrderStatus) => counts[status] ?? 0;
  const open = STATUSES.filter(isOpen).reduce((sum, status) => sum + countOf(status), 0);
  return {
    statuses: Object.fromEntries(STATUSES.map((status) => [status, countOf(status)])),
    refunded: { count: refunded.orders, amount: toCedis(refunded.amountPesewas) },
    // Rounded down: all of it is done only when every order is.
    progress: Math.floor(((lines - open) / lines) * 1000) / 1000,
    finished: open === 0,
  };
}
