// Everything that staff can send, as the program itself lists it: the routes of the API and the forms of the pages.
import { z } from "zod";
import { openApi } from "../../src/api/description/openapi.ts";
import { routes } from "../../src/api/index.ts";
import type { Route } from "../../src/api/route.ts";
import type { Subject } from "../../src/http/subject.ts";
import type { Right } from "../../src/shared/rights.ts";
import type { Page } from "../../src/web/page.tsx";
import { pages } from "../../src/web/pages/index.tsx";
import type { JsonSchema } from "../api/generate.ts";
import { resolved } from "../api/references.ts";

export type Entry = {
  /** "POST /api/v1/…", or the page and its action. */
  name: string;
  path: string;
  subject: Subject | undefined;
  /** What it takes; undefined where everybody may come who is logged in. */
  rights: readonly Right[];
  /** How often it is tried, against the others. */
  weight: number;
} & ({ route: Route; body: JsonSchema | null } | { page: Page; action: string | null; fields: JsonSchema | null });

/** What disturbs only the run: it ends its own people's logins, or changes what they log in with. */
const LEFT_OUT = /^\/(api\/v1\/)?(auth|profile|logout|login|signup|forgot|reset|claim\/|claim$|your-number|confirm)/;

const document = openApi(routes, null) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: unknown }> } }>>;
};

export const ENTRIES: readonly Entry[] = [
  ...routes
    .filter(({ method, role, path }) => method !== "GET" && role !== "anyone" && !LEFT_OUT.test(path))
    .map(entryOf),
  ...pages.filter(({ role, path }) => role !== "anyone" && !LEFT_OUT.test(path)).flatMap(entriesOf),
];

/** Those of staff. */
export const STAFF_ENTRIES = ENTRIES.filter(({ rights }) => rights.length > 0);

/** The pages of staff that can be looked at. */
export const STAFF_PAGES = pages.filter(({ right, show, examples }) => right && show && examples?.length !== 0);

function entryOf(route: Route): Entry {
  const { method, path, subject, right, mayAsk, takesKey } = route;
  const operation = document.paths[path.replace(/:(\w+)/g, "{$1}")]![method.toLowerCase()]!;
  const schema = operation.requestBody?.content["application/json"]?.schema;
  return {
    ...{ name: `${method} ${path}`, path, subject, rights: right ? [right] : [], route },
    // Most of all what moves money above limits.
    weight: (right ? 2 : 1) * (mayAsk ? 4 : 1) * (takesKey ? 3 : 1) * (subject === "approval" ? 12 : 1),
    body: schema ? (resolved(document, schema) as JsonSchema) : null,
  };
}

function entriesOf(page: Page): Entry[] {
  const { path, subject, right, submit, submitRight, actions = {} } = page;
  const common = { path, subject, page };
  const weight = (right ? 3 : 1) * (path === "/admin/approvals" ? 12 : 1);
  const rightsOf = (own: Right | undefined) => [right, own].filter((one) => one !== undefined);
  const first = {
    ...{ name: `form ${path}`, ...common, rights: rightsOf(submitRight), weight, action: null, fields: null },
  };
  const others = Object.entries(actions).map(([action, { right: own, fields }]) => ({
    ...{ name: `form ${path} ${action}`, ...common, rights: rightsOf(own), weight, action },
    fields: fields ? schemaOf(fields) : null,
  }));
  return [...(submit ? [first] : []), ...others];
}

function schemaOf(fields: z.ZodType): JsonSchema {
  return z.toJSONSchema(fields, { io: "input", unrepresentable: "any" }) as JsonSchema;
}
