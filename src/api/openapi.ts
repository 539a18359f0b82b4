// The OpenAPI document, made from the same routes and schemas that serve and check the requests.
import { z } from "zod";
import { catalogue } from "../shared/catalogue.ts";
import type { ErrorCode } from "../shared/errors.ts";
import * as schemas from "../shared/schemas.ts";
import { OrderMessage } from "../shared/schemas-hooks.ts";
import { orderMessageExample } from "./hooks.ts";
import type { Route } from "./route.ts";

/** OpenAPI 3.1 for these routes (https://spec.openapis.org/oas/v3.1.1). */
export function openApi(routes: Route[], baseUrl: string | null): unknown {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "DataFie",
      version: "1",
      description:
        "Buy mobile data bundles from a prepaid wallet. Amounts are numbers in GH₵ with at most two decimals. Lists are arrays, newest first; the Link header leads to the next page. Send an Idempotency-Key with everything that moves money: the same key with the same content gets the first answer again.",
    },
    servers: [{ url: baseUrl ?? "/" }],
    paths,
    webhooks: { "order.status_changed": { post: hookMessage() } },
    components: {
      securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } },
      schemas: { Failure: jsonSchema(schemas.Failure, "output") },
    },
  };
}

/** What developers' own servers are sent. */
function hookMessage(): unknown {
  const schema = jsonSchema(OrderMessage, "output");
  return {
    summary: "The status of an order of yours has changed",
    description: "Signed as Standard Webhooks has it: webhook-id, webhook-timestamp, webhook-signature.",
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: orderMessageExample } },
    },
    responses: { "2XX": { description: "Taken; anything else is sent again" } },
  };
}

function operation(route: Route): unknown {
  return {
    summary: route.summary,
    operationId: `${route.method.toLowerCase()}${route.path
      .replace("/api/v1", "")
      .replace(/[/:]+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [route.path.split("/")[3]],
    security: route.role === "anyone" ? [] : [{ bearer: [] }],
    "x-role": route.role,
    parameters: [
      ...parameters(route.params, "path"),
      ...parameters(route.query, "query"),
      ...keyParameter(route),
    ],
    ...(route.body && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(route.body, "input"), example: route.example } },
      },
    }),
    responses: {
      [route.answer.status]: {
        description: "Done",
        content: {
          "application/json": {
            schema: jsonSchema(route.answer.schema, "output"),
            example: route.answer.example,
          },
        },
      },
      ...refusals(route),
    },
  };
}

function refusals(route: Route): Record<string, unknown> {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.role !== "anyone") codes.add("auth.required").add("auth.session_ended");
  if (route.role !== "anyone" && route.method !== "GET") codes.add("request.foreign_origin");
  if (route.role === "admin") codes.add("auth.forbidden");
  if (route.params || route.query || route.body) codes.add("request.invalid");
  if (route.body) codes.add("request.malformed").add("request.content_type").add("request.too_large");
  codes.add("service.unavailable");
  const byStatus = Map.groupBy(codes, (code) => catalogue[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `${code}: ${catalogue[code].message}`).join("; "),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Failure" },
              examples: Object.fromEntries(
                codes.map((code) => [
                  code,
                  { value: { code, message: catalogue[code].message, requestId: "7f3k2m9q" } },
                ]),
              ),
            },
          },
        },
      ]),
  );
}

function parameters(schema: Route["params"], place: "path" | "query"): unknown[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, "input") as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description && { description }),
    schema: property,
  }));
}

function keyParameter(route: Route): unknown[] {
  if (!route.takesKey) return [];
  const description =
    "Made by you, up to 255 characters; the same key gets the same answer for at least 24 hours";
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description,
      schema: { type: "string", maxLength: 255 },
    },
  ];
}

function jsonSchema(schema: z.ZodType, io: "input" | "output"): object {
  const { $schema: _, ...document } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return document;
}
