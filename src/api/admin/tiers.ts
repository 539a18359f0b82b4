// Admin API routes for tiers.

import * as tiers from "../../core/catalog/tiers.ts";
import * as accountTiers from "../../core/identity/account-tiers.ts";
import { IdParams } from "../../http/schemas/common.ts";
import { NewTier, Tier, TierInUse, TierRemovalQuery, TierRemoved } from "../../http/schemas/prices.ts";
import { type Route, route } from "../route.ts";

const tierExample = { id: 2, name: "Gold" };

export const tierRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/tiers",
    right: "catalog.manage",
    summary: "The tiers, each with the number of its accounts; 1 is the Standard one",
    answer: {
      status: 200,
      schema: TierInUse.array(),
      example: [{ ...tierExample, accounts: 14, createdAt: "2026-11-21T09:30:00.000Z" }],
    },
    errors: [],
    handle: async ({ db }) => ({
      body: (await tiers.listInUse(db)).map((tier) => ({ ...tier, createdAt: tier.createdAt.toISOString() })),
    }),
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/tiers",
    right: "catalog.manage",
    summary: "Add a tier; its prices are the Standard ones until it has its own",
    body: NewTier,
    example: { name: "Gold" },
    answer: { status: 201, schema: Tier, example: tierExample },
    errors: ["tier.exists", "tier.too_many"],
    handle: async ({ db, by, body }) => ({ body: await tiers.add(db, { by, ...body }) }),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/admin/tiers/:id",
    subject: "tier",
    right: "catalog.manage",
    summary: "Rename a tier",
    params: IdParams,
    body: NewTier,
    example: { name: "Platinum" },
    answer: { status: 200, schema: Tier, example: { ...tierExample, name: "Platinum" } },
    errors: ["tier.not_found", "tier.exists"],
    handle: async ({ db, by, params, body }) => ({
      body: await tiers.rename(db, { by, tierId: params.id, ...body }),
    }),
  }),
  route({
    method: "DELETE",
    path: "/api/v1/admin/tiers/:id",
    subject: "tier",
    right: "catalog.manage",
    summary: "Delete a tier; its accounts go to another one, and its orders keep it",
    params: IdParams,
    query: TierRemovalQuery,
    answer: {
      status: 200,
      schema: TierRemoved,
      example: { id: 2, removed: true, accounts: 14, to: { id: 1, name: "Standard" } },
    },
    errors: ["auth.own_account", "tier.not_found", "tier.standard_stays", "tier.has_accounts"],
    handle: async ({ db, by, params, query: { accounts, to: toTierId } }) => {
      const { id: tierId } = params;
      const done = await accountTiers.removeTier(db, { by, tierId, toTierId, accounts });
      return { body: { id: tierId, removed: true, ...done } };
    },
  }),
];
