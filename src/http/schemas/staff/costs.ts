// Schemas of what vendors and the desk take for products.
import { z } from "zod";
import type { CostChange } from "../../../core/catalog/costs.ts";
import { as } from "../../../shared/fields.ts";
import { Family, Id, Operator } from "../../../shared/inputs.ts";
import { Moment, many, money, view } from "../../view.ts";

export const KnownCost = view({
  vendor: z.string().describe("The name that it has in routes, or desk"),
  costPesewas: money("cost", "GH₵ for one"),
  seenAt: as("since", Moment),
  source: z.enum(["vendor", "admin"]).describe("vendor: reported with a delivery; admin: entered"),
  username: as("by", z.string().nullable().describe("Who entered it; null for a report")),
});
const costed = {
  id: Id,
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
  costPesewas: money("cost").nullable().describe("What a sale is expected to cost; null while it is not known"),
  lowestPricePesewas: money("lowestPrice").nullable().describe("It is not sold for less; null: for any price"),
  belowCostReason: as("belowCost", z.string().nullable().describe("Why it may be sold below cost; null: it may not")),
  costs: many(KnownCost).describe("Today's, where they are known"),
};
export const ProductCosts = view(costed);
export const CostHistory = view({
  ...costed,
  history: many(KnownCost).describe("The last hundred, newest first"),
});

export const CostsSet = view(
  {
    count: z.int().describe("How many costs it sets; those that are known already are left out"),
    costs: many(
      view({
        productId: Id,
        vendor: z.string(),
        costPesewas: money("cost"),
        beforePesewas: money("was").nullable().describe("Before"),
      }),
    ),
  },
  (changed: readonly CostChange[]) => ({ count: changed.length, costs: changed }),
);
