// Admin API routes for tiers.
import * as tiers from "../../core/catalog/tiers.ts";
import * as accountTiers from "../../core/identity/account-tiers.ts";
import { Tier, TierInUse, TierRemovalQuery, TierRemoved } from "../../http/schemas/prices.ts";
import { type Route, route } from "../route.ts";
import { run } from "../run.ts";

const tierExample = { id: 2, name: "Gold" };

export const tierRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/tiers",
    right: "catalog.manage",
    summary: "The tiers, each with the number of its accounts; 1 is the Standard one",
    answer: {
      status: 200,
      schema: TierInUse.schema.array(),
      example: [{ ...tierExample, accounts: 14, createdAt: "2026-11-21T09:30:00.000Z" }],
    },
    errors: [],
    handle: async ({ db }) => ({ body: (await tiers.listInUse(db)).map(TierInUse.present) }),
  }),
  run("POST /admin/tiers", tiers.add, Tier, {
    example: { name: "Gold" },
    ...{ gives: tierExample, status: 201 },
  }),
  run("PATCH /admin/tiers/:id", tiers.rename, Tier, {
    ...{ subject: "tier", idOf: "tierId" },
    example: { name: "Platinum" },
    gives: { ...tierExample, name: "Platinum" },
  }),
  run("DELETE /admin/tiers/:id", accountTiers.removeTier, TierRemoved, {
    ...{ subject: "tier", idOf: "tierId", query: TierRemovalQuery },
    gives: { id: 2, removed: true, accounts: 14, to: { id: 1, name: "Standard" } },
  }),
];
