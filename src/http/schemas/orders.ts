// API schemas of orders: placing, listing and moving them.
import { z } from "zod";
import { DELIVERY_KINDS, limits, STATUSES } from "../../shared/domain.ts";
import { AboveZero, Cedis, errorCode, Id, Operator, text } from "../../shared/inputs.ts";
import { FAILURE_CODES, FAILURES } from "../../shared/orders/order-failures.ts";
import {
  METADATA_KEY_CHARS_MAX,
  METADATA_KEYS_MAX,
  METADATA_VALUE_CHARS_MAX,
  REFERENCE,
  REFERENCE_CHARS_MAX,
} from "../../shared/orders/own-reference.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { From, flagText, moment, money, OrderStatus, Page, PathId, Paused, sentId, To } from "./common.ts";

const Quantity = z
  .int(errorCode("order.quantity_invalid"))
  .min(1, errorCode("order.quantity_invalid"))
  .max(limits.quantityMax, errorCode("order.quantity_invalid"));

const referenceRule = `must have 1 to ${REFERENCE_CHARS_MAX} printable characters without spaces`;
const Reference = z.string(referenceRule).max(REFERENCE_CHARS_MAX, referenceRule).regex(REFERENCE, referenceRule);

/** zod leaves this name out of a record, so that it would be lost without a word. */
const LOST_KEY = "__proto__";

/** Sorted, so that the same data in another sequence is the same request. */
const OwnData = z
  .preprocess(
    (given, context) => {
      if (typeof given === "object" && given !== null && Object.hasOwn(given, LOST_KEY))
        context.addIssue({ code: "custom", message: `must not have a key named ${LOST_KEY}` });
      return given;
    },
    z.record(
      text(METADATA_KEY_CHARS_MAX).min(1, "needs a name"),
      text(METADATA_VALUE_CHARS_MAX, `must be a text of at most ${METADATA_VALUE_CHARS_MAX} characters`),
    ),
  )
  .refine((data) => Object.keys(data).length <= METADATA_KEYS_MAX, `must have at most ${METADATA_KEYS_MAX} keys`)
  .transform((data) => Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))));

const ownReference = {
  reference: Reference.optional().describe(
    `Your own name for it, up to ${REFERENCE_CHARS_MAX} printable characters without spaces`,
  ),
  metadata: OwnData.optional().describe(
    `Your own data: at most ${METADATA_KEYS_MAX} keys of up to ${METADATA_KEY_CHARS_MAX} characters, ` +
      `with texts of up to ${METADATA_VALUE_CHARS_MAX}. You get it back with the order.`,
  ),
};

const uniqueReference = z
  .boolean()
  .optional()
  .describe(
    "true: refused as order.reference_used if an earlier order of your account has the reference, " +
      "also one that failed; for a bulk order, if an earlier one has its own or an order that of a line. " +
      "It needs a reference, in a bulk order at least one.",
  );

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
  bulkOrderId: PathId.optional().describe("Only the orders of this bulk order"),
  reference: Reference.optional().describe("Only orders with exactly this reference of yours"),
  msisdn: z
    .string()
    .max(40, errorCode("msisdn.invalid"))
    .transform((typed, context) => {
      const msisdn = parseMsisdn(typed);
      if (!msisdn) context.addIssue(errorCode("msisdn.invalid"));
      return msisdn ?? "";
    })
    .optional()
    .describe("Only orders for exactly this number, such as 0541234567"),
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
  productId: sentId(
    z
      .int({
        error: (issue) =>
          issue.input === undefined || issue.input === null ? missingLine : errorCode("product.not_found"),
      })
      .max(Number.MAX_SAFE_INTEGER, errorCode("product.not_found")),
  ),
  operator: Operator.optional().describe("If given, the product must belong to it"),
  msisdn: z
    .string({
      error: (issue) => (issue.input === undefined || issue.input === null ? missingLine : errorCode("msisdn.invalid")),
    })
    .min(1, missingLine)
    .max(40, errorCode("msisdn.invalid"))
    .describe("As people write it: spaces, dashes and a mark behind it are left out. The answer has it as it was read"),
  quantity: Quantity.default(1),
  amount: AboveZero.optional().describe("Price times quantity in GH₵, as you expect it; refused if it differs"),
  ...ownReference,
});

export const NewOrder = OrderLine.extend({
  pay: z.literal("wallet").optional().describe("Pays from the wallet at once; without it the order stays unpaid"),
  allowDuplicate: z.boolean().default(false),
  uniqueReference,
});

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

export const OrderFailure = z.object({
  code: z.enum(FAILURE_CODES).describe(FAILURE_CODES.map((code) => `${code}: ${FAILURES[code].message}`).join(" ")),
  message: z.string(),
  retryable: z.boolean().describe("Whether ordering the same again can succeed"),
});

const reference = z.string().nullable().describe("Your own reference");
const metadata = z.record(z.string(), z.string()).nullable().describe("Your own data");

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
  failure: OrderFailure.nullable().describe("Why a FAILED order failed; null for others"),
  bulkOrderId: Id.nullable(),
  reference,
  metadata,
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
  timeline: z.array(
    OrderEvent.extend({ internal: z.literal(true).optional().describe("For staff: only they see it") }),
  ),
});

export const PlacedOrder = Order.extend({
  balance: money.optional().describe("The wallet's balance afterwards, if the order was paid"),
});

export const BulkPlaced = z.object({
  count: z.int(),
  bulkOrderId: Id,
  reference,
  metadata,
  amount: money,
  balance: money,
  orders: z.array(Order),
});

export const BulkQuery = Page.extend({
  reference: Reference.optional().describe("Only bulk orders with exactly this reference of yours"),
});

export const BulkOrderPlaced = z.object({
  id: Id,
  userId: Id,
  count: z.int().describe("How many orders it has"),
  amount: money.describe("What they cost together"),
  reference,
  metadata,
  createdAt: moment,
});

export const BulkOrderProgress = BulkOrderPlaced.extend({
  statuses: z.record(OrderStatus, z.int()).describe("How many of its orders have each status"),
  refunded: z.object({ count: z.int(), amount: money }).describe("Its orders whose money is back"),
  progress: z
    .number()
    .min(0)
    .max(1)
    .describe("The share of its orders that need nothing more: delivered, completed or failed"),
  finished: z.boolean().describe("Whether all of them do"),
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
