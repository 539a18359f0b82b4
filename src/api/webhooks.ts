// API routes for developers' webhooks, by which their servers get events about orders, money and bundles. Webhooks
// sent to us by providers are in provider-callbacks.ts.
import * as webhookDeliveries from "../core/webhooks/deliveries.ts";
import * as hooks from "../core/webhooks/endpoints.ts";
import { replay } from "../core/webhooks/replay.ts";
import { IdParams, Page } from "../http/schemas/common.ts";
import * as shapes from "../http/schemas/webhooks.ts";
import { exampleOf } from "../http/webhook-events.ts";
import { limits } from "../shared/domain.ts";
import { page, type Route, route } from "./route.ts";
import { done, run } from "./run.ts";

const hookExample = {
  id: 3,
  url: "https://reseller.example/datafie",
  description: "The shop's own server",
  events: ["order.status_changed" as const, "wallet.balance_low" as const],
  enabled: true,
  pausedFor: null,
  failingSince: null,
  createdAt: "2026-11-21T09:30:00.000Z",
};
const newExample = { ...hookExample, enabled: false, pausedFor: "unproven" as const };
const secretExample = { ...hookExample, secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=" };
const deliveryExample = {
  id: 812,
  messageId: "msg_812",
  webhookId: 3,
  type: "order.status_changed" as const,
  test: false,
  orderId: 4711,
  status: "waiting" as const,
  attempts: 1,
  responseStatus: 503,
  error: null,
  nextAttemptAt: "2026-11-21T09:30:05.500Z",
  createdAt: "2026-11-21T09:30:00.000Z",
  endedAt: null,
};

export const hookRoutes: Route[] = [
  route({
    method: "GET",
    path: "/api/v1/webhooks",
    role: "user",
    scope: "webhooks",
    summary: "Your webhooks, oldest first",
    answer: { status: 200, schema: shapes.Hook.schema.array(), example: [hookExample] },
    errors: [],
    handle: async ({ db, by }) => ({ body: (await hooks.list(db, by)).map(shapes.Hook.present) }),
  }),
  route({
    method: "POST",
    path: "/api/v1/webhooks",
    role: "user",
    scope: "webhooks",
    summary:
      "Add a webhook for the events you choose, changes of your orders' status if you choose none; it starts once " +
      "it has answered a test. The secret is shown once",
    takesKey: true,
    body: shapes.NewHook,
    example: {
      ...{ url: hookExample.url, description: hookExample.description, events: hookExample.events },
    },
    answer: {
      status: 201,
      schema: shapes.HookWithSecret.schema,
      example: { ...newExample, secret: secretExample.secret },
    },
    errors: ["webhook.url_refused", "webhook.exists", "webhook.too_many", "request.rate_limited"],
    handle: async ({ db, webhookKeys, by, key, body }) => {
      const { answer, replayed } = await hooks.create(db, webhookKeys, { by, key, ...body });
      return { body: shapes.HookWithSecret.present(answer), replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/webhooks/:id",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary: "One of your webhooks",
    params: IdParams,
    answer: { status: 200, schema: shapes.Hook.schema, example: hookExample },
    errors: ["webhook.not_found"],
    handle: async ({ db, by, params }) => ({ body: shapes.Hook.present(await hooks.get(db, by, params.id)) }),
  }),
  route({
    method: "PATCH",
    path: "/api/v1/webhooks/:id",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary:
      "Change a webhook's address, description or events, or turn it on or off; after a new address or turning it " +
      "on, it starts once it has answered a test",
    params: IdParams,
    body: shapes.HookChange,
    example: { enabled: true },
    answer: { status: 200, schema: shapes.Hook.schema, example: hookExample },
    errors: ["webhook.not_found", "webhook.url_refused", "webhook.exists", "request.rate_limited"],
    handle: async ({ db, webhookKeys, by, params, body: { enabled: isOn, ...change } }) => {
      const hook = await hooks.change(db, webhookKeys, { by, hookId: params.id, isOn, ...change });
      return { body: shapes.Hook.present(hook) };
    },
  }),
  run("DELETE /webhooks/:id", hooks.remove, done, {
    ...{ subject: "webhook", scope: "webhooks", idOf: "hookId", gives: { ok: true } },
  }),
  route({
    method: "POST",
    path: "/api/v1/webhooks/:id/secret",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary: `Create a new secret, shown once; the old one signs alongside it for ${limits.hookSecretHours} hours`,
    takesKey: true,
    params: IdParams,
    answer: { status: 200, schema: shapes.HookWithSecret.schema, example: secretExample },
    errors: ["webhook.not_found"],
    handle: async ({ db, webhookKeys, by, key, params }) => {
      const { answer, replayed } = await hooks.rotateSecret(db, webhookKeys, { by, key, hookId: params.id });
      return { body: shapes.HookWithSecret.present(answer), replayed };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/webhooks/:id/test",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary:
      "Send one test to a webhook, the example of an event or a ping; its deliveries show the result. " +
      "A 2xx to a ping turns on a webhook that was never proven",
    takesKey: true,
    params: IdParams,
    isBodyOptional: true,
    body: shapes.HookTest,
    example: { type: "wallet.topped_up" },
    answer: {
      status: 202,
      schema: shapes.HookDelivery.schema,
      example: {
        ...deliveryExample,
        type: "wallet.topped_up",
        test: true,
        orderId: null,
        attempts: 0,
        responseStatus: null,
      },
    },
    errors: ["webhook.not_found", "webhook.paused", "request.rate_limited"],
    handle: async ({ db, by, key, params, body: { type } }) => {
      const test = { by, key, hookId: params.id };
      const { answer, replayed } =
        type === "ping"
          ? await webhookDeliveries.ping(db, test)
          : await webhookDeliveries.sendExample(db, { ...test, example: exampleOf(type) });
      return { body: shapes.HookDelivery.present(answer), replayed };
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/webhooks/:id/deliveries",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary: `A webhook's messages of the last ${limits.hookDeliveryDays} days, sent and waiting, newest first`,
    params: IdParams,
    query: Page,
    answer: { status: 200, schema: shapes.HookDelivery.schema.array(), example: [deliveryExample] },
    errors: ["webhook.not_found"],
    handle: async ({ db, by, params, request, query }) => {
      const { id } = await hooks.get(db, by, params.id);
      return page(request, await webhookDeliveries.list(db, id, query), query.limit, shapes.HookDelivery.present);
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/webhooks/:id/replay",
    subject: "webhook",
    role: "user",
    scope: "webhooks",
    summary:
      "Send every message of a span again, under the same webhook-id and in the same order: at most " +
      `${limits.hookReplay.toLocaleString("en")} of the last ${limits.hookDeliveryDays} days`,
    takesKey: true,
    params: IdParams,
    body: shapes.HookReplay,
    example: { since: "2026-11-21T08:00:00Z", until: "2026-11-21T09:00:00Z" },
    answer: { status: 202, schema: shapes.HookReplayed, example: { count: 240 } },
    errors: ["webhook.not_found", "webhook.paused", "webhook.replay_too_many", "request.rate_limited"],
    handle: async ({ db, by, key, params, body }) => {
      const { answer, replayed } = await replay(db, { by, key, hookId: params.id, ...body });
      return { body: answer, replayed };
    },
  }),
  run("POST /webhooks/deliveries/:id/resend", webhookDeliveries.sendAgain, shapes.HookDelivery, {
    ...{ subject: "webhookDelivery", scope: "webhooks", idOf: "deliveryId", gives: deliveryExample, status: 202 },
  }),
];
