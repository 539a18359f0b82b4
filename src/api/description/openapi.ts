// The OpenAPI document, generated from the same routes and schemas that serve and validate requests.
import type { z } from "zod";
import { PROBLEM } from "../../http/refusals.ts";
import { Failure, Problem } from "../../http/schemas/refusals.ts";
import { Requested } from "../../http/schemas/staff/approvals.ts";
import { PingMessage } from "../../http/schemas/webhook-messages.ts";
import { exampleMessage, HOOK_EVENT_INFO, pingMessageExample } from "../../http/webhook-events.ts";
import { KEY_START } from "../../shared/api-keys.ts";
import { type ErrorCode, isRetryable } from "../../shared/errors/app-error.ts";
import { errors } from "../../shared/errors/codes.ts";
import { HOOK_TOPICS, type HookTopic } from "../../shared/hook-topics.ts";
import { approvalExample } from "../approval-example.ts";
import { queryOf, REQUESTED, REQUESTED_MESSAGE, type Route } from "../route.ts";
import { NamedSchemas } from "./named-schemas.ts";

/** The OpenAPI 3.1 document of these routes (https://spec.openapis.org/oas/v3.1.1). */
export function openApi(routes: Route[], baseUrl: string | null): unknown {
  const named = new NamedSchemas();
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][route.method.toLowerCase()] = operation(named, route);
  }
  const webhooks = {
    ...Object.fromEntries(HOOK_TOPICS.map((topic) => [topic, { post: topicMessage(named, topic) }])),
    ping: {
      post: hookMessage(named, "ping", "You asked for a test message", {
        schema: PingMessage,
        example: pingMessageExample,
      }),
    },
  };
  named.describe(Failure, "output");
  named.describe(Problem, "output");
  return {
    openapi: "3.1.1",
    info: {
      title: "DataFie",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Proprietary", identifier: "LicenseRef-Proprietary" },
    },
    servers: [{ url: baseUrl ?? "/" }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "The token of a login" },
        apiKey: { type: "http", scheme: "bearer", bearerFormat: `${KEY_START}live_…`, description: API_KEY },
      },
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(named.components).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

const DESCRIPTION =
  "Buy mobile data bundles from a prepaid wallet. Amounts are numbers in GH₵ with at most two decimals. " +
  "Lists are arrays, newest first; the Link header points to the next page. " +
  "Send an Idempotency-Key with everything that moves money: " +
  "the same key with the same content returns the first answer again. " +
  "Acts of staff above a limit answer 202 with a request that somebody else must agree to. " +
  "Refusals are JSON with a code; with Accept: application/problem+json they are problems (RFC 9457) besides. " +
  "New fields may appear in answers and messages: ignore those that you do not know.";

const API_KEY =
  "An API key of your own, made under Profile, Developers. It may do what its scopes allow: x-scope says which one " +
  "an operation needs.";

/** What a program can be refused for because of its key, wherever keys are accepted. */
const KEY_REFUSALS = [
  ...["key.malformed", "key.unknown", "key.wrong_mode", "key.revoked", "key.replaced", "key.expired"],
  ...["key.address_refused", "key.scope_missing", "auth.banned"],
] as ErrorCode[];

const PEOPLE_ONLY = ["key.people_only", "key.revoked"] as const satisfies ErrorCode[];

/** The headers of answers. */
const HEADERS = {
  "x-request-id": {
    description: "Identifies this request in our log; quote it when you contact support",
    schema: { type: "string" },
  },
  Link: {
    description: '</api/v1/…?cursor=…>; rel="next": the next page, if there may be more (RFC 8288)',
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "true: this repeats the first answer to the same key; nothing was done again",
    schema: { type: "string", enum: ["true"] },
  },
  "Retry-After": { description: "Seconds to wait before you try again", schema: { type: "integer" } },
  "RateLimit-Policy": {
    description:
      '"requests";q=200;w=4: up to 200 requests at once, and as many in 4 seconds ' +
      "(draft-ietf-httpapi-ratelimit-headers)",
    schema: { type: "string" },
  },
  RateLimit: {
    description: '"requests";r=150;t=1: 150 of these remain, and in a second there are more',
    schema: { type: "string" },
  },
};

type HeaderName = keyof typeof HEADERS;

function headers({ role }: Pick<Route, "role">, ...names: HeaderName[]): object {
  const always: HeaderName[] = ["x-request-id"];
  // Nobody is counted by their account before it is known.
  if (role !== "anyone") always.push("RateLimit-Policy", "RateLimit");
  return Object.fromEntries([...always, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function topicMessage(named: NamedSchemas, topic: HookTopic): unknown {
  const { summary, schema } = HOOK_EVENT_INFO[topic];
  const operationId = topic.replace(/[._](\w)/g, (_, letter) => letter.toUpperCase());
  return hookMessage(named, operationId, summary, { schema, example: exampleMessage(topic) });
}

/** The headers of a message, by Standard Webhooks. */
const MESSAGE_HEADERS = [
  {
    name: "webhook-id",
    description: "The id of the message, the same each time it is sent: do nothing for one that you know",
    schema: { type: "string", pattern: "^msg_[0-9]+$" },
    example: "msg_812",
  },
  {
    name: "webhook-timestamp",
    description: "When it is sent, in seconds since 1970; refuse one that is more than five minutes off",
    schema: { type: "string", pattern: "^[0-9]+$" },
    example: "1795253400",
  },
  {
    name: "webhook-signature",
    description:
      "v1, and the HMAC-SHA-256 of `id.timestamp.body` under your secret, as base64; " +
      "two of these, with a space between, for a day after a new secret",
    schema: { type: "string" },
    example: "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
].map((header) => ({ ...header, in: "header", required: true }));

/** The description of a message that we send to a developer's server. */
function hookMessage(
  named: NamedSchemas,
  operationId: string,
  summary: string,
  { schema, example }: { schema: z.ZodType; example: unknown },
): unknown {
  return {
    summary,
    operationId,
    tags: ["webhooks"],
    description: "Signed as in Standard Webhooks: webhook-id, webhook-timestamp, webhook-signature.",
    security: [],
    parameters: MESSAGE_HEADERS,
    requestBody: {
      required: true,
      content: { "application/json": { schema: named.describe(schema, "output"), example } },
    },
    responses: {
      "2XX": { description: "Accepted" },
      "4XX": { description: "We send it again later; 410 turns the webhook off" },
    },
  };
}

function operation(named: NamedSchemas, route: Route): unknown {
  const isPaged = "cursor" in queryOf(route);
  const segments = route.path.replace("/api/v1", "").split(/[/:-]+/);
  const { status, schema, example, alsoCsv } = route.answer;
  return {
    summary: route.summary,
    operationId: segments.reduce(
      (id, segment) => id + segment.charAt(0).toUpperCase() + segment.slice(1),
      route.method.toLowerCase(),
    ),
    tags: [route.path.split("/")[3]],
    security: securityOf(route),
    "x-role": route.role ?? "staff",
    ...(route.right && { "x-right": route.right }),
    ...(route.scope && { "x-scope": route.scope }),
    parameters: [
      ...parameters(named, route.params, "path"),
      ...parameters(named, route.query, "query"),
      ...keyParameter(route),
    ],
    ...(route.body && {
      requestBody: {
        required: !route.isBodyOptional,
        content: {
          "application/json": { schema: named.describe(route.body, "input"), example: route.example },
        },
      },
    }),
    responses: {
      [status]: {
        description: "Success",
        headers: headers(
          route,
          ...(isPaged ? ["Link" as const] : []),
          ...(route.takesKey ? ["Idempotency-Replayed" as const] : []),
        ),
        content: {
          "application/json": { schema: named.describe(schema, "output"), example },
          ...(alsoCsv && { "text/csv": { schema: { type: "string" }, example: alsoCsv } }),
        },
      },
      ...(route.mayAsk && {
        [REQUESTED]: {
          description: "Nothing is done yet: somebody else must agree to this request",
          headers: headers(route),
          content: {
            "application/json": {
              schema: named.describe(Requested, "output"),
              example: { message: REQUESTED_MESSAGE, approval: approvalExample },
            },
          },
        },
      }),
      ...refusals(route),
    },
  };
}

function securityOf({ role, scope }: Route): unknown[] {
  if (role === "anyone") return [];
  return [{ bearer: [] }, ...(scope ? [{ apiKey: [] }] : [])];
}

function refusals(route: Route): Record<string, unknown> {
  const codes = new Set<ErrorCode>(route.errors);
  if (route.role !== "anyone") codes.add("auth.required").add("auth.session_ended").add("request.rate_limited");
  if (route.role !== "anyone" && route.method !== "GET") codes.add("request.foreign_origin");
  if (route.role !== "anyone") for (const code of route.scope ? KEY_REFUSALS : PEOPLE_ONLY) codes.add(code);
  if (route.right) codes.add("auth.forbidden");
  if (route.right && route.method !== "GET") codes.add("account.frozen");
  if (route.mayAsk) codes.add("auth.confirm_needed").add("approval.nobody").add("approval.open_already");
  codes.add("request.invalid");
  if (route.body)
    codes.add("request.malformed").add("request.content_type").add("request.too_large").add("request.timeout");
  if (route.body) codes.add("request.unknown_field");
  codes.add("service.unavailable");
  if (route.method !== "GET") codes.add("service.busy");
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  return Object.fromEntries(
    [...byStatus]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => [
        status,
        {
          description: codes.map((code) => `${code}: ${errors[code].message}`).join("; "),
          headers: headers(route, ...(status === 429 || status === 503 ? ["Retry-After" as const] : [])),
          content: {
            "application/json": {
              schema: { $ref: "#/components/schemas/Failure" },
              examples: Object.fromEntries(
                codes.map((code) => [
                  code,
                  {
                    value: {
                      code,
                      message: errors[code].message,
                      retryable: isRetryable(code),
                      requestId: "7f3k2m9q",
                    },
                  },
                ]),
              ),
            },
            [PROBLEM]: { schema: { $ref: "#/components/schemas/Problem" } },
          },
        },
      ]),
  );
}

function parameters(named: NamedSchemas, schema: Route["params"], place: "path" | "query"): unknown[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = named.describe(schema, "input") as {
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
  return [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "Chosen by you, up to 255 characters; the same key gets the same answer for at least 24 hours",
      schema: { type: "string", maxLength: 255 },
    },
  ];
}
