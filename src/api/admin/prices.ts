// Admin API routes for the price table and changes of prices.

import * as priceChanges from "../../core/catalog/price-changes.ts";
import * as priceHistory from "../../core/catalog/price-history.ts";
import * as priceTable from "../../core/catalog/price-table.ts";
import { IdParams, Removed } from "../../http/schemas/common.ts";
import {
  PriceChange,
  PriceChangeMade,
  PriceChangesQuery,
  PricesToSet,
  PriceTable,
  PriceUndone,
} from "../../http/schemas/prices.ts";
import { toCedis } from "../../shared/money.ts";
import { keyErrors } from "../orders.ts";
import { page, type Route, route } from "../route.ts";

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

export const priceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/prices",
    right: "catalog.manage",
    summary: "The price table: every product on sale with its cost and its own price in each tier",
    answer: { status: 200, schema: PriceTable, example: tableExample },
    errors: [],
    handle: async ({ db }) => {
      const { tiers, products } = await priceTable.read(db);
      const ids = tiers.map(({ id }) => id);
      return { body: { tiers, products: products.map((product) => presentRow(product, ids)) } };
    },
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/prices",
    right: "catalog.manage",
    mayAsk: true,
    summary: "Set up to 1,000 prices as one change, now or from a later moment: all of them or none",
    takesKey: true,
    bodyBytesMax: 262_144,
    body: PricesToSet,
    example: { prices: [{ productId: 1, tierId: 1, price: 4.1, was: 3.9 }], note: "MTN has gone up" },
    answer: { status: 200, schema: PriceChangeMade, example: madeExample },
    errors: [
      "product.not_found",
      "tier.not_found",
      "price.repeated",
      "price.standard_needed",
      "price.from_invalid",
      "price.changed_meanwhile",
      "price.needs_confirmation",
      ...keyErrors,
    ],
    handle: async ({ db, by, key, body }) => {
      const prices = body.prices.map(({ productId, tierId, price, was }) => ({
        ...{ productId, tierId, pricePesewas: price, wasPesewas: was },
      }));
      const { from: since = null, note = "", confirm: isConfirmed = false } = body;
      const change = { by, key, prices, since, note, isConfirmed };
      const { answer, replayed } = await priceChanges.set(db, change);
      return { body: presentMade(answer), replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/prices/changes",
    right: "catalog.manage",
    summary: "Changes of prices that have begun, newest first; planned=true for those that are still to begin",
    query: PriceChangesQuery,
    answer: {
      status: 200,
      schema: PriceChange.array(),
      example: [
        {
          ...{ id: 7, from: "2026-11-22T00:00:00.000Z", createdAt: "2026-11-21T09:30:00.000Z" },
          ...{ by: "yaw", note: "MTN has gone up", count: 1, planned: false, undoes: null, undoneBy: null },
        },
      ],
    },
    errors: [],
    handle: async ({ db, request, query: { planned, limit, cursor } }) => {
      if (planned) return { body: (await priceHistory.planned(db)).map(presentChange) };
      return page(request, await priceHistory.list(db, { cursor, limit }), limit, presentChange);
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/prices/changes/:id/undo",
    subject: "priceChange",
    right: "catalog.manage",
    mayAsk: true,
    summary: "Undo a change that has begun: its prices are again what they were, unless something newer replaced them",
    takesKey: true,
    params: IdParams,
    answer: { status: 200, schema: PriceUndone, example: { ...madeExample, left: [] } },
    errors: [
      "auth.own_account",
      "price.change_not_found",
      "price.change_planned",
      "price.undone_already",
      "price.nothing_to_undo",
      ...keyErrors,
    ],
    handle: async ({ db, by, key, params }) => {
      const { answer, replayed } = await priceChanges.undo(db, { by, key, changeId: params.id });
      return { body: { ...presentMade(answer), left: answer.left }, replayed };
    },
  }),
  route({
    method: "DELETE",
    path: "/api/v1/admin/prices/changes/:id",
    subject: "priceChange",
    right: "catalog.manage",
    summary: "Take back a planned change, up to a second before it begins",
    params: IdParams,
    answer: { status: 200, schema: Removed, example: { id: 7, removed: true } },
    errors: ["auth.own_account", "price.change_not_found", "price.change_begun"],
    handle: async ({ db, by, params }) => {
      await priceChanges.takeBack(db, { by, changeId: params.id });
      return { body: { id: params.id, removed: true } };
    },
  }),
];

/** A change that was made, as JSON. */
export function presentMade({ changeId, count, beginsAt }: priceChanges.ChangeMade) {
  return { changeId, count, from: beginsAt?.toISOString() ?? null };
}

function presentRow(product: priceTable.PricedProduct, tierIds: number[]) {
  const { id: productId, operator, family, name, size, costPesewas, lowestPricePesewas, own } = product;
  const cedis = (pesewas: number | null | undefined) => (pesewas == null ? null : toCedis(pesewas));
  return {
    ...{ productId, operator, family, name, size },
    cost: cedis(costPesewas),
    lowestPrice: cedis(lowestPricePesewas),
    prices: tierIds.map((tierId) => ({ tierId, price: cedis(own.get(tierId)) })),
  };
}

function presentChange(change: priceHistory.ListedChange) {
  const { id, since, createdAt, username: by, note, count, isPlanned, undoesId, undoneById } = change;
  return {
    ...{ id, from: since.toISOString(), createdAt: createdAt.toISOString(), by, note, count },
    ...{ planned: isPlanned, undoes: undoesId, undoneBy: undoneById },
  };
}
