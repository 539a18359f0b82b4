// Views of limits on spending and of freezes.
import { z } from "zod";
import { as } from "../../shared/fields.ts";
import { Id } from "../../shared/inputs.ts";
import { Moment, money, one, view } from "../view.ts";

const count = z.int().nullable();
const amount = (name: string) => as(name, money(name).nullable());

export const TierBounds = view({
  id: Id,
  name: z.string(),
  bounds: as(
    "limits",
    one(
      view({
        dayMaxPesewas: amount("perDay"),
        hourOrdersMax: as("ordersPerHour", count),
        youngDays: count,
        youngTopUpsMax: as("youngTopUpsPerDay", count),
        balanceMaxPesewas: amount("balanceMax"),
      }),
    ),
  ),
});

/** The limits in force for an account, and what is left of each; null: no such limit. */
export const LimitsInForce = view({
  dayLimitPesewas: amount("perDay"),
  dayLeftPesewas: amount("leftToday"),
  hourOrdersMax: as("ordersPerHour", count),
  hourLeft: as("ordersLeftThisHour", count),
  topUpsMax: as("topUpsPerDay", count.describe("While the account is young; payments for orders count as well")),
  topUpsLeft: as("topUpsLeftToday", count),
  balanceMaxPesewas: amount("balanceMax"),
  roomPesewas: as(
    "roomForTopUps",
    amount("").describe("Less what is being paid now, and orders that can still be cancelled"),
  ),
  isOwn: z.boolean().describe("Whether the account has limits of its own instead of its tier's"),
  until: Moment.nullable().describe("When limits of its own end"),
  frozen: one(view({ message: z.string(), until: Moment.nullable() }))
    .nullable()
    .describe("Nothing can be spent while the account is frozen"),
  byPhoneFrom: Moment.nullable().describe(
    "Nothing can be spent by USSD and SMS before this, after a changed phone or a PIN reset by code",
  ),
});

export const Frozen = view({
  userId: Id,
  reason: z.string(),
  message: z.string(),
  until: Moment.nullable(),
  createdAt: Moment,
});
