// A developer's server that has webhooks at a shop: what it takes is checked against the description of the API.
import { afterAll, expect } from "bun:test";
import { z } from "zod";
import { startEndpoint } from "../../../dev/simulators/endpoint.ts";
import { openApi } from "../../../src/api/description/openapi.ts";
import { routes } from "../../../src/api/index.ts";
import * as dispatch from "../../../src/core/webhooks/dispatch.ts";
import * as hooks from "../../../src/core/webhooks/endpoints.ts";
import { VENDOR_CODES } from "../../../src/gateways/vendors/index.ts";
import { HOOK_EVENT_INFO } from "../../../src/http/webhook-events.ts";
import type { HookChoice, HookTopic } from "../../../src/shared/hook-topics.ts";
import { resolved } from "../../api/references.ts";
import { openHook } from "../../support/webhook.ts";
import { createTestHooks, type Person, TEST_JWT_SECRET, type World } from "../../support/world.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document and the messages are JSON of many shapes.
type Json = any;

export type Taken = { type: HookTopic; timestamp: string; data: Json; id: string };

/** A server with webhooks of these events; `read` sends what waits and returns what it took since, by its ids. */
export function openReader({ db }: World) {
  const endpoint = startEndpoint();
  afterAll(() => endpoint.stop());
  const keys = { key: hooks.hookKey(TEST_JWT_SECRET), sender: createTestHooks() };
  const document: Json = openApi(routes, null);
  let paths = 0;
  const seen = new Map<number, number>();
  return {
    endpoint,
    keys,
    open: async (person: Person, ...events: HookChoice[]) => {
      const url = `${endpoint.url}/${++paths}`;
      return (await openHook(db, keys, { by: person.by(), url, events })).hook;
    },
    read: async (hook: hooks.Hook): Promise<Taken[]> => {
      await dispatch.sendDue(db, keys, { retrySeconds: [0, 0], pauseAfterSeconds: 3600 });
      const all = endpoint.received().filter(({ path }) => hook.url.endsWith(path));
      const fresh = all.slice(seen.get(hook.id) ?? 0);
      seen.set(hook.id, all.length);
      return fresh
        .map(({ body, headers }) => ({ ...described(document, body), id: headers.get("webhook-id")! }))
        .sort((a, b) => Number(a.id.slice(4)) - Number(b.id.slice(4)));
    },
  };
}

/** Parses a message, which must be one that the document describes, field by field, and names no vendor. */
function described(document: Json, body: string): Omit<Taken, "id"> {
  const message = JSON.parse(body) as Omit<Taken, "id">;
  expect(HOOK_EVENT_INFO[message.type].schema.parse(message)).toEqual(message);
  const { schema } = document.webhooks[message.type].post.requestBody.content["application/json"];
  z.fromJSONSchema(resolved(document, schema)).parse(message);
  expect(body).not.toMatch(new RegExp(VENDOR_CODES.join("|"), "i"));
  return message;
}
