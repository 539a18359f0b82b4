// API schemas of orders: placing, listing and moving them.
import { z } from "zod";
import { DELIVERY_KINDS, limits, STATUSES } from "../../shared/domain.ts";
import {
  Cedis,
  errorCode,
  From,
  flagText,
  Id,
  moment,
  money,
  Operator,
  OrderStatus,
  Page,
  Paused,
  requiredText,
  To,
  text,
} from "./common.ts";

const Quantity = z
  .int(errorCode("order.quantity_invalid"))
  .min(1, errorCode("order.quantity_invalid"))
  .max(limits.quantityMax, errorCode("order.quantity_invalid"));

export const OrderQuery = Page.extend({
  search: text(100)
    .optional()
    .describe("Part of a phone number, or a bundle, an id, an operator, a status or a reference"),
  status: z
    .string()
    .toUpperCase()
    .pipe(OrderStatus)
    .optional()
    .describe(`One of ${STATUSES.join(", ")}`),
  operator: z.string().toUpperCase().pipe(Operator).optional(),
  open: flagText.optional().describe("Only orders that are not finished"),
  from: From.optional(),
  to: To.optional(),
});

export const OrderReport = z.object({
  orderId: z
    .string()
    .trim()
    .min(1, "Enter the order ID")
    .regex(/^#?[1-9]\d{0,14}$/, errorCode("order.not_found"))
    .transform((id) => Number(id.replace("#", ""))),
  message: text(2000).trim().default(""),
});

const missingLine = "Select package and enter number";

export const OrderLine = z.object({
  productId: z
    .int({
      error: (issue) =>
        issue.input === undefined || issue.input === null ? missingLine : errorCode("product.not_found"),
    })
    .max(Number.MAX_SAFE_INTEGER, errorCode("product.not_found")),
  operator: Operator.optional().describe("If given, the product must belong to it"),
  msisdn: z
    .string({
      error: (issue) =>
        issue.input === undefined || issue.input === null ? missingLine : errorCode("msisdn.invalid"),
    })
    .min(1, missingLine)
    .max(40, errorCode("msisdn.invalid")),
  quantity: Quantity.default(1),
  amount: Cedis.optional().describe("Price times quantity in GH₵, as you expect it; refused if it differs"),
});

export const NewOrder = OrderLine.extend({
  pay: z
    .literal("wallet")
    .optional()
    .describe("Pays from the wallet at once; without it the order stays unpaid"),
  allowDuplicate: z.boolean().default(false),
});

export const BulkOrder = z.object({
  orders: z
    .array(OrderLine, "Add at least one number")
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
});

/** Any lines, valid or not: a preview reports on each. */
export const BulkPreview = z.object({
  orders: z
    .array(
      z.object({
        productId: z.number(),
        operator: Operator.optional(),
        msisdn: text(200),
        quantity: z.number().default(1),
        amount: OrderLine.shape.amount,
      }),
      "Add at least one number",
    )
    .min(1, "Add at least one number")
    .max(limits.bulkLines, `At most ${limits.bulkLines} lines at once`),
  allowDuplicate: z.boolean().default(false),
});

export const OrderNote = z.object({
  note: requiredText(limits.noteChars, "Write a note"),
  forAgent: z.boolean().default(false).describe("Shows it to the agent; otherwise only staff see it"),
});

export const Order = z.object({
  id: Id,
  userId: Id,
  operator: Operator,
  productId: Id,
  product: z.string(),
  size: z.string(),
  msisdn: z.string().describe("The recipient's number, 0541234567"),
  quantity: z.int(),
  amount: money,
  status: OrderStatus,
  paid: z.boolean(),
  paidAt: moment.nullable(),
  paymentMethod: z.enum(["wallet", "paystack", "cash"]).nullable(),
  refundedAt: moment.nullable(),
  bulkOrderId: Id.nullable(),
  note: z.string().nullable(),
  createdAt: moment,
});

export const OrderEvent = z.object({
  at: moment,
  event: z.string(),
  code: z.enum(Object.keys(DELIVERY_KINDS)).nullable().describe("The kind of delivery event"),
  from: OrderStatus.nullable(),
  to: OrderStatus.nullable(),
  note: z.string().nullable(),
  internal: z.boolean().describe("Only staff see it"),
});

export const Outlook = z.object({
  state: z.enum(["promised", "number_held", "with_network", "being_sent", "checking"]),
  until: moment.nullable(),
  message: z.string(),
});

export const OrderWithTimeline = Order.extend({
  outlook: Outlook.nullable().describe("What a paid, undelivered order is waiting for, and until when"),
  timeline: z.array(OrderEvent),
});

export const PlacedOrder = Order.extend({
  balance: money.optional().describe("The wallet's balance afterwards, if the order was paid"),
});

export const BulkPlaced = z.object({
  count: z.int(),
  bulkOrderId: Id,
  amount: money,
  balance: money,
  orders: z.array(Order),
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

export const MoveResults = z.object({
  status: OrderStatus,
  moved: z.int(),
  refused: z.int(),
  results: z.array(
    z.object({
      id: Id,
      status: OrderStatus.nullable(),
      moved: z.boolean(),
      code: z.string().nullable(),
      message: z.string().nullable(),
    }),
  ),
});
