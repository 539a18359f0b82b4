// API schemas of the wallet: balance, statement, paying an order, corrections.
import { z } from "zod";
import type { WalletEntry } from "../../core/ledger/wallet.ts";
import { limits } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { AboveZero, Id, text } from "../../shared/inputs.ts";
import { Moment, many, money as shownMoney, view } from "../view.ts";
import { From, money, OrderStatus, SentId, To } from "./common.ts";
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
  order: Order.schema,
});

export const Balance = view({
  balancePesewas: shownMoney("balance"),
  heldPesewas: shownMoney(
    "held",
    "The part that cannot be spent while a chargeback is open; it may exceed the balance",
  ),
  owedPesewas: shownMoney("owed", "What the account owes; money that comes in pays it first"),
  availablePesewas: shownMoney("available", "What can be spent"),
});

export const WalletTransaction = view(
  {
    id: Id,
    type: z.enum(["TOPUP", "SPEND", "REFUND", "ADJUST", "REVERSAL", "PAYOUT"]),
    amountPesewas: shownMoney("amount", "Always positive; `change` has the sign"),
    changePesewas: shownMoney("change"),
    balanceAfterPesewas: shownMoney("balanceAfter"),
    status: z.literal("COMPLETED"),
    description: z.string(),
    orderId: Id.nullable(),
    paymentReference: z.string().nullable(),
    createdAt: Moment,
  },
  (entry: WalletEntry) => ({
    ...entry,
    amountPesewas: Math.abs(entry.changePesewas),
    status: "COMPLETED" as const,
  }),
);

export const Statement = view({
  from: Moment,
  to: Moment,
  openingPesewas: shownMoney("openingBalance"),
  closingPesewas: shownMoney("closingBalance"),
  entries: as("transactions", many(WalletTransaction)),
});

export const Adjusted = view({ userId: Id, balancePesewas: shownMoney("balance"), adjustmentId: Id });
