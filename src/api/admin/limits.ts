// Admin API routes for limits on spending, by tier and by account, for freezes, and for waits before buying by phone.
import * as freezes from "../../core/identity/freezes.ts";
import * as phoneWaits from "../../core/identity/phones/phone-waits.ts";
import * as spendingLimits from "../../core/identity/spending-limits.ts";
import * as users from "../../core/identity/users.ts";
import { IdParams } from "../../http/schemas/common.ts";
import * as views from "../../http/schemas/limits.ts";
import { limitsExample, limitsOf } from "../present-limits.ts";
import { type Route, route } from "../route.ts";
import { done, run } from "../run.ts";

const boundsExample = {
  perDay: 500,
  ordersPerHour: 60,
  youngDays: 14,
  youngTopUpsPerDay: 3,
  balanceMax: 2000,
};
const tierExample = { id: 2, name: "Gold", limits: boundsExample };
const frozenExample = {
  userId: 12,
  reason: "Three cards in an hour",
  message: "We are checking a payment",
  until: "2026-11-22T09:30:00.000Z",
  createdAt: "2026-11-21T09:30:00.000Z",
};
const terms = { reason: frozenExample.reason, message: frozenExample.message };
const ofUser = { subject: "user", idOf: "userId" } as const;

export const limitRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/limits",
    right: "agents.see",
    summary: "The limits of each tier; null: no such limit",
    answer: { status: 200, schema: views.TierBounds.schema.array(), example: [tierExample] },
    errors: [],
    handle: async ({ db }) => ({ body: (await spendingLimits.listTiers(db)).map(views.TierBounds.present) }),
  }),
  run("PUT /admin/tiers/:id/limits", spendingLimits.setTier, views.TierBounds, {
    ...{ subject: "tier", idOf: "tierId" },
    example: boundsExample,
    gives: tierExample,
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/limits",
    subject: "user",
    right: "agents.see",
    summary: "The limits in force for an account, what is left of each, its freeze and its wait",
    params: IdParams,
    answer: { status: 200, schema: views.LimitsInForce.schema, example: limitsExample },
    errors: ["user.not_found"],
    handle: async ({ db, params: { id: userId } }) => {
      await users.get(db, userId);
      return { body: views.LimitsInForce.present(await limitsOf(db, userId)) };
    },
  }),
  run("PUT /admin/users/:id/limits", spendingLimits.setOwn, views.LimitsInForce, {
    ...ofUser,
    example: { limits: boundsExample, reason: "Sells to a school this term", until: null },
    gives: { ...limitsExample, isOwn: true },
    read: ({ db }, { userId }) => limitsOf(db, userId),
  }),
  run("DELETE /admin/users/:id/limits", spendingLimits.endOwn, views.LimitsInForce, {
    ...ofUser,
    gives: limitsExample,
    read: ({ db }, { userId }) => limitsOf(db, userId),
  }),
  run("POST /admin/users/:id/freeze", freezes.freeze, views.Frozen, {
    ...ofUser,
    example: { ...terms, until: null },
    gives: frozenExample,
  }),
  run("POST /admin/users/:id/unfreeze", freezes.unfreeze, done, {
    ...ofUser,
    example: { reason: "The card is theirs" },
    gives: { ok: true },
  }),
  run("POST /admin/users/:id/phone-wait/lift", phoneWaits.lift, done, {
    ...ofUser,
    example: { reason: "Came to the shop with a Ghana Card" },
    gives: { ok: true },
  }),
];
