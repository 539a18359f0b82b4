// Schemas of what vendors and the desk take for products.
import { z } from "zod";
import { COSTS_MAX, REASON_CHARS_MAX } from "../../core/catalog/costs.ts";
import { cedis, errorCode, Family, Id, Operator, requiredText, text } from "../../shared/inputs.ts";
import { moment, money } from "./common.ts";

const vendor = text(40).describe("The name that it has in routes, or desk");

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

const notBelowZero = (message: string) => cedis(message).refine((pesewas) => pesewas >= 0, message);
const cost = notBelowZero("must be an amount of zero or more with at most two decimals");
const CostToSet = z.object({
  productId: Id,
  vendor,
  cost: cost.describe("GH₵ for one"),
  was: cost.nullable().optional().describe("The cost as you know it, null for none; refused if it is another by now"),
});
export const CostsToSet = z.object({ costs: z.array(CostToSet).min(1).max(COSTS_MAX) });
export const CostsSet = z.object({
  count: z.int().describe("How many costs it sets; those that are known already are left out"),
  costs: z.array(
    z.object({ productId: Id, vendor: z.string(), cost: money, was: money.nullable().describe("Before") }),
  ),
});
export const BelowCost = z.object({
  reason: requiredText(REASON_CHARS_MAX, errorCode("cost.reason_missing")).describe("Only staff read it"),
});
