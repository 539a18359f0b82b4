// Admin API routes for what vendors and the desk take, and for sales below cost.
import * as costs from "../../core/catalog/costs.ts";
import * as productCosts from "../../core/catalog/product-costs.ts";
import { IdParams, Page } from "../../http/schemas/common.ts";
import { CostHistory, CostsSet, ProductCosts } from "../../http/schemas/staff/costs.ts";
import { type ApiDeps, page, type Route, route } from "../route.ts";
import { run } from "../run.ts";

const costExample = {
  ...{ vendor: "datamart", cost: 3.7, since: "2026-11-21T09:30:00.000Z" },
  ...{ source: "admin", by: "yaw" },
};
const productExample = {
  ...{ id: 1, operator: "MTN", family: "MTN", name: "MTN 1GB", size: "1GB" },
  ...{ cost: 3.7, lowestPrice: 3.7, belowCost: null },
  costs: [costExample],
};

/** A product's costs after a change of them. */
const ofProduct = {
  subject: "product",
  idOf: "productId",
  read: ({ db }: ApiDeps, { productId }: { productId: number }) => productCosts.get(db, productId),
} as const;

export const costRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/costs",
    right: "catalog.manage",
    summary: "Products on sale with what each supplier and the desk take for them, newest product first",
    query: Page,
    answer: { status: 200, schema: ProductCosts.schema.array(), example: [productExample] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor } }) =>
      page(request, await productCosts.list(db, { cursor, limit }), limit, ProductCosts.present),
  }),
  run("PUT /admin/costs", costs.set, CostsSet, {
    bodyBytesMax: 262_144,
    example: { costs: [{ productId: 1, vendor: "datamart", cost: 3.95, was: 3.7 }] },
    gives: { count: 1, costs: [{ productId: 1, vendor: "datamart", cost: 3.95, was: 3.7 }] },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/products/:id/costs",
    subject: "product",
    right: "catalog.manage",
    summary: "The costs of one product, with their history",
    params: IdParams,
    answer: { status: 200, schema: CostHistory.schema, example: { ...productExample, history: [costExample] } },
    errors: ["product.not_found"],
    handle: async ({ db, params: { id } }) => {
      const product = await productCosts.get(db, id);
      return { body: CostHistory.present({ ...product, history: await costs.history(db, id) }) };
    },
  }),
  run("POST /admin/products/:id/below-cost", costs.allow, ProductCosts, {
    ...ofProduct,
    example: { reason: "Brings new agents" },
    gives: { ...productExample, lowestPrice: null, belowCost: "Brings new agents" },
  }),
  run("DELETE /admin/products/:id/below-cost", costs.endAllowance, ProductCosts, {
    ...ofProduct,
    gives: productExample,
  }),
];
