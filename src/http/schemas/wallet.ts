// API schemas of the wallet: balance, statement, paying an order, corrections.
import { z } from "zod";
import { limits } from "../../shared/domain.ts";
import { AboveZero, Id, text } from "../../shared/inputs.ts";
import { money as shownMoney, view } from "../view.ts";
import { From, moment, money, OrderStatus, SentId, To } from "./common.ts";
import { Order } from "./orders.ts";
export const StatementQuery = z
  .object({
    from: From,
    to: To,
    format: z.enum(["json", "csv"]).default("json").describe("csv: a file for a spreadsheet"),
  })
  .refine((query) => query.to > query.from, { error: "must be after from", path: ["to"] })
  .refine((query) => query.to.getTime() - query.from.getTime() <= (limits.statementDays + 1) * 86_400_000, {
    error: `at most ${limits.statementDays} days at a time`,
    path: ["to"],
  });

export const Spend = z.object({
  orderId: SentId,
  amount: AboveZero.optional().describe("The order's amount, as you expect it; refused if it differs"),
  note: text(200).optional().describe("For yourself; it is in the wallet's history"),
});

export const Spent = z.object({
  orderId: Id,
  amount: money,
  balance: money,
  status: OrderStatus,
  order: Order,
});

export const Balance = z.object({
  balance: money,
  held: money.describe("The part that cannot be spent while a chargeback is open; it may exceed the balance"),
  owed: money.describe("What the account owes; money that comes in pays it first"),
  available: money.describe("What can be spent"),
});

export const WalletTransaction = z.object({
  id: Id,
  type: z.enum(["TOPUP", "SPEND", "REFUND", "ADJUST", "REVERSAL", "PAYOUT"]),
  amount: money.describe("Always positive; `change` has the sign"),
  change: money,
  balanceAfter: money,
  status: z.literal("COMPLETED"),
  description: z.string(),
  orderId: Id.nullable(),
  paymentReference: z.string().nullable(),
  createdAt: moment,
});

export const Statement = z.object({
  from: moment,
  to: moment,
  openingBalance: money,
  closingBalance: money,
  transactions: z.array(WalletTransaction),
});

export const Adjusted = view({ userId: Id, balancePesewas: shownMoney("balance"), adjustmentId: Id });
