// What may come in and what goes out about developers' webhooks, beside schemas.ts.
import { z } from "zod";
import { HOOK_DELIVERY_STATES, HOOK_EVENTS, HOOK_PAUSES, limits } from "../../shared/domain.ts";
import { Id, moment, Order, OrderStatus, requiredText, text } from "./index.ts";

const Url = requiredText(limits.hookUrlChars, "Enter an address such as https://example.com/hooks").describe(
  "https, on the public internet, at port 443",
);
const Description = text(limits.hookDescriptionChars).trim();

export const NewHook = z.object({ url: Url, description: Description.default("") });
export const HookChange = z.object({
  url: Url.optional(),
  description: Description.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe(
      "False: nothing is sent, and what waits has failed. True: a test is sent, and its answer turns it on",
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
      "owner: you said so; failing: nothing arrived for days; gone: it answered 410; unproven: it has not answered a test yet",
    ),
  failingSince: moment.nullable().describe("The first failure since a message arrived"),
  createdAt: moment,
});
export const HookWithSecret = Hook.extend({
  secret: z
    .string()
    .nullable()
    .describe("Shown this once: whsec_ and 32 bytes as base64; null when the same request comes again"),
});
export const HookDelivery = z.object({
  id: Id,
  messageId: z.string().describe("What the header webhook-id says, each time it is sent"),
  webhookId: Id,
  type: z.enum(HOOK_EVENTS),
  orderId: Id.nullable(),
  status: z.enum(HOOK_DELIVERY_STATES),
  attempts: z.int().describe("How often it was sent"),
  responseStatus: z.int().nullable().describe("Of the last answer; null where there was none"),
  error: z.string().nullable().describe("Why the last one did not arrive, in words"),
  nextAttemptAt: moment.nullable(),
  createdAt: moment,
  endedAt: moment.nullable(),
});

/** The body of an order's message. */
export const OrderMessage = z.object({
  type: z.literal("order.status_changed"),
  timestamp: z.string().describe("When it happened, with microseconds; as text they compare as moments do"),
  data: Order.extend({
    amountPesewas: z.int(),
    previousStatus: OrderStatus,
  }).describe("The order as it was right after the change"),
});

/** The body of a test message. */
export const PingMessage = z.object({
  type: z.literal("ping"),
  timestamp: z.string().describe("When you asked for it"),
  data: z.object({ webhookId: Id }),
});
