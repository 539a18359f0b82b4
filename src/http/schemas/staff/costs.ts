// Schemas of what vendors and the desk take for products.
import { z } from "zod";
import { Family, Id, Operator } from "../../../shared/inputs.ts";
import { moment, money } from "../common.ts";

export const KnownCost = z.object({
  vendor: z.string().describe("The name that it has in routes, or desk"),
  cost: money.describe("GH₵ for one"),
  since: moment,
  source: z.enum(["vendor", "admin"]).describe("vendor: reported with a delivery; admin: entered"),
  by: z.string().nullable().describe("Who entered it; null for a report"),
});
export const ProductCosts = z.object({
  id: Id,
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
  cost: money.nullable().describe("What a sale is expected to cost; null while it is not known"),
  lowestPrice: money.nullable().describe("It is not sold for less; null: for any price"),
  belowCost: z.string().nullable().describe("Why it may be sold below cost; null: it may not"),
  costs: z.array(KnownCost).describe("Today's, where they are known"),
});
export const CostHistory = ProductCosts.extend({
  history: z.array(KnownCost).describe("The last hundred, newest first"),
});

export const CostsSet = z.object({
  count: z.int().describe("How many costs it sets; those that are known already are left out"),
  costs: z.array(
    z.object({ productId: Id, vendor: z.string(), cost: money, was: money.nullable().describe("Before") }),
  ),
});
