// Admin API routes for the price table and changes of prices.

import * as priceChanges from "../../core/catalog/price-changes.ts";
import * as priceHistory from "../../core/catalog/price-history.ts";
import * as priceTable from "../../core/catalog/price-table.ts";
import { PriceChange, PriceChangeMade, PriceChangesQuery, PriceTable, PriceUndone } from "../../http/schemas/prices.ts";
import { page, type Route, route } from "../route.ts";
import { removed, run } from "../run.ts";

const tableExample = {
  tiers: [
    { id: 1, name: "Standard" },
    { id: 2, name: "Gold" },
  ],
  products: [
    {
      productId: 1,
      operator: "MTN",
      family: "MTN",
      name: "MTN 1GB",
      size: "1GB",
      cost: 3.7,
      lowestPrice: null,
      prices: [
        { tierId: 1, price: 3.9 },
        { tierId: 2, price: null },
      ],
    },
  ],
};
const madeExample = { changeId: 7, count: 1, from: "2026-11-22T00:00:00.000Z" };

const ofChange = { subject: "priceChange", idOf: "changeId" } as const;

export const priceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/prices",
    right: "catalog.manage",
    summary: "The price table: every product on sale with its cost and its own price in each tier",
    answer: { status: 200, schema: PriceTable.schema, example: tableExample },
    errors: [],
    handle: async ({ db }) => ({ body: PriceTable.present(await priceTable.read(db)) }),
  }),
  run("PUT /admin/prices", priceChanges.set, PriceChangeMade, {
    bodyBytesMax: 262_144,
    example: { prices: [{ productId: 1, tierId: 1, price: 4.1, was: 3.9 }], note: "MTN has gone up" },
    gives: madeExample,
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/prices/changes",
    right: "catalog.manage",
    summary: "Changes of prices that have begun, newest first; planned=true for those that are still to begin",
    query: PriceChangesQuery,
    answer: {
      status: 200,
      schema: PriceChange.schema.array(),
      example: [
        {
          ...{ id: 7, from: "2026-11-22T00:00:00.000Z", createdAt: "2026-11-21T09:30:00.000Z" },
          ...{ by: "yaw", note: "MTN has gone up", count: 1, planned: false, undoes: null, undoneBy: null },
        },
      ],
    },
    errors: [],
    handle: async ({ db, request, query: { planned, limit, cursor } }) => {
      if (planned) return { body: (await priceHistory.planned(db)).map(PriceChange.present) };
      return page(request, await priceHistory.list(db, { cursor, limit }), limit, PriceChange.present);
    },
  }),
  run("POST /admin/prices/changes/:id/undo", priceChanges.undo, PriceUndone, {
    ...ofChange,
    gives: { ...madeExample, left: [] },
  }),
  run("DELETE /admin/prices/changes/:id", priceChanges.takeBack, removed, {
    ...ofChange,
    gives: { id: 7, removed: true },
    read: async (_, { changeId }) => changeId,
  }),
];
