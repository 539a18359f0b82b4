// Admin API routes for what vendors and the desk take, and for sales below cost.
import * as costs from "../../core/catalog/costs.ts";
import * as productCosts from "../../core/catalog/product-costs.ts";
import { codesOf } from "../../core/fulfilment/cost-vendors.ts";
import { IdParams, Page } from "../../http/schemas/common.ts";
import { BelowCost, CostHistory, CostsSet, CostsToSet, ProductCosts } from "../../http/schemas/costs.ts";
import { toCedis } from "../../shared/money.ts";
import { page, type Route, route } from "../route.ts";

const costExample = {
  ...{ vendor: "datamart", cost: 3.7, since: "2026-11-21T09:30:00.000Z" },
  ...{ source: "admin", by: "yaw" },
};
const productExample = {
  ...{ id: 1, operator: "MTN", family: "MTN", name: "MTN 1GB", size: "1GB" },
  ...{ cost: 3.7, lowestPrice: 3.7, belowCost: null },
  costs: [costExample],
};

export const costRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/costs",
    right: "catalog.manage",
    summary: "Products on sale with what each vendor and the desk take for them, newest product first",
    query: Page,
    answer: { status: 200, schema: ProductCosts.array(), example: [productExample] },
    errors: [],
    handle: async ({ db, request, query: { limit, cursor } }) =>
      page(request, await productCosts.list(db, { cursor, limit }), limit, presentCosts),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/costs",
    right: "catalog.manage",
    summary: "Set up to 2,000 costs of now: all of them or none. Sent twice, it changes nothing the second time",
    bodyBytesMax: 262_144,
    body: CostsToSet,
    example: { costs: [{ productId: 1, vendor: "datamart", cost: 3.95, was: 3.7 }] },
    answer: {
      status: 200,
      schema: CostsSet,
      example: { count: 1, costs: [{ productId: 1, vendor: "datamart", cost: 3.95, was: 3.7 }] },
    },
    errors: ["cost.vendor_unknown", "cost.twice", "cost.changed_meanwhile", "product.not_found"],
    handle: async ({ db, by, vendors, body }) => {
      const wanted = body.costs.map(({ productId, vendor, cost, was }) => ({
        ...{ productId, vendor, costPesewas: cost, wasPesewas: was },
      }));
      const changed = await costs.set(db, { by, costs: wanted, vendorCodes: codesOf(vendors) });
      return { body: { count: changed.length, costs: changed.map(presentChange) } };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/products/:id/costs",
    subject: "product",
    right: "catalog.manage",
    summary: "The costs of one product, with their history",
    params: IdParams,
    answer: { status: 200, schema: CostHistory, example: { ...productExample, history: [costExample] } },
    errors: ["product.not_found"],
    handle: async ({ db, params: { id } }) => {
      const product = await productCosts.get(db, id);
      const history = await costs.history(db, id);
      return { body: { ...presentCosts(product), history: history.map(presentKnown) } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/products/:id/below-cost",
    subject: "product",
    right: "catalog.manage",
    mayAsk: true,
    summary: "Allow the sale of one product below its cost, for a reason; another reason replaces it",
    params: IdParams,
    body: BelowCost,
    example: { reason: "Brings new agents" },
    answer: {
      status: 200,
      schema: ProductCosts,
      example: { ...productExample, lowestPrice: null, belowCost: "Brings new agents" },
    },
    errors: ["product.not_found", "cost.reason_missing"],
    handle: async ({ db, by, params: { id: productId }, body: { reason } }) => {
      await costs.allow(db, { by, productId, reason });
      return { body: presentCosts(await productCosts.get(db, productId)) };
    },
  }),
  route({
    method: "DELETE",
    path: "/api/v1/admin/products/:id/below-cost",
    subject: "product",
    right: "catalog.manage",
    summary: "End the sale of a product below its cost",
    params: IdParams,
    answer: { status: 200, schema: ProductCosts, example: productExample },
    errors: ["product.not_found"],
    handle: async ({ db, by, params: { id: productId } }) => {
      await costs.allow(db, { by, productId, reason: null });
      return { body: presentCosts(await productCosts.get(db, productId)) };
    },
  }),
];

const cedisOrNull = (pesewas: number | null) => (pesewas === null ? null : toCedis(pesewas));

function presentCosts(product: productCosts.CostedProduct) {
  const { id, operator, family, name, size, costPesewas, lowestPricePesewas, belowCostReason } = product;
  return {
    ...{ id, operator, family, name, size },
    cost: cedisOrNull(costPesewas),
    lowestPrice: cedisOrNull(lowestPricePesewas),
    belowCost: belowCostReason,
    costs: product.costs.map(presentKnown),
  };
}

function presentKnown({ vendor, costPesewas, seenAt, source, username }: costs.KnownCost) {
  return { vendor, cost: toCedis(costPesewas), since: seenAt.toISOString(), source, by: username };
}

function presentChange({ productId, vendor, costPesewas, beforePesewas }: costs.CostChange) {
  return { productId, vendor, cost: toCedis(costPesewas), was: cedisOrNull(beforePesewas) };
}
