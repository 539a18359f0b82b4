// The events of developers' webhooks as the page and the description of the API explain them, with an example of each.
import type { z } from "zod";
import type { HookTopic } from "../shared/hook-topics.ts";
import { type FailureCode, failureJson } from "../shared/orders/order-failures.ts";
import { orderExample } from "./order-example.ts";
import * as messages from "./schemas/webhook-messages.ts";

type HookEventInfo = {
  /** A few words, for people. */
  label: string;
  /** One line, for people. */
  summary: string;
  schema: z.ZodType;
  /** The data of its example. */
  data: object;
};

const order = { ...orderExample, amountPesewas: 390 };
const failed = (failure: FailureCode) => ({
  ...order,
  ...{ status: "FAILED", failure: failureJson({ status: "FAILED", failure }) },
  refundedAt: "2026-11-21T10:15:00.000Z",
});

export const HOOK_EVENT_INFO: Record<HookTopic, HookEventInfo> = {
  "order.status_changed": {
    label: "Orders' status",
    summary: "The status of one of your orders has changed",
    schema: messages.OrderMessage,
    data: { ...order, status: "PROCESSING", previousStatus: "PENDING" },
  },
  "order.refunded": {
    label: "Refunds",
    summary: "An order failed, and its money is back in your wallet",
    schema: messages.RefundMessage,
    data: { ...failed("network_refused"), refunded: 3.9, refundedPesewas: 390 },
  },
  "order.case_decided": {
    label: "Reports decided",
    summary: "An order that you reported as not received has been decided",
    schema: messages.DisputeMessage,
    data: {
      ...failed("not_received"),
      case: { id: 91, outcome: "refunded", message: "The money for this order is back in your wallet." },
    },
  },
  "wallet.topped_up": {
    label: "Top-ups",
    summary: "Money has come into your wallet",
    schema: messages.TopUpMessage,
    data: {
      ...{ source: "paystack", id: 512, reference: "tp-7f3k2m9q", orderId: null },
      ...{ amount: 50, amountPesewas: 5000, balance: 66.1, balancePesewas: 6610 },
    },
  },
  "wallet.balance_low": {
    label: "Low balance",
    summary: "A purchase took your wallet below your own low-balance amount",
    schema: messages.BalanceLowMessage,
    data: {
      ...{ limit: 20, limitPesewas: 2000, balance: 16.1, balancePesewas: 1610 },
      ...{ available: 16.1, availablePesewas: 1610 },
    },
  },
  "product.price_changed": {
    label: "Prices",
    summary: "What you pay for a bundle has changed",
    schema: messages.PriceMessage,
    data: {
      products: [
        {
          ...{ productId: 1, operator: "MTN", name: "MTN 1GB", size: "1GB" },
          ...{ oldPrice: 3.9, oldPricePesewas: 390, price: 4.1, pricePesewas: 410 },
        },
      ],
    },
  },
  "product.paused": {
    label: "Pauses",
    summary: "A bundle or a whole network is paused, or on sale again",
    schema: messages.PauseMessage,
    data: {
      ...{ operator: "MTN", productId: 1, name: "MTN 1GB", size: "1GB" },
      ...{ paused: true, message: "MTN is slow today", until: "2026-11-21T14:30:00.000Z" },
    },
  },
};

/** After everything that an example says has happened. */
const timestamp = "2026-11-21T10:15:00.123456Z";

/** The example of an event as it is sent. */
export function exampleMessage(type: HookTopic): object {
  return { type, timestamp, data: HOOK_EVENT_INFO[type].data };
}

/** The example of an event, for a test message. */
export function exampleOf(event: HookTopic): { event: HookTopic; data: object } {
  return { event, data: HOOK_EVENT_INFO[event].data };
}

export const pingMessageExample = { type: "ping", timestamp, data: { webhookId: 3 } };
