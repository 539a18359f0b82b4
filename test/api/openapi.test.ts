// Tests of the OpenAPI document: it describes every route, and every example is valid.
import { describe, expect, test } from "bun:test";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { z } from "zod";
import { openApi } from "../../src/api/description/openapi.ts";
import { allRoutes as routes } from "../../src/api/index.ts";
import { newSecret, signedHeaders } from "../../src/core/webhooks/signature.ts";
import { Failure } from "../../src/http/schemas/refusals.ts";
import { PingMessage } from "../../src/http/schemas/webhook-messages.ts";
import { HOOK_EVENT_INFO } from "../../src/http/webhook-events.ts";
import type { ErrorCode } from "../../src/shared/errors/app-error.ts";
import { errors } from "../../src/shared/errors/codes.ts";
import { HOOK_EVENTS, type HookEvent } from "../../src/shared/hook-topics.ts";
import { openApp, openWorld } from "../support/world.ts";
import { resolved } from "./references.ts";

const world = await openWorld();
const client = openApp(world);
const { body: document, headers, status } = await client.call(null, "GET", "/openapi.json");
/** As it was sent: a matcher may insert its own objects into what it compares. */
const text = JSON.stringify(document);
const nameOf = (route: { method: string; path: string }) => `${route.method} ${route.path}`;
const pathOf = (path: string) => path.replace(/:(\w+)/g, "{$1}");

type Operation = {
  operationId: string;
  summary: string;
  security: unknown[];
  "x-scope"?: string;
  parameters: { name: string; in: string; required: boolean; schema: Record<string, unknown> }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { schema: Record<string, unknown>; example: unknown }>;
  };
  responses: Record<
    string,
    {
      description: string;
      headers: Record<string, unknown>;
      content: Record<string, { schema: object; example?: unknown; examples?: Record<string, { value: unknown }> }>;
    }
  >;
};
const operationOf = (route: { method: string; path: string }): Operation =>
  resolved(document, document.paths[pathOf(route.path)]?.[route.method.toLowerCase()]);

test("the document is public, and is OpenAPI 3.1", () => {
  expect(status).toBe(200);
  expect(headers.get("content-type")).toContain("application/json");
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
  expect(document.info).toMatchObject({ title: expect.any(String), version: expect.any(String) });
  expect(document.servers).toEqual([{ url: "http://localhost" }]);
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
});

test("every route is in it once, and nothing else", () => {
  const described = Object.entries(document.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(routes.map((route) => `${route.method} ${pathOf(route.path)}`).sort());
  const ids = routes.map((route) => operationOf(route).operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

test("it describes every event of webhooks and the ping, with valid examples", () => {
  expect(Object.keys(document.webhooks)).toEqual([...HOOK_EVENTS]);
  for (const event of HOOK_EVENTS) {
    const { post } = document.webhooks[event];
    const { schema, example } = resolved(document, post).requestBody.content["application/json"];
    // As the page's test message sends it, and by both: what is described here and what our schema says.
    for (const message of event === "ping" ? [example] : [example, { ...example, test: true }]) {
      expect(schemaOf(event).parse(message)).toEqual(message);
      expect(z.fromJSONSchema(schema).safeParse(message).error).toBeUndefined();
    }
    expect(z.fromJSONSchema(schema).safeParse({ ...example, data: {} }).success).toBe(false);
    expect(Object.keys(schema.properties.data.properties)).toEqual(Object.keys(example.data));
  }
});

const schemaOf = (event: HookEvent): z.ZodType => (event === "ping" ? PingMessage : HOOK_EVENT_INFO[event].schema);

test("it describes the headers of a message as they are sent", () => {
  const sent = signedHeaders([newSecret(), newSecret()], {
    id: "msg_812",
    atSeconds: 1_795_253_400,
    body: "{}",
  });
  for (const event of HOOK_EVENTS) {
    const { parameters, security } = document.webhooks[event].post;
    expect(security).toEqual([]);
    expect(parameters.map(({ name }: { name: string }) => name)).toEqual(Object.keys(sent));
    for (const { name, required, schema, example, ...header } of parameters) {
      expect([header.in, required]).toEqual(["header", true]);
      for (const value of [sent[name], example]) expect(z.fromJSONSchema(schema).safeParse(value).success).toBe(true);
    }
  }
});

test("named schemas are described once, and referred to by name", () => {
  const names = Object.keys(document.components.schemas);
  for (const name of ["Order", "Product", "WalletTransaction", "Payment", "NewOrder", "OrderStatus", "Failure"])
    expect(names).toContain(name);
  const placed = document.paths["/api/v1/orders"].post.responses["201"].content["application/json"].schema;
  expect(placed).toEqual({ $ref: "#/components/schemas/PlacedOrder" });
  const listed = document.paths["/api/v1/orders"].get.responses["200"].content["application/json"].schema;
  expect(listed.items).toEqual({ $ref: "#/components/schemas/Order" });
});

test("answers allow additional fields, so that a new field breaks no client", () => {
  expect(text).not.toContain('"additionalProperties":false');
});

test("operations have names that are valid for functions", () => {
  for (const route of routes) expect(operationOf(route).operationId).toMatch(/^[a-z][A-Za-z0-9]*$/);
});

test("headers of answers are described: the next page, replays, waiting times, request ids", () => {
  for (const route of routes) {
    const { responses, parameters } = operationOf(route);
    const isPaged = parameters.some(({ name }) => name === "cursor");
    const names = Object.keys(responses[route.answer.status]!.headers);
    expect([nameOf(route), ...names]).toEqual([
      nameOf(route),
      "x-request-id",
      ...(route.role === "anyone" ? [] : ["RateLimit-Policy", "RateLimit"]),
      ...(isPaged ? ["Link"] : []),
      ...(route.takesKey ? ["Idempotency-Replayed"] : []),
    ]);
    expect(Object.keys(responses["503"]!.headers)).toContain("Retry-After");
  }
});

test("a linter for OpenAPI finds no error and no warning", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const source = JSON.stringify(openApi(routes, "https://datafie.example"));
  const problems = await lintFromString({ source, config });
  expect(problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`)).toEqual([]);
  // It reads two megabytes.
});

test("every reference can be resolved", () => {
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  expect(references.length).toBeGreaterThan(0);
  for (const reference of new Set(references)) {
    const target = reference
      .split("/")
      .reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], document);
    expect([reference, typeof target]).toEqual([reference, "object"]);
  }
});

for (const route of routes) {
  describe(nameOf(route), () => {
    const operation = operationOf(route);

    test("names its parameters, and whether it needs a login", () => {
      const inPath = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]!);
      const described = operation.parameters.filter((one) => one.in === "path");
      expect(described.map((one) => [one.name, one.required])).toEqual(inPath.map((name) => [name, true]));
      for (const parameter of operation.parameters) expect(typeof parameter.schema).toBe("object");
      const apiKey = route.scope ? [{ apiKey: [] }] : [];
      expect(operation.security).toEqual(route.role === "anyone" ? [] : [{ bearer: [] }, ...apiKey]);
      expect(operation["x-scope"]).toBe(route.scope);
      const takesKey = operation.parameters.some((one) => one.in === "header" && one.name === "Idempotency-Key");
      expect(takesKey).toBe(route.takesKey === true);
      expect(operation.summary.length).toBeGreaterThan(10);
    });

    test("shows a complete, valid answer", () => {
      const answer = operation.responses[route.answer.status]!.content["application/json"]!;
      expect(answer.example).toEqual(JSON.parse(JSON.stringify(route.answer.example)));
      expect(route.answer.schema.parse(route.answer.example) as unknown).toEqual(route.answer.example);
    });

    test("shows a valid request, if it takes one", () => {
      expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
      if (!route.body) return;
      const { schema, example } = operation.requestBody!.content["application/json"]!;
      expect(route.body.safeParse(example).error?.message).toBeUndefined();
      const fields = Object.keys((schema.properties ?? {}) as object);
      for (const name of Object.keys(example as object)) expect(fields).toContain(name);
      for (const name of (schema.required ?? []) as string[]) expect(example as object).toHaveProperty(name);
    });

    test("lists its errors under their statuses, each with a valid example", () => {
      for (const [code, response] of Object.entries(operation.responses)) {
        if (Number(code) < 400) continue;
        for (const [name, { value }] of Object.entries(response.content["application/json"]!.examples!)) {
          expect(Failure.safeParse(value).success).toBe(true);
          expect(`${name} ${errors[name as ErrorCode].status}`).toBe(`${name} ${code}`);
        }
      }
      const listed = Object.values(operation.responses).flatMap((response) =>
        Object.keys(response.content["application/json"]!.examples ?? {}),
      );
      for (const code of route.errors) expect(listed).toContain(code);
      expect(listed).toContain("service.unavailable");
      if (route.role !== "anyone") expect(listed).toContain("auth.required");
      if (route.right) expect(listed).toContain("auth.forbidden");
    });
  });
}
