// Schemas of limits on spending and of freezes.
import { z } from "zod";
import { AboveZero, cedis, Id, requiredText } from "../../shared/inputs.ts";
import { moment, money } from "./common.ts";

const anAmount = "must be an amount in GH₵ from 0 on, or null";
const MaxCedis = cedis(anAmount)
  .refine((pesewas) => pesewas >= 0, anAmount)
  .nullable();
const MaxCount = z.int("must be a whole number, or null").min(0).max(100_000).nullable();

/** Limits as staff set them; null: no such limit. */
export const BoundsToSet = z
  .object({
    perDay: MaxCedis.describe("GH₵ that may be spent in a day"),
    ordersPerHour: MaxCount.describe("Orders that may be placed in a clock hour"),
    youngDays: z.int().min(1).max(3650).nullable().describe("Accounts younger than this are young"),
    youngTopUpsPerDay: MaxCount.describe("Top-ups that a young account may begin in a day"),
    balanceMax: AboveZero.nullable().describe("The balance that no top-up may pass"),
  })
  .refine((bounds) => (bounds.youngDays === null) === (bounds.youngTopUpsPerDay === null), {
    error: "set both, or none",
    path: ["youngTopUpsPerDay"],
  });

const Until = z.iso
  .datetime({ offset: true })
  .nullable()
  .describe("When it ends by itself; null: when somebody ends it")
  .transform((until) => (until === null ? null : new Date(until)));

const Reason = requiredText(300, "Say why");

export const OwnLimitsToSet = z.object({ limits: BoundsToSet, reason: Reason, until: Until.default(null) });

export const Bounds = z.object({
  perDay: money.nullable(),
  ordersPerHour: z.int().nullable(),
  youngDays: z.int().nullable(),
  youngTopUpsPerDay: z.int().nullable(),
  balanceMax: money.nullable(),
});

export const TierBounds = z.object({ id: Id, name: z.string(), limits: Bounds });

/** The limits in force for an account, and what is left of each; null: no such limit. */
export const LimitsInForce = z.object({
  perDay: money.nullable(),
  leftToday: money.nullable(),
  ordersPerHour: z.int().nullable(),
  ordersLeftThisHour: z.int().nullable(),
  topUpsPerDay: z.int().nullable().describe("While the account is young; payments for orders count as well"),
  topUpsLeftToday: z.int().nullable(),
  balanceMax: money.nullable(),
  roomForTopUps: money.nullable().describe("Less what is being paid now, and orders that can still be cancelled"),
  isOwn: z.boolean().describe("Whether the account has limits of its own instead of its tier's"),
  until: moment.nullable().describe("When limits of its own end"),
  frozen: z
    .object({ message: z.string(), until: moment.nullable() })
    .nullable()
    .describe("Nothing can be spent while the account is frozen"),
  byPhoneFrom: moment
    .nullable()
    .describe("Nothing can be spent by USSD and SMS before this, after a changed phone or a PIN reset by code"),
});

export const FreezeToSet = z.object({
  reason: Reason.describe("For staff"),
  message: requiredText(200, "Tell the agent why").describe("For the agent"),
  until: Until.default(null),
});

export const Unfreeze = z.object({ reason: Reason });

export const Lift = z.object({ reason: Reason });

export const Frozen = z.object({
  userId: Id,
  reason: z.string(),
  message: z.string(),
  until: moment.nullable(),
  createdAt: moment,
});
