// Schemas of the messages that are sent to developers' webhooks.
import { z } from "zod";
import { TOP_UP_SOURCES } from "../../shared/domain.ts";
import type { HookTopic } from "../../shared/hook-topics.ts";
import { Id, Operator } from "../../shared/inputs.ts";
import { moment, money, OrderStatus } from "./common.ts";
import { Order } from "./orders.ts";

const pesewas = z.int().describe("The same in pesewas");

const message = <T extends HookTopic, D extends z.ZodType>(type: T, data: D) =>
  z.object({
    type: z.literal(type),
    timestamp: z.string().describe("When it happened, with microseconds; comparing the texts compares the times"),
    test: z.literal(true).optional().describe("Only in an example that you asked for"),
    data,
  });

const OrderData = Order.schema.extend({ amountPesewas: z.int() });

export const OrderMessage = message(
  "order.status_changed",
  OrderData.extend({ previousStatus: OrderStatus }).describe("The order right after the change"),
);

export const RefundMessage = message(
  "order.refunded",
  OrderData.extend({
    refunded: money.describe("What came back to the wallet"),
    refundedPesewas: pesewas,
  }).describe("The order right after the refund"),
);

export const DisputeMessage = message(
  "order.case_decided",
  OrderData.extend({
    case: z.object({
      id: Id.describe("Of the support request"),
      outcome: z.enum(["delivered", "refunded"]),
      message: z.string().describe("The decision in words"),
    }),
  }).describe("The order right after the decision"),
);

export const TopUpMessage = message(
  "wallet.topped_up",
  z.object({
    source: z.enum(TOP_UP_SOURCES),
    id: Id.describe("Of the payment, the mobile money claim or the correction"),
    reference: z
      .string()
      .nullable()
      .describe("The payment's reference or the mobile money transaction; null for a correction"),
    orderId: Id.nullable().describe("The order that the payment was started for, and now pays if it can"),
    amount: money,
    amountPesewas: pesewas,
    balance: money.describe("Right after it, less what it paid of a debt"),
    balancePesewas: pesewas,
  }),
);

export const BalanceLowMessage = message(
  "wallet.balance_low",
  z.object({
    limit: money.describe("Your own limit, which you set under Profile, Notices"),
    limitPesewas: pesewas,
    balance: money,
    balancePesewas: pesewas,
    available: money.describe("What can be spent: the balance less what is held"),
    availablePesewas: pesewas,
  }),
);

const ChangedPrice = z.object({
  productId: Id,
  operator: Operator,
  name: z.string(),
  size: z.string(),
  oldPrice: money,
  oldPricePesewas: pesewas,
  price: money.describe("What you pay from now on"),
  pricePesewas: pesewas,
});

export const PriceMessage = message(
  "product.price_changed",
  z.object({
    products: z.array(ChangedPrice).describe("At most 100; more come in further messages with the same timestamp"),
  }),
);

export const PauseMessage = message(
  "product.paused",
  z.object({
    operator: Operator,
    productId: Id.nullable().describe("Null: the operator with all its bundles"),
    name: z.string().nullable(),
    size: z.string().nullable(),
    paused: z.boolean().describe("false: the sale goes on"),
    message: z.string().nullable().describe("Why it cannot be bought"),
    until: moment.nullable().describe("When the sale goes on by itself; null: unknown, or not paused"),
  }),
);

export const PingMessage = z.object({
  type: z.literal("ping"),
  timestamp: z.string().describe("When you requested it"),
  data: z.object({ webhookId: Id }),
});
