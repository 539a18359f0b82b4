// What a refusal of /api/v1 looks like, beside schemas.ts.
import { z } from "zod";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { Id, moment, money, Paused } from "./index.ts";

const ErrorCodes = z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]);
/** What a refusal is about; which of these are there depends on its code. */
export const FailureDetails = z.object({
  fields: z.record(z.string(), z.string()).optional().describe("What is wrong with each field, by its path"),
  lines: z
    .array(
      z.object({
        line: z.int().describe("Counted from 1"),
        code: ErrorCodes,
        message: z.string(),
        paused: Paused.optional().describe("product.paused: why, and until when"),
      }),
    )
    .optional()
    .describe("The refused lines of a bulk order"),
  retryAfterSeconds: z.int().optional(),
  required: money.optional().describe("wallet.insufficient_balance: what it costs"),
  balance: money.optional().describe("wallet.insufficient_balance: what the wallet holds"),
  held: money.optional().describe("wallet.insufficient_balance: what of it is held for a chargeback"),
  available: money.optional().describe("wallet.insufficient_balance: what can be spent"),
  missing: money.optional().describe("wallet.insufficient_balance: what to top up"),
  affordableCount: z
    .int()
    .optional()
    .describe("wallet.insufficient_balance: how many lines of a bulk order, from the first, can be paid"),
  currentPrice: money.optional().describe("order.price_changed: the price of one, now"),
  currentAmount: money.optional().describe("order.price_changed: what the order would come to, now"),
  orderId: Id.optional().describe("order.duplicate: the earlier order"),
  orderedAt: moment.optional().describe("order.duplicate: when it was placed"),
  oldPrice: money
    .optional()
    .describe("product.price_needs_confirmation: what it costs, or others of its size do"),
  newPrice: money.optional().describe("product.price_needs_confirmation: what was asked for"),
  message: z.string().optional().describe("product.paused: why, in the shop's words"),
  until: moment
    .nullable()
    .optional()
    .describe("product.paused: when it can be bought again; null: not known"),
});
export const Failure = z.object({
  code: ErrorCodes,
  message: z.string(),
  details: FailureDetails.optional(),
  requestId: z.string(),
});
