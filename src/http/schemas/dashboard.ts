// API schemas of the two dashboards.
import { z } from "zod";
import { Operator } from "../../shared/inputs.ts";
import { moment, money, OrderStatus } from "./common.ts";
import { Order } from "./orders.ts";
import { Profit } from "./staff/profit.ts";

const days = z.array(z.object({ day: z.iso.date(), sales: money, orders: z.int() }));

export const Overview = z.object({
  totals: z.object({ totalSales: money, ordersCount: z.int() }),
  usageByOperator: z.record(Operator, z.number()).describe("GB of data bought"),
  dataUsage: z.object({ totalGb: z.number(), thisMonthGb: z.number(), lastMonthGb: z.number() }),
  recentOrders: z.array(Order),
  lastSevenDays: days,
});

export const AdminStats = z.object({
  totalOrders: z.int(),
  byStatus: z.record(OrderStatus, z.int()),
  successPercent: z.int(),
  failurePercent: z.int(),
  usersCount: z.int(),
  productsCount: z.int(),
  walletsTotal: money,
  salesToday: money,
  lastSevenDays: days,
  profitToday: Profit.describe("As of profitCountedAt"),
  profitYesterday: Profit,
  profitCountedAt: moment.nullable().describe("When today was last counted; null before the first time"),
});
