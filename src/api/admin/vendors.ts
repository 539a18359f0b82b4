// Admin API routes for a vendor: what waits for it, and the move of that to others.
import * as rerouting from "../../core/fulfilment/rerouting.ts";
import { vendorOverview } from "../../core/fulfilment/vendor-overview.ts";
import * as schemas from "../../http/schemas/staff/vendors.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

export const vendorRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/vendors/:code",
    subject: "vendor",
    right: "delivery.manage",
    summary: "A supplier: whether it is paused, what waits for it by bundle, and what it may have",
    params: schemas.VendorParams,
    answer: {
      status: 200,
      schema: schemas.Vendor.schema,
      example: {
        ...{ code: "hubnet", name: "Hubnet", pausedFor: "admin", pausedAt: "2026-11-21T12:02:00.000Z" },
        ...{ pausedBy: "yaw", message: "Their portal is down" },
        waiting: {
          ...{ orders: 12, amount: 250.8, oldestAt: "2026-11-21T11:40:00.000Z" },
          ...{ dueAt: "2026-11-21T12:40:00.000Z", throughAttemptId: 9120 },
          bundles: [
            {
              ...{ productId: 7, operator: "MTN", size: "5GB", orders: 12, amount: 250.8 },
              ...{ oldestAt: "2026-11-21T11:40:00.000Z", dueAt: "2026-11-21T12:40:00.000Z" },
            },
          ],
        },
        overdue: { orders: 0, amount: 0 },
        unclear: { orders: 1, amount: 20.9 },
        confirmed: { orders: 3, amount: 62.7 },
      },
    },
    errors: ["vendor.not_found"],
    handle: async ({ db, vendors, params }) => ({
      body: schemas.Vendor.present(await vendorOverview(db, vendors, params.code)),
    }),
  }),
  run("POST /admin/vendors/:code/moves", rerouting.move, schemas.VendorMoved, {
    subject: "vendor",
    example: { to: "next", throughAttemptId: 9120 },
    gives: {
      ...{ orders: 12, amount: 250.8 },
      receivers: [
        { vendor: "datamart", orders: 10, amount: 209 },
        { vendor: "desk", orders: 2, amount: 41.8 },
      ],
      ...{ staying: 0, unclear: 1, overdue: 0 },
    },
  }),
];
