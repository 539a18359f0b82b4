// Admin API route for the search over everything that staff work with.
import { find } from "../../core/finding/find.ts";
import * as schemas from "../../http/schemas/staff/finding.ts";
import { type Route, route } from "../route.ts";

export const findRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/find",
    right: "shop.see",
    summary: "Find orders, agents, payments and more by one text; at most 30 hits, of kinds that you may see",
    query: schemas.FindQuery,
    answer: {
      status: 200,
      schema: schemas.Hit.array(),
      example: [
        {
          kind: "order" as const,
          id: 403,
          title: "Order #403",
          subtitle: "MTN 1GB, 054 123 4567, PENDING, ama",
        },
      ],
    },
    errors: [],
    handle: async ({ db, by, query }) => ({ body: await find(db, by, query.q) }),
  }),
];
