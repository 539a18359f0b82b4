// Admin API routes for margins: what needs attention, and the raise of a vendor's dearer bundles.
import * as margins from "../../core/catalog/margins.ts";
import { PriceChangeMade } from "../../http/schemas/prices.ts";
import { Margins, RaisePlan, RaiseQuery } from "../../http/schemas/staff/margins.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

const bundleExample = { productId: 1, operator: "MTN", family: "MTN", name: "MTN 1GB", size: "1GB" };
const marginsExample = {
  thinPrices: [
    {
      ...bundleExample,
      ...{ price: 3.9, cost: 3.95, neededPrice: 3.95, vendors: ["datamart"], tiers: ["Gold"], accounts: 0 },
      sold: false,
    },
  ],
  costRises: [{ ...bundleExample, vendor: "datamart", costBefore: 3.8, cost: 3.95 }],
};
const fingerprint = "9f86d081884c7d659a2feaa0c55ad015";
const planExample = {
  ...{ vendor: "datamart", fingerprint },
  prices: [
    {
      ...bundleExample,
      ...{ tierId: 1, tier: "Standard", priceBefore: 3.9, price: 4.05, costBefore: 3.8, cost: 3.95 },
    },
  ],
};

export const marginRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/margins",
    right: "catalog.manage",
    summary: "Bundles whose price is too low, and costs that have risen since the price was set",
    answer: { status: 200, schema: Margins.schema, example: marginsExample },
    errors: [],
    handle: async ({ db }) => {
      const [thinPrices, costRises] = await Promise.all([margins.thinPrices(db), margins.risesToNotice(db)]);
      return { body: Margins.present({ thinPrices, costRises }) };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/margins/raise",
    right: "catalog.manage",
    summary:
      "What a raise by a supplier's costs would do: every price goes up by the rise of its cost, and at least to the " +
      "smallest margin",
    query: RaiseQuery,
    answer: { status: 200, schema: RaisePlan.schema, example: planExample },
    errors: [],
    handle: async ({ db, query: { vendor } }) => ({
      body: RaisePlan.present({ vendor, ...(await margins.planRaise(db, vendor)) }),
    }),
  }),
  run("POST /admin/margins/raise", margins.raise, PriceChangeMade, {
    example: { vendor: "datamart", fingerprint },
    gives: { changeId: 7, count: 1, from: "2026-11-22T00:00:00.000Z" },
  }),
];
