// Schemas of developers' webhooks and the messages sent to them.
import { z } from "zod";
import { HOOK_DELIVERY_STATES, HOOK_EVENTS, HOOK_PAUSES, limits } from "../../shared/domain.ts";
import { Id, moment, OrderStatus, requiredText, text } from "./common.ts";
import { Order } from "./orders.ts";

const Url = requiredText(limits.hookUrlChars, "Enter an address such as https://example.com/hooks").describe(
  "https, on the public internet, on port 443",
);
const Description = text(limits.hookDescriptionChars).trim().describe("For yourself");

export const NewHook = z.object({ url: Url, description: Description.default("") });
export const HookChange = z.object({
  url: Url.optional(),
  description: Description.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe(
      "false: nothing is sent, and waiting messages fail. true: a test is sent, and a 2xx answer turns it on",
    ),
});

export const Hook = z.object({
  id: Id,
  url: z.string(),
  description: z.string(),
  enabled: z.boolean(),
  pausedFor: z
    .enum(HOOK_PAUSES)
    .nullable()
    .describe(
      "owner: you turned it off; failing: nothing arrived for days; gone: it answered 410; " +
        "unproven: it has not answered a test yet",
    ),
  failingSince: moment.nullable().describe("The first failure since the last message that arrived"),
  createdAt: moment,
});
export const HookWithSecret = Hook.extend({
  secret: z
    .string()
    .nullable()
    .describe("Shown only once: whsec_ and 32 bytes as base64; null when a request is repeated"),
});
export const HookDelivery = z.object({
  id: Id,
  messageId: z.string().describe("The header webhook-id, the same each time it is sent"),
  webhookId: Id,
  type: z.enum(HOOK_EVENTS),
  orderId: Id.nullable(),
  status: z.enum(HOOK_DELIVERY_STATES),
  attempts: z.int().describe("How many times it was sent"),
  responseStatus: z.int().nullable().describe("The status of the last answer; null if there was none"),
  error: z.string().nullable().describe("Why the last attempt failed"),
  nextAttemptAt: moment.nullable(),
  createdAt: moment,
  endedAt: moment.nullable(),
});

/** The body of a message about an order. */
export const OrderMessage = z.object({
  type: z.literal("order.status_changed"),
  timestamp: z
    .string()
    .describe("When it happened, with microseconds; comparing the texts compares the times"),
  data: Order.extend({
    amountPesewas: z.int(),
    previousStatus: OrderStatus,
  }).describe("The order right after the change"),
});

/** The body of a test message. */
export const PingMessage = z.object({
  type: z.literal("ping"),
  timestamp: z.string().describe("When you requested it"),
  data: z.object({ webhookId: Id }),
});
