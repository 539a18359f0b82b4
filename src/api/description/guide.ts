// The guide for programs, made from the same routes and schemas that serve and validate their requests.
import type { Guide, GuideCall, GuideField, GuideMessage } from "../../http/guide.ts";
import type { Subject } from "../../http/subject.ts";
import type { ErrorCode } from "../../shared/errors/app-error.ts";
import { routesForKeys, shortPath } from "../for-keys.ts";
import type { Route } from "../route.ts";
import { type Components, fieldOf, fieldsOf, type JsonSchema } from "./guide-fields.ts";
import { openApi } from "./openapi.ts";

type Content = {
  content?: { "application/json"?: { schema: JsonSchema; example?: unknown; examples?: object } };
};
type Operation = {
  summary: string;
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: JsonSchema }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Components };
};

/** The guide to those of `routes` that a key may call. */
export function guideTo(routes: readonly Route[]): Guide {
  const called = routesForKeys(routes);
  const document = openApi(called, null) as Document;
  const components = document.components.schemas;
  const calls = called.map((route) => {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    return callOf(route, document.paths[path]![route.method.toLowerCase()]!, components);
  });
  const messages = Object.entries(document.webhooks).map(([type, { post }]) => messageOf(type, post, components));
  const everywhere = new Set(called.flatMap((route, n) => codesOf(document, route, calls[n]!.errors)));
  return {
    calls,
    messages,
    errors: [...new Set([...everywhere, ...calls.flatMap(({ errors }) => errors)])],
    details: fieldsOf(components.FailureDetails!, components),
  };
}

/** The codes that the description lists for a route beyond its own. */
function codesOf(document: Document, route: Route, own: readonly ErrorCode[]): ErrorCode[] {
  const { responses } = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]![route.method.toLowerCase()]!;
  const codes = Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.["application/json"]?.examples ?? {}),
  ) as ErrorCode[];
  return codes.filter((code) => !own.includes(code));
}

function callOf(route: Route, operation: Operation, components: Components): GuideCall {
  const path = shortPath(route).replace(/:(\w+)/g, "{$1}");
  const parameters = operation.parameters ?? [];
  const given = (place: string): GuideField[] =>
    parameters
      .filter((one) => one.in === place)
      .map(({ name, schema, required, description }) => ({
        ...fieldOf(name, schema, required, components),
        text: description ?? "",
      }));
  const query = given("query");
  const json = ({ content }: Content) => content!["application/json"]!;
  const { status, example } = route.answer;
  return {
    name: `${route.method.toLowerCase()}-${path.replace(/[{}]/g, "").split("/").slice(1).join("-")}`,
    method: route.method,
    path,
    summary: operation.summary,
    group: path.split("/")[1]!,
    scope: route.scope ?? null,
    takesKey: route.takesKey ?? false,
    isPaged: query.some(({ name }) => name === "cursor"),
    params: given("path"),
    query,
    body: operation.requestBody ? fieldsOf(json(operation.requestBody).schema, components) : [],
    answer: fieldsOf(json(operation.responses[status]!).schema, components),
    example: {
      params: Object.fromEntries(given("path").map(({ name }) => [name, exampleOf(route)])),
      query: queryExample(query),
      body: route.example,
      status,
      answer: example,
    },
    errors: route.errors,
  };
}

/** The ids of the examples. */
const EXAMPLE_IDS: Partial<Record<Subject, number>> = {
  order: 4711,
  deliveredOrder: 4711,
  bulkOrder: 7,
  webhook: 3,
  webhookDelivery: 812,
};

/** What stands in the path of a route's example. */
function exampleOf({ subject, answer }: Route): string {
  const { id } = (answer.example ?? {}) as { id?: number };
  return String((subject && EXAMPLE_IDS[subject]) ?? id ?? 1);
}

/** What must be given, and a short page. */
function queryExample(fields: readonly GuideField[]): Record<string, string> {
  const days: Record<string, string> = { from: "2026-11-01", to: "2026-11-30" };
  const shown = fields.filter(({ name, isRequired }) => isRequired || name === "limit");
  return Object.fromEntries(shown.map(({ name }) => [name, days[name] ?? "20"]));
}

function messageOf(type: string, operation: Operation, components: Components): GuideMessage {
  const { schema, example } = operation.requestBody!.content!["application/json"]!;
  return { type, summary: operation.summary, fields: fieldsOf(schema, components), example };
}
