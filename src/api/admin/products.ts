// Admin API routes for products and operators.

import * as products from "../../core/catalog/products.ts";
import * as switches from "../../core/overview/switches.ts";
import { OperatorState, Product } from "../../http/schemas/products.ts";
import { type ApiDeps, type Route, route } from "../route.ts";
import { removed, run } from "../run.ts";
import { productExample } from "../shop.ts";

const ofProduct = { subject: "product", idOf: "productId" } as const;

export const adminProducts: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/products",
    right: "catalog.manage",
    summary: "All products on sale",
    answer: { status: 200, schema: Product.schema.array(), example: [productExample] },
    errors: [],
    handle: async ({ db }) => ({ body: (await products.list(db)).map(Product.present) }),
  }),
  run("POST /products", products.add, Product, {
    example: { operator: "MTN", name: "MTN 1GB", size: "1GB", price: 3.9 },
    gives: productExample,
    status: 201,
  }),
  run("PATCH /products/:id", products.edit, Product, {
    ...ofProduct,
    example: { price: 4.1 },
    gives: productExample,
    read: ({ db }: ApiDeps, { productId }: { productId: number }) => products.get(db, productId),
  }),
  run("PATCH /admin/operators/:operator", switches.pauseNetwork, OperatorState, {
    example: { pausedMessage: "MTN is slow today", pausedUntil: "2026-11-21T14:30:00Z" },
    gives: {
      operator: "MTN",
      name: "MTN",
      paused: true,
      message: "MTN is slow today",
      since: "2026-11-21T09:30:00.000Z",
      until: "2026-11-21T14:30:00.000Z",
    },
  }),
  run("DELETE /products/:id", products.retire, removed, {
    ...ofProduct,
    gives: { id: 1, removed: true },
    read: async (_, { productId }) => productId,
  }),
];
