// API schemas of bulk orders: placing and previewing them, and their progress.
import { z } from "zod";
import type { BulkResult } from "../../core/buying/bulk-results.ts";
import { isOpen, limits, STATUSES, type OrderStatus as Status } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { Cedis, Id, Operator, text } from "../../shared/inputs.ts";
import { money as amount, Moment, one, view } from "../view.ts";
import { moment, money, OrderStatus, Page, Paused, sentId } from "./common.ts";
import { Order, OrderLine } from "./orders.ts";
import { metadata, ownReference, Reference, reference, uniqueReference } from "./own-references.ts";

export const BulkOrder = z.object({
  orders: z
    .array(OrderLine, "Add at least one number")
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
  ...ownReference,
  uniqueReference,
});

/** Any lines, valid or not: a preview reports on each. */
export const BulkPreview = z.object({
  orders: z
    .array(
      z.object({
        productId: sentId(z.number()),
        operator: Operator.optional(),
        msisdn: text(200),
        quantity: z.number().default(1),
        amount: Cedis.optional().describe("As in an order"),
        reference: Reference.optional().describe("As in an order"),
      }),
      "Add at least one number",
    )
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
  uniqueReference,
});

export const BulkPlaced = z.object({
  count: z.int(),
  bulkOrderId: Id,
  reference,
  metadata,
  amount: money,
  balance: money,
  orders: z.array(Order.schema),
});

export const BulkQuery = Page.extend({
  reference: Reference.optional().describe("Only bulk orders with exactly this reference of yours"),
});

const bulkOrder = {
  id: Id,
  userId: Id,
  lines: as("count", z.int().describe("How many orders it has")),
  amountPesewas: amount("amount", "What they cost together"),
  reference,
  metadata,
  createdAt: Moment,
};
export const BulkOrderPlaced = view(bulkOrder);

const progress = {
  statuses: z.record(OrderStatus, z.int()).describe("How many of its orders have each status"),
  refunded: one(view({ orders: as("count", z.int()), amountPesewas: amount("amount") })).describe(
    "Its orders whose money is back",
  ),
  progress: z
    .number()
    .min(0)
    .max(1)
    .describe("The share of its orders that need nothing more: delivered, completed or failed"),
  finished: z.boolean().describe("Whether all of them do"),
};
export const BulkOrderProgress = view({ ...bulkOrder, ...progress }, (result: BulkResult) => {
  const countOf = (status: Status) => result.counts[status] ?? 0;
  const open = STATUSES.filter(isOpen).reduce((sum, status) => sum + countOf(status), 0);
  return {
    ...result,
    statuses: Object.fromEntries(STATUSES.map((status) => [status, countOf(status)])) as Record<Status, number>,
    // Rounded down: all of it is done only when every order is.
    progress: Math.floor(((result.lines - open) / result.lines) * 1000) / 1000,
    finished: open === 0,
  };
});

export const BulkPreviewed = z.object({
  lines: z.array(
    z.object({
      line: z.int(),
      msisdn: z.string().nullable(),
      operatorGuess: Operator.nullable().describe("From the prefix; the number may have been ported"),
      productId: z.number(),
      operator: Operator.nullable(),
      quantity: z.number(),
      amount: money.nullable(),
      code: z.string().nullable(),
      message: z.string().nullable(),
      sameAsLine: z.int().nullable(),
      orderId: Id.nullable().describe("order.duplicate, order.reference_used: the earlier order"),
      paused: Paused.nullable().describe("product.paused: the reason and the end"),
    }),
  ),
  goodCount: z.int(),
  total: money.describe("The sum of the good lines"),
  balance: money,
  balanceAfter: money.nullable().describe("null: the balance is too low"),
  affordableCount: z.int().describe("How many of the good lines, from the first, the wallet can pay"),
  placeableCount: z.int().describe("How many of those your limits let through"),
  limit: z
    .object({
      code: z.string(),
      message: z.string(),
      left: z.number().describe("GH₵ today (order.daily_limit), or orders in this hour (order.hourly_limit)"),
      renewsAt: moment,
    })
    .nullable()
    .describe("The limit that would refuse all of the good lines"),
});
