// Admin API routes for products and operators.

import * as products from "../../core/catalog/products.ts";
import * as switches from "../../core/overview/switches.ts";
import { IdParams, Removed } from "../../http/schemas/common.ts";
import { NewProduct, OperatorState, Product, ProductEdit } from "../../http/schemas/products.ts";
import { presentOperator, presentProduct } from "../present.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

import { productExample } from "../shop.ts";

const networkPause = { schema: OperatorState, present: presentOperator };

export const adminProducts: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/products",
    right: "catalog.manage",
    summary: "All products on sale",
    answer: { status: 200, schema: Product.array(), example: [productExample] },
    errors: [],
    handle: async ({ db }) => ({ body: (await products.list(db)).map(presentProduct) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/products",
    right: "catalog.manage",
    mayAsk: true,
    summary: "Put a product on sale",
    body: NewProduct,
    example: { operator: "MTN", name: "MTN 1GB", size: "1GB", price: 3.9 },
    answer: { status: 201, schema: Product, example: productExample },
    errors: [
      "product.exists",
      "product.size_invalid",
      "product.family_wrong",
      "operator.retired",
      "product.price_needs_confirmation",
    ],
    handle: async ({ db, by, body: { price, ...fields } }) => {
      const product = await products.add(db, { by, ...fields, pricePesewas: price });
      return { body: presentProduct({ ...product, paused: null }) };
    },
  }),
  route({
    method: "PATCH",
    path: "/api/v1/products/:id",
    subject: "product",
    right: "catalog.manage",
    mayAsk: true,
    summary: "Change a product or pause its sale; existing orders keep their name and price",
    params: IdParams,
    body: ProductEdit,
    example: { price: 4.1 },
    answer: { status: 200, schema: Product, example: productExample },
    errors: [
      "product.not_found",
      "product.exists",
      "product.fixed",
      "product.size_invalid",
      "product.family_wrong",
      "operator.retired",
      "product.price_needs_confirmation",
      "pause.message_missing",
      "pause.end_invalid",
    ],
    handle: async ({ db, by, params, body: { price: pricePesewas, ...change } }) => {
      const product = await products.edit(db, { by, productId: params.id, ...change, pricePesewas });
      return { body: presentProduct(product) };
    },
  }),
  run("PATCH /admin/operators/:operator", switches.pauseNetwork, networkPause, {
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
  route({
    method: "DELETE",
    path: "/api/v1/products/:id",
    subject: "product",
    right: "catalog.manage",
    summary: "Take a product off sale; existing orders keep it",
    params: IdParams,
    answer: { status: 200, schema: Removed, example: { id: 1, removed: true } },
    errors: ["product.not_found", "product.fixed"],
    handle: async ({ db, by, params }) => {
      await products.retire(db, { by, productId: params.id });
      return { body: { id: params.id, removed: true } };
    },
  }),
];
