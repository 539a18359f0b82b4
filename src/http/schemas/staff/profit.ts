// API schemas of the shop's profit.
import { z } from "zod";
import { daysBetween } from "../../../core/reports/sales-history.ts";
import { DIMENSIONS, SORTS } from "../../../core/reports/shop-profit-by.ts";
import { limits } from "../../../shared/domain.ts";
import { as } from "../../../shared/fields.ts";
import { Operator } from "../../../shared/inputs.ts";
import { Moment, many, money, one, view } from "../../view.ts";

const aDay = "must be a day such as 2026-11-21";
const Day = z.iso.date(aDay).refine((day) => day >= "2000" && day < "2100", { error: aDay, abort: true });

export const ProfitQuery = z
  .object({
    from: Day.describe("The first day"),
    to: Day.describe("The last day, included"),
    by: z.enum(DIMENSIONS).default("day").describe("What a row is about"),
    sort: z.enum(SORTS).optional().describe("Without it days are newest first, everything else by profit"),
    operator: z.string().toUpperCase().pipe(Operator).optional(),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(limits.pageSizeMax)
      .default(limits.pageSize)
      .describe("How many rows before the others are summed in one more"),
  })
  .refine(({ from, to }) => from <= to, { error: "must not be before from", path: ["to"] })
  .refine(({ from, to }) => daysBetween(from, to) <= limits.statementDays, {
    error: `at most ${limits.statementDays} days at a time`,
    path: ["to"],
  });

const profit = {
  orders: z.int(),
  amountPesewas: money("sales"),
  costPesewas: money("cost", "Of the orders whose cost is known"),
  uncostedOrders: z.int().describe("Orders without a known cost"),
  uncostedPesewas: money("uncostedSales", "What they were sold for; the profit leaves them out"),
  feesPesewas: money("fees").nullable().describe("What the payment provider kept; null where it has none of its own"),
  lossesPesewas: money("losses")
    .nullable()
    .describe("What was delivered after its refund cost; null where it has none of its own"),
  profitPesewas: money("profit", "Negative when more was spent than earned"),
  marginPercent: z.number().nullable().describe("Of the sales with a known cost; null without any"),
};
export const Profit = view(profit);

export const ProfitRow = view({
  ...profit,
  key: z.string().nullable().describe("A day, an id or a code; null for the sum of all others"),
  name: z.string(),
});

export const ShopProfit = view({
  from: z.iso.date(),
  to: z.iso.date(),
  by: z.enum(DIMENSIONS),
  total: one(Profit),
  totalBefore: as("before", one(Profit).describe("Of the same number of days, right before them")),
  waitingDays: z.int().describe("Days that are still to be counted, because something on them changed"),
  countedAt: Moment.nullable().describe("When today was last counted, if it is one of the days"),
  rows: many(ProfitRow),
});
