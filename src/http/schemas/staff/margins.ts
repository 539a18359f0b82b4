// Schemas of margins: prices that are too low, costs that have risen, and the raise of a vendor's bundles.
import { z } from "zod";
import { VendorCode } from "../../../core/catalog/margins.ts";
import { Family, Id, Operator } from "../../../shared/inputs.ts";
import { money } from "../common.ts";

const bundle = {
  productId: Id,
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
};
export const ThinPrice = z.object({
  ...bundle,
  price: money.describe("The lowest of its prices that are too low"),
  cost: money,
  neededPrice: money.describe("The price with the smallest margin"),
  vendors: z.array(z.string()).describe("Who takes that cost; the desk or vendors' codes"),
  tiers: z.array(z.string()).describe("The tiers with such a price"),
  accounts: z.int().describe("How many accounts have such a price of their own"),
  sold: z.boolean().describe("False: it is not sold at its lowest price"),
});
export const CostRise = z.object({
  ...bundle,
  vendor: z.string(),
  costBefore: money.describe("What the vendor took when the Standard price was set"),
  cost: money,
});
export const Margins = z.object({ thinPrices: z.array(ThinPrice), costRises: z.array(CostRise) });

export const RaiseQuery = z.object({ vendor: VendorCode.describe("A vendor's code, or desk") });
const RaisedPrice = z.object({
  ...bundle,
  tierId: Id,
  tier: z.string(),
  priceBefore: money,
  price: money,
  costBefore: money,
  cost: money,
});
export const RaisePlan = z.object({
  vendor: z.string(),
  fingerprint: z.string().describe("Of exactly these prices; empty lists have one, too"),
  prices: z.array(RaisedPrice),
});
