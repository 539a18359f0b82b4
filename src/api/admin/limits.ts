// Admin API routes for limits on spending, by tier and by account, for freezes, and for waits before buying by phone.
import * as freezes from "../../core/identity/freezes.ts";
import * as phoneWaits from "../../core/identity/phone-waits.ts";
import * as spendingLimits from "../../core/identity/spending-limits.ts";
import * as users from "../../core/identity/users.ts";
import * as accountLimits from "../../core/payments/account-limits.ts";
import { Done, IdParams } from "../../http/schemas/common.ts";
import * as schemas from "../../http/schemas/limits.ts";
import { toCedis } from "../../shared/money.ts";
import { limitsExample, presentLimits } from "../present-limits.ts";
import { type ApiDeps, type Route, route } from "../route.ts";

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

export const limitRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/admin/limits",
    right: "agents.see",
    summary: "The limits of each tier; null: no such limit",
    answer: { status: 200, schema: schemas.TierBounds.array(), example: [tierExample] },
    errors: [],
    handle: async ({ db }) => ({ body: (await spendingLimits.listTiers(db)).map(presentTier) }),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/tiers/:id/limits",
    subject: "tier",
    right: "agents.manage",
    summary: "Set the limits of a tier, for its accounts without limits of their own",
    params: IdParams,
    body: schemas.BoundsToSet,
    example: boundsExample,
    answer: { status: 200, schema: schemas.TierBounds, example: tierExample },
    errors: ["tier.not_found"],
    handle: async ({ db, by, params, body }) => {
      const bounds = boundsOf(body);
      return { body: presentTier(await spendingLimits.setTier(db, { by, tierId: params.id, bounds })) };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/admin/users/:id/limits",
    subject: "user",
    right: "agents.see",
    summary: "The limits in force for an account, what is left of each, its freeze and its wait",
    params: IdParams,
    answer: { status: 200, schema: schemas.LimitsInForce, example: limitsExample },
    errors: ["user.not_found"],
    handle: async ({ db, params }) => answerLimits(db, params.id),
  }),
  route({
    method: "PUT",
    path: "/api/v1/admin/users/:id/limits",
    subject: "user",
    right: "agents.manage",
    summary: "Give an account limits of its own instead of its tier's",
    params: IdParams,
    body: schemas.OwnLimitsToSet,
    example: { limits: boundsExample, reason: "Sells to a school this term", until: null },
    answer: { status: 200, schema: schemas.LimitsInForce, example: { ...limitsExample, isOwn: true } },
    errors: ["user.not_found", "user.closed", "auth.own_account", "freeze.end_invalid"],
    handle: async ({ db, by, params: { id: userId }, body: { limits, ...own } }) => {
      await spendingLimits.setOwn(db, { by, userId, bounds: boundsOf(limits), ...own });
      return answerLimits(db, userId);
    },
  }),
  route({
    method: "DELETE",
    path: "/api/v1/admin/users/:id/limits",
    subject: "user",
    right: "agents.manage",
    summary: "End an account's own limits: its tier's hold again",
    params: IdParams,
    answer: { status: 200, schema: schemas.LimitsInForce, example: limitsExample },
    errors: ["user.not_found", "user.closed", "auth.own_account"],
    handle: async ({ db, by, params: { id: userId } }) => {
      await spendingLimits.endOwn(db, { by, userId });
      return answerLimits(db, userId);
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users/:id/freeze",
    subject: "user",
    right: "agents.manage",
    summary: "Freeze an account: it may look, and not spend",
    params: IdParams,
    body: schemas.FreezeToSet,
    example: { ...terms, until: null },
    answer: { status: 200, schema: schemas.Frozen, example: frozenExample },
    errors: ["user.not_found", "user.closed", "auth.own_account", "freeze.end_invalid"],
    handle: async ({ db, by, params: { id: userId }, body }) => {
      const { reason, message, until, createdAt } = await freezes.freeze(db, { by, userId, ...body });
      const times = { until: until?.toISOString() ?? null, createdAt: createdAt.toISOString() };
      return { body: { userId, reason, message, ...times } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users/:id/unfreeze",
    subject: "user",
    right: "agents.manage",
    summary: "End an account's freeze",
    params: IdParams,
    body: schemas.Unfreeze,
    example: { reason: "The card is theirs" },
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: ["user.not_found", "freeze.none", "auth.own_account"],
    handle: async ({ db, by, params: { id: userId }, body }) => {
      await freezes.unfreeze(db, { by, userId, ...body });
      return { body: { ok: true } };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/admin/users/:id/phone-wait/lift",
    subject: "user",
    right: "agents.manage",
    summary: "End an account's wait before it buys by phone",
    params: IdParams,
    body: schemas.Lift,
    example: { reason: "Came to the shop with a Ghana Card" },
    answer: { status: 200, schema: Done, example: { ok: true } },
    errors: ["user.not_found", "wait.none", "auth.own_account", "auth.confirm_needed"],
    handle: async ({ db, by, params: { id: userId }, body }) => {
      await phoneWaits.lift(db, { by, userId, ...body });
      return { body: { ok: true } };
    },
  }),
];

async function answerLimits(db: ApiDeps["db"], userId: number) {
  await users.get(db, userId);
  return { body: presentLimits(await accountLimits.of(db, userId), await phoneWaits.of(db, userId)) };
}

type BoundsBody = {
  perDay: number | null;
  ordersPerHour: number | null;
  youngDays: number | null;
  youngTopUpsPerDay: number | null;
  balanceMax: number | null;
};

function boundsOf(body: BoundsBody): spendingLimits.Bounds {
  return {
    dayMaxPesewas: body.perDay,
    hourOrdersMax: body.ordersPerHour,
    youngDays: body.youngDays,
    youngTopUpsMax: body.youngTopUpsPerDay,
    balanceMaxPesewas: body.balanceMax,
  };
}

function presentTier({ id, name, bounds }: spendingLimits.LimitedTier) {
  const { dayMaxPesewas, hourOrdersMax, youngDays, youngTopUpsMax, balanceMaxPesewas } = bounds;
  return {
    ...{ id, name },
    limits: {
      perDay: dayMaxPesewas === null ? null : toCedis(dayMaxPesewas),
      ordersPerHour: hourOrdersMax,
      youngDays,
      youngTopUpsPerDay: youngTopUpsMax,
      balanceMax: balanceMaxPesewas === null ? null : toCedis(balanceMaxPesewas),
    },
  };
}
