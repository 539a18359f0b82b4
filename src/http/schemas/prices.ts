// Schemas of tiers, the price table, and changes of prices.
import { z } from "zod";
import { PRICE, PRICES_MAX, WHEN } from "../../core/catalog/price-changes.ts";
import { as, nested, publicSchema } from "../../shared/fields.ts";
import { Family, Id, Operator } from "../../shared/inputs.ts";
import { money as amount, Moment, many, view } from "../view.ts";
import { flagText, moment, money, Page } from "./common.ts";

export const Tier = view({ id: Id, name: z.string() });
export const TierInUse = view({
  id: Id,
  name: z.string(),
  accounts: z.int().describe("How many accounts have it, without closed ones"),
  createdAt: Moment,
});
const countText = z
  .string()
  .regex(/^\d{1,9}$/, "must be a number")
  .transform(Number);
const idText = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, "must be an id, such as 4711")
  .transform(Number);
export const TierRemovalQuery = z.object({
  accounts: countText.describe("How many accounts have the tier, as you know it; refused if it is another number"),
  to: idText.optional().describe("The tier that they go to; Standard by default"),
});
export const TierRemoved = view({
  tierId: as("id", Id),
  removed: z.literal(true),
  accounts: z.int(),
  to: Tier.schema,
});

const ownPrice = money.nullable().describe("GH₵; null: no price of its own, so that the Standard one applies");
export const PriceRow = z.object({
  productId: Id,
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
  cost: money.nullable().describe("What a sale is expected to cost; null while it is not known"),
  lowestPrice: money.nullable().describe("It is not sold for less; null: for any price"),
  prices: z.array(z.object({ tierId: Id, price: ownPrice })),
});
export const PriceTable = z.object({ tiers: z.array(Tier.schema), products: z.array(PriceRow) });

const MADE = {
  changeId: Id.nullable().describe("Null when every price was the same already"),
  count: z.int().describe("How many prices it sets; those that stay the same are left out"),
  beginsAt: as("from", Moment.nullable()),
};
export const PriceChangeMade = view(MADE);
export const PriceUndone = view({
  ...MADE,
  left: z
    .array(z.object({ productId: Id, tierId: Id.nullable(), userId: Id.nullable() }))
    .describe("Prices that were left, because something newer has replaced them"),
});
export const PriceChange = z.object({
  id: Id,
  from: moment,
  createdAt: moment,
  by: z.string().nullable(),
  note: z.string(),
  count: z.int(),
  planned: z.boolean(),
  undoes: Id.nullable().describe("The change that this one takes back"),
  undoneBy: Id.nullable(),
});
export const PriceChangesQuery = Page.extend({
  planned: flagText.optional().describe("true: those that are still to begin, the next one first"),
});

export const AccountPrices = view({
  tier: Tier.schema,
  exceptions: many(
    view({
      productId: Id,
      pricePesewas: amount("price"),
      tierPricePesewas: amount("tierPrice", "What the account would pay without it"),
    }),
  ),
});
/** What sets exceptions of one account. */
export const AccountPricesToSet = z.object({
  exceptions: z
    .array(nested({ productId: Id, ...PRICE }))
    .min(1)
    .max(PRICES_MAX),
  ...publicSchema(WHEN).shape,
});
