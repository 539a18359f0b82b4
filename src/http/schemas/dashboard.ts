// API schemas of the two dashboards.
import { z } from "zod";
import type { Overview as StoredOverview } from "../../core/reports/reports.ts";
import { Operator } from "../../shared/inputs.ts";
import { Moment, many, money, one, view } from "../view.ts";
import { OrderStatus } from "./common.ts";
import { Order } from "./orders.ts";
import { Profit } from "./staff/profit.ts";

const Day = view({ day: z.iso.date(), salesPesewas: money("sales"), orders: z.int() });

export const Overview = view(
  {
    totals: one(view({ salesPesewas: money("totalSales"), ordersCount: z.int() })),
    usageByOperator: z.record(Operator, z.number()).describe("GB of data bought"),
    dataUsage: z.object({ totalGb: z.number(), thisMonthGb: z.number(), lastMonthGb: z.number() }),
    recentOrders: many(Order),
    lastSevenDays: many(Day),
  },
  ({ volumeMbByOperator, thisMonth, lastMonth, ...overview }: StoredOverview) => ({
    ...overview,
    totals: overview,
    usageByOperator: Object.fromEntries(
      Object.entries(volumeMbByOperator).map(([operator, volumeMb]) => [operator, gigabytes(volumeMb)]),
    ),
    dataUsage: {
      totalGb: gigabytes(Object.values(volumeMbByOperator).reduce((sum, volumeMb) => sum + volumeMb, 0)),
      thisMonthGb: gigabytes(thisMonth.volumeMb),
      lastMonthGb: gigabytes(lastMonth.volumeMb),
    },
  }),
);

export const AdminStats = view({
  totalOrders: z.int(),
  byStatus: z.record(OrderStatus, z.int()),
  successPercent: z.int(),
  failurePercent: z.int(),
  usersCount: z.int(),
  productsCount: z.int(),
  walletsPesewas: money("walletsTotal"),
  salesTodayPesewas: money("salesToday"),
  lastSevenDays: many(Day),
  profitToday: one(Profit).describe("As of profitCountedAt"),
  profitYesterday: one(Profit),
  profitCountedAt: Moment.nullable().describe("When today was last counted; null before the first time"),
});

function gigabytes(volumeMb: number): number {
  return volumeMb / 1000;
}
