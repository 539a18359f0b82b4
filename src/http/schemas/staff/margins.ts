// Schemas of margins: prices that are too low, costs that have risen, and the raise of a vendor's bundles.
import { z } from "zod";
import { type ThinPrice as Thin, VendorCode } from "../../../core/catalog/margins.ts";
import { as } from "../../../shared/fields.ts";
import { Family, Id, Operator } from "../../../shared/inputs.ts";
import { many, money, view } from "../../view.ts";

const bundle = {
  productId: Id,
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
};
export const ThinPrice = view(
  {
    ...bundle,
    pricePesewas: money("price", "The lowest of its prices that are too low"),
    costPesewas: money("cost"),
    neededPesewas: money("neededPrice", "The price with the smallest margin"),
    vendors: z.array(z.string()).describe("Who takes that cost; the desk or suppliers' codes"),
    tiers: z.array(z.string()).describe("The tiers with such a price"),
    accounts: z.int().describe("How many accounts have such a price of their own"),
    sold: z.boolean().describe("False: it is not sold at its lowest price"),
  },
  (thin: Thin) => ({ ...thin, sold: !thin.isPaused }),
);
export const CostRise = view({
  ...bundle,
  vendor: z.string(),
  beforePesewas: money("costBefore", "What the supplier took when the Standard price was set"),
  costPesewas: money("cost"),
});
export const Margins = view({ thinPrices: many(ThinPrice), costRises: many(CostRise) });

export const RaiseQuery = z.object({ vendor: VendorCode.describe("A supplier's code, or desk") });
const RaisedPrice = view({
  ...bundle,
  tierId: Id,
  tier: z.string(),
  beforePesewas: money("priceBefore"),
  afterPesewas: money("price"),
  costBeforePesewas: money("costBefore"),
  costPesewas: money("cost"),
});
export const RaisePlan = view({
  vendor: z.string(),
  fingerprint: z.string().describe("Of exactly these prices; empty lists have one, too"),
  rows: as("prices", many(RaisedPrice)),
});
