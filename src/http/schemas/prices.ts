// Schemas of tiers, the price table, and changes of prices.
import { z } from "zod";
import { PRICE, PRICES_MAX, WHEN } from "../../core/catalog/price-changes.ts";
import type { PriceTable as StoredTable } from "../../core/catalog/price-table.ts";
import { as, nested, publicSchema } from "../../shared/fields.ts";
import { Family, Id, Operator } from "../../shared/inputs.ts";
import { money as amount, Moment, many, view } from "../view.ts";
import { flagText, Page } from "./common.ts";

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

const ownPrice = amount("price")
  .nullable()
  .describe("GH₵; null: no price of its own, so that the Standard one applies");
export const PriceRow = view({
  id: as("productId", Id),
  operator: Operator,
  family: Family.nullable(),
  name: z.string(),
  size: z.string(),
  costPesewas: amount("cost").nullable().describe("What a sale is expected to cost; null while it is not known"),
  lowestPricePesewas: amount("lowestPrice").nullable().describe("It is not sold for less; null: for any price"),
  prices: many(view({ tierId: Id, pricePesewas: ownPrice })),
});
export const PriceTable = view({ tiers: many(Tier), products: many(PriceRow) }, ({ tiers, products }: StoredTable) => ({
  tiers,
  products: products.map((product) => ({
    ...product,
    prices: tiers.map(({ id }) => ({ tierId: id, pricePesewas: product.own.get(id) ?? null })),
  })),
}));

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
export const PriceChange = view({
  id: Id,
  since: as("from", Moment),
  createdAt: Moment,
  username: as("by", z.string().nullable()),
  note: z.string(),
  count: z.int(),
  isPlanned: as("planned", z.boolean()),
  undoesId: as("undoes", Id.nullable().describe("The change that this one takes back")),
  undoneById: as("undoneBy", Id.nullable()),
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
