// API schemas of error answers.
import { z } from "zod";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { Id } from "../../shared/inputs.ts";
import { moment, money, Paused } from "./common.ts";

const ErrorCodes = z.enum(Object.keys(errors) as [ErrorCode, ...ErrorCode[]]);
const LIMITS = "key.daily_limit, order.daily_limit, order.hourly_limit";
/** Details of an error; which of them are present depends on its code. */
export const FailureDetails = z.object({
  fields: z.record(z.string(), z.string()).optional().describe("What is wrong with each field, by its path"),
  lines: z
    .array(
      z.object({
        line: z.int().describe("Counted from 1"),
        code: ErrorCodes,
        message: z.string(),
        paused: Paused.optional().describe("product.paused: the reason and the end"),
        currentPrice: money.optional().describe("order.price_changed: the current price of one"),
        currentAmount: money.optional().describe("order.price_changed: the current amount of the line"),
        orderId: Id.optional().describe("order.duplicate, order.reference_used: the earlier order"),
        orderedAt: moment.optional().describe("order.duplicate, order.reference_used: when it was placed"),
      }),
    )
    .optional()
    .describe("The refused lines of a bulk order"),
  retryAfterSeconds: z.int().optional(),
  approvalId: Id.optional().describe("approval.open_already: the request that is open"),
  seen: z.record(z.string(), z.unknown()).optional().describe("approval.outdated: what whoever asked saw"),
  found: z.record(z.string(), z.unknown()).optional().describe("approval.outdated: what it is now"),
  required: money.optional().describe("wallet.insufficient_balance: what it costs"),
  balance: money.optional().describe("wallet.insufficient_balance: the wallet's balance"),
  held: money.optional().describe("wallet.insufficient_balance: the part held for a chargeback"),
  available: money.optional().describe("wallet.insufficient_balance: what can be spent"),
  missing: money.optional().describe("wallet.insufficient_balance: how much to top up"),
  affordableCount: z
    .int()
    .optional()
    .describe("wallet.insufficient_balance: how many lines of a bulk order, from the first, you can pay"),
  currentPrice: money.optional().describe("order.price_changed: the current price of one"),
  currentAmount: money.optional().describe("order.price_changed: the current amount of the order"),
  orderId: Id.optional().describe("order.duplicate, order.reference_used: the earlier order"),
  bulkOrderId: Id.optional().describe("order.reference_used: the earlier bulk order"),
  orderedAt: moment.optional().describe("order.duplicate, order.reference_used: when it was placed"),
  reference: z.string().optional().describe("order.reference_used: the reference"),
  oldPrice: money.optional().describe("product.price_needs_confirmation: its price now, or that of others of its size"),
  newPrice: money.optional().describe("product.price_needs_confirmation: the price you sent"),
  message: z.string().optional().describe("product.paused, service.closed: the shop's message"),
  limit: z
    .union([z.number(), z.string()])
    .optional()
    .describe(`${LIMITS}, request.rate_limited: how much it is, in GH₵ or orders, or the name of the limit`),
  left: z.number().optional().describe(`${LIMITS}: what is left of it, in GH₵ or orders`),
  renewsAt: moment.optional().describe(`${LIMITS}: when it begins anew`),
  scope: z.string().optional().describe("key.scope_missing: the scope that the call needs"),
  address: z.string().optional().describe("key.address_refused: the address that the request came from"),
  field: z.string().optional().describe("request.unknown_field: the path of the unknown field"),
  nearest: z
    .string()
    .nullable()
    .optional()
    .describe("request.unknown_field: the field that was probably meant; null: none is like it"),
  until: moment.nullable().optional().describe("product.paused, service.closed: when that ends; null: unknown"),
});
export const Failure = z.object({
  code: ErrorCodes,
  message: z.string(),
  details: FailureDetails.optional(),
  retryable: z.boolean().describe("Whether the same request may succeed later, unchanged and with the same key"),
  requestId: z.string(),
});

/** The same for who asks for application/problem+json (RFC 9457). */
export const Problem = Failure.extend({
  type: z.string().describe("The address of the guide's part about this code"),
  title: z.string().describe("The code in words, the same each time"),
  status: z.int(),
  detail: z.string().describe("What was refused this time, as in message"),
  instance: z.string().describe("Names this one refusal: the path, and the request's id"),
});
