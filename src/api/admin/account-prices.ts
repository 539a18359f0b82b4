// Admin API routes for the prices of one account: its tier and its exceptions.

import * as priceChanges from "../../core/catalog/price-changes.ts";
import * as priceTable from "../../core/catalog/price-table.ts";
import * as accountTiers from "../../core/identity/account-tiers.ts";
import { IdParams } from "../../http/schemas/common.ts";
import { AccountPrices, AccountPricesToSet, PriceChangeMade } from "../../http/schemas/prices.ts";
import { type Values, valuesOf } from "../../shared/fields.ts";
import { type ApiDeps, type Route, route } from "../route.ts";
import { run } from "../run.ts";

const accountExample = {
  tier: { id: 2, name: "Gold" },
  exceptions: [{ productId: 1, price: 3.75, tierPrice: 3.8 }],
};

export const accountPriceRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/prices",
    subject: "user",
    right: "agents.see",
    summary: "An account's tier and exceptions",
    params: IdParams,
    answer: { status: 200, schema: AccountPrices.schema, example: accountExample },
    errors: ["user.not_found"],
    handle: async ({ db, params }) => ({ body: AccountPrices.present(await pricesOf(db, params.id)) }),
  }),
  run("PUT /admin/users/:id/tier", accountTiers.setTier, AccountPrices, {
    ...{ subject: "user", idOf: "userId" },
    example: { tierId: 1 },
    gives: accountExample,
    read: ({ db }, { userId }) => pricesOf(db, userId),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/users/:id/prices",
    subject: "user",
    right: "agents.manage",
    mayAsk: true,
    summary: "Set or end an account's exceptions as one change; those that are left out stay",
    takesKey: true,
    command: "price.set",
    params: IdParams,
    body: AccountPricesToSet,
    example: { exceptions: [{ productId: 1, price: 3.75 }], note: "Sells to a school" },
    answer: {
      status: 200,
      schema: PriceChangeMade.schema,
      example: { changeId: 8, count: 1, from: "2026-11-21T09:30:00.150Z" },
    },
    errors: [
      "auth.own_account",
      "user.not_found",
      "user.closed",
      "product.not_found",
      "price.repeated",
      "price.from_invalid",
      "price.changed_meanwhile",
      "price.needs_confirmation",
    ],
    handle: async ({ db, by, key, params: { id: userId }, body }) => {
      const prices = body.exceptions.map((price) => ({ ...price, userId }));
      const when = valuesOf(priceChanges.WHEN, body) as Values<typeof priceChanges.WHEN>;
      const { answer, replayed } = await priceChanges.set(db, { by, key, prices, ...when });
      return { body: PriceChangeMade.present(answer), replayed };
    },
  }),
];

async function pricesOf(db: ApiDeps["db"], userId: number) {
  const [tier, { products }, exceptions] = await Promise.all([
    accountTiers.tierOf(db, userId),
    priceTable.read(db),
    priceTable.exceptionsOf(db, userId),
  ]);
  return {
    tier,
    exceptions: products
      .filter(({ id }) => exceptions.has(id))
      .map((product) => ({
        productId: product.id,
        pricePesewas: exceptions.get(product.id)!,
        tierPricePesewas: priceTable.priceIn(product, tier.id),
      })),
  };
}
