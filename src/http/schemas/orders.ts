// API schemas of orders: placing, listing and moving them.
import { z } from "zod";
import type { Outlook as StoredOutlook } from "../../core/fulfilment/deadlines.ts";
import { orderJson, purchaseJson } from "../../core/orders/json.ts";
import type { OrderEvent as StoredEvent, Order as StoredOrder } from "../../core/orders/order.ts";
import { DELIVERY_KINDS, limits, STATUSES } from "../../shared/domain.ts";
import { AboveZero, errorCode, Id, Operator, text } from "../../shared/inputs.ts";
import { FAILURE_CODES, FAILURES } from "../../shared/orders/order-failures.ts";
import { parseMsisdn } from "../../shared/phones/msisdn.ts";
import { Moment, view } from "../view.ts";
import { From, flagText, moment, money, OrderStatus, Page, PathId, sentId, To } from "./common.ts";
import { metadata, ownReference, Reference, reference, uniqueReference } from "./own-references.ts";

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

export const OrderFailure = z.object({
  code: z.enum(FAILURE_CODES).describe(FAILURE_CODES.map((code) => `${code}: ${FAILURES[code].message}`).join(" ")),
  message: z.string(),
  retryable: z.boolean().describe("Whether ordering the same again can succeed"),
});

const order = z.object({
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

/** An order, in the form that webhook messages have it in, too. */
export const Order = { schema: order, present: orderJson };

const event = {
  at: Moment,
  event: z.string(),
  code: z.enum(Object.keys(DELIVERY_KINDS)).nullable().describe("The kind of delivery event"),
  from: OrderStatus.nullable(),
  to: OrderStatus.nullable(),
  note: z.string().nullable(),
};
/** A transition ("moved") or a note. */
const eventOf = ({ createdAt, fromStatus, toStatus, note, kind, isInternal }: StoredEvent) => ({
  ...{ at: createdAt, event: toStatus ? "moved" : "note", code: kind, from: fromStatus, to: toStatus, note },
  internal: isInternal,
});
export const OrderEvent = view({ ...event, internal: z.boolean().describe("Only staff see it") }, eventOf);

export const Outlook = view({
  state: z.enum(["promised", "number_held", "with_network", "being_sent", "checking"]),
  until: Moment.nullable(),
  message: z.string(),
});

const TimelineEvent = view({
  ...event,
  internal: z.literal(true).optional().describe("For staff: only they see it"),
});
const timelineOf = (row: StoredEvent) => {
  const { internal, ...rest } = eventOf(row);
  return internal ? { ...rest, internal } : rest;
};
type Followed = { order: StoredOrder; outlook: StoredOutlook | null; events: StoredEvent[] };

/**
 * An order with its timeline: placement and payment, taken from the order itself, then its recorded events. Agents are
 * given no internal ones.
 */
export const OrderWithTimeline = {
  schema: order.extend({
    outlook: Outlook.schema.nullable().describe("What a paid, undelivered order is waiting for, and until when"),
    timeline: TimelineEvent.schema.array(),
  }),
  present: ({ order, outlook, events }: Followed) => {
    const step = (at: Date, event: string) => ({ at, event, code: null, from: null, to: null, note: null });
    const timeline = [
      step(order.createdAt, "placed"),
      ...(order.paidAt ? [step(order.paidAt, `paid_${order.paymentMethod}`)] : []),
      ...events.map(timelineOf),
      ...(order.refundedAt ? [step(order.refundedAt, "refunded")] : []),
    ];
    return {
      ...orderJson(order),
      outlook: outlook && Outlook.present(outlook),
      timeline: timeline.map(TimelineEvent.present),
    };
  },
};

export const PlacedOrder = {
  schema: order.extend({
    balance: money.optional().describe("The wallet's balance afterwards, if the order was paid"),
  }),
  present: purchaseJson,
};

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
