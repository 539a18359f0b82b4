// Schemas of developers' webhooks; webhook-messages.ts has those of the messages sent to them.
import { z } from "zod";
import { messageIdOf, type HookDelivery as StoredDelivery } from "../../core/webhooks/deliveries.ts";
import type { Hook as StoredHook, HookWithSecret as StoredWithSecret } from "../../core/webhooks/endpoints.ts";
import { HOOK_DELIVERY_STATES, HOOK_PAUSES, limits } from "../../shared/domain.ts";
import { as } from "../../shared/fields.ts";
import { HOOK_CHOICES, HOOK_EVENTS, HOOK_TOPICS } from "../../shared/hook-topics.ts";
import { Id, requiredText, text } from "../../shared/inputs.ts";
import { Moment, view } from "../view.ts";
import { From, To } from "./common.ts";

const Url = requiredText(limits.hookUrlChars, "Enter an address such as https://example.com/hooks").describe(
  "https, on the public internet, on port 443",
);
const Description = text(limits.hookDescriptionChars).trim().describe("For yourself");

const Events = z
  .array(z.enum(HOOK_CHOICES))
  .min(1, "Choose at least one event")
  .max(HOOK_CHOICES.length)
  .describe("The events that are sent to it; all: every one, later ones included");

export const NewHook = z.object({
  url: Url,
  description: Description.default(""),
  events: Events.default(["order.status_changed"]),
});
export const HookChange = z.object({
  url: Url.optional(),
  description: Description.optional(),
  events: Events.optional(),
  enabled: z
    .boolean()
    .optional()
    .describe("false: nothing is sent, and waiting messages fail. true: a test is sent, and a 2xx answer turns it on"),
});

const hook = {
  id: Id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(HOOK_CHOICES)),
  enabled: z.boolean(),
  pausedFor: z
    .enum(HOOK_PAUSES)
    .nullable()
    .describe(
      "owner: you turned it off; failing: nothing arrived for days; gone: it answered 410; " +
        "unproven: it has not answered a test yet",
    ),
  failingSince: Moment.nullable().describe("The first failure since the last message that arrived"),
  createdAt: Moment,
};
const hookOf = (row: StoredHook) => ({ ...row, enabled: row.pausedFor === null });
export const Hook = view(hook, hookOf);
export const HookWithSecret = view(
  {
    ...hook,
    secret: z
      .string()
      .nullable()
      .describe("Shown only once: whsec_ and 32 bytes as base64; null when a request is repeated"),
  },
  ({ hook, secret }: StoredWithSecret) => ({ ...hookOf(hook), secret }),
);
const delivery = {
  id: Id,
  messageId: z.string().describe("The header webhook-id, the same each time it is sent"),
  hookId: as("webhookId", Id),
  event: as("type", z.enum(HOOK_EVENTS)),
  test: z.boolean().describe("An example that you asked for"),
  orderId: Id.nullable(),
  state: as("status", z.enum(HOOK_DELIVERY_STATES)),
  attempts: z.int().describe("How many times it was sent"),
  lastStatus: as(
    "responseStatus",
    z.int().nullable().describe("The status of the last answer; null if there was none"),
  ),
  lastError: as("error", z.string().nullable().describe("Why the last attempt failed")),
  nextAttemptAt: Moment.nullable(),
  createdAt: Moment,
  endedAt: Moment.nullable(),
};
export const HookDelivery = view(delivery, (row: StoredDelivery) => ({
  ...row,
  messageId: messageIdOf(row.id),
  test: row.isTest || row.event === "ping",
  nextAttemptAt: row.state === "waiting" ? row.dueAt : null,
}));

export const HookTest = z.object({
  type: z.enum(HOOK_EVENTS).default("ping").describe("Whose example is sent, marked with `test: true`"),
});

export const HookReplay = z
  .object({
    since: From.describe(
      `Messages about what happened from then on; they are kept for ${limits.hookDeliveryDays} days`,
    ),
    until: To.optional().describe("And before then; left out: until now. A day is included whole"),
    events: z
      .array(z.enum(HOOK_TOPICS))
      .min(1, "Choose at least one event")
      .max(HOOK_TOPICS.length)
      .optional()
      .describe("Only these; left out: all"),
  })
  .refine(({ since, until }) => !until || since < until, {
    error: "must be later than the beginning",
    path: ["until"],
  });
export const HookReplayed = z.object({
  count: z.int().describe("How many messages are sent again; those still on their way are not among them"),
});
